//! What is written down twice without having happened twice, and what only looks like it: bank statements, envelopes, transcripts.

use super::harness::{All, File, Kind, open, read_bytes, source};
use super::translated::{records, row};
use twicelog::domain::record::InputError;
use twicelog::rules::Source;

fn ignored(all: &All) -> usize {
    all.records.iter().filter(|found| found.kind == Kind::Ignored).count()
}

fn cells(all: &All) -> Vec<Vec<String>> {
    records(all).into_iter().map(|(_, _, cells)| cells).collect()
}

const HEAD: &str = "1CClientBankExchange\nВерсияФормата=1.03\nРасчСчет=1\n";

fn document(kind: &str, number: &str) -> String {
    format!(
        "СекцияДокумент={kind}\nНомер={number}\nДата=01.03.2026\nСумма=10.00\nПлательщикСчет=1\nПолучательСчет=2\nКонецДокумента\n"
    )
}

fn exchange(documents: &[(&str, &str)]) -> String {
    let documents: String = documents.iter().map(|(kind, number)| document(kind, number)).collect();
    format!("{HEAD}{documents}КонецФайла\n")
}

fn numbers() -> Source {
    source(&["Номер", "СекцияДокумент"])
}

#[test]
fn extracts_are_copies_of_as_many_orders_in_whatever_order() {
    let (order, extract) = (("Платежное поручение", "1"), ("Выписка", "1"));
    for (documents, used, copies) in [
        (vec![order, extract], 1, 1),
        (vec![extract, order], 1, 1),
        (vec![order, extract, extract], 2, 1),
        (vec![extract, extract, order, order], 2, 2),
        (vec![order, order, extract], 2, 1),
        (vec![extract, extract], 2, 0),
        (vec![order, ("Выписка", "2")], 2, 0),
    ] {
        let all = read_bytes(exchange(&documents).as_bytes(), &numbers());
        assert_eq!((records(&all).len(), ignored(&all)), (used, copies), "{documents:?}");
    }
}

#[test]
fn statements_put_together_are_each_read_to_their_end() {
    let [one, two] = ["1", "2"].map(|number| exchange(&[("Платежное поручение", number)]));
    let whole = format!("{one}{}", two.replace("РасчСчет=1\n", "РасчСчет=3\n"));
    let all = read_bytes(whole.as_bytes(), &source(&["Номер", "@РасчСчет"]));
    assert_eq!((cells(&all), &all.fault), (vec![vec!["1".into(), "1".into()], vec!["2".to_owned(), "3".to_owned()]], &None));

    let cut = &whole[..whole.len() - "КонецДокумента\nКонецФайла\n".len()];
    let all = read_bytes(cut.as_bytes(), &numbers());
    assert_eq!(records(&all).len(), 1);
    assert!(matches!(&all.fault, Some(InputError::CutOff { reason, .. }) if reason == "its last document does not end"));

    // The first is cut off, the second whole.
    let first_cut = whole.replacen("КонецФайла\n", "", 1);
    let all = read_bytes(first_cut.as_bytes(), &numbers());
    assert_eq!(records(&all).len(), 2);
    assert!(matches!(&all.fault, Some(InputError::CutOff { reason, .. }) if reason.contains("one of the statements")));

    // A document after the end, without a signature.
    let more = one + "СекцияДокумент=Платежное поручение\nНомер=9\n";
    assert!(matches!(read_bytes(more.as_bytes(), &numbers()).fault, Some(InputError::CutOff { .. })));
}

#[test]
fn objects_without_the_array_of_an_envelope_are_counted() {
    let text = "{\"Records\":[{\"id\":\"a\"}]}\n{\"id\":\"b\"}\n{\"error\":\"429\"}\n{\"Records\":null}\n{\"Records\":[]}\n";
    let all = read_bytes(text.as_bytes(), &source(&["/id"]));
    assert_eq!(records(&all), [row(1, 1, 1, &["a"]), row(2, 2, 2, &["b"])]);
    assert_eq!(ignored(&all), 2);
}

#[test]
fn envelopes_with_two_arrays_that_fit_alike_are_refused_as_a_document_is() {
    let one = "{\"charges\":[{\"id\":\"a\"}],\"older\":[{\"id\":\"b\"}]}";
    for text in [one.to_owned(), format!("{one}\n{one}\n"), format!("[{one},{one}]")] {
        let error = open(File::new(text.as_bytes()).path(), "in", &source(&["/id"])).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error, "in: several arrays may be the records: \"/charges\", \"/older\"; set read.records to one of them");
    }
}

