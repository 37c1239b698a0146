//! Formats that are translated when they are opened: what every record holds, its number and its lines.

use super::harness::{All, File, Kind, open, read, read_bytes, source};
pub use super::workbook::{texts_row, xlsx, zip};
use std::io::Write as _;
use twicelog::rules::{Continues, RecordTypes, Source};

/// Number, first and last line, cells of the records that are whole.
pub fn records(all: &All) -> Vec<(u64, [u64; 2], Vec<String>)> {
    let whole = all.records.iter().filter(|found| found.kind == Kind::Record);
    whole
        .map(|found| (found.number, found.lines, found.cells.iter().map(|cell| cell.clone().unwrap_or_default()).collect()))
        .collect()
}

pub fn row(number: u64, first: u64, last: u64, cells: &[&str]) -> (u64, [u64; 2], Vec<String>) {
    (number, [first, last], cells.iter().map(|cell| cell.to_string()).collect())
}

pub fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn orders() -> Source {
    let mut source = source(&["Name", "Total", "Lineitem name", "Lineitem discount", "Email"]);
    source.read.continues = Some(Continues {
        key: texts(&["Name"]),
        filled: texts(&["Financial Status", "Total"]),
        items: vec![glob::Pattern::new("Lineitem *").unwrap()],
    });
    source
}

#[test]
fn rows_that_continue_a_record_are_gathered_in_it() {
    let text = "Name,Email,Financial Status,Total,Lineitem name,Lineitem discount\n\
        #1,a@x,paid,10,mug,\n\
        #1,a@x,,,\"cup\nblue\",1.00\n\
        ,,,,pot,\n\
        #2,,paid,7,mug,\n\
        #3,c@x,,,stray,\n\
        #4,d@x,paid,,mug,\n";
    for line_end in ["\n", "\r\n"] {
        let all = read_bytes(text.replace('\n', line_end).as_bytes(), &orders());
        let cup = format!("mug\ncup{line_end}blue\npot");
        let expected = [
            row(1, 2, 5, &["#1", "10", &cup, "\n1.00\n", "a@x"]),
            row(4, 6, 6, &["#2", "7", "mug", "", ""]),
            row(5, 7, 7, &["#3", "", "stray", "", "c@x"]),
            row(6, 8, 8, &["#4", "", "mug", "", "d@x"]),
        ];
        assert_eq!(records(&all), expected);
    }
}

#[test]
fn a_broken_row_among_those_of_a_record_is_told_with_its_line() {
    let text = b"Name,Email,Financial Status,Total,Lineitem name\n#1,a,paid,1,x\n#1,\xFF,,,y\n#2,b,paid,2\n#2,b,paid,2,z\n";
    let mut source = orders();
    source.read.encoding = Some(encoding_rs::UTF_8);
    let all = read_bytes(text, &source);
    assert_eq!(records(&all), [row(1, 2, 2, &["#1", "1", "x", "", "a"]), row(4, 5, 5, &["#2", "2", "z", "", "b"])]);
    let broken = all.broken();
    assert_eq!(broken.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4]);
    assert!(broken[0].1.contains("bytes that are not UTF-8"), "{}", broken[0].1);
    assert!(broken[1].1.starts_with("has 4 fields, the header has 5"), "{}", broken[1].1);
    let file = File::new(text);
    assert_eq!(open(file.path(), "in", &source).unwrap().missing_columns(), ["Lineitem discount"]);
}

fn report() -> Source {
    let mut source = source(&["Transaction ID", "Amount"]);
    source.read.record_types = Some(RecordTypes { header: texts(&["CH"]), data: texts(&["SB"]), counts: texts(&["SC", "RC"]) });
    source
}

