//! Parquet. A row is a record, read a row group at a time.

use super::original::{Original, all_bytes};
use super::parquet_value::{Value, value};
use super::rows::Member;
use super::whole_file::{damaged, guarded, missing};
use super::{Members, Numbers, Translation};
use crate::domain::record::Position;
use crate::read::OpenError;
use crate::read::compression::Compression;
use crate::read::content::Content;
use crate::read::stored::{Stored, StoredFile};
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

/// The largest file that is not read in place, because it comes packed or by a pipe.
const MOST_BYTES: usize = 1 << 30;
const WHAT: &str = "Parquet file";

pub(super) fn translate(original: &Original<'_>) -> Result<Translation, OpenError> {
    if original.sample.not_text != Some(Content::Parquet) {
        let reason = "its bytes are no Parquet".to_owned();
        return Err(OpenError::NotOfFormat { file: original.name().to_owned(), format: "parquet", reason });
    }
    guarded(original.name(), WHAT, || rows(original))
}

/// Names of the columns.
pub(super) fn columns(stored: &Stored, compression: Compression) -> Result<Vec<String>, OpenError> {
    guarded(stored.name(), WHAT, || Ok(names(open(stored, compression)?.as_ref())))
}

fn open(stored: &Stored, compression: Compression) -> Result<Box<dyn FileReader>, OpenError> {
    let wrong = |error: ParquetError| damaged(stored.name(), WHAT, &error.to_string());
    match stored.open()? {
        StoredFile::File(file) if compression == Compression::None => {
            Ok(Box::new(SerializedFileReader::new(file).map_err(wrong)?))
        }
        _ => {
            let bytes = Bytes::from(all_bytes(stored, compression, MOST_BYTES, "a packed Parquet file")?);
            Ok(Box::new(SerializedFileReader::new(bytes).map_err(wrong)?))
        }
    }
}

fn names(reader: &dyn FileReader) -> Vec<String> {
    let schema = reader.metadata().file_metadata().schema();
    schema.get_fields().iter().map(|kind| kind.name().to_owned()).collect()
}

fn rows(original: &Original<'_>) -> Result<Translation, OpenError> {
    let wrong = |error: ParquetError| damaged(original.name(), WHAT, &error.to_string());
    let reader = open(original.stored, original.coding.compression)?;
    let schema = reader.metadata().file_metadata().schema();
    let kinds = schema.get_fields();
    let columns = names(reader.as_ref());
    let missing = missing(original, &columns)?;
    let mut rows = original.rows();
    let mut number = 0;
    for row in reader.get_row_iter(None).map_err(wrong)? {
        let row = row.map_err(wrong)?;
        number += 1;
        let cells: Vec<(&String, Value)> =
            row.get_column_iter().zip(kinds).map(|((name, field), kind)| (name, value(field, Some(kind)))).collect();
        let members = cells.iter().filter_map(|(name, value)| {
            let member = match value {
                Value::Nothing => return None,
                Value::Text(text) => Member::Text(text),
                Value::Json(json) => Member::Json(json),
            };
            Some((name.as_str(), member))
        });
        rows.record(Position { number, lines: [number, number] }, members)?;
    }
    Ok(Translation {
        spool: rows.finish()?,
        members: Members::AsAsked,
        columns,
        missing,
        numbers: Numbers::OneWay,
        facts: vec!["parquet".to_owned()],
        notes: Vec::new(),
        fault: None,
    })
}
