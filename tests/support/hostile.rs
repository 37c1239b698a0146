//! Nasty strings: what a log may hold to mislead a terminal, a spreadsheet, a parser or a reader.

/// More than a hundred of them.
pub fn strings() -> Vec<String> {
    let mut strings: Vec<String> = FIXED.iter().map(|text| (*text).to_owned()).collect();
    let lone =
        (0..0x20).chain(0x7f..=0x9f).chain([0xad, 0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b]);
    let more = [0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x3164, 0xfe0f, 0xfeff, 0xfff9, 0xe0001, 0xe0041];
    strings.extend(lone.chain(more).filter_map(char::from_u32).map(|c| format!("a{c}b")));
    strings.push("x".repeat(20_000));
    strings.push("слово ".repeat(2_000));
    strings.push("漢".repeat(3_000));
    strings.push(format!("e{}", "\u{301}".repeat(500)));
    strings
}

const FIXED: &[&str] = &[
    "",
    " ",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}]8;;https://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}]52;c;cm0gLXJm\u{7}",
    "\u{1b}]0;title\u{7}",
    "\u{1b}P$q\"p\u{1b}\\",
    "\u{9b}31mred",
    "\u{9d}52;c;YQ==\u{9c}",
    "\u{202e}gnp.exe",
    "\u{2066}a\u{2069}",
    "line\nbreak",
    "line\r\nbreak",
    "over\rwritten",
    "back\u{8}\u{8}space",
    "nul\0inside",
    "\0=1",
    "=cmd|' /C calc'!A0",
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "  =1+1",
    "\"=1+1",
    "'=1+1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(1)",
    "\u{a0}=1+1",
    "\u{200b}=1+1",
    "=HYPERLINK(\"https://example.org\",\"x\")",
    ",;\t|",
    "\"quoted\"",
    "a\"b,c\nd",
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "<!--",
    "]]>",
    "{\"json\":[1]}",
    "\\u202e",
    "\\",
    "%s%n%x",
    "${jndi:ldap://example.org}",
    "../../etc/passwd",
    "Анна Иванова",
    "Йо\u{306}жик и\u{306}",
    "漢字かな交じり文",
    "العربية لا",
    "עברית",
    "👩\u{200d}👩\u{200d}👧\u{200d}👦",
    "👍🏽👍🏿",
    "🇩🇪🇷🇺🇩",
    "❤\u{fe0f}",
    "\u{301}lone mark",
    "ﷺ",
    "null",
    "NaN",
    "-0",
    "1e400",
    "8.80731E+15",
];