#[test]
fn rows_of_the_data_types_are_records_and_the_others_are_counted() {
    let text = "\"RH\",2026/03/02,\"A\"\nFH,1\nSH,x,y\n\"CH\",\"Transaction ID\",Amount\nSB,T1,\"5\"\nSB,T2,6\nSC,2\n\
        CH,Amount,Transaction ID,More\nSB,7,T3,m\nSB,8\nSC,3\nRC,4\n";
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "in", &report()).unwrap();
    let all = read(input.as_ref());
    assert_eq!(records(&all), [row(1, 5, 5, &["T1", "5"]), row(2, 6, 6, &["T2", "6"]), row(3, 9, 9, &["T3", "7"])]);
    assert_eq!(all.broken(), [(10, "has 2 fields, the header has 4; quote cells that hold the delimiter")]);
    assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 6);
    let notes: Vec<String> = all.facts.notes.iter().cloned().map(|note| note.message).collect();
    assert_eq!(notes, ["in:11: row \"SC\" tells of \"3\" rows of data, but 2 stand before it; check that the file is whole"]);
    assert_eq!(input.missing_columns(), &[] as &[String]);

    let semicolons = text.replace(',', ";");
    assert_eq!(records(&read_bytes(semicolons.as_bytes(), &report())), records(&all));
    let none = File::new(b"a,b\n1,2\n");
    let error = open(none.path(), "in", &report()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "in: no row begins with \"SB\"; set read.record_types to the types that the file has");
}

#[test]
fn columns_that_no_row_names_are_numbered() {
    let mut source = source(&["2", "3"]);
    source.read.record_types = Some(RecordTypes { header: Vec::new(), data: texts(&["I"]), counts: Vec::new() });
    let all = read_bytes(b"H,1,x\nI,a,5\nI,b,6\nL,2\n", &source);
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "5"]), row(2, 3, 3, &["b", "6"])]);
}

fn cells(all: &All) -> Vec<Vec<String>> {
    records(all).into_iter().map(|(_, _, cells)| cells).collect()
}

const STATEMENT: &str = "1CClientBankExchange\nВерсияФормата=1.03\nКодировка=Windows\nРасчСчет=40702\nРасчСчет=40703\n\
    СекцияРасчСчет\nРасчСчет=40702\nВсегоПоступило=5.50\nВсегоСписано=30.00\nКонецРасчСчет\n\
    СекцияДокумент=Платежное поручение\nНомер=1\nДата=01.03.2026\nСумма=10.00\nПлательщикСчет=40702\nДатаСписано=02.03.2026\n\
    ПолучательСчет=99\nНазначениеПлатежа=Счёт 7\nи ещё\nКонецДокумента\n\
    СекцияДокумент=Выписка\nНомер=1\nДата=01.03.2026\nСумма=10.00\nПлательщикСчет=40702\nПолучательСчет=99\nКонецДокумента\n\
    СекцияДокумент=Платежное поручение\nНомер=2\nДата=03.03.2026\nСумма=5.50\nПлательщикСчет=99\nПолучательСчет=40702\n\
    ДатаСписано=\nДатаПоступило=04.03.2026\nКонецДокумента\n\
    СекцияДокумент=Платежное поручение\nНомер=3\nДата=05.03.2026\nСумма=20.00\nПлательщикРасчСчет=40702\nПолучательСчет=98\nКонецДокумента\n\
    КонецФайла\n";

fn statement() -> Source {
    source(&["Номер", "@направление", "@дата", "@РасчСчет", "НазначениеПлатежа", "СекцияДокумент"])
}

#[test]
fn documents_of_a_bank_exchange_are_records_in_whatever_encoding() {
    let order = "Платежное поручение";
    let own = "40702\n40703";
    let expected = [
        row(1, 11, 20, &["1", "out", "02.03.2026", own, "Счёт 7\nи ещё", order]),
        row(2, 28, 36, &["2", "in", "04.03.2026", own, "", order]),
        row(3, 37, 43, &["3", "out", "05.03.2026", own, "", order]),
    ];
    let dos = STATEMENT.replace("=Windows", "=DOS");
    for line_end in ["\n", "\r\n"] {
        let encode =
            |text: &str, encoding: &'static encoding_rs::Encoding| encoding.encode(&text.replace('\n', line_end)).0.into_owned();
        let marked = [b"\xEF\xBB\xBF".to_vec(), encode(STATEMENT, encoding_rs::UTF_8)].concat();
        for (bytes, name) in [
            (encode(STATEMENT, encoding_rs::WINDOWS_1251), "windows-1251"),
            (encode(&dos, encoding_rs::IBM866), "IBM866"),
            (encode(STATEMENT, encoding_rs::UTF_8), "UTF-8"),
            (marked, "UTF-8"),
            (super::harness::gzip(&encode(STATEMENT, encoding_rs::WINDOWS_1251)), "windows-1251"),
        ] {
            let file = File::new(&bytes);
            let input = open(file.path(), "in", &statement()).unwrap();
            let all = read(input.as_ref());
            assert_eq!(records(&all), expected, "{name}");
            assert_eq!(all.fault, None);
            assert_eq!(all.facts.sha256, super::harness::sha256(&bytes));
            assert!(input.description().starts_with(&format!("1c, {name}")), "{}", input.description());
            assert_eq!(all.facts.notes, []);
            assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 1);
        }
    }
}

