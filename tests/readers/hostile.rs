//! Inputs that are damaged, absurd or made to break a parser: never a panic, never a believable wrong value.

use super::harness::{All, File, Kind, gzip, open, open_in_blocks, open_stream, read, read_bytes, source};
use std::fmt::Write as _;
use twicelog::domain::record::InputError;
use twicelog::read::OpenError;

fn csv_rows(count: usize) -> String {
    (0..count).fold("id,amount\n".to_owned(), |mut text, row| {
        let _ = writeln!(text, "id-{row},{}", row * 7919 % 100_003);
        text
    })
}

fn ids(all: &All) -> Vec<String> {
    all.cells().into_iter().filter_map(|cells| cells.into_iter().next().flatten()).collect()
}

#[test]
fn nothing_at_all_is_an_input_without_records() {
    for bytes in [&b""[..], b"\n", b"\r\n\r\n", b"\xEF\xBB\xBF", &gzip(b""), &zstd::encode_all(&b""[..], 3).unwrap()] {
        let all = read_bytes(bytes, &source(&["id"]));
        assert_eq!((all.records.len(), &all.fault), (0, &None), "{bytes:?}");
        assert_eq!(all.facts.bytes, bytes.len() as u64);
    }
    for text in ["id,amount", "id,amount\n", "[]", "{\"data\": []}\n", "[\n]\n"] {
        assert_eq!(read_bytes(text.as_bytes(), &source(&["id"])).cells(), Vec::<Vec<_>>::new(), "{text}");
    }
}

#[test]
fn a_folder_a_missing_file_and_a_workbook_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let told = |path: &std::path::Path| match open(path, "in", &source(&["id"])) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("opened"),
    };
    assert_eq!(told(folder.path()), "in: is a folder; name the files in it, or a pattern such as \"in/*.csv\"");
    assert!(told(&folder.path().join("none")).starts_with("in: cannot be read: "));
    assert!(
        told(File::new(b"PK\x03\x04..........................xl/").path())
            .starts_with("in: the workbook is damaged or cut off: ")
    );
    assert!(told(File::new(b"Kunde;Betrag\n1;2\n").path()).starts_with("in: none of the columns \"id\" is in the header"));
    assert!(told(File::new(b"identity,Amount\n1,2\n").path()).contains("(the nearest is \"identity\")"));
}

#[test]
fn a_truncated_gzip_gives_every_whole_record_before_the_cut() {
    let text = csv_rows(20_000);
    let packed = gzip(text.as_bytes());
    let whole = ids(&read_bytes(&packed, &source(&["id", "amount"])));
    assert_eq!(whole.len(), 20_000);
    let mut most = 0;
    for cut in (2..packed.len()).step_by(1024) {
        let file = File::new(&packed[..cut]);
        let all = match open(file.path(), "in", &source(&["id", "amount"])) {
            Ok(input) => read(input.as_ref()),
            Err(OpenError::Input(InputError::CutOff { .. })) => continue,
            Err(error) => panic!("{cut}: {error}"),
        };
        assert!(matches!(all.fault, Some(InputError::CutOff { what: "gzip stream", .. })), "{cut}: {:?}", all.fault);
        let found = ids(&all);
        assert_eq!(found, whole[..found.len()], "{cut}");
        assert_eq!(all.broken(), [], "half a record is no record");
        assert!(found.len() >= most);
        most = found.len();
    }
    assert!(most > 19_000);
}

#[test]
fn garbage_after_a_gzip_is_a_fault_after_everything_was_read() {
    let text = csv_rows(10);
    for packed in [[gzip(text.as_bytes()), b"garbage".to_vec()].concat(), {
        let mut flipped = gzip(text.as_bytes());
        let checksum = flipped.len() - 6;
        flipped[checksum] ^= 1;
        flipped
    }] {
        let all = read_bytes(&packed, &source(&["id"]));
        assert_eq!(ids(&all).len(), 10);
        assert!(matches!(all.fault, Some(InputError::CutOff { .. })), "{:?}", all.fault);
        assert_eq!(all.facts.sha256, super::harness::sha256(&packed), "the whole file is hashed");
    }
}

