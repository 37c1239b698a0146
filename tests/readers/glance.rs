//! What a glance at the front shows of an input of which nothing is known yet.

use super::harness::{File, gzip, source};
use super::translated::{texts_row, xlsx};
use encoding_rs::WINDOWS_1251;
use twicelog::read::{Content, Glance, OpenError, glance, open_stored, store, store_stream};

fn look(bytes: &[u8]) -> Glance {
    let file = File::new(bytes);
    glance(&store(file.path(), "in", &std::env::temp_dir()).unwrap()).unwrap()
}

fn pointers(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// The values of one pointer.
fn column(glance: &Glance, records: Option<&str>, pointer: &str) -> Vec<Option<String>> {
    glance.values(records, &pointers(&[pointer])).into_iter().map(|mut row| row.remove(0)).collect()
}

fn some(values: &[&str]) -> Vec<Option<String>> {
    values.iter().map(|value| Some(value.to_string())).collect()
}

/// What tells traces and transcripts may lie, or end, far behind the front.
#[test]
fn a_long_first_record_hides_nothing() {
    let long = "x".repeat(1_000_000);
    let batch = format!("{{\"resourceSpans\":[{{\"resource\":\"{long}\",\"scopeSpans\":[]}}]}}\n");
    assert_eq!(look(batch.as_bytes()).content(), Content::Otlp);
    assert_eq!(look(format!("[{batch}]").as_bytes()).content(), Content::Otlp);
    let call = r#"{"role":"assistant","tool_calls":[{"type":"function","function":{}}]}"#;
    let chat = format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{long}\"}},{call}]}}\n");
    assert_eq!(look(chat.as_bytes()).content(), Content::Transcript);
    assert_eq!(look(chat.repeat(2).as_bytes()).content(), Content::Transcript);
    assert_eq!(look(format!("{{\"id\":\"{long}\"}}").as_bytes()).content(), Content::Json);
}