#[test]
fn a_bank_exchange_whose_totals_do_not_agree_says_so() {
    let file = File::new(STATEMENT.replace("ВсегоСписано=30.00", "ВсегоСписано=30.01").as_bytes());
    let notes = read(open(file.path(), "in", &statement()).unwrap().as_ref()).facts.notes;
    let message =
        "in: ВсегоСписано of account \"40702\" is 30.01, but its documents add up to 30.00; check that the file is whole";
    assert_eq!(
        notes.iter().map(|note| (note.code.as_str(), note.message.as_str())).collect::<Vec<_>>(),
        [("wrong_total", message)]
    );
}

#[test]
fn a_bank_exchange_that_is_cut_off_gives_the_documents_before() {
    let whole = STATEMENT.find("Номер=3").unwrap();
    let all = read_bytes(&STATEMENT.as_bytes()[..whole], &statement());
    assert_eq!(records(&all).len(), 2);
    assert!(matches!(all.fault, Some(twicelog::domain::record::InputError::CutOff { .. })));
    // A document that another one interrupts cannot be used.
    let open_document = STATEMENT.replacen("и ещё\nКонецДокумента\n", "и ещё\n", 1);
    let all = read_bytes(open_document.as_bytes(), &statement());
    assert_eq!(all.broken(), [(11, "document \"1\" is cut off: it has no КонецДокумента; repair the file")]);
}

fn span(id: &str, parent: &str, name: &str, attributes: &str) -> String {
    format!(
        r#"{{"traceId":"AB01","spanId":"{id}","parentSpanId":"{parent}","name":"{name}","kind":1,
"startTimeUnixNano":"1772447003000000001","endTimeUnixNano":1772447003900000000,"attributes":[{attributes}],"status":{{"code":2}}}}"#
    )
}

