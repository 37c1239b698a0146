//! Parquet: every type as it is meant, the same rows in place, packed and by a stream.

use super::harness::{File, gzip, open, open_stream, read, sha256, source};
use super::translated::{records, zip};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const SCHEMA: &str = "message m {
    required binary id (UTF8);
    required int64 at (TIMESTAMP(MICROS,true));
    required int64 local (TIMESTAMP(NANOS,false));
    required int32 day (DATE);
    required int32 total (DECIMAL(9,2));
    optional double rate;
    required boolean ok;
    required fixed_len_byte_array(16) uuid (UUID);
    required group card { required int64 number; optional binary note (UTF8); }
}";

/// Two rows, a row group each.
fn file() -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    for row in 0..2_i64 {
        let mut group = writer.next_row_group().unwrap();
        let mut column = 0;
        while let Some(mut next) = group.next_column().unwrap() {
            match column {
                0 => next.typed::<ByteArrayType>().write_batch(&[ByteArray::from(format!("ä-{row}").as_str())], None, None),
                1 => next.typed::<Int64Type>().write_batch(&[1_772_447_003_000_001 + row], None, None),
                2 => next.typed::<Int64Type>().write_batch(&[1_772_447_003_000_000_001], None, None),
                3 => next.typed::<Int32Type>().write_batch(&[20_514], None, None),
                4 => next.typed::<Int32Type>().write_batch(&[-1250], None, None),
                5 if row == 0 => next.typed::<DoubleType>().write_batch(&[0.1], Some(&[1]), None),
                5 => next.typed::<DoubleType>().write_batch(&[], Some(&[0]), None),
                6 => next.typed::<BoolType>().write_batch(&[row == 0], None, None),
                7 => next.typed::<FixedLenByteArrayType>().write_batch(&[FixedLenByteArray::from(vec![0xAB; 16])], None, None),
                8 => next.typed::<Int64Type>().write_batch(&[9_007_199_254_740_993], None, None),
                _ => next.typed::<ByteArrayType>().write_batch(&[ByteArray::from("a \"b\"")], Some(&[1]), None),
            }
            .unwrap();
            next.close().unwrap();
            column += 1;
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

const COLUMNS: [&str; 10] = ["id", "at", "local", "day", "total", "rate", "ok", "uuid", "/card/number", "/card/note"];

#[test]
fn rows_are_records_with_exact_values() {
    let bytes = file();
    let row = |id: &str, at: &str, rate: &str, ok: &str| {
        let uuid = "abababab-abab-abab-abab-abababababab";
        [id, at, "2026-03-02T10:23:23.000000001", "2026-03-02", "-12.50", rate, ok, uuid, "9007199254740993", "a \"b\""]
            .map(str::to_owned)
            .to_vec()
    };
    let expected = [
        (1, [1, 1], row("ä-0", "2026-03-02T10:23:23.000001Z", "0.1", "true")),
        (2, [2, 2], row("ä-1", "2026-03-02T10:23:23.000002Z", "", "false")),
    ];
    for packed in [bytes.clone(), gzip(&bytes), zip(&[("part-0.parquet", &bytes)])] {
        let kept = File::new(&packed);
        let input = open(kept.path(), "in", &source(&COLUMNS)).unwrap();
        let all = read(input.as_ref());
        assert_eq!(records(&all), expected);
        assert_eq!((all.facts.bytes, all.facts.sha256), (packed.len() as u64, sha256(&packed)));
        assert!(input.description().starts_with("parquet"));
        assert_eq!(input.columns().first().map(String::as_str), Some("id"));
    }
    let streamed = open_stream(&mut bytes.as_slice(), "-", &source(&COLUMNS)).unwrap();
    assert_eq!(records(&read(streamed.as_ref())), expected);
    let error = open(File::new(&bytes).path(), "in", &source(&["Betrag"])).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("in: none of the columns \"Betrag\" is in the header"), "{error}");
}

#[test]
fn a_damaged_file_is_an_error_not_a_panic() {
    let bytes = file();
    for cut in (4..bytes.len()).step_by(41) {
        assert!(open(File::new(&bytes[..cut]).path(), "in", &source(&["id"])).is_err(), "{cut}");
    }
    for at in (0..bytes.len()).step_by(7) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x5A;
        if let Ok(input) = open(File::new(&bytes).path(), "in", &source(&["id"])) {
            read(input.as_ref());
        }
    }
}

const LISTS: &str = "message m {
    required group local (LIST) { repeated group list { required int64 element (TIMESTAMP(MICROS,false)); } }
    required group utc (LIST) { repeated group list { required int64 element (TIMESTAMP(MICROS,true)); } }
    required group old (LIST) { repeated int64 array (TIMESTAMP(MICROS,false)); }
    repeated int64 bare (TIMESTAMP(MICROS,false));
    required group by_day (MAP) {
        repeated group key_value { required binary key (UTF8); required int64 value (TIMESTAMP(MICROS,false)); }
    }
}";

/// A local time in a list was given a zone that it has not.
#[test]
fn times_in_lists_and_maps_have_the_zone_of_their_column() {
    let schema = Arc::new(parse_message_type(LISTS).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = 0;
    while let Some(mut next) = group.next_column().unwrap() {
        match column {
            4 => next.typed::<ByteArrayType>().write_batch(&[ByteArray::from("d")], Some(&[1]), Some(&[0])),
            _ => next.typed::<Int64Type>().write_batch(&[1_772_447_003_000_001], Some(&[1]), Some(&[0])),
        }
        .unwrap();
        next.close().unwrap();
        column += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    let stored = File::new(&bytes);
    let all = read(open(stored.path(), "in", &source(&["local", "utc", "old", "bare", "by_day"])).unwrap().as_ref());
    let local = "2026-03-02T10:23:23.000001";
    let expected = [
        format!("[\"{local}\"]"),
        format!("[\"{local}Z\"]"),
        // The library reads a list of two levels as a list in a list.
        format!("[[\"{local}\"]]"),
        format!("[\"{local}\"]"),
        format!("{{\"d\":\"{local}\"}}"),
    ];
    assert_eq!(records(&all), [(1, [1, 1], expected.to_vec())]);
}
