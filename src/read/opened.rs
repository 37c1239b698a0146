//! An opened input: what was recognised, and the passes over it.

use super::compression::{Compression, Unpacked};
use super::csv::{RowSplitter, Shape};
use super::document::{ElementCutter, Records};
use super::footer::{self, Footed};
use super::glance::delimiter_name;
use super::header::{self, is_scientific};
use super::kept::{Keeping, Kept};
use super::known::{Ending, Watch};
use super::lines::{LineCutter, count};
use super::logs::{self, Wrapped};
use super::noted::Noted;
use super::objects::{Elements, ObjectLines};
use super::pointer::Columns;
use super::preamble::Preamble;
use super::quotes::RowCutter;
use super::sample::{self, SAMPLE_BYTES, Sample};
use super::stored::Stored;
use super::tables::{Heading, Parted, Tables};
use super::text::LineSplitter;
use super::text_stream::{Coding, TextStream, checked};
use super::translate::{self, Members, Numbers, Original, TranslatedLines, Translation};
use super::translated::Translated;
use super::walk::{Cutter, Walk};
use super::wrapped::{MessageCutter, WrappedLines};
use super::{OpenError, document, format};
use crate::domain::record::{Block, Blocks, Input, InputError, InputFacts, Splitter};
use crate::domain::report::Note;
use crate::rules::{Footer, Format, Source, Wrapper};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Text before the array of records that is searched for it.
const MOST_BEFORE_RECORDS: usize = 64 << 20;

/// What is read at a time where single lines are wanted: few are longer, and they seldom lie side by side.
const LINE_BYTES: usize = 2 << 10;

/// An input whose format, encoding and columns are settled.
pub(super) struct Opened {
    stored: Stored,
    coding: Coding,
    line_end: u8,
    block_bytes: usize,
    layout: Layout,
    /// The format has one way to write a number.
    writes_numbers: bool,
    facts: Vec<String>,
    /// What the stored bytes were made of, where they are a translation.
    translated: Option<Translated>,
    footer: Option<Footer>,
    /// Records before the first block.
    records: u64,
    /// What was used is told at the end, by a digest that goes on from here.
    watch: Option<(Watch, Ending)>,
    /// The text, where it does not lie in the file as it is, once it was read.
    kept: OnceLock<Kept>,
    /// Where that goes.
    spool_folder: PathBuf,
}

/// Text that lies somewhere as it is, in UTF-8.
#[derive(Clone, Copy)]
struct Lying<'l> {
    stored: &'l Stored,
    /// Bytes before the text.
    before: u64,
    /// Position of its first byte in the text of the input.
    from: u64,
}

impl Lying<'_> {
    /// Where a byte of the input's text is stored.
    fn place(&self, offset: u64) -> u64 {
        // A place before the text does not exist: reading there fails.
        offset.checked_sub(self.from).map_or(u64::MAX >> 1, |at| at + self.before)
    }
}

/// How records lie in the text.
struct Layout {
    units: Units,
    splitter: Box<dyn Splitter>,
    /// Where the first record may start in the text, and the physical lines before it.
    start: u64,
    lines: u64,
    columns: Vec<String>,
    missing: Vec<String>,
    damaged: Vec<String>,
    /// Doubts that the front raised.
    notes: Vec<Note>,
}

/// What a block is made of.
enum Units {
    Rows(Arc<Tables>, footer::Table),
    Lines,
    Messages(Wrapper),
    Elements(Records),
}

