//! Headers, widths, marks and footers of tables, in the shapes that exports have.

use super::harness::{File, Kind, open, open_in_blocks, read, read_bytes, source};
use regex::Regex;
use twicelog::domain::report::Note;
use twicelog::rules::{Footer, Source};

fn footed(columns: &[&str], patterns: &[&str], sum_column: Option<&str>) -> Source {
    let mut source = source(columns);
    let patterns = patterns.iter().map(|pattern| Regex::new(pattern).unwrap()).collect();
    source.read.footer = Some(Footer { patterns, sum_column: sum_column.map(str::to_owned) });
    source
}

fn column(text: &str, source: &Source) -> Vec<Option<String>> {
    read_bytes(text.as_bytes(), source).cells().into_iter().map(|mut cells| cells.remove(0)).collect()
}

fn some(values: &[&str]) -> Vec<Option<String>> {
    values.iter().map(|value| Some(value.to_string())).collect()
}

const YOOKASSA: &str = "РЕЕСТР ПЛАТЕЖЕЙ ПО ДОГОВОРУ НЭК.1 (1001)\r\nДата платежей: 2026-03-02\r\n\
    Идентификатор платежа;Сумма платежа;Валюта платежа;Описание;НДС с комиссии\r\n\
    2609;1490.00;RUB;\"Заказ; №1\nЧисло платежей: 7\";9,18\r\n2610;2500.00;RUB;Заказ №2;15,40\r\n\r\n\
    Сумма принятых платежей: 3990.00 RUB\r\nСумма принятых платежей за вычетом комиссии и НДС: 3 900.00 RUB\r\nЧисло платежей: 2\r\n";
const YOOKASSA_FOOTER: [&str; 2] = [r"^Сумма принятых платежей: (?P<sum>.+)", r"^Число платежей: (?P<count>\d+)"];

#[test]
fn a_registry_has_a_title_a_header_and_a_footer_that_agrees() {
    let source = footed(&["Идентификатор платежа", "Сумма платежа"], &YOOKASSA_FOOTER, Some("Сумма платежа"));
    let file = File::new(YOOKASSA.as_bytes());
    for block in [150, 200, 250, 300, 350, 1 << 20] {
        let all = read(open_in_blocks(file.path(), "registry", &source, block).unwrap().as_ref());
        let kinds: Vec<Kind> = all.records.iter().map(|found| found.kind.clone()).collect();
        assert_eq!(kinds, [Kind::Record, Kind::Record, Kind::Ignored, Kind::Ignored, Kind::Ignored], "{block}");
        assert_eq!((all.records[2].number, all.records[2].lines), (3, [8, 8]), "{block}");
        assert_eq!(all.facts.notes, [], "{block}");
        assert_eq!(all.facts.bytes, YOOKASSA.len() as u64);
    }
    // The words of the footer within a cell end nothing.
    assert_eq!(column(YOOKASSA, &source), some(&["2609", "2610"]));
}

#[test]
fn a_footer_that_does_not_agree_is_noted() {
    let source = footed(&["Сумма платежа"], &YOOKASSA_FOOTER, Some("Сумма платежа"));
    let notes = |text: &str| read_bytes(text.as_bytes(), &source).facts.notes;
    let note = |code: &str, message: &str| Note { code: code.into(), message: message.into() };
    let cut = YOOKASSA.replace("2610;2500.00;RUB;Заказ №2;15,40\r\n", "");
    assert_eq!(
        notes(&cut),
        [
            note("footer_count", "test: the footer counts \"2\" rows, and 1 were read; the file may be cut off or edited"),
            note(
                "footer_sum",
                "test: the footer tells a sum of \"3990.00 RUB\", and column \"Сумма платежа\" adds up to 1490.00; the file may be cut off or edited"
            ),
        ]
    );
    let unclear = YOOKASSA.replace("2500.00", "2.5.0");
    assert_eq!(
        notes(&unclear),
        [note(
            "footer_sum",
            "test: the footer's sum \"3990.00 RUB\" was not checked: column \"Сумма платежа\" holds values that are no amounts"
        )]
    );
    // Rows after what looks like a footer are not lost in silence.
    let joined = format!("{YOOKASSA}2611;10.00;RUB;Заказ №3;1,00\r\n");
    let told = notes(&joined);
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].code.as_str(), told[0].message.contains(" 1 rows below ")), ("footer_holds_rows", true));
}

#[test]
fn other_decimal_signs_in_column_and_footer_agree_too() {
    let sum = |rows: &str, footer: &str| {
        let text = format!("id;sum\n{rows}\nTotal: {footer}\n");
        read_bytes(text.as_bytes(), &footed(&["id"], &["^Total: (?P<sum>.*)"], Some("sum"))).facts.notes.len()
    };
    assert_eq!(sum("1;1.000,50\n2;--\n3;-0,25", "1.000,25"), 0);
    assert_eq!(sum("1;1.000,50\n2;--\n3;-0,25", "1000.25 EUR"), 0);
    assert_eq!(sum("1;1,000\n2;2,000", "3,000"), 0);
    assert_eq!(sum("1;$1,000.50\n2;($0.50)", "$1,000.00"), 0);
    assert_eq!(sum("1;1,000.50\n2;1", "1001,51"), 1);
}