fn attribute(key: &str, value: &str) -> String {
    format!(r#"{{"key":"{key}","value":{value}}}"#)
}

/// One call of three spans, a call within an agent that was called, and a span that is no call; the parent comes last.
fn spans() -> Vec<String> {
    let text = |text: &str| format!(r#"{{"stringValue":"{text}"}}"#);
    let tool = attribute("gen_ai.operation.name", &text("execute_tool"));
    let refund = attribute("gen_ai.tool.name", &text("refund"));
    let method = attribute("mcp.method.name", &text("tools/call"));
    let typed = [
        attribute("n", r#"{"intValue":"9007199254740993"}"#),
        attribute("list", r#"{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":0.1}]}}"#),
        attribute("map", r#"{"kvlistValue":{"values":[{"key":"a\"b","value":{"stringValue":"x"}}]}}"#),
    ];
    vec![
        span("0C", "0b", "tools/call refund", &method),
        span("0b", "0a", "POST", ""),
        span("0d", "01", "execute_tool refund", &[tool.clone(), refund.clone()].join(",")),
        span("01", "0a", "invoke_agent helper", &attribute("gen_ai.operation.name", &text("invoke_agent"))),
        span("0a", "", "execute_tool refund", &[&[tool, refund][..], &typed].concat().join(",")),
    ]
}

#[test]
fn spans_are_records_and_those_of_one_call_name_its_root() {
    let asked = source(&[
        "spanId",
        "@root_call",
        "traceId",
        "startTimeUnixNano",
        "/status/code",
        "/attributes/n",
        "/attributes/list",
        "/attributes/map/a\"b",
        "/resource/service.name",
    ]);
    let resource = attribute("service.name", r#"{"stringValue":"agent"}"#);
    let batch = |spans: &[String]| {
        format!(
            r#"{{"resourceSpans":[{{"resource":{{"attributes":[{resource}]}},"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
            spans.join(",\n")
        )
    };
    let found = |id: &str, root: &str, own: [&str; 3]| {
        let [n, list, map] = own;
        ["ab01", "1772447003000000001", "2", n, list, map, "agent"].iter().fold(
            vec![id.to_owned(), root.to_owned()],
            |mut all, cell| {
                all.push(cell.to_string());
                all
            },
        )
    };
    let none = ["", "", ""];
    let expected = [
        found("0c", "0a", none),
        found("0b", "0a", none),
        found("0d", "0d", none),
        found("01", "", none),
        found("0a", "0a", ["9007199254740993", "[true,0.1]", "x"]),
    ];
    let all_spans = spans();
    let a_line_each: Vec<String> = all_spans.iter().map(|span| batch(&[span.replace('\n', "")])).collect();
    for (text, lines) in [
        (a_line_each.join("\n"), [1, 2, 3, 4, 5]),
        (batch(&all_spans), [1, 3, 5, 7, 9]),
        (format!("[\n{}\n]", batch(&all_spans)), [2, 4, 6, 8, 10]),
    ] {
        let all = read_bytes(text.as_bytes(), &asked);
        assert_eq!(cells(&all), expected);
        assert_eq!(
            records(&all).iter().map(|(number, lines, _)| (*number, lines[0])).collect::<Vec<_>>(),
            (1..).zip(lines).collect::<Vec<_>>()
        );
    }
    let damaged = a_line_each.join("\n").replacen("\"spanId\":\"0b\"", "\"spanId\":7", 1) + "\n{\"resourceSpans\":[";
    let all = read_bytes(damaged.as_bytes(), &asked);
    assert_eq!(all.broken().iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 6]);
    assert_eq!(records(&all).len(), 4);
}

fn calls() -> Source {
    source(&["name", "call_id", "arguments", "result", "is_error", "timestamp", "session", "sequence"])
}

#[test]
fn calls_of_chat_messages_are_records_with_their_results() {
    let text = r#"{"role":"user","content":"hi"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"order","arguments":"{ \"qty\": 2.0, \"a\":1 }"}},{"id":"c2","type":"function","function":{"name":"mail","arguments":"{broken"}}]}
{"role":"tool","tool_call_id":"c2","content":"sent"}
{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"ok"},{"type":"text","text":"done"}]}
{"role":"tool","tool_call_id":"c9","content":"?"}
{"role":"assistant","tool_calls":[{"id":"c3","type":"function","function":{"name":"order","arguments":"{}"}}]}
"#;
    let expected = [
        row(1, 2, 4, &["order", "c1", "{\"a\":1,\"qty\":2}", "ok\ndone", "", "", "", "1"]),
        row(2, 2, 3, &["mail", "c2", "{broken", "sent", "", "", "", "2"]),
        row(3, 6, 6, &["order", "c3", "{}", "", "", "", "", "3"]),
    ];
    let file = File::new(text.as_bytes());
    let input = open(file.path(), "in", &calls()).unwrap();
    assert_eq!(records(&read(input.as_ref())), expected);
    assert_eq!(read(input.as_ref()).facts.notes.len(), 1);
    assert!(input.description().starts_with("transcript"));

    let lines: Vec<&str> = text.lines().collect();
    let document = format!("{{\"model\":\"m\",\n\"messages\":[{}]}}", lines.join(",\n"));
    let array = format!("[\n{}\n]", lines.join(",\n"));
    for text in [document, array] {
        let expected: Vec<_> =
            expected.iter().map(|(n, [first, last], cells)| (*n, [first + 1, last + 1], cells.clone())).collect();
        assert_eq!(records(&read_bytes(text.as_bytes(), &calls())), expected);
    }
}

#[test]
fn copies_of_a_call_in_a_resumed_session_are_counted_once() {
    let ask = |uuid: &str, session: &str, id: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"{session}","timestamp":"2026-03-02T10:00:00Z","message":{{"id":"m","role":"assistant","content":[{{"type":"text","text":"x"}},{{"type":"tool_use","id":"{id}","name":"pay","input":{{"b":1,"a":"7"}}}}]}}}}"#
        )
    };
    let answer = |id: &str| {
        format!(
            r#"{{"type":"user","sessionId":"s1","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"no","is_error":true}}]}}}}"#
        )
    };
    let text =
        [ask("u1", "s1", "t1"), answer("t1"), ask("u1", "s2", "t1"), ask("u2", "s1", "t1"), answer("t1"), ask("u3", "s1", "t2")];
    let all = read_bytes(text.join("\n").as_bytes(), &calls());
    let pay = |id: &str, result: &str, error: &str, sequence: &str| {
        ["pay", id, "{\"a\":\"7\",\"b\":1}", result, error, "2026-03-02T10:00:00Z", "s1", sequence].map(str::to_owned).to_vec()
    };
    assert_eq!(records(&all), [(1, [1, 2], pay("t1", "no", "true", "1")), (2, [6, 6], pay("t2", "", "", "2"))]);
    assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 2);
}

