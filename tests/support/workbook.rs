//! Workbooks and archives, made by hand.

use std::io::Write as _;

/// An archive of these files.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A workbook with these sheets; a cell is what stands in its `<c>`.
pub fn xlsx(sheets: &[(&str, &str)]) -> Vec<u8> {
    let relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let numbered = || (1..).zip(sheets);
    let listed: String =
        numbered().map(|(id, (name, _))| format!("<sheet name=\"{name}\" sheetId=\"{id}\" r:id=\"r{id}\"/>")).collect();
    let related: String = numbered()
        .map(|(id, _)| format!("<Relationship Id=\"r{id}\" Type=\"{relation}/worksheet\" Target=\"worksheets/sheet{id}.xml\"/>"))
        .collect();
    let styles = format!("<Relationship Id=\"s\" Type=\"{relation}/styles\" Target=\"styles.xml\"/>");
    let types = format!("<Types xmlns=\"{package}/content-types\"/>");
    let root = format!(
        "<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"w\" Type=\"{relation}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let workbook = format!("<workbook xmlns=\"{main}\" xmlns:r=\"{relation}\"><sheets>{listed}</sheets></workbook>");
    let relations = format!("<Relationships xmlns=\"{package}/relationships\">{related}{styles}</Relationships>");
    let formats = format!(
        "<styleSheet xmlns=\"{main}\"><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"22\"/></cellXfs></styleSheet>"
    );
    let mut files = vec![
        ("[Content_Types].xml".to_owned(), types),
        ("_rels/.rels".to_owned(), root),
        ("xl/workbook.xml".to_owned(), workbook),
        ("xl/_rels/workbook.xml.rels".to_owned(), relations),
        ("xl/styles.xml".to_owned(), formats),
    ];
    for (id, (_, rows)) in numbered() {
        files.push((
            format!("xl/worksheets/sheet{id}.xml"),
            format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    zip(&files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect::<Vec<_>>())
}

pub fn texts_row(row: u32, cells: &[&str]) -> String {
    let cells: String = cells
        .iter()
        .zip('A'..)
        .filter(|(text, _)| !text.is_empty())
        .map(|(text, column)| format!("<c r=\"{column}{row}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"))
        .collect();
    format!("<row r=\"{row}\">{cells}</row>")
}