#[test]
fn flipped_bytes_never_panic() {
    let text = csv_rows(300);
    let json =
        format!("[{}]", (0..300).map(|row| format!("{{\"id\":\"{row}\",\"amount\":[1,2]}}")).collect::<Vec<_>>().join(","));
    for original in [
        text.clone().into_bytes(),
        json.clone().into_bytes(),
        gzip(text.as_bytes()),
        zstd::encode_all(json.as_bytes(), 3).unwrap(),
    ] {
        for at in (0..original.len()).step_by(original.len() / 150 + 1) {
            let mut bytes = original.clone();
            bytes[at] ^= 0x94;
            let file = File::new(&bytes);
            for limit in [50, 1 << 20] {
                if let Ok(input) = open_in_blocks(file.path(), "in", &source(&["id", "amount"]), limit) {
                    read(input.as_ref());
                }
            }
        }
    }
}

#[test]
fn a_bomb_is_refused() {
    let bomb = ["id\n1\n".as_bytes(), &vec![b' '; 100 << 20]].concat();
    let all = read_bytes(&zstd::encode_all(&bomb[..], 3).unwrap(), &source(&["id"]));
    assert_eq!(ids(&all), ["1"]);
    let fault = all.fault.map(|fault| fault.to_string()).unwrap_or_default();
    assert!(fault.contains("unpacks to more than 1000 times its size"), "{fault}");
}

#[test]
fn a_giant_line_is_broken_with_its_size_and_the_next_is_read() {
    let giant = "x".repeat(5_000_000);
    let text = format!("id,amount\n1,1\n2,{giant}\n3,3\n");
    let all = read_bytes(text.as_bytes(), &source(&["id", "amount"]));
    assert_eq!(ids(&all), ["1", "3"]);
    assert_eq!(all.broken(), [(3, "a record of 5000003 bytes is longer than the limit of 1 MiB; split or remove it")]);
    assert_eq!(all.records.last().unwrap().lines, [4, 4]);

    let text = format!("{{\"id\":1}}\n{{\"id\":2,\"x\":\"{giant}\"}}\n{{\"id\":3}}");
    let all = read_bytes(text.as_bytes(), &source(&["id"]));
    assert_eq!((ids(&all), all.broken().len()), (vec!["1".to_owned(), "3".to_owned()], 1));

    let text = format!("[\n{{\"id\":1}},\n{{\"id\":2,\n\"x\":[{}]}},\n{{\"id\":3}}]", "1,\n".repeat(1_000_000) + "1");
    let all = read_bytes(text.as_bytes(), &source(&["id"]));
    assert_eq!(ids(&all), ["1", "3"]);
    assert_eq!(all.records[1].lines, [3, 1_000_004]);
    assert_eq!(all.records[2].lines, [1_000_005, 1_000_005]);
}

#[test]
fn a_million_columns_are_refused_with_a_reason() {
    let header = "a,".repeat(1_000_000) + "id\n1";
    let file = File::new(header.as_bytes());
    let opened = open(file.path(), "in", &source(&["id", "a"]));
    assert!(matches!(opened.map(|_| ()), Err(OpenError::EndlessHeader { .. })));
}

#[test]
fn deep_json_is_broken_not_a_full_stack() {
    let deep = format!("{{\"id\":1}}\n{{\"id\":2,\"x\":{}1{}}}\n{{\"id\":3}}\n", "[".repeat(100_000), "]".repeat(100_000));
    let all = read_bytes(deep.as_bytes(), &source(&["id"]));
    assert_eq!(ids(&all), ["1", "3"]);
    assert!(all.broken()[0].1.contains("nested more than 128 deep"));
    let array = format!("[{}", "[".repeat(200_000));
    read_bytes(array.as_bytes(), &source(&["id"]));
}

#[test]
fn nul_bytes_are_text_like_any_other() {
    let all = read_bytes(b"id,amount\na\0b,1\n\0\0,2\n", &source(&["id"]));
    assert_eq!(ids(&all), ["a\0b", "\0\0"]);
}

#[test]
fn an_unclosed_quote_breaks_its_line_only() {
    let mut text = csv_rows(50);
    text.push_str("\"lost,9\nlast-1,1\nlast-2,2\n");
    let all = read_bytes(text.as_bytes(), &source(&["id", "amount"]));
    assert_eq!(ids(&all).len(), 52);
    assert_eq!(all.broken().len(), 1);
    assert_eq!(all.broken()[0].0, 52);
    assert!(all.broken()[0].1.starts_with("quote opened here never closes \"\\\"lost,9\""), "{}", all.broken()[0].1);

    // Closed, but far beyond what a cell can be.
    let rows = csv_rows(20_000);
    let text = rows.replacen("id-5,", "\"id-5,", 1) + "end\",1\n";
    let all = read_bytes(text.as_bytes(), &source(&["id", "amount"]));
    assert_eq!(all.broken().len(), 1);
    assert_eq!(ids(&all).len(), 20_000);
    assert_eq!(ids(&all).last().unwrap(), "end\"");
}