#[test]
fn items_of_responses_are_calls_too() {
    let text = r#"{"output":[{"type":"function_call","call_id":"f1","name":"pay","arguments":"{}"}],"created_at":1772447003}
{"type":"function_call_output","call_id":"f1","output":"{\"id\": 5}"}
{"type":"mcp_call","id":"m1","name":"book","arguments":"{}","output":null,"error":"timeout"}"#;
    let mut asked = calls();
    asked.format = Some(twicelog::rules::Format::Transcript);
    let all = read_bytes(text.as_bytes(), &asked);
    let expected = [
        row(1, 1, 2, &["pay", "f1", "{}", "{\"id\":5}", "", "1772447003", "", "1"]),
        row(2, 3, 3, &["book", "m1", "{}", "timeout", "true", "", "", "2"]),
    ];
    assert_eq!(records(&all), expected);
    let all = read_bytes(b"{\"type\":\"function_call\",\"call_id\":\"f1\",\"name\":\"pay\"}\n{broken\n{}\n", &asked);
    assert_eq!((records(&all).len(), all.broken()[0].0), (1, 2));
}

fn sheet() -> String {
    [
        texts_row(2, &["Report"]),
        texts_row(4, &["Id", "When", "Total", "", "Note"]),
        r#"<row r="5"><c r="A5"><v>1001</v></c><c r="B5" s="2"><v>46083.444583333333</v></c><c r="C5"><v>0.30000000000000004</v></c><c r="E5" t="b"><v>1</v></c></row>"#.to_owned(),
        r#"<row r="8"><c r="A8"><v>8807310000000000</v></c><c r="B8" s="1"><v>46084</v></c><c r="C8"><v>1200</v></c><c r="E8" t="e"><v>#N/A</v></c></row>"#.to_owned(),
        texts_row(9, &["x"]),
        // The far corner of a sheet.
        r#"<row r="1048576"><c r="XFD1048576"><v>5</v></c></row>"#.to_owned(),
    ]
    .concat()
}

#[test]
fn rows_of_a_sheet_are_records_with_typed_cells() {
    let asked = source(&["id", "Total", "When", "Note"]);
    let bytes = xlsx(&[("Empty", ""), ("Other", &texts_row(1, &["A", "B", "C", "D", "E", "F"])), ("Data", &sheet())]);
    for bytes in [bytes.clone(), super::harness::gzip(&bytes), zip(&[("a.xlsx", &bytes)])] {
        let file = File::new(&bytes);
        let input = open(file.path(), "in", &asked).unwrap();
        let all = read(input.as_ref());
        let expected = [
            row(1, 5, 5, &["1001", "0.3", "2026-03-02T10:40:12", "true"]),
            row(2, 8, 8, &["8.80731000000000E+15", "1200", "2026-03-03", ""]),
            row(3, 9, 9, &["x", "", "", ""]),
        ];
        assert_eq!(records(&all), expected);
        assert_eq!(all.broken(), [(1_048_576, "has 16384 cells, the header has 5; name all columns")]);
        let notes: Vec<&str> = all.facts.notes.iter().map(|note| note.message.as_str()).collect();
        let expected = "in: 1 cells hold an error of the spreadsheet, the first \"#N/A\" in record 2; they count as empty, repair the formulas";
        assert_eq!(notes, [expected]);
        assert!(input.description().starts_with("xlsx, sheet \"Data\""), "{}", input.description());
        assert_eq!(input.damaged_columns(), ["id"]);
        assert!(input.writes_numbers());
        assert_eq!(all.facts.sha256, super::harness::sha256(&bytes));
    }
    let file = File::new(&bytes);
    let mut named = source(&["A"]);
    named.read.sheet = Some("Other".into());
    assert_eq!(read(open(file.path(), "in", &named).unwrap().as_ref()).records, []);
    named.read.sheet = Some("other".into());
    let error = open(file.path(), "in", &named).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "in: no sheet \"other\"; set read.sheet to one of \"Empty\", \"Other\", \"Data\"");
    let error = open(file.path(), "in", &source(&["Betrag"])).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("in: none of the columns \"Betrag\" is in the header"), "{error}");
}