#[test]
fn an_array_of_envelopes_holds_the_records_of_all() {
    let text =
        "[\n{\"page\":1,\"data\":[{\"id\":\"a\"},\n{\"id\":\"b\"}]},\n{\"page\":2,\"data\":[{\"id\":\"c\"}]},\n{\"page\":3}\n]\n";
    let expected = [row(1, 2, 2, &["a"]), row(2, 3, 3, &["b"]), row(3, 4, 4, &["c"])];
    let mut asked = source(&["/id"]);
    let all = read_bytes(text.as_bytes(), &asked);
    assert_eq!((records(&all).as_slice(), ignored(&all)), (expected.as_slice(), 1));
    asked.read.records = Some("/data".into());
    assert_eq!(records(&read_bytes(text.as_bytes(), &asked)), expected);
    // Elements that have the columns themselves are the records.
    let orders = "[{\"id\":\"o1\",\"items\":[{\"id\":\"i1\"}]},{\"id\":\"o2\",\"items\":[]}]";
    assert_eq!(cells(&read_bytes(orders.as_bytes(), &source(&["/id"]))), [["o1"], ["o2"]]);
}

fn calls() -> Source {
    source(&["call_id", "result"])
}

/// An assistant's call of `pay`, and the result when there is one.
fn asked(id: &str, result: Option<&str>) -> String {
    let call = format!(
        r#"{{"role":"assistant","tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"pay","arguments":"{{\"a\":1}}"}}}}]}}"#
    );
    let answer = result.map(|result| format!(r#",{{"role":"tool","tool_call_id":"{id}","content":"{result}"}}"#));
    call + &answer.unwrap_or_default()
}

fn history(messages: &[String]) -> String {
    format!("{{\"messages\":[{}]}}", messages.join(","))
}

fn found(all: &All) -> Vec<(String, String)> {
    cells(all).into_iter().map(|cells| (cells[0].clone(), cells[1].clone())).collect()
}

/// Ids such as `call_0` begin anew with each request to a model.
#[test]
fn a_call_that_one_history_holds_twice_was_made_twice() {
    for results in [["receipt 1", "receipt 2"], ["ok", "ok"]] {
        let messages = results.map(|result| asked("call_0", Some(result)));
        let expected = results.map(|result| ("call_0".to_owned(), result.to_owned()));
        for text in [history(&messages), format!("[{}]", messages.join(","))] {
            let all = read_bytes(text.as_bytes(), &calls());
            assert_eq!((found(&all).as_slice(), ignored(&all)), (expected.as_slice(), 0), "{text}");
        }
    }
}

#[test]
fn a_history_that_is_sent_again_with_every_request_is_read_once() {
    let messages = ["r1", "r2", "r2"].map(|result| asked("call_0", Some(result)));
    let text: Vec<String> = (1..=3).map(|count| history(&messages[..count])).collect();
    let all = read_bytes(text.join("\n").as_bytes(), &calls());
    let expected = ["r1", "r2", "r2"].map(|result| ("call_0".to_owned(), result.to_owned()));
    assert_eq!((found(&all).as_slice(), ignored(&all)), (expected.as_slice(), 3));
}

#[test]
fn a_call_is_one_with_its_copy_that_has_the_result() {
    let text = [asked("c1", None), history(&[asked("c1", Some("done"))]), history(&[asked("c1", Some("done"))])];
    let all = read_bytes(text.join("\n").as_bytes(), &calls());
    assert_eq!((found(&all), ignored(&all)), (vec![("c1".to_owned(), "done".to_owned())], 2));
    // With another result it is another call.
    let text = [history(&[asked("c1", Some("1"))]), history(&[asked("c1", Some("2"))])];
    assert_eq!(read_bytes(text.join("\n").as_bytes(), &calls()).records.len(), 2);
}

/// Two sessions count their calls from the same number on.
#[test]
fn answers_go_to_the_call_of_their_own_session() {
    let ask = |session: &str| {
        format!(
            r#"{{"session_id":"{session}","role":"assistant","content":[{{"type":"tool_use","id":"call_0","name":"pay","input":{{}}}}]}}"#
        )
    };
    let answer = |session: &str| {
        format!(
            r#"{{"session_id":"{session}","role":"user","content":[{{"type":"tool_result","tool_use_id":"call_0","content":"of {session}"}}]}}"#
        )
    };
    let text = [ask("s1"), ask("s2"), answer("s1"), answer("s2")].join("\n");
    let all = read_bytes(text.as_bytes(), &calls());
    assert_eq!(found(&all), [("call_0".to_owned(), "of s1".to_owned()), ("call_0".to_owned(), "of s2".to_owned())]);
}

#[test]
fn calls_that_lie_too_deep_are_told() {
    let deep = (0..20).fold(asked("c1", None), |inner, _| format!("{{\"message\":{inner}}}"));
    let text = format!("{}\n{deep}\n", asked("c0", None));
    let all = read_bytes(text.as_bytes(), &calls());
    assert_eq!(found(&all).len(), 1);
    assert_eq!(all.broken(), [(2, "messages lie more than 16 deep in each other, calls there were not read; unpack them")]);
}
