//! A log, its name and its configuration, full of one text.

/// A configuration whose source, rule and further field are called so.
pub fn config(name: &str) -> String {
    let quoted = |text: &str| toml::Value::String(text.into()).to_string();
    let name = quoted(name);
    format!(
        r#"
        version = 1
        [[source]]
        name = {name}
        files = ["log.csv"]
        format = "csv"
        read = {{ delimiter = ",", encoding = "utf-8" }}
        [source.map]
        time = {{ from = "at", format = "iso" }}
        operation = {{ const = "charge" }}
        actor = "customer"
        amount = "amount"
        currency = {{ const = "EUR" }}
        effect_id = "id"
        [source.map.fields]
        {name} = {name}
        [[rule]]
        id = {name}
        fingerprint = ["actor", "amount"]
        window = "10m"
        "#
    )
}

/// A log in which one customer was charged twice; its last head, its customer and its notes are this text.
pub fn log(text: &str) -> Vec<u8> {
    let mut log = csv::Writer::from_writer(Vec::new());
    log.write_record(["id", "at", "customer", "amount", text]).unwrap();
    for (id, time) in [("ch_1", "2026-03-02T10:00:00Z"), ("ch_2", "2026-03-02T10:00:40Z")] {
        let id = format!("{text}{id}");
        log.write_record([id.as_str(), time, &format!("{text}c"), "59.00", text]).unwrap();
    }
    log.into_inner().unwrap()
}

/// The text as the name of a file, where a system takes it.
pub fn file_name(text: &str) -> &str {
    let fits = !text.is_empty() && text.len() < 200 && !text.contains(['/', '\0']) && !matches!(text, "." | "..");
    if fits { text } else { "log.csv" }
}