/// Recognises an input. `block_bytes` is the largest block.
pub(super) fn recognise(stored: Stored, source: &Source, block_bytes: usize, spool_folder: &Path) -> Result<Opened, OpenError> {
    let front = sample::front(&stored, SAMPLE_BYTES)?;
    // What is no text is what it is, whatever the configuration says: exports come as a sheet instead of CSV.
    let binary = front.not_text.map(|content| format::of_binary(stored.name(), content)).transpose()?;
    let (sample, coding, stream) = sample::take(&stored, &front, source.read.encoding, SAMPLE_BYTES)?;
    let encoding = coding.recognised.encoding.name();
    let line_end = sample.line_end;
    let wrapped = if binary.is_some() { None } else { logs::unwrap(&sample, source) };
    let format = match wrapped {
        Some(wrapped) => wrapped.format.unwrap_or(Format::Text),
        None => binary.unwrap_or_else(|| format::detect(&sample, source)),
    };
    let mut facts = Vec::new();
    let is_empty = binary.is_none() && (sample.text.is_empty() || (sample.text.trim().is_empty() && sample.is_whole));
    if translate::is_for(format, source) && !is_empty {
        let original = Original { stored: &stored, coding, sample: &sample, source, spool_folder };
        let translation = translate::translate(&original, format);
        let translation = translation.map_err(|error| sample.fault.clone().map_or(error, OpenError::Input))?;
        return translated(&stored, coding, translation, source, block_bytes, spool_folder);
    }
    let layout = match (format, wrapped) {
        _ if is_empty => Ok(empty(&sample, encoding)),
        (_, Some(wrapped)) => unwrapped(stored.name(), &sample, source, encoding, wrapped),
        (Format::Csv, None) => rows(stored.name(), &sample, source, encoding, &mut facts),
        (Format::Ndjson, None) => {
            let splitter = ObjectLines { columns: Columns::new(&source.columns), line_end, encoding };
            Ok(lines(&sample, source, Box::new(splitter)))
        }
        (Format::Json, None) => elements(stored.name(), &sample, stream, source, encoding),
        (Format::Logfmt | Format::Text, None) => matched(stored.name(), &sample, source, encoding, format),
        // Translated above, unless empty.
        (
            Format::BankExchange
            | Format::Envelopes
            | Format::Html
            | Format::Otlp
            | Format::Ipc
            | Format::Parquet
            | Format::Transcript
            | Format::Workbook,
            None,
        ) => Ok(empty(&sample, encoding)),
    };
    // What is missing from a text that was cut off says nothing; the fault does.
    let layout = layout.map_err(|error| sample.fault.map_or(error, OpenError::Input))?;
    facts.insert(0, format.name().to_owned());
    facts.extend(wrapped.map(|wrapped| format!("wrapped by {}", wrapped.wrapper.name())));
    facts.push(encoding.to_owned());
    facts.extend(coding.compression.name().map(str::to_owned));
    let writes_numbers = matches!(format, Format::Json | Format::Ndjson);
    let footer = source.read.footer.clone();
    let (translated, records, watch) = (None, 0, None);
    let (kept, spool_folder) = (OnceLock::new(), spool_folder.to_owned());
    Ok(Opened {
        stored,
        coding,
        line_end,
        block_bytes,
        layout,
        writes_numbers,
        facts,
        footer,
        translated,
        records,
        watch,
        kept,
        spool_folder,
    })
}

/// An input that is read through its translation.
fn translated(
    original: &Stored,
    coding: Coding,
    translation: Translation,
    source: &Source,
    block_bytes: usize,
    spool_folder: &Path,
) -> Result<Opened, OpenError> {
    let Translation { spool, members, columns, missing, numbers, mut facts, notes, fault } = translation;
    facts.extend(coding.compression.name().map(str::to_owned));
    let splitter = TranslatedLines {
        columns: match members {
            Members::AsAsked => Columns::new(&source.columns),
            Members::ByName => Columns::named(&source.columns),
        },
    };
    let stored = Stored::spooled(original.name(), spool);
    let sample = sample::lines(&stored)?;
    let seen = look(&sample.text, &splitter, &source.columns);
    let absent = if sample.is_whole && matches!(members, Members::AsAsked) { seen.absent } else { Vec::new() };
    Ok(Opened {
        stored,
        coding: Coding::PLAIN,
        line_end: b'\n',
        block_bytes,
        layout: Layout {
            units: Units::Lines,
            splitter: Box::new(splitter),
            start: 0,
            lines: 0,
            columns,
            missing: if missing.is_empty() { absent } else { missing },
            damaged: seen.damaged,
            notes: Vec::new(),
        },
        writes_numbers: numbers == Numbers::OneWay,
        facts,
        footer: None,
        translated: Some(Translated { original: InputFacts { notes, ..original.facts()? }, fault }),
        records: 0,
        watch: None,
        kept: OnceLock::new(),
        spool_folder: spool_folder.to_owned(),
    })
}