#[test]
fn what_a_file_is() {
    let zip_of = |name: &[u8]| [b"PK\x03\x04".as_slice(), &[0; 26], name, &[0; 40]].concat();
    let workbook = [zip_of(b"[Content_Types].xml"), zip_of(b"xl/workbook.xml")].concat();
    let tool_call = r#"{"type":"assistant","message":{"content":[{"type": "tool_use","id":"t","input":{}}]}}"#;
    let told: [(&[u8], Content); 22] = [
        (b"id,amount\n1,2\n", Content::Csv),
        (b"id\tamount\n1\t2\n", Content::Csv),
        (b"Report;;\nid;amount;x\n1;2;3\n4;5;6\n", Content::Csv),
        (b"{\"id\":1}\n{\"id\":2}\n", Content::Ndjson),
        (b"{\"id\":1}", Content::Json),
        (b"[{\"id\":1}]", Content::Json),
        (b"[1, 2]", Content::Json),
        (b"[]", Content::Json),
        (b"{\n \"id\":1}\n{\"id\":2}", Content::Json),
        (b"[2026-03-02 10:40:12,123: INFO/Main] Task a\n[2026-03-02 10:40:13,123: INFO/Main] Task b\n", Content::Text),
        (b"2026-03-02T10:40:12Z pid=1 tid=a INFO: start\n2026-03-02T10:40:12Z pid=1 tid=a INFO: done\n", Content::Text),
        (b"10.0.0.1 - - [02/Mar/2026:10:40:12 +0000] \"POST / HTTP/1.1\" 201 \"X (A, like B)\"\n", Content::Text),
        (b"[42] started\n[42] done\n", Content::Text),
        (b"", Content::Text),
        (b"\xEF\xBB\xBF<meta charset=utf-8>\n<TABLE border=1><tr>", Content::Html),
        (b"1CClientBankExchange\r\nx=1\r\n", Content::BankExchange),
        (b"{\"resourceSpans\":[{\"scopeSpans\":[]}]}\n", Content::Otlp),
        (tool_call.as_bytes(), Content::Transcript),
        (br#"{"messages":[{"role":"assistant","tool_calls":[{"type":"function","function":{}}]}]}"#, Content::Transcript),
        (br#"[{"role":"user"},{"type":"function_call","call_id":"c","name":"pay"}]"#, Content::Transcript),
        (br#"[{"type":"function_call","name":"pay"}]"#, Content::Json),
        (b"\r\n\r\n{\"id\":1}\n{\"id\":2}", Content::Ndjson),
    ];
    for (bytes, content) in told {
        assert_eq!(look(bytes).content(), content, "{}", String::from_utf8_lossy(bytes));
    }
    // The names of the columns lie deep in these: a front that begins like one and does not go on so is damaged.
    for (bytes, kind) in [
        (workbook.as_slice(), "workbook"),
        (&zip_of(b"registry.csv"), "ZIP archive"),
        (&zip_of(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), "workbook"),
        (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1....", "workbook"),
        #[cfg(feature = "parquet")]
        (b"PAR1....", "Parquet file"),
        #[cfg(feature = "ipc")]
        (b"ARROW1..", "Arrow IPC file"),
    ] {
        let damaged = glance(&store(File::new(bytes).path(), "in", &std::env::temp_dir()).unwrap());
        assert!(matches!(damaged, Err(OpenError::Damaged { what, .. }) if what == kind), "{kind}: {damaged:?}");
    }
    let whole = xlsx(&[("S", &texts_row(1, &["Id", "Total"]))]);
    assert_eq!(look(&whole).content(), Content::Workbook);
    let cut = File::new(&whole[..whole.len() / 2]);
    assert!(matches!(glance(&store(cut.path(), "in", &std::env::temp_dir()).unwrap()), Err(OpenError::Damaged { .. })));
    let file = File::new(b"%PDF-1.7");
    let refused = glance(&store(file.path(), "in", &std::env::temp_dir()).unwrap());
    assert!(matches!(refused, Err(OpenError::Foreign { what: "PDF", .. })), "{refused:?}");
}

#[test]
fn encoding_delimiter_and_packing_in_words() {
    let (bytes, _, _) = WINDOWS_1251.encode("Номер;Сумма;Клиент\n1;2;Иванов Пётр\n2;3;Петрова Анна Сергеевна\n");
    let glance = look(&gzip(&bytes.repeat(10)));
    assert_eq!(glance.description(), "csv, \";\", windows-1251, gzip");
    assert_eq!((glance.encoding(), glance.delimiter()), (Some("windows-1251"), Some(b';')));
    let binary = look(&xlsx(&[("S", &texts_row(1, &["Id", "Total"]))]));
    assert_eq!((binary.description().as_str(), binary.encoding(), binary.lines().count()), ("xlsx", None, 0));
}

#[test]
fn rows_that_may_be_the_header() {
    let glance = look("Report, all shops\n\n\"Id\n(long)\"; Amount ;amount\n1;2,50;3\n".as_bytes());
    let rows: Vec<(Option<u8>, u64, Vec<&str>)> =
        glance.headers().iter().map(|row| (row.delimiter, row.line, row.names.iter().map(String::as_str).collect())).collect();
    assert_eq!(rows[0], (Some(b','), 1, vec!["Report", "all shops"]));
    assert!(rows.contains(&(Some(b';'), 4, vec!["Id\n(long)", "Amount", "amount"])));
    assert_eq!(look(&b"a,b\n".repeat(200)).headers().len(), 40);
    assert!(look(b"{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":2}\n").headers().is_empty());
    let page = look(b"<table><tr><th>Id<th>Total</tr>\n<tr><td>1<td>2</tr></table>");
    let rows: Vec<_> = page.headers().iter().map(|row| (row.delimiter, row.line, row.names.join("|"))).collect();
    assert_eq!(rows, [(None, 1, "Id|Total".to_owned()), (None, 2, "1|2".to_owned())]);
}

#[test]
fn the_first_lines() {
    let lines = |bytes: &[u8]| look(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(b"a\r\n\r\nb"), ["a", "", "b"]);
    assert_eq!(lines(b"a\rb\r"), ["a", "b"]);
    // A line that the end of the look cuts off is none.
    let long = [b"a b c\n".as_slice(), &b"x".repeat(1 << 20)].concat();
    assert_eq!(lines(&long), ["a b c"]);
}

#[test]
fn where_records_may_be_and_their_values() {
    let nested = look(
        br#"{"data":{"search":{"edges":[{"node":{"id":"a"}},{"node":{"id":"b\n"}}]}},"errors":[],"n":[1],"log":[{"id":7}]}"#,
    );
    assert_eq!(nested.records_at(), ["/errors", "/log", "/data/search/edges"]);
    assert_eq!(column(&nested, Some("/data/search/edges"), "/node/id"), some(&["a", "b\n"]));
    assert_eq!(column(&nested, Some("/data/search/edges"), "/node"), some(&[r#"{"id":"a"}"#, r#"{"id":"b\n"}"#]));
    assert_eq!(column(&nested, None, "/errors"), some(&["[]"]));
    assert!(nested.values(Some("/nowhere"), &pointers(&["id"])).is_empty());

    let lines = look(b"{\"id\":1,\"to\":[{\"x\":1}]}\n{\"id\":null}\n\n{\"id\":2.50}\n");
    // Each object may be an envelope.
    assert_eq!(lines.records_at(), ["/to"]);
    assert_eq!(column(&lines, None, "id"), [Some("1".to_owned()), None, Some("2.50".to_owned())]);

    let array = look(b"[{\"id\":1},5,{\"id\":2}]");
    assert_eq!(array.records_at(), [""]);
    assert_eq!(column(&array, Some(""), "/id"), some(&["1", "2"]));
    assert_eq!(look(&b"{\"id\":1}\n".repeat(900)).values(None, &pointers(&["id"])).len(), 50);
}

/// One record larger than the look, packed on one line: its members up to the cut are seen.
#[test]
fn a_cut_off_front_gives_what_it_has() {
    let text = format!(
        r#"{{"object":"list","data":[{{"id":"evt_1","object":"event","pad":"{}"}},{{"id":"evt_2"}}]}}"#,
        "x".repeat(1 << 20)
    );
    let glance = look(text.as_bytes());
    assert_eq!(glance.content(), Content::Json);
    assert_eq!(glance.records_at(), ["/data"]);
    assert_eq!(
        glance.values(Some("/data"), &pointers(&["/id", "/object", "/pad"])),
        [[Some("evt_1".to_owned()), Some("event".to_owned()), None]]
    );
    // A gzip stream that ends too early is glanced at as far as it goes.
    let packed = gzip(&b"id,amount\n1,2\n".repeat(50_000));
    assert_eq!(look(&packed[..packed.len() - 20]).content(), Content::Csv);
}

/// A stream gives its bytes once: what was glanced at is what is opened.
#[test]
fn a_stream_is_glanced_at_and_then_opened() {
    let stored = store_stream(&mut b"id,amount\n1,2\n".as_slice(), "-", &std::env::temp_dir()).unwrap();
    assert_eq!(glance(&stored).unwrap().headers()[0].names, ["id", "amount"]);
    let input = open_stored(stored, &source(&["amount"]), &std::env::temp_dir()).unwrap();
    assert_eq!(super::harness::read(input.as_ref()).cells(), [[Some("2".to_owned())]]);
}