/// Quoted notices below a blank line; ISO-8859-1.
#[test]
fn a_report_of_a_crm_ends_in_notices() {
    let text = "\"Opportunity Owner\",\"Amount\",\"Opportunity Name\"\n\"A\",\"10.00\",\"x\"\n\"B\",\"20.00\",\"y\"\n\n\n\
        \"Grand Totals (2 records)\"\n\"Confidential Information - Do Not Distribute\"\n\"Copyright (c) 2000-2026 salesforce.com, inc.\"\n";
    let source =
        footed(&["Opportunity Name"], &[r"^Grand Totals \((?P<count>[\d,]+) records\)", "^Confidential", "^Copyright"], None);
    let all = read_bytes(text.as_bytes(), &source);
    assert_eq!(all.cells(), [[Some("x".to_owned())], [Some("y".to_owned())]]);
    assert_eq!(all.broken(), []);
    assert_eq!(all.facts.notes, []);
    assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 3);
    let wrong = text.replace("(2 records)", "(5,700 records)");
    assert_eq!(read_bytes(wrong.as_bytes(), &source).facts.notes.len(), 1);
}

#[test]
fn a_header_is_found_below_a_preamble_of_many_lines() {
    let preamble = "\u{feff}Transaction report\n\nPeriod,\"Mar 1, 2026 - Mar 31, 2026\"\nSeller,\"demo \"\"shop\"\"\"\n"
        .to_owned()
        + &"--\n".repeat(24);
    let text = preamble + "Transaction creation date,Type,Order number,Net amount\n\"Mar 2, 2026\",Order,12-3,\"$1,025.99\"\n";
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "ebay", &source(&["Order number", "Type", "Net amount"])).unwrap();
    assert_eq!(input.first_line(), 30);
    assert_eq!(read(input.as_ref()).cells(), [["12-3", "Order", "$1,025.99"].map(|cell| Some(cell.to_owned()))]);
}

#[test]
fn names_with_a_star_find_the_column_that_fits() {
    let text = "id,payment_metadata[shop],Бюджет ₸,Order (metadata),Ref,a*c,abc\n1,m,500,o-1,r,s,t\n";
    let cell = |name: &str| read_bytes(text.as_bytes(), &source(&["id", name])).cells()[0][1].clone();
    for (name, value) in [
        ("payment_metadata[*]", Some("m")),
        ("Бюджет *", Some("500")),
        ("* (metadata)", Some("o-1")),
        ("бюджет *", Some("500")),
        ("*e*", Some("m")),
        ("pay*data[*op]", Some("m")),
        ("R*f*f", None),
        ("Ref*f", None),
        ("a*c", Some("s")),
        ("ab*", Some("t")),
        ("*x", None),
        ("payment_metadata[s]", None),
    ] {
        assert_eq!(cell(name).as_deref(), value, "{name}");
    }
}

#[test]
fn repeated_names_are_numbered() {
    let text = "Summary,Labels,Labels,Comment,Labels,,\ns,a,b,c,d,,\n";
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "jira", &source(&["Labels", "Labels[2]", "Labels[3]", "labels[2]", "Labels[4]"])).unwrap();
    assert_eq!(input.columns(), ["Summary", "Labels", "Labels[2]", "Comment", "Labels[3]", "", ""]);
    assert_eq!(input.missing_columns(), ["Labels[4]"]);
    assert!(input.description().contains("column \"Labels\" stands more than once: the second is \"Labels[2]\""));
    let cells = ["a", "b", "d", "b"].map(|cell| Some(cell.to_owned()));
    assert_eq!(read(input.as_ref()).cells(), [[cells.to_vec(), vec![None]].concat()]);
}

#[test]
fn header_and_rows_may_differ_by_empty_cells_only() {
    let kinds =
        |text: &str| read_bytes(text.as_bytes(), &source(&["a"])).records.into_iter().map(|found| found.kind).collect::<Vec<_>>();
    assert_eq!(
        kinds("a,b,,,\n1,2\n1,2,\n1,2,,,\n1,2,,,x\n1,2,,,,,,\n"),
        [Kind::Record, Kind::Record, Kind::Record, Kind::Record, Kind::Record]
    );
    let broken = |text: &str| kinds(text).into_iter().filter(|kind| matches!(kind, Kind::Broken(_))).count();
    assert_eq!(broken("a,b,,\n1\n1,2,,,x\n"), 2);
    assert_eq!(broken("a,b\n1,2,,x\n1,2,,\n"), 1);
}