/// A text without a single record.
fn empty(sample: &Sample, encoding: &'static str) -> Layout {
    let splitter = ObjectLines { columns: Columns::new(&[]), line_end: sample.line_end, encoding };
    Layout {
        units: Units::Lines,
        splitter: Box::new(splitter),
        start: sample.text.len() as u64,
        lines: 0,
        columns: Vec::new(),
        missing: Vec::new(),
        damaged: Vec::new(),
        notes: Vec::new(),
    }
}

fn rows(
    file: &str,
    sample: &Sample,
    source: &Source,
    encoding: &'static str,
    facts: &mut Vec<String>,
) -> Result<Layout, OpenError> {
    let Some(table) = header::find(file, sample, source)? else { return Ok(empty(sample, encoding)) };
    facts.push(delimiter_name(table.shape.delimiter));
    let repeated = |name: &String| format!("column \"{name}\" stands more than once: the second is \"{name}[2]\"");
    facts.extend(table.repeated.iter().take(3).map(repeated));
    let mut preamble = Preamble::new(source);
    preamble.text(sample.text.get(..table.header).unwrap_or_default(), table.shape);
    let mut constants = preamble.constants();
    let notes = [preamble.notes(file), header::ambiguous(file, &table.columns, source)].concat();
    // What the table itself says of a record counts.
    constants.retain(|(slot, _)| !table.wanted.iter().any(|wanted| wanted.slot == *slot));
    let is_told = |name: &String| constants.iter().any(|(slot, _)| source.columns.get(*slot) == Some(name));
    let missing = table.missing.iter().filter(|name| !is_told(name)).cloned().collect();
    let heading = Heading { columns: table.columns.clone(), least: table.least, wanted: table.wanted, constants };
    let tables = Arc::new(Tables::new(table.shape, heading, source));
    let splitter = RowSplitter { tables: Arc::clone(&tables), slots: source.columns.len(), encoding };
    Ok(Layout {
        units: Units::Rows(tables, footer::Table { shape: table.shape, width: table.least, sum: table.sum }),
        splitter: Box::new(splitter),
        start: table.start as u64,
        lines: table.lines,
        columns: table.columns,
        missing,
        damaged: table.damaged,
        notes,
    })
}

/// Records that are lines.
fn lines(sample: &Sample, source: &Source, splitter: Box<dyn Splitter>) -> Layout {
    let seen = look(&sample.text, splitter.as_ref(), &source.columns);
    let missing = if sample.is_whole { seen.absent } else { Vec::new() };
    Layout {
        units: Units::Lines,
        splitter,
        start: 0,
        lines: 0,
        columns: Vec::new(),
        missing,
        damaged: seen.damaged,
        notes: Vec::new(),
    }
}

/// Lines that are taken apart as they stand.
fn matched(file: &str, sample: &Sample, source: &Source, encoding: &'static str, format: Format) -> Result<Layout, OpenError> {
    let reading = logs::reading(Some(format), source).ok_or_else(|| OpenError::NoPattern { file: file.to_owned() })?;
    let (columns, missing) = (reading.columns(), reading.missing(&source.columns));
    let splitter = LineSplitter { reading, slots: source.columns.len(), line_end: sample.line_end, encoding };
    let layout = lines(sample, source, Box::new(splitter));
    Ok(Layout { columns, missing: missing.unwrap_or(layout.missing), ..layout })
}

