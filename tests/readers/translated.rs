//! Formats that are translated when they are opened: what every record holds, its number and its lines.

use super::harness::{All, File, Kind, open, read, read_bytes, source};
use twicelog::rules::{Continues, RecordTypes, Source};

/// Number, first and last line, cells of the records that are whole.
pub fn records(all: &All) -> Vec<(u64, [u64; 2], Vec<String>)> {
    let whole = all.records.iter().filter(|found| found.kind == Kind::Record);
    whole
        .map(|found| (found.number, found.lines, found.cells.iter().map(|cell| cell.clone().unwrap_or_default()).collect()))
        .collect()
}

fn row(number: u64, first: u64, last: u64, cells: &[&str]) -> (u64, [u64; 2], Vec<String>) {
    (number, [first, last], cells.iter().map(|cell| cell.to_string()).collect())
}

fn texts(words: &[&str]) -> Vec<String> {
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
    let notes: Vec<String> = input.notes().into_iter().map(|note| note.message).collect();
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
            assert_eq!(input.notes(), []);
            assert_eq!(all.records.iter().filter(|found| found.kind == Kind::Ignored).count(), 1);
        }
    }
}

#[test]
fn a_bank_exchange_whose_totals_do_not_agree_says_so() {
    let file = File::new(STATEMENT.replace("ВсегоСписано=30.00", "ВсегоСписано=30.01").as_bytes());
    let notes = open(file.path(), "in", &statement()).unwrap().notes();
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
    let all = read_bytes(STATEMENT[..whole].as_bytes(), &statement());
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
    assert_eq!(input.notes().len(), 1);
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
