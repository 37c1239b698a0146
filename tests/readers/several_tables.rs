//! Workbooks of several sheets, pages of several tables: all that fit alike are read, and what is not read is named.

use super::harness::{All, File, Kind, open, read, read_bytes, source};
use super::translated::{records, row, texts_row, xlsx};
use twicelog::domain::record::InputError;

fn notes(all: &All) -> Vec<(&str, &str)> {
    all.facts.notes.iter().map(|note| (note.code.as_str(), note.message.as_str())).collect()
}

fn sheet(header: &[&str], rows: &[&[&str]]) -> String {
    let below = (2..).zip(rows).map(|(number, cells)| texts_row(number, cells));
    std::iter::once(texts_row(1, header)).chain(below).collect()
}

/// A finance workbook has a sheet for each month.
#[test]
fn sheets_with_one_header_are_read_one_after_the_other() {
    let january = sheet(&["Id", "Total"], &[&["a", "5"], &["b", "6"]]);
    let february = sheet(&["ID", "Total", "Note"], &[&["a", "5", "again"]]);
    let rates = sheet(&["Currency", "Rate"], &[&["EUR", "1.1"]]);
    let bytes = xlsx(&[("Jan", &january), ("Feb", &february), ("Rates", &rates), ("Cover", &texts_row(1, &["Report"]))]);
    let file = File::new(&bytes);
    let mut asked = source(&["Id", "Total"]);
    let input = open(file.path(), "in", &asked).unwrap();
    let all = read(input.as_ref());
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(2, 3, 3, &["b", "6"]), row(3, 2, 2, &["a", "5"])]);
    assert_eq!(input.description(), "xlsx, sheets \"Jan\", \"Feb\"");
    assert_eq!(input.columns(), ["Id", "Total", "ID", "Note"]);
    assert_eq!(
        notes(&all),
        [
            (
                "several_sheets",
                "in: several sheets fit alike and were read one after the other, with these records: \"Jan\" (1–2), \"Feb\" (3–3); set read.sheet to read one of them"
            ),
            (
                "unread_tables",
                "in: these sheets hold rows under other columns than sheet \"Jan\" and were not read: \"Rates\"; set read.sheet to read one of them"
            ),
        ]
    );
    asked.read.sheet = Some("Feb".into());
    let all = read(open(file.path(), "in", &asked).unwrap().as_ref());
    assert_eq!((records(&all), notes(&all)), (vec![row(1, 2, 2, &["a", "5"])], Vec::new()));
}

#[test]
fn tables_of_a_page_with_one_header_are_all_read() {
    let table = |rows: &str| format!("<table><tr><th>Id<th>Total</tr>{rows}</table>\n");
    let page = [
        "<table><tr><td>menu</td></tr><tr><td>more</td></tr></table>\n".to_owned(),
        table("<tr><td>a<td>5</tr>"),
        table("<tr><td>b<td>6</tr><tr><td>c<td>7</tr>"),
        "<table><tr><th>Total</tr><tr><td>18</tr></table>\n".to_owned(),
    ];
    let file = File::new(page.concat().as_bytes());
    let input = open(file.path(), "in", &source(&["id", "Total"])).unwrap();
    let all = read(input.as_ref());
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(2, 3, 3, &["b", "6"]), row(3, 3, 3, &["c", "7"])]);
    assert_eq!(input.description(), "html, UTF-8, 2 tables");
    assert_eq!(
        notes(&all),
        [(
            "unread_tables",
            "in: tables of the page under other columns than the one that fits best were not read, by their place: 4; save them as files of their own"
        )]
    );
}

/// The rows of such a page were all taken for what stands above the header.
#[test]
fn a_page_on_one_line_has_rows() {
    let all =
        read_bytes(b"<table><tr><td>Report</tr><tr><th>Id<th>Total</tr><tr><td>a<td>5</tr></table>", &source(&["Id", "Total"]));
    assert_eq!(records(&all), [row(1, 1, 1, &["a", "5"])]);
}

#[test]
fn an_apostrophe_in_an_attribute_opens_no_quote() {
    let page = "<table><tr><th>Id<th>Total</tr>\n<tr><td title=O'Brien>a<td data-x = 'a>b' title=\"rowspan=3\">5</tr>\n<tr><td>b<td title=it's>6</tr></table>";
    let all = read_bytes(page.as_bytes(), &source(&["Id", "Total"]));
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(2, 3, 3, &["b", "6"])]);
    assert_eq!((all.fault.as_ref(), notes(&all)), (None, Vec::new()));
}

#[test]
fn a_page_that_ends_within_a_table_is_cut_off() {
    let page = "<table><tr><th>Id<th>Total</tr>\n<tr><td>a<td>5</tr>\n<tr><td>b<td>6</tr>\n</table>";
    let asked = source(&["Id", "Total"]);
    assert_eq!(read_bytes(page.as_bytes(), &asked).fault, None);
    // After a whole row, and within a tag.
    for end in [page.find("<tr><td>b").unwrap(), page.find("<td>6").unwrap() + 2] {
        let all = read_bytes(&page.as_bytes()[..end], &asked);
        assert!(matches!(&all.fault, Some(InputError::CutOff { what: "page", .. })), "{:?}", all.fault);
        assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"])]);
    }
}