/// Messages without the wrappers of their lines.
fn unwrapped(
    file: &str,
    sample: &Sample,
    source: &Source,
    encoding: &'static str,
    Wrapped { wrapper, format }: Wrapped,
) -> Result<Layout, OpenError> {
    let reading = logs::reading(format, source).ok_or_else(|| OpenError::NoPattern { file: file.to_owned() })?;
    let asked = logs::asked(source);
    let columns = reading.columns();
    let of_messages = reading.missing(&source.columns);
    let (slots, line_end) = (source.columns.len(), sample.line_end);
    let is_asked = |name: &String| asked.iter().any(|(asked, _)| asked == name);
    let missing = of_messages.map(|missing| missing.into_iter().filter(|name| !is_asked(name)).collect());
    let layout = lines(sample, source, Box::new(WrappedLines { wrapper, asked, reading, slots, line_end, encoding }));
    Ok(Layout { units: Units::Messages(wrapper), columns, missing: missing.unwrap_or(layout.missing), ..layout })
}

/// Records that are elements of a document.
fn elements(
    file: &str,
    sample: &Sample,
    mut stream: TextStream,
    source: &Source,
    encoding: &'static str,
) -> Result<Layout, OpenError> {
    let pointer = match &source.read.records {
        Some(pointer) => pointer.clone(),
        None => match format::records(sample, &source.columns) {
            format::Keeps::Roots => String::new(),
            format::Keeps::Array(pointer) => pointer,
            format::Keeps::Unclear(arrays) => {
                return Err(OpenError::SeveralArrays { file: file.to_owned(), arrays: arrays.join("\", \"") });
            }
        },
    };
    let mut front = sample.text.clone().into_bytes();
    let mut located = document::locate(&front, &pointer);
    while located == document::Located::NeedsMore && !stream.has_ended() && front.len() < MOST_BEFORE_RECORDS {
        let target = front.len() * 2;
        stream.fill(&mut front, target);
        located = document::locate(&front, &pointer);
    }
    let Some((records, start)) = format::lie(&pointer, &located) else {
        return Err(OpenError::NoRecords { file: file.to_owned(), pointer });
    };
    let splitter = Elements { columns: Columns::new(&source.columns), line_end: sample.line_end, encoding };
    let seen = look(sample.text.get(start..).unwrap_or_default(), &splitter, &source.columns);
    Ok(Layout {
        units: Units::Elements(records),
        splitter: Box::new(splitter),
        start: start as u64,
        lines: u64::from(count(front.get(..start).unwrap_or_default(), sample.line_end)),
        columns: Vec::new(),
        missing: if sample.is_whole { seen.absent } else { Vec::new() },
        damaged: seen.damaged,
        notes: Vec::new(),
    })
}

/// What a look at the first records shows of the columns.
struct Seen {
    absent: Vec<String>,
    damaged: Vec<String>,
}

fn look(text: &str, splitter: &dyn Splitter, columns: &[String]) -> Seen {
    let mut filled = vec![false; columns.len()];
    let mut scientific = vec![false; columns.len()];
    let mut records = 0;
    let block = Block { text: text.to_owned(), ..Block::default() };
    splitter.split(&block, 0, &mut |split| {
        if let crate::domain::record::Split::Record(record) = split {
            records += 1;
            for (column, (filled, scientific)) in filled.iter_mut().zip(&mut scientific).enumerate() {
                let value = record.cell(column);
                *filled |= value.is_some();
                *scientific |= value.is_some_and(is_scientific);
            }
        }
        ControlFlow::Continue(())
    });
    let named = |flags: &[bool], flag: bool| {
        columns.iter().zip(flags).filter(|(_, is)| **is == flag).map(|(name, _)| name.clone()).collect()
    };
    // Where no record could be read, nothing is known of the columns.
    let absent = if records > 0 { named(&filled, false) } else { Vec::new() };
    Seen { absent, damaged: named(&scientific, true) }
}

impl Input for Opened {
    fn name(&self) -> &str {
        self.stored.name()
    }

    fn description(&self) -> String {
        self.facts.join(", ")
    }

    fn first_line(&self) -> u64 {
        self.layout.lines + 1
    }

    fn first_record(&self) -> u64 {
        self.records + 1
    }

    fn carries_text(&self) -> bool {
        self.translated.is_none()
    }

    fn missing_columns(&self) -> &[String] {
        &self.layout.missing
    }

    fn columns(&self) -> &[String] {
        &self.layout.columns
    }