#[test]
fn an_open_document_sheet_is_a_workbook_too() {
    let content = r#"<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>Id</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Total</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="12.5"><text:p>12,50</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#;
    let manifest = b"<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    let bytes = zip(&[("mimetype", kind), ("content.xml", content.as_bytes()), ("META-INF/manifest.xml", manifest)]);
    let all = read_bytes(&bytes, &source(&["Id", "Total"]));
    assert_eq!(records(&all), [row(1, 2, 2, &["a", "12.5"])]);
}

#[test]
fn a_damaged_workbook_is_an_error_not_a_panic() {
    let bytes = xlsx(&[("Data", &sheet())]);
    let asked = source(&["Id", "Total"]);
    for cut in (4..bytes.len()).step_by(97) {
        assert!(open(File::new(&bytes[..cut]).path(), "in", &asked).is_err(), "{cut}");
    }
    for at in (0..bytes.len()).step_by(61) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        if let Ok(input) = open(File::new(&bytes).path(), "in", &asked) {
            read(input.as_ref());
        }
    }
}

#[test]
fn rows_of_a_page_are_records() {
    let page = "<html><!-- <table> --><style>td { x }</style>\n<table><tr><td>menu</td></tr></table>\n<TABLE border='1'>\n<thead><tr><th>ID</th><th>Название&nbsp;сделки<th>Сумма</tr>\n\
        <tr><td>1</td><td class=\"a>b\">Кофе &amp; чай<br>\n две строки</td><td style='x'>12&nbsp;500,00</td>\n</tr>\n<tr><td rowspan=2>2<td colspan=\"2\">R&D &#8470;&#x31;;\n<tr><td>x</td><td>7</table>";
    let asked = source(&["id", "Сумма", "Название\u{a0}сделки"]);
    let expected = [
        row(1, 5, 7, &["1", "12\u{a0}500,00", "Кофе & чай\nдве строки"]),
        row(2, 8, 8, &["2", "", "R&D №1;"]),
        row(3, 9, 9, &["2", "7", "x"]),
    ];
    for (bytes, encoding) in [
        (page.as_bytes().to_vec(), "UTF-8"),
        ([b"\xEF\xBB\xBF", page.as_bytes()].concat(), "UTF-8"),
        (super::harness::gzip(page.as_bytes()), "UTF-8"),
    ] {
        let file = File::new(&bytes);
        let input = open(file.path(), "in.xls", &asked).unwrap();
        let all = read(input.as_ref());
        assert_eq!(records(&all), expected);
        assert!(input.description().starts_with(&format!("html, {encoding}")));
        assert!(!input.writes_numbers());
    }
    let all = read_bytes(page.replace("</table>", "").as_bytes(), &asked);
    assert_eq!(all.broken(), [(9, "the page ends within the row; get the file again")]);
    let mut damaged = page.as_bytes().to_vec();
    let at = page.find("Кофе").unwrap();
    damaged[at] = 0xFF;
    let all = read_bytes(&damaged, &asked);
    assert_eq!(all.broken().len(), 1);
    assert_eq!(records(&all).len(), 2);
}

#[test]
fn rows_of_spreadsheet_xml_are_records() {
    let text = "<?xml version=\"1.0\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\" xmlns:ss=\"x\"><Worksheet ss:Name=\"S\"><Table>\n\
        <Row><Cell><Data ss:Type=\"String\">ID</Data></Cell><Cell><Data>A</Data></Cell><Cell><Data>Total</Data></Cell></Row>\n\
        <Row><Cell><Data>7</Data></Cell><Cell ss:Index=\"3\"><Data>5.5</Data></Cell></Row></Table></Worksheet></Workbook>";
    assert_eq!(records(&read_bytes(text.as_bytes(), &source(&["ID", "A", "Total"]))), [row(1, 4, 4, &["7", "", "5.5"])]);
}

