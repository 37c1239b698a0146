//! A source: its files, how its bytes are read, and its mapping.

use super::columns::{self, Columns};
use super::{footer, mapping, regexes};
use crate::domain::EffectKind;
use crate::domain::RemoteUrl;
use crate::rules::draft::{ReadDraft, SourceDraft, Words};
use crate::rules::operations::{Globs, Operations};
use crate::rules::problem::{Problems, did_you_mean, nearest, quoted};
use crate::rules::{Continues, DateOrder, Format, Read, RecordTypes, Source, Wrapper};
use chrono_tz::Tz;
use encoding_rs::Encoding;
use std::path::{Path, PathBuf};

/// What all sources share.
pub(super) struct Context<'a> {
    pub folder: &'a Path,
    pub zone: Tz,
    pub zone_given: bool,
    /// The command line's word on dates that can be read in two ways.
    pub date_order: Option<DateOrder>,
    /// The command line's word on amounts that can be read in two ways.
    pub decimal: Option<char>,
}

const THOUSANDS: [char; 8] = [' ', ',', '.', '\'', '’', '_', '\u{a0}', '\u{202f}'];

/// None only where a problem was noted.
pub(super) fn check(
    draft: &SourceDraft,
    context: &Context<'_>,
    lists: &[(EffectKind, Globs)],
    problems: &mut Problems<'_>,
) -> Option<Source> {
    let format = draft.format.as_ref().and_then(|format| check_format(format, problems));
    let mut read = check_read(&draft.read, problems);
    read.date_order = context.date_order.or(read.date_order);
    read.decimal_where_undecided = context.decimal;
    let format = check_pattern(draft, format, problems);
    footer::check_format(draft, format, problems);
    let mut columns = Columns::collect(draft, read.pattern.as_ref(), problems);
    let map = mapping::check(draft, &mut columns, context, problems);
    let files = draft.files.iter().filter_map(|glob| check_glob(glob, context.folder, problems)).collect();
    Some(Source {
        name: draft.name.as_ref()?.get_ref().as_str().into(),
        operations: Operations { lists: lists.to_vec(), of_profile: super::operations(&draft.operations, problems) },
        of_profile: match draft.profile {
            None => Vec::new(),
            Some(_) => columns.names.iter().filter(|name| !draft.own_columns.contains(name)).cloned().collect(),
        },
        profile: draft.profile.as_ref().map(|profile| profile.get_ref().clone()),
        files,
        format,
        read,
        derived_slots: columns.derived_slots(),
        columns: columns.names,
        derived: columns.derived,
        map: map?,
    })
}

fn check_format(name: &Words, problems: &mut Problems<'_>) -> Option<Format> {
    let text = name.get_ref().as_str();
    if let Some(format) = Format::parse(text) {
        return Some(format);
    }
    let known = Format::ALL.into_iter().map(Format::name);
    problems.add(name.span(), format!("unknown format {}", quoted(text)), did_you_mean(text, known));
    None
}

/// A pattern makes a text source, and a text source needs one.
fn check_pattern(draft: &SourceDraft, format: Option<Format>, problems: &mut Problems<'_>) -> Option<Format> {
    match (&draft.read.pattern, format) {
        (Some(_), None | Some(Format::Text)) => Some(Format::Text),
        (Some(pattern), Some(_)) => {
            problems.add(pattern.span(), "\"pattern\" is for lines of text", "set format = \"text\", or use \"extract\"");
            format
        }
        (None, Some(Format::Text)) => {
            let span = draft.format.as_ref().map_or(draft.span.clone(), |format| format.span());
            if !problems.any_within(&draft.span) {
                problems.add(span, "a text source has no pattern", "set pattern in [source.read]");
            }
            format
        }
        (None, _) => format,
    }
}