#[test]
fn bytes_that_are_no_text_break_their_record() {
    let mut bytes = csv_rows(3).replace("id-1", "Пётр").into_bytes();
    bytes.extend_from_slice(b"caf\xE9 bar,4\n\xD0,5\nok,6\n");
    let all = read_bytes(&bytes, &source(&["id", "amount"]));
    assert_eq!(ids(&all), ["id-0", "Пётр", "id-2", "ok"]);
    assert_eq!(
        all.broken(),
        [
            (5, "bytes that are not UTF-8 in \"caf\u{FFFD} bar,4\"; set read.encoding, or repair the file"),
            (6, "bytes that are not UTF-8 in \"\u{FFFD},5\"; set read.encoding, or repair the file")
        ]
    );
}

#[test]
fn rows_of_another_width_are_broken() {
    let all = read_bytes(b"id,amount\n1\n2,2,2\n3,3,,\n4,4\n", &source(&["id", "amount"]));
    assert_eq!(ids(&all), ["3", "4"]);
    assert_eq!(
        all.broken(),
        [
            (2, "has 1 field, the header has 2; quote cells that hold the delimiter"),
            (3, "has 3 fields, the header has 2; quote cells that hold the delimiter")
        ]
    );
}

#[test]
fn malformed_json_is_broken_with_its_place() {
    let cases = [
        (r#"{"id":1,}"#, 9),
        (r#"{"id":01}"#, 8),
        (r#"{"id":"\ud800"}"#, 14),
        (r#"{"id":"\x"}"#, 9),
        (r#"{"id":nul}"#, 7),
        (r#"{"id":1} 2"#, 10),
        (r#"[1]"#, 1),
        ("{\"id\":\"a\tb\"}", 9),
        (r#"{"id":1"#, 8),
        (r#"{"id":.5}"#, 7),
        (r#"{id:1}"#, 2),
    ];
    for (line, place) in cases {
        let text = format!("{{\"id\":\"first\"}}\n{line}\n\n{{\"id\":\"last\"}}\n");
        let all = read_bytes(text.as_bytes(), &source(&["id"]));
        assert_eq!(ids(&all), ["first", "last"], "{line}");
        assert!(all.broken()[0].1.contains(&format!("at byte {place} ")), "{line}: {}", all.broken()[0].1);
        assert_eq!(all.records[2].kind, Kind::Blank);
        assert_eq!(all.records[3].number, 4);
    }
}

#[test]
fn a_document_that_is_cut_off_gives_the_records_before() {
    for (text, count) in [
        ("[{\"id\":1},{\"id\":2},{\"id\":", 2),
        ("[{\"id\":1},{\"id\":2}", 2),
        ("{\"data\":[{\"id\":1},{\"id\":2}]", 2),
        ("[{\"id\":1}]\n{\"id\":2}", 1),
    ] {
        let all = read_bytes(text.as_bytes(), &source(&["id"]));
        assert_eq!(ids(&all).len(), count, "{text}");
        assert!(matches!(all.fault, Some(InputError::CutOff { what: "JSON", .. })), "{text}: {:?}", all.fault);
    }
}

#[test]
fn a_stream_is_read_like_a_file() {
    let text = csv_rows(1000);
    let input = open_stream(&mut gzip(text.as_bytes()).as_slice(), "-", &source(&["id"])).unwrap();
    assert_eq!(ids(&read(input.as_ref())).len(), 1000);
}

#[test]
fn a_file_that_changed_is_not_reread() {
    let file = File::new(csv_rows(10).as_bytes());
    let input = open(file.path(), "in", &source(&["id"])).unwrap();
    let reread = || input.reread(&[(10, 5)], &mut |_, _| {});
    std::fs::write(file.path(), csv_rows(11)).unwrap();
    assert_eq!(reread(), Ok(()), "what was read stands there as it did, with a further row behind it");
    for other in [csv_rows(11).replacen("id", "ID", 1), csv_rows(9)] {
        std::fs::write(file.path(), other).unwrap();
        assert_eq!(reread(), Err(InputError::Changed { file: "in".into() }));
    }
}
