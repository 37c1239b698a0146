//! Nights of Parquet: a file has no front, so one that changed is read anew, and its records are known again.

use crate::nights::{Nights, ids};
use crate::rotated::CONFIG;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const SCHEMA: &str = "message pay {
    required binary id (UTF8);
    required int64 at (TIMESTAMP(MICROS,true));
    required binary card (UTF8);
    required int32 amount (DECIMAL(9,2));
}";

/// Two minutes before a midnight, in microseconds since 1970.
const EVENING: i64 = 1_772_495_880_000_000;

/// Id, seconds after that evening, card.
type Pay = (&'static str, i64, &'static str);

fn file(rows: &[Pay]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let text = |of: fn(&Pay) -> &'static str| rows.iter().map(|row| ByteArray::from(of(row))).collect::<Vec<_>>();
    let mut column = 0;
    while let Some(mut next) = group.next_column().unwrap() {
        match column {
            0 => next.typed::<ByteArrayType>().write_batch(&text(|row| row.0), None, None),
            1 => {
                let times: Vec<i64> = rows.iter().map(|row| EVENING + row.1 * 1_000_000).collect();
                next.typed::<Int64Type>().write_batch(&times, None, None)
            }
            2 => next.typed::<ByteArrayType>().write_batch(&text(|row| row.2), None, None),
            _ => next.typed::<Int32Type>().write_batch(&vec![500; rows.len()], None, None),
        }
        .unwrap();
        next.close().unwrap();
        column += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn what_straddles_nights_and_files_is_found_once() {
    let mut nights = Nights::of_config(CONFIG);
    let counts = |nights: &mut Nights, files: &[(&str, &[u8])]| {
        let night = nights.run(files);
        let (ledger, nightly) = (&night.scanned.result.ledger, night.scanned.result.nightly.as_ref().unwrap());
        (ledger.read, ledger.repeated, nightly.skipped_inputs, night.changes.new.len(), night.changes.unchanged.len())
    };
    let (first, other) = (("p-1", 0, "anna"), ("p-2", 30, "boris"));
    let monday = file(&[first, other]);
    assert_eq!(counts(&mut nights, &[("monday.parquet", &monday)]), (2, 0, 0, 0, 0));
    // After midnight anna has paid again; the export of Tuesday holds what Monday's held, too.
    let tuesday = file(&[first, ("p-3", 200, "anna")]);
    let files: [(&str, &[u8]); 2] = [("monday.parquet", &monday), ("tuesday.parquet", &tuesday)];
    assert_eq!(counts(&mut nights, &files), (2, 1, 1, 1, 0));
    assert_eq!(counts(&mut nights, &files), (0, 0, 2, 0, 1), "the same night again");
    // Written anew, with a row more.
    let grown = file(&[first, ("p-3", 200, "anna"), ("p-4", 9_000, "clara")]);
    let files: [(&str, &[u8]); 2] = [("monday.parquet", &monday), ("tuesday.parquet", &grown)];
    assert_eq!(counts(&mut nights, &files), (3, 2, 1, 0, 1));
    let once = nights.at_once(&files);
    assert_eq!(nights.told.keys().cloned().collect::<Vec<_>>(), ids(&once));
}
