//! Values of Parquet as text and JSON: decimals and times exactly, times with a zone only where the column has one.

use super::rows::push_string;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use parquet::basic::{LogicalType, Repetition, TimeUnit};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};

/// A value of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Nothing,
    Text(String),
    Json(String),
}

/// Whole numbers beyond this are not kept exactly by a number of 64 bits with a point.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A value; `kind` is what the schema says of it.
pub(super) fn value(field: &Field, kind: Option<&TypePtr>) -> Value {
    let logical = kind.and_then(|kind| kind.get_basic_info().logical_type_ref());
    match field {
        Field::Null => Value::Nothing,
        Field::Str(text) => Value::Text(text.clone()),
        Field::Bytes(bytes) => Value::Text(of_bytes(bytes.data(), logical)),
        Field::Long(number) => match logical {
            Some(LogicalType::Timestamp(stamp)) => instant(*number, &stamp.unit, Zone::of(stamp.is_adjusted_to_u_t_c)),
            _ => Value::Json(number.to_string()),
        },
        Field::TimestampMillis(number) => instant(*number, &TimeUnit::MILLIS, zone(logical)),
        Field::TimestampMicros(number) => instant(*number, &TimeUnit::MICROS, zone(logical)),
        Field::Date(days) => {
            let date = NaiveDate::default().checked_add_signed(TimeDelta::days(i64::from(*days)));
            Value::Text(date.map_or_else(|| days.to_string(), |date| date.to_string()))
        }
        Field::Float(number) => fraction(f64::from(*number), number.to_string()),
        Field::Double(number) => fraction(*number, number.to_string()),
        Field::Decimal(_) => Value::Json(field.to_string()),
        Field::Float16(_) | Field::TimeMillis(_) | Field::TimeMicros(_) => Value::Text(field.to_string()),
        Field::Bool(_)
        | Field::Byte(_)
        | Field::Short(_)
        | Field::Int(_)
        | Field::UByte(_)
        | Field::UShort(_)
        | Field::UInt(_)
        | Field::ULong(_) => Value::Json(field.to_string()),
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
            let mut json = Vec::new();
            push(field, kind, &mut json);
            Value::Json(String::from_utf8(json).unwrap_or_default())
        }
    }
}

/// What a time of the column means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zone {
    Utc,
    /// The clock of some place that the file does not name.
    Local,
}

impl Zone {
    fn of(is_adjusted: bool) -> Self {
        if is_adjusted { Self::Utc } else { Self::Local }
    }
}

/// Columns of before logical types were in UTC.
fn zone(logical: Option<&LogicalType>) -> Zone {
    match logical {
        Some(LogicalType::Timestamp(stamp)) => Zone::of(stamp.is_adjusted_to_u_t_c),
        _ => Zone::Utc,
    }
}

fn instant(number: i64, unit: &TimeUnit, zone: Zone) -> Value {
    let at: Option<DateTime<Utc>> = match unit {
        TimeUnit::MILLIS => DateTime::from_timestamp_millis(number),
        TimeUnit::MICROS => DateTime::from_timestamp_micros(number),
        TimeUnit::NANOS => Some(DateTime::from_timestamp_nanos(number)),
    };
    let Some(at) = at else { return Value::Json(number.to_string()) };
    let mark = if zone == Zone::Utc { "Z" } else { "" };
    Value::Text(format!("{}{mark}", at.format("%Y-%m-%dT%H:%M:%S%.f")))
}

fn fraction(number: f64, text: String) -> Value {
    match () {
        () if !number.is_finite() => Value::Text(text),
        // As a spreadsheet writes what lost digits: no id.
        () if number.abs() >= EXACT => Value::Text(format!("{number:.14e}").replacen('e', "E+", 1)),
        () => Value::Json(text),
    }
}

fn of_bytes(bytes: &[u8], logical: Option<&LogicalType>) -> String {
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    if matches!(logical, Some(LogicalType::Uuid)) && bytes.len() == 16 {
        let digits = hexadecimal(bytes);
        let part = |range| digits.get(range).unwrap_or_default();
        return [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-");
    }
    std::str::from_utf8(bytes).map_or_else(|_| format!("0x{}", hexadecimal(bytes)), str::to_owned)
}

/// Adds a value within another as JSON.
fn push(field: &Field, kind: Option<&TypePtr>, out: &mut Vec<u8>) {
    match field {
        Field::Group(row) => push_row(row, kind.map(AsRef::as_ref), out),
        Field::ListInternal(list) => {
            let kind = kind.map(kind_of_elements);
            out.push(b'[');
            for (index, element) in list.elements().iter().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                push(element, kind, out);
            }
            out.push(b']');
        }
        Field::MapInternal(map) => {
            let [of_keys, of_values] = kind.map(kinds_of_entries).unwrap_or_default();
            out.push(b'{');
            for (index, (key, value)) in map.entries().iter().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                let name = match self::value(key, of_keys) {
                    Value::Nothing => String::new(),
                    Value::Text(text) | Value::Json(text) => text,
                };
                push_string(out, &name);
                out.push(b':');
                push(value, of_values, out);
            }
            out.push(b'}');
        }
        _ => match value(field, kind) {
            Value::Nothing => out.extend_from_slice(b"null"),
            Value::Text(text) => push_string(out, &text),
            Value::Json(json) => out.extend_from_slice(json.as_bytes()),
        },
    }
}

/// What the schema says of the elements of a list: a group around a repeated group around the element, or in older files one of the two is
/// not there.
fn kind_of_elements(list: &TypePtr) -> &TypePtr {
    let fields = |kind: &'_ TypePtr| -> usize { if kind.is_group() { kind.get_fields().len() } else { 0 } };
    let is_repeated =
        |kind: &TypePtr| kind.get_basic_info().has_repetition() && kind.get_basic_info().repetition() == Repetition::REPEATED;
    let Some(repeated) = first_field(list).filter(|field| !is_repeated(list) && is_repeated(field)) else { return list };
    let is_element = fields(repeated) != 1 || repeated.name() == "array" || repeated.name() == format!("{}_tuple", list.name());
    first_field(repeated).filter(|_| !is_element).unwrap_or(repeated)
}

/// What the schema says of the keys and the values of a map: a group around a repeated group of both.
fn kinds_of_entries(map: &TypePtr) -> [Option<&TypePtr>; 2] {
    let entry = first_field(map).filter(|entry| entry.is_group()).map(|entry| entry.get_fields()).unwrap_or_default();
    [entry.first(), entry.get(1)]
}

fn first_field(kind: &TypePtr) -> Option<&TypePtr> {
    if kind.is_group() { kind.get_fields().first() } else { None }
}

fn push_row(row: &Row, kind: Option<&Type>, out: &mut Vec<u8>) {
    let kinds = kind.filter(|kind| kind.is_group()).map(Type::get_fields).unwrap_or_default();
    out.push(b'{');
    for (index, (name, field)) in row.get_column_iter().enumerate() {
        out.extend_from_slice(if index > 0 { b"," } else { b"" });
        push_string(out, name);
        out.push(b':');
        push(field, kinds.iter().find(|kind| kind.name() == name), out);
    }
    out.push(b'}');
}