#[test]
fn a_number_that_stands_once_for_several_rows_is_told() {
    let page =
        "<table><tr><th>Id<th>Total<th>Name</tr>\n<tr><td>a<td rowspan=2>10.00<td rowspan=2>x</tr>\n<tr><td>b</tr></table>";
    let all = read_bytes(page.as_bytes(), &source(&["Id", "Total"]));
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "10.00"]), row(2, 3, 3, &["b", "10.00"])]);
    assert_eq!(
        notes(&all),
        [(
            "spanned_number",
            "test: 1 numbers stand in cells that reach over several rows, the first \"10.00\"; each row has them, check that they are no totals of several rows"
        )]
    );
}

#[test]
fn an_error_of_the_spreadsheet_is_no_value_on_a_page_either() {
    let page = "<table><tr><th>Id<th>Total</tr>\n<tr><td>#REF!<td>5</tr>\n<tr><td>#N/A<td>6</tr></table>";
    let all = read_bytes(page.as_bytes(), &source(&["Id", "Total"]));
    assert_eq!(records(&all), [row(1, 2, 2, &["", "5"]), row(2, 3, 3, &["", "6"])]);
    assert_eq!(notes(&all).iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["spreadsheet_error"]);
}

#[test]
fn what_stands_above_a_header_is_read_in_sheets_and_pages_too() {
    let mut asked = source(&["Id", "day"]);
    asked.read.preamble = vec![regex::Regex::new(r"^Made on\s(?P<day>\S+)").unwrap()];
    let month = |day: &str| [texts_row(1, &["Made on", day]), texts_row(2, &["Id", "Total"]), texts_row(3, &["a", "5"])].concat();
    let all = read_bytes(&xlsx(&[("Jan", &month("01.01")), ("Feb", &month("01.02"))]), &asked);
    assert_eq!(records(&all), [row(1, 3, 3, &["a", "01.01"]), row(2, 3, 3, &["a", "01.02"])]);

    let page =
        "<table><tr><td>Made on 01.03</tr>\n<tr><td>Made on 02.03</tr>\n<tr><th>Id<th>Total</tr>\n<tr><td>a<td>5</tr></table>";
    let file = File::new(page.as_bytes());
    let input = open(file.path(), "in", &asked).unwrap();
    let all = read(input.as_ref());
    assert_eq!(
        (records(&all), input.missing_columns()),
        (vec![row(1, 4, 4, &["a", "01.03"])], [""; 0].map(String::from).as_slice())
    );
    assert_eq!(
        notes(&all),
        [(
            "ambiguous_preamble",
            "in: the lines above the header give \"day\" as \"01.03\" and as \"02.03\"; the first was used, make read.preamble match one line only"
        )]
    );
}

/// The pattern fits the header's own line as well, which says nothing of the records.
#[test]
fn a_header_is_no_part_of_what_stands_above_it() {
    let mut asked = source(&["Id", "day"]);
    asked.read.preamble = vec![regex::Regex::new(r"(?P<day>Day|\d\d\.\d\d)").unwrap()];
    let all = read_bytes(b"01.03\nId,Days,Total\na,x,5\n", &asked);
    assert_eq!((records_of(&all), notes(&all)), (vec![vec!["a".to_owned(), "01.03".to_owned()]], Vec::new()));
    let all = read_bytes(b"Id,Days,Total\na,x,5\n", &source_with(&asked, &["Id"]));
    assert_eq!(records_of(&all), [["a"]]);
}

fn source_with(like: &twicelog::rules::Source, columns: &[&str]) -> twicelog::rules::Source {
    let mut asked = source(columns);
    asked.read.preamble.clone_from(&like.read.preamble);
    asked
}

/// Cells of the records that are whole.
fn records_of(all: &All) -> Vec<Vec<String>> {
    let whole = all.records.iter().filter(|found| found.kind == Kind::Record);
    whole.map(|found| found.cells.iter().map(|cell| cell.clone().unwrap_or_default()).collect()).collect()
}

#[test]
fn a_name_that_fits_several_columns_is_told() {
    let told = |all: &All| notes(all).iter().map(|(code, message)| format!("{code} {message}")).collect::<Vec<_>>();
    let asked = source(&["Id", "Budget *"]);
    let expected = [
        "ambiguous_column test: the columns \"Budget (USD)\", \"Budget type\" fit the name \"Budget *\"; \"Budget (USD)\" was used, write the name of the column that is meant",
    ];
    let text = b"Id,Budget (USD),Budget type\na,5,daily\n";
    assert_eq!(told(&read_bytes(text, &asked)), expected);
    let sheet = sheet(&["Id", "Budget (USD)", "Budget type"], &[&["a", "5", "daily"]]);
    assert_eq!(told(&read_bytes(&xlsx(&[("S", &sheet)]), &asked)), expected);
    assert_eq!(told(&read_bytes(b"Id,Budget (USD),Rate\na,5,1\n", &asked)), [""; 0]);
    assert_eq!(told(&read_bytes(b"Id,Budget *,Budget type\na,5,1\n", &asked)), [""; 0]);
}