    fn damaged_columns(&self) -> Vec<String> {
        self.layout.damaged.clone()
    }

    fn writes_numbers(&self) -> bool {
        self.writes_numbers
    }

    fn is_seekable(&self) -> bool {
        self.lying().is_some()
    }

    fn splitter(&self) -> &dyn Splitter {
        self.layout.splitter.as_ref()
    }

    fn blocks(&self) -> Result<Box<dyn Blocks + '_>, InputError> {
        if let Some(translated) = &self.translated {
            let bytes = Unpacked::new(&self.stored, self.stored.read()?, self.coding.compression)?;
            let stream = TextStream::new(bytes, self.coding.recognised);
            let walk = Walk::new(self.stored.name(), stream, 0, LineCutter { line_end: b'\n' }, b'\n', self.block_bytes);
            return Ok(Box::new(translated.blocks(walk)));
        }
        let bytes = Unpacked::new(&self.stored, self.stored.read_hashed()?, self.coding.compression)?;
        let stream = TextStream::new(bytes, self.coding.recognised);
        let file = self.stored.name();
        let line_end = self.line_end;
        let blocks: Box<dyn Blocks + '_> = match &self.layout.units {
            Units::Rows(tables, table) => {
                let Shape { delimiter, line_end } = table.shape;
                let walk = self.walk(stream, RowCutter { delimiter, line_end }, line_end);
                let blocks = Parted::new(file, tables, walk);
                let notes = self.layout.notes.clone();
                match &self.footer {
                    Some(footer) => {
                        let footed = Footed::new(file, footer, *table, blocks).with_tables(tables);
                        Box::new(Noted { blocks: footed, notes })
                    }
                    None => Box::new(Noted { blocks, notes }),
                }
            }
            Units::Messages(wrapper) => Box::new(self.walk(stream, MessageCutter::new(*wrapper, line_end), line_end)),
            Units::Lines => Box::new(self.walk(stream, LineCutter { line_end }, line_end)),
            Units::Elements(records) => Box::new(self.walk(stream, ElementCutter::new(*records), line_end)),
        };
        Ok(match self.coding.is_plain() {
            true => blocks,
            false => Box::new(Keeping::new(blocks, file, &self.kept, &self.spool_folder)),
        })
    }

    fn stored_bytes(&self) -> u64 {
        self.stored.bytes()
    }

    fn reread(&self, wanted: &[(u64, usize)], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError> {
        match self.lying() {
            Some(text) => self.reread_places(text, wanted, each),
            None => self.reread_through(wanted, each),
        }
    }

    fn has_lines(&self) -> bool {
        // The records of a translation begin within their lines, after their place.
        self.is_seekable() && self.translated.is_none() && matches!(self.layout.units, Units::Rows(..) | Units::Lines)
    }

    fn reread_lines(&self, starts: &[u64], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError> {
        // Asked only where there is one.
        let Some(text) = self.lying() else { return Ok(()) };
        let unreadable = |error| text.stored.unreadable(&error);
        let mut file = BufReader::with_capacity(LINE_BYTES, text.stored.open()?);
        text.stored.check_unchanged(file.get_ref())?;
        let (mut at, mut bytes) = (0, Vec::new());
        for (index, offset) in starts.iter().copied().enumerate() {
            let start = text.place(offset);
            bytes.clear();
            file.seek_relative(start.wrapping_sub(at).cast_signed()).map_err(unreadable)?;
            let mut rest = file.by_ref().take(self.block_bytes as u64);
            at = start + rest.read_until(self.line_end, &mut bytes).map_err(unreadable)? as u64;
            let (line, damaged) = checked(bytes);
            let line = Block { offset, text: line, damaged, ..Block::default() };
            each(index, &line);
            bytes = line.text.into_bytes();
        }
        text.stored.check_unchanged(file.get_ref())
    }

    fn check_content(&self, sha256: &str) -> Result<(), InputError> {
        self.stored.check_content(sha256)
    }
}

impl Opened {
    /// The stored bytes and their coding, where the rest of a longer text can be read by itself: records follow one another in it, and
    /// nothing that stands below them says what they are.
    pub(super) fn plain_text(&self) -> Option<(&Stored, Coding)> {
        let goes_on = matches!(self.layout.units, Units::Rows(..) | Units::Lines | Units::Messages(_));
        (goes_on && self.translated.is_none() && self.footer.is_none()).then_some((&self.stored, self.coding))
    }

    /// Tells at the end how much was used; the digest goes on from where `watch` stands, and so do the blocks.
    pub(super) fn watched(self, watch: Watch, ending: Ending) -> Self {
        // What is packed is not written to any more.
        let ending = if self.coding.compression == Compression::None { ending } else { Ending::Whole };
        let start = self.layout.start.max(watch.bytes());
        Self { layout: Layout { start, ..self.layout }, watch: Some((watch, ending)), ..self }
    }

    /// So many records and lines were read on an earlier night.
    pub(super) fn going_on(self, records: u64, lines: u64) -> Self {
        Self { layout: Layout { lines, ..self.layout }, records, ..self }
    }

    fn walk<C: Cutter>(&self, stream: TextStream, cutter: C, line_end: u8) -> Walk<C> {
        let (file, start, limit) = (self.stored.name(), self.layout.start, self.block_bytes);
        match &self.watch {
            // An array that does not end is cut off; objects one after the other may go on.
            Some((watch, ending)) if !matches!(self.layout.units, Units::Elements(Records::Array { .. })) => {
                let watch = self.plain_text().map(|_| watch.clone());
                Walk::watched(file, stream, start, cutter, line_end, limit, watch, *ending)
            }
            _ => Walk::new(file, stream, start, cutter, line_end, limit),
        }
    }

    /// Where the text lies as it is, if it does.
    fn lying(&self) -> Option<Lying<'_>> {
        match self.kept.get() {
            _ if self.coding.is_plain() => {
                Some(Lying { stored: &self.stored, before: self.coding.recognised.mark as u64, from: 0 })
            }
            Some(kept) => Some(Lying { stored: &kept.stored, before: 0, from: kept.from }),
            None => None,
        }
    }

    /// Text that lies as it is: only the wanted blocks are read.
    fn reread_places(
        &self,
        text: Lying<'_>,
        wanted: &[(u64, usize)],
        each: &mut dyn FnMut(usize, &Block),
    ) -> Result<(), InputError> {
        let mut file = text.stored.open()?;
        text.stored.check_unchanged(&file)?;
        let mut bytes = Vec::new();
        for (index, (offset, length)) in wanted.iter().copied().enumerate() {
            bytes.resize(length, 0);
            file.seek(SeekFrom::Start(text.place(offset)))
                .and_then(|_| file.read_exact(&mut bytes))
                .map_err(|error| text.stored.unreadable(&error))?;
            let (block, damaged) = checked(bytes);
            let block = Block { offset, text: block, damaged, ..Block::default() };
            each(index, &block);
            bytes = block.text.into_bytes();
        }
        text.stored.check_unchanged(&file)
    }

    /// Text that must be unpacked or transcoded from its beginning.
    fn reread_through(&self, wanted: &[(u64, usize)], each: &mut dyn FnMut(usize, &Block)) -> Result<(), InputError> {
        let mut bytes = Unpacked::new(&self.stored, self.stored.read()?, self.coding.compression)?;
        bytes.check_unchanged(&self.stored)?;
        let mut stream = TextStream::new(bytes, self.coding.recognised);
        let mut at = 0;
        for (index, (offset, length)) in wanted.iter().copied().enumerate() {
            stream.skip(offset.saturating_sub(at));
            let mut text = Vec::with_capacity(length);
            stream.fill(&mut text, length);
            if text.len() < length || offset < at {
                let changed = InputError::Changed { file: self.stored.name().to_owned() };
                return Err(stream.fault().cloned().unwrap_or(changed));
            }
            each(index, &stream.block(offset, text, None));
            at = offset + length as u64;
        }
        stream.check_unchanged(&self.stored)
    }
}