fn check_read(draft: &ReadDraft, problems: &mut Problems<'_>) -> Read {
    if let Some(records) = draft.records.as_ref().filter(|records| !columns::is_pointer(records.get_ref())) {
        let message = format!("{} is no JSON pointer", quoted(records.get_ref()));
        problems.add(records.span(), message, "write \"/data\", or \"\" for the whole document");
    }
    let decimal = draft.decimal.as_ref().and_then(|sign| sign.get_ref().chars().next());
    let thousands = draft.thousands.as_ref().and_then(|sign| check_thousands(sign, problems));
    if let Some(sign) = draft.thousands.as_ref().filter(|_| decimal.is_some() && decimal == thousands) {
        problems.add(sign.span(), "\"thousands\" and \"decimal\" are the same sign", "make them differ");
    }
    Read {
        delimiter: draft.delimiter.as_ref().and_then(|sign| check_delimiter(sign, problems)),
        encoding: draft.encoding.as_ref().and_then(|label| check_encoding(label, problems)),
        decimal,
        thousands,
        skip_lines: draft.skip_lines,
        sheet: draft.sheet.as_ref().map(|sheet| sheet.get_ref().clone()),
        records: draft.records.as_ref().map(|records| records.get_ref().clone()),
        pattern: draft.pattern.as_ref().and_then(|pattern| regexes::with_groups(pattern, problems)),
        record_types: draft.record_types.as_ref().map(|types| RecordTypes {
            header: texts(&types.header),
            data: texts(&types.data),
            counts: texts(&types.counts),
        }),
        continues: draft.continues.as_ref().map(|continues| Continues {
            key: texts(&continues.key),
            filled: texts(&continues.filled),
            items: continues.items.iter().filter_map(|glob| check_column_glob(glob, problems)).collect(),
        }),
        wrapper: draft
            .wrapper
            .as_ref()
            .and_then(|name| Wrapper::ALL.into_iter().find(|wrapper| wrapper.name() == name.get_ref())),
        preamble: draft.preamble.iter().flatten().filter_map(|text| regexes::with_groups(text, problems)).collect(),
        footer: footer::check(draft, problems),
        default_year: draft.default_year,
        decimal_where_undecided: None,
        date_order: draft.date_order.as_ref().and_then(|order| DateOrder::parse(order.get_ref())),
        null: draft.null.iter().flatten().map(|value| value.get_ref().clone()).collect(),
    }
}

fn texts(words: &[Words]) -> Vec<String> {
    words.iter().map(|word| word.get_ref().clone()).collect()
}

fn check_column_glob(glob: &Words, problems: &mut Problems<'_>) -> Option<glob::Pattern> {
    match glob::Pattern::new(glob.get_ref()) {
        Ok(pattern) => Some(pattern),
        Err(error) => {
            let message = format!("{} is no glob: {}", quoted(glob.get_ref()), error.msg);
            problems.add(glob.span(), message, "write \"Lineitem *\" for example; [*] stands for *");
            None
        }
    }
}

fn check_delimiter(sign: &Words, problems: &mut Problems<'_>) -> Option<u8> {
    match sign.get_ref().as_bytes() {
        [byte] if (byte.is_ascii_punctuation() && !b"\"'.-_".contains(byte)) || b" \t\x1e\x1f".contains(byte) => Some(*byte),
        _ => {
            let message = format!("{} cannot stand between columns", quoted(sign.get_ref()));
            problems.add(sign.span(), message, "write one ASCII sign such as \",\", \";\", \"|\" or \"\\t\"");
            None
        }
    }
}

fn check_thousands(sign: &Words, problems: &mut Problems<'_>) -> Option<char> {
    let mut characters = sign.get_ref().chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) if THOUSANDS.contains(&c) => Some(c),
        _ => {
            let message = format!("{} cannot stand between groups of digits", quoted(sign.get_ref()));
            problems.add(sign.span(), message, "write a blank, \",\", \".\", \"'\" or \"_\"");
            None
        }
    }
}

/// WHATWG labels; cp866, cp1251, cp1252 and latin1 are among them.
fn check_encoding(label: &Words, problems: &mut Problems<'_>) -> Option<&'static Encoding> {
    const OFTEN: [&str; 9] =
        ["utf-8", "utf-16le", "windows-1251", "windows-1252", "cp866", "koi8-r", "iso-8859-1", "shift_jis", "gb18030"];
    match Encoding::for_label_no_replacement(label.get_ref().as_bytes()) {
        Some(encoding) => Some(encoding),
        None => {
            let help = match nearest(label.get_ref(), OFTEN) {
                Some(near) => format!("did you mean \"{near}\""),
                None => format!("write a WHATWG label such as {}", OFTEN.join(", ")),
            };
            problems.add(label.span(), format!("unknown encoding {}", quoted(label.get_ref())), help);
            None
        }
    }
}

/// The glob from the configuration's folder, in whose own name no sign is a wildcard; or a URL, as it is.
fn check_glob(glob: &Words, folder: &Path, problems: &mut Problems<'_>) -> Option<PathBuf> {
    let text = glob.get_ref().as_str();
    if text == "-" {
        return Some(PathBuf::from("-"));
    }
    match RemoteUrl::of(Path::new(text)) {
        Some(Ok(_)) => return Some(PathBuf::from(text)),
        Some(Err(error)) => {
            problems.add(glob.span(), format!("{}: {}", quoted(&error.url), error.what), error.advice);
            return None;
        }
        None => {}
    }
    let reason = match glob::Pattern::new(text) {
        Ok(_) if text.trim().is_empty() => "it is empty".to_owned(),
        Ok(_) if Path::new(text).is_absolute() => return Some(PathBuf::from(text)),
        Ok(_) => return Some(Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(text)),
        Err(error) => error.msg.to_owned(),
    };
    problems.add(
        glob.span(),
        format!("{} is no glob: {reason}", quoted(text)),
        "write \"exports/*.csv\" for example; [*] stands for *",
    );
    None
}
