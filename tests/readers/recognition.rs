//! What a file is, told by its content alone.

use super::harness::{File, open, read, read_bytes, source};
use encoding_rs::{IBM866, KOI8_R, WINDOWS_1251, WINDOWS_1252};
use twicelog::read::OpenError;

fn description(bytes: &[u8], columns: &[&str]) -> String {
    let file = File::new(bytes);
    open(file.path(), "in", &source(columns)).unwrap().description()
}

#[test]
fn legacy_encodings_are_told_by_their_letters() {
    let russian = "id,Клиент,Назначение\n".to_owned()
        + &"1,Иванов Пётр Сергеевич,оплата по счёту за услуги связи\n2,Петрова Анна,возврат товара\n".repeat(20);
    let french = "id,client\n".to_owned() + &"1,Hélène Dupré à la forêt\n2,reçu déjà payé\n".repeat(20);
    for (encoding, text) in [(WINDOWS_1251, &russian), (IBM866, &russian), (KOI8_R, &russian), (WINDOWS_1252, &french)] {
        let (bytes, _, _) = encoding.encode(text);
        let told = description(&bytes, &["id"]);
        let expected = if encoding == KOI8_R { "KOI8-" } else { encoding.name() };
        assert!(told.contains(expected), "{told} is not {expected}");
    }
}

#[test]
fn a_bad_byte_in_utf8_is_damage_not_another_encoding() {
    let mut bytes = "id,name\n1,Пётр\n2,Анна\n".as_bytes().to_vec();
    bytes.extend_from_slice(b"3,\xFF\n");
    assert_eq!(description(&bytes, &["id"]), "csv, \",\", UTF-8");
}

#[test]
fn formats_are_told_by_content() {
    let told = |text: &str| description(text.as_bytes(), &["id"]).split(", ").next().unwrap().to_owned();
    assert_eq!(told("{\"id\":1}\n{\"id\":2}\n"), "ndjson");
    assert_eq!(told("{\n\"id\":1}\n{\"id\":2}\n"), "json");
    assert_eq!(told("{\"data\":[{\"id\":1},{\"id\":2}]}"), "json");
    assert_eq!(told("  [1]"), "json");
    assert_eq!(told("id;x\n1;2\n"), "csv");
}

#[test]
fn the_array_of_records_is_found() {
    let ids = |text: &str, columns: &[&str]| -> Vec<Option<String>> {
        read_bytes(text.as_bytes(), &source(columns)).cells().into_iter().map(|cells| cells[0].clone()).collect()
    };
    let some = |values: &[&str]| values.iter().map(|value| Some(value.to_string())).collect::<Vec<_>>();
    assert_eq!(ids(r#"{"meta":{"id":9},"data":[{"id":1},{"id":2}]}"#, &["id"]), some(&["1", "2"]));
    assert_eq!(ids(r#"{"lines":[{"n":1}],"data":[{"id":1},{"id":2}]}"#, &["id"]), some(&["1", "2"]));
    assert_eq!(ids(r#"{"id":7,"items":[{"n":1},{"n":2}]}"#, &["id"]), some(&["7"]));
    assert_eq!(ids("{\"id\":7,\n\"items\":[{\"n\":1}]}\n{\"id\":8,\"items\":[{\"n\":1}]}", &["id"]), some(&["7", "8"]));
    assert_eq!(ids(r#"[{"a":{"b":[5,{"c~/d":"x"}]}}]"#, &["/a/b/1/c~0~1d"]), some(&["x"]));
    assert_eq!(ids(r#"[{"a":{"b":1},"a":{"c":2}}]"#, &["/a/b"]), [None]);
    assert_eq!(ids(r#"[{"a":{"b" : [1, 2.50]}}]"#, &["/a/b"]), some(&["[1, 2.50]"]));
    assert_eq!(ids(r#"[{"\u0069d":"\ud83d\ude00\n\u00e9"}]"#, &["id"]), some(&["😀\né"]));

    let file = File::new(br#"{"a":[{"id":1}],"b":[{"id":2}]}"#);
    let opened = open(file.path(), "in", &source(&["id"])).map(|_| ());
    assert_eq!(opened, Err(OpenError::SeveralArrays { file: "in".into(), arrays: "/a\", \"/b".into() }));
    let mut asked = source(&["id"]);
    asked.read.records = Some("/b".into());
    assert_eq!(read(open(file.path(), "in", &asked).unwrap().as_ref()).cells(), [[Some("2".to_string())]]);
    asked.read.records = Some("/c".into());
    assert!(matches!(open(file.path(), "in", &asked).map(|_| ()), Err(OpenError::NoRecords { .. })));
}

#[test]
fn the_header_is_found_below_a_title_and_repeated_names_are_told() {
    let text = "Report of 01.02.2026;;\nAll shops\n\n ID ;Amount;amount\n1;2;3\n";
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "in", &source(&["id", "amount", "extra"])).unwrap();
    assert_eq!(input.first_line(), 5);
    assert_eq!(input.missing_columns(), ["extra"]);
    assert_eq!(input.columns(), ["ID", "Amount", "amount"]);
    // The exact name outranks the same name in other letters.
    assert_eq!(read(input.as_ref()).cells(), [[Some("1".to_string()), Some("3".to_string()), None]]);

    let mut skipping = source(&["id"]);
    skipping.read.skip_lines = Some(1);
    let all = read_bytes(b"id,id\nid,id\n5,6\n", &skipping);
    assert_eq!(all.cells(), [[Some("5".to_string())]]);
    assert!(description(b"id,id\n5,6\n", &["id"]).contains("column \"id\" stands more than once"));
}

#[test]
fn columns_that_a_spreadsheet_damaged_are_named() {
    let text = "id,Order,Total\n1,8.80731E+15,5\n2,x,1e3\n3,9E+05,1E5\n";
    let file = File::new(text.as_bytes());
    assert_eq!(open(file.path(), "in", &source(&["id"])).unwrap().damaged_columns(), ["Order"]);
    let file = File::new(b"{\"id\":\"8,80731E+15\"}\n{\"id\":2}\n");
    assert_eq!(open(file.path(), "in", &source(&["id"])).unwrap().damaged_columns(), ["id"]);
}
