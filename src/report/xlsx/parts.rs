//! The parts of a workbook around its sheets: what there is, where it is, and how cells look.

use super::cell::SCALES;
use crate::report::xml;
use std::fmt::Write;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const DOCUMENT: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/// Numbers of formats of one's own begin here.
const OWN_FORMATS: usize = 164;

pub(super) fn content_types(sheets: usize) -> String {
    let mut part = format!(
        "{DECLARATION}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/xl/workbook.xml\" ContentType=\"{TYPE}.sheet.main+xml\"/>\
         <Override PartName=\"/xl/styles.xml\" ContentType=\"{TYPE}.styles+xml\"/>"
    );
    for sheet in 1..=sheets {
        // Writing to a String cannot fail, here and below.
        let _ = write!(part, "<Override PartName=\"/xl/worksheets/sheet{sheet}.xml\" ContentType=\"{TYPE}.worksheet+xml\"/>");
    }
    part + "</Types>"
}

/// Where the workbook is.
pub(super) fn relations() -> String {
    format!(
        "{DECLARATION}<Relationships xmlns=\"{RELATIONSHIPS}\">\
         <Relationship Id=\"rId1\" Type=\"{DOCUMENT}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    )
}

/// Where the sheets are, and how cells look.
pub(super) fn workbook_relations(sheets: usize) -> String {
    let mut part = format!("{DECLARATION}<Relationships xmlns=\"{RELATIONSHIPS}\">");
    for sheet in 1..=sheets {
        let _ = write!(
            part,
            "<Relationship Id=\"rId{sheet}\" Type=\"{DOCUMENT}/worksheet\" Target=\"worksheets/sheet{sheet}.xml\"/>"
        );
    }
    let styles = sheets + 1;
    let _ = write!(part, "<Relationship Id=\"rId{styles}\" Type=\"{DOCUMENT}/styles\" Target=\"styles.xml\"/>");
    part + "</Relationships>"
}

/// The sheets by their names, and what can be filtered in each.
pub(super) fn workbook(names: &[&str], filters: &[Option<String>]) -> String {
    let mut part =
        format!("{DECLARATION}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{DOCUMENT}\"><bookViews><workbookView/></bookViews><sheets>");
    for (name, sheet) in names.iter().zip(1..) {
        let _ = write!(part, "<sheet name=\"{}\" sheetId=\"{sheet}\" r:id=\"rId{sheet}\"/>", xml::text(name));
    }
    part.push_str("</sheets><definedNames>");
    for ((name, filter), sheet) in names.iter().zip(filters).zip(0..) {
        if let Some(cells) = filter {
            let name = xml::text(name);
            let _ = write!(
                part,
                "<definedName name=\"_xlnm._FilterDatabase\" localSheetId=\"{sheet}\" hidden=\"1\">'{name}'!{cells}</definedName>"
            );
        }
    }
    part + "</definedNames></workbook>"
}

/// How cells look, in the order of `cell::format`: as it comes, text, head, count, place, number, and amounts of each scale.
pub(super) fn styles() -> String {
    let mut formats = String::new();
    let mut looks = String::new();
    for scale in 0..SCALES {
        let (number, point) = (OWN_FORMATS + scale, if scale > 0 { "." } else { "" });
        let _ = write!(formats, "<numFmt numFmtId=\"{number}\" formatCode=\"#,##0{point}{}\"/>", "0".repeat(scale));
        let _ = write!(
            looks,
            "<xf numFmtId=\"{number}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>"
        );
    }
    // 49 is text, 3 whole numbers in groups, 1 whole numbers, 0 as it comes.
    let plain = |number: usize| {
        format!("<xf numFmtId=\"{number}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>")
    };
    let head = "<xf numFmtId=\"49\" fontId=\"1\" fillId=\"2\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\" \
                applyFill=\"1\" applyAlignment=\"1\"><alignment vertical=\"top\" wrapText=\"1\"/></xf>";
    format!(
        "{DECLARATION}<styleSheet xmlns=\"{MAIN}\"><numFmts count=\"{SCALES}\">{formats}</numFmts>\
         <fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font>\
         <font><b/><sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font></fonts>\
         <fills count=\"3\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill>\
         <fill><patternFill patternType=\"solid\"><fgColor rgb=\"FFE8ECF1\"/><bgColor indexed=\"64\"/></patternFill></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"{}\">{}{}{head}{}{}{}{looks}</cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>",
        6 + SCALES,
        plain(0),
        plain(49),
        plain(3),
        plain(1),
        plain(0),
    )
}