#[test]
fn one_leading_apostrophe_is_a_mark_of_text() {
    let text = "a,b\n'01234,1\n\"'+7 900\"\"\",2\n\"'00,7\",3\n's-Gravenhage,4\n'abc',5\n',6\n''1,7\n'ORD-1,8\n'=1+1,9\n";
    assert_eq!(
        column(text, &source(&["a", "b"])),
        some(&["01234", "+7 900\"", "00,7", "'s-Gravenhage", "'abc'", "'", "''1", "ORD-1", "=1+1"])
    );
}

/// A footer with bad bytes, one that is cut off, and a file that is nothing but a footer.
#[test]
fn hostile_footers() {
    let source = footed(&["a"], &["^End"], None);
    let bytes = b"a,b\n1,2\nEnd \xFF\xFE\n\"never closed\nmore, and, more, cells";
    let all = read_bytes(bytes, &source);
    let kinds: Vec<Kind> = all.records.iter().map(|found| found.kind.clone()).collect();
    assert_eq!(kinds, [Kind::Record, Kind::Ignored, Kind::Ignored, Kind::Ignored]);
    let all = read_bytes(b"a,b\nEnd\n", &source);
    assert_eq!((all.records.len(), all.records[0].kind.clone()), (1, Kind::Ignored));
    // A bad byte before the footer is still told by the row that holds it.
    let all = read_bytes(&[b"a,b\n".as_slice(), "Пётр".as_bytes(), b",\xFF\nEnd\n"].concat(), &source);
    assert_eq!(all.broken().len(), 1);
    let long = [b"a,b\n1,".as_slice(), &b"x".repeat(1 << 20), b"\n2,3\nEnd\n"].concat();
    let kinds: Vec<bool> = read_bytes(&long, &source).records.iter().map(|found| found.kind == Kind::Record).collect();
    assert_eq!(kinds, [false, true, false]);
}

/// The same footer below rows of a sheet, of a page, and of records of several rows.
#[test]
fn footers_of_sheets_pages_and_gathered_rows() {
    let patterns = [r"^Total[;\t](?P<sum>[\d.]+)", r"^Rows: (?P<count>\d+)"];
    let asked = || footed(&["id", "sum"], &patterns, Some("sum"));
    let sheet = |second: &str| {
        let rows = [["id", "sum"], ["a", "10.50"], ["b", second], ["Total", "30.50"], ["Rows: 2", ""]];
        let rows: String = (1..).zip(rows).map(|(number, cells)| super::translated::texts_row(number, &cells)).collect();
        super::translated::xlsx(&[("Data", &rows)])
    };
    let page = |second: &str| {
        format!("<table><tr><td>id<td>sum</tr>\n<tr><td>a<td>10.50</tr>\n<tr><td>b<td>{second}</tr>\n<tr><td>Total<td>30.50</tr>\n<tr><td>Rows: 2</tr></table>").into_bytes()
    };
    let gathered = |second: &str| format!("id;sum\na;'10.50\nb;{second}\nTotal;30.50\nRows: 2;\n").into_bytes();
    let mut several = asked();
    several.read.continues =
        Some(twicelog::rules::Continues { key: vec!["id".into()], filled: vec!["sum".into()], items: Vec::new() });
    type Writer<'w> = &'w dyn Fn(&str) -> Vec<u8>;
    let files: [(Writer<'_>, Source); 3] = [(&sheet, asked()), (&page, asked()), (&gathered, several)];
    for (number, (write, source)) in files.iter().enumerate() {
        let all = read_bytes(&write("20.00"), source);
        assert_eq!(all.cells(), [["a", "10.50"], ["b", "20.00"]].map(|row| row.map(|cell| Some(cell.to_owned()))), "{number}");
        assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 2, "{number}");
        assert_eq!(all.facts.notes, [], "{number}");
        let codes: Vec<String> = read_bytes(&write("21.00"), source).facts.notes.into_iter().map(|note| note.code).collect();
        assert_eq!(codes, ["footer_sum"], "{number}");
    }
}

#[test]
fn lines_above_the_header_fill_columns_of_every_record() {
    let mut source = source(&["id", "day", "shop"]);
    source.read.preamble =
        vec![regex::Regex::new(r"^Date: (?P<day>\S+)").unwrap(), regex::Regex::new(r"contract (?P<shop>\d+)").unwrap()];
    let text = "REGISTRY of contract 77\nDate: 2026-04-15\n\nid;sum\na;1.00\n\"b\nc\";2.00\n";
    let all = read_bytes(text.as_bytes(), &source);
    let cells: Vec<_> = all.records.iter().map(|found| found.cells.clone()).collect();
    let cell = |text: &str| Some(text.to_owned());
    assert_eq!(cells, [vec![cell("a"), cell("2026-04-15"), cell("77")], vec![cell("b\nc"), cell("2026-04-15"), cell("77")]]);
    // A column of the table outranks the line above it.
    let all = read_bytes(b"Date: 2026-04-15\nid;day\na;2026-04-16\n", &source);
    assert_eq!(all.records[0].cells, [cell("a"), cell("2026-04-16"), None]);
}