#[test]
fn an_archive_around_one_file_is_that_file() {
    let table: String = (0..5_000).fold("id,amount\n".to_owned(), |text, row| text + &format!("id-{row},{}\n", row * 7 % 1_000));
    let asked = source(&["id", "amount"]);
    let plain = read_bytes(table.as_bytes(), &asked);
    let mut stored = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let as_is = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    stored.start_file("t.csv", as_is).unwrap();
    stored.write_all(table.as_bytes()).unwrap();
    let stored = stored.finish().unwrap().into_inner();
    let deflated = zip(&[("__MACOSX/._t.csv", b"x"), ("folder/", b""), ("folder/t.csv", table.as_bytes())]);
    for bytes in [stored, deflated.clone()] {
        let file = File::new(&bytes);
        let input = open(file.path(), "in.zip", &asked).unwrap();
        let all = read(input.as_ref());
        assert_eq!((&all.records, &all.fault), (&plain.records, &None));
        assert_eq!((all.facts.bytes, all.facts.sha256), (bytes.len() as u64, super::harness::sha256(&bytes)));
        assert_eq!(input.description(), "csv, \",\", UTF-8, zip");
    }
    let told = |files: &[(&str, &[u8])]| open(File::new(&zip(files)).path(), "in", &asked).map(|_| ()).unwrap_err().to_string();
    assert_eq!(told(&[]), "in: the ZIP archive holds no file; unpack it, and name the file that is meant");
    assert_eq!(
        told(&[("a.csv", b"1"), ("b.csv", b"2")]),
        "in: the ZIP archive holds 2 files: \"a.csv\", \"b.csv\"; unpack it, and name the file that is meant"
    );
    // Within the packed bytes: the records before it are good, and the checksum tells.
    let mut flipped = deflated;
    let place = flipped.len() / 2;
    flipped[place] ^= 0x10;
    let all = match open(File::new(&flipped).path(), "in", &asked) {
        Ok(input) => read(input.as_ref()),
        Err(error) => panic!("{error}"),
    };
    assert!(
        matches!(all.fault, Some(twicelog::domain::record::InputError::CutOff { what: "ZIP archive", .. })),
        "{:?}",
        all.fault
    );
}

/// Files of a trail put together, pages of an API, batches of a queue.
#[test]
fn records_of_envelopes_one_after_the_other_are_all_read() {
    let lines =
        "{\"Records\":[{\"id\":\"a\"},{\"id\":\"b\"}]}\n{\"Records\":[]}\n{\"next\":null}\n{\"Records\":[{\"id\":\"c\"}]}\n";
    let all = read_bytes(lines.as_bytes(), &source(&["/id"]));
    assert_eq!(records(&all), [row(1, 1, 1, &["a"]), row(2, 1, 1, &["b"]), row(3, 4, 4, &["c"])]);
    let pretty = "{\n \"data\": [\n  {\"id\": \"a\"\n  }\n ]\n}\n{\n \"data\": [ {\"id\": \"b\"} ]\n}";
    let all = read_bytes(pretty.as_bytes(), &source(&["/id"]));
    assert_eq!(records(&all), [row(1, 3, 4, &["a"]), row(2, 8, 8, &["b"])]);
    // Objects that have what is asked for themselves are the records, whatever arrays they hold.
    let orders = "{\"id\":\"o1\",\"items\":[{\"id\":\"i1\"}]}\n{\"id\":\"o2\",\"items\":[{\"id\":\"i2\"}]}\n";
    let all = read_bytes(orders.as_bytes(), &source(&["/id"]));
    assert_eq!(records(&all), [row(1, 1, 1, &["o1"]), row(2, 2, 2, &["o2"])]);
    // An envelope that is no JSON costs its own records and no others.
    let broken = "{\"Records\":[{\"id\":\"a\"}]}\n{\"Records\":[{\"id\":]}\n{\"Records\":[{\"id\":\"c\"}]}\n";
    let all = read_bytes(broken.as_bytes(), &source(&["/id"]));
    assert_eq!(records(&all).len(), 2);
    assert_eq!(all.broken().len(), 1);
}
