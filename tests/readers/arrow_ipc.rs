//! Arrow IPC: the same rows as a file, as a stream, packed and piped; exact values; damage.

use super::harness::{File, gzip, open, open_stream, read, source};
use super::translated::records;
use arrow_array::{ArrayRef, BooleanArray, Decimal128Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use std::sync::Arc;
use twicelog::domain::record::InputError;

const COLUMNS: [&str; 5] = ["id", "at", "total", "number", "ok"];

fn batch(first: i64) -> RecordBatch {
    let columns: [(&str, ArrayRef); 5] = [
        ("id", Arc::new(StringArray::from(vec![Some(format!("ä-{first}")), None]))),
        ("at", Arc::new(TimestampMicrosecondArray::from(vec![1_772_447_003_000_001; 2]).with_timezone("UTC"))),
        ("total", Arc::new(Decimal128Array::from(vec![-1250, 5]).with_precision_and_scale(9, 2).unwrap())),
        ("number", Arc::new(Int64Array::from(vec![9_007_199_254_740_993, first]))),
        ("ok", Arc::new(BooleanArray::from(vec![true, false]))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn file() -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch(0).schema()).unwrap();
    writer.write(&batch(1)).unwrap();
    writer.write(&batch(2)).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn stream() -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch(0).schema()).unwrap();
    writer.write(&batch(1)).unwrap();
    writer.write(&batch(2)).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn expected() -> Vec<(u64, [u64; 2], Vec<String>)> {
    let row = |number: u64, cells: [&str; 5]| (number, [number, number], cells.map(str::to_owned).to_vec());
    vec![
        row(1, ["ä-1", "2026-03-02T10:23:23.000001Z", "-12.50", "9007199254740993", "true"]),
        row(2, ["", "2026-03-02T10:23:23.000001Z", "0.05", "1", "false"]),
        row(3, ["ä-2", "2026-03-02T10:23:23.000001Z", "-12.50", "9007199254740993", "true"]),
        row(4, ["", "2026-03-02T10:23:23.000001Z", "0.05", "2", "false"]),
    ]
}

#[test]
fn rows_of_batches_are_records_with_exact_values() {
    for bytes in [file(), stream(), gzip(&file())] {
        let stored = File::new(&bytes);
        let all = read(open(stored.path(), "test", &source(&COLUMNS)).unwrap().as_ref());
        assert_eq!(records(&all), expected());
        assert_eq!(all.facts.bytes, bytes.len() as u64);
        let piped = open_stream(&mut bytes.as_slice(), "-", &source(&COLUMNS)).unwrap();
        assert_eq!(records(&read(piped.as_ref())), expected());
    }
}

#[test]
fn a_damaged_file_is_told_and_stops_nothing_else() {
    let whole = file();
    for cut in [8, 100, whole.len() / 2, whole.len() - 1] {
        let stored = File::new(&whole[..cut]);
        match open(stored.path(), "test", &source(&COLUMNS)) {
            Err(error) => assert!(error.to_string().contains("test"), "{error}"),
            Ok(_) => panic!("a file of {cut} of {} bytes is taken for whole", whole.len()),
        }
    }
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        let stored = File::new(&bytes);
        // Any answer but a stop will do: not every byte matters.
        let _ = open(stored.path(), "test", &source(&COLUMNS));
    }
}

/// The end of the bytes between two batches was taken for the end of the stream.
#[test]
fn a_stream_without_its_end_mark_is_cut_off() {
    let whole = stream();
    let mark = whole.len() - 8;
    assert_eq!(whole[mark..], [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
    let one_batch = {
        let mut writer = StreamWriter::try_new(Vec::new(), &batch(0).schema()).unwrap();
        writer.write(&batch(1)).unwrap();
        writer.finish().unwrap();
        writer.into_inner().unwrap().len() - 8
    };
    for (cut, rows) in [(mark, 4), (mark + 4, 4), (one_batch, 2)] {
        let stored = File::new(&whole[..cut]);
        match open(stored.path(), "test", &source(&COLUMNS)) {
            Ok(input) => {
                let all = read(input.as_ref());
                assert_eq!(records(&all), expected()[..rows], "{cut}");
                let reason = "it has no mark at its end".to_owned();
                let bytes = cut as u64;
                assert_eq!(all.fault, Some(InputError::CutOff { file: "test".into(), what: "Arrow IPC stream", bytes, reason }));
            }
            Err(error) => assert!(error.to_string().contains("damaged or cut off"), "{error}"),
        }
    }
    for cut in 0..whole.len() {
        let stored = File::new(&whole[..cut]);
        if let Ok(input) = open(stored.path(), "test", &source(&COLUMNS)) {
            let all = read(input.as_ref());
            assert!(cut == 0 || all.fault.is_some(), "{cut} of {} bytes are taken for whole", whole.len());
        }
    }
}
