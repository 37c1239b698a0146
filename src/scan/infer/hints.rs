//! What columns of each meaning are usually called, in the languages that exports come in.

/// Currencies that are taken for such where no name of a column says so.
pub const USUAL_CURRENCIES: [&str; 36] = [
    "USD", "EUR", "GBP", "RUB", "JPY", "CHF", "CNY", "KZT", "UAH", "BYN", "UZS", "GEL", "AMD", "AZN", "PLN", "CZK", "HUF", "RON",
    "BGN", "SEK", "NOK", "DKK", "TRY", "ILS", "AED", "SAR", "KWD", "INR", "BRL", "MXN", "CAD", "AUD", "NZD", "KRW", "SGD", "HKD",
];

/// What a column may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    Time,
    Operation,
    Actor,
    Amount,
    Currency,
    Outcome,
    EffectId,
    RequestKey,
    RecordId,
    Reverses,
    /// A business id that both copies of a duplicate share.
    Business,
}

/// Names and parts of names, lower case, the more telling first. A name that equals one counts whole; one that holds it as a word, less.
pub fn words(meaning: Meaning) -> &'static [&'static str] {
    match meaning {
        Meaning::Time => &[
            "created_utc",
            "starttimeunixnano",
            "posted date time",
            "create date",
            "date_created_gmt",
            "requestreceivedtimestamp",
            "time_iso8601",
            "cpudt",
            "budat",
            "created_at",
            "created at",
            "created",
            "created date",
            "timestamp",
            "occurred_at",
            "event_time",
            "eventtime",
            "date created",
            "purchase date",
            "paid at",
            "time",
            "date",
            "datetime",
            "posted",
            "at",
            "ts",
            "datum",
            "uhrzeit",
            "fecha",
            "дата создания",
            "дата операции",
            "время платежа",
            "дата",
            "время",
        ],
        Meaning::Operation => &[
            "operation",
            "event_type",
            "event type",
            "event",
            "action",
            "type",
            "kind",
            "method",
            "tool",
            "tool_name",
            "function",
            "verb",
            "eventname",
            "typ",
            "beschreibung",
            "тип",
            "операция",
            "действие",
        ],
        Meaning::Actor => &[
            "customer_id",
            "customer id",
            "customer_email",
            "customer email",
            "user_id",
            "userid",
            "account",
            "email",
            "e-mail",
            "customer",
            "user",
            "username",
            "requester_id",
            "requester",
            "reporter",
            "payer",
            "client",
            "buyer",
            "vendor",
            "supplier",
            "company",
            "actor",
            "from email address",
            "lifnr",
            "plan",
            "absender",
            "empfänger",
            "клиент",
            "контакт",
            "компания",
            "плательщик",
            "получатель",
            "ответственный",
        ],
        Meaning::Amount => &[
            "amount",
            "total",
            "gross",
            "sum",
            "price",
            "grand total",
            "value",
            "net",
            "wrbtr",
            "dmbtr",
            "betrag",
            "brutto",
            "importe",
            "summe",
            "gesamtbetrag",
            "preis",
            "сумма платежа",
            "сумма операции",
            "сумма",
            "итого",
            "стоимость",
            "цена",
            "бюджет",
        ],
        Meaning::Currency => {
            &["currency", "currencycode", "currency_code", "waers", "währung", "moneda", "валюта платежа", "валюта"]
        }
        Meaning::Outcome => &[
            "status",
            "state",
            "outcome",
            "result",
            "financial status",
            "response_code",
            "status_code",
            "statuscode",
            "code",
            "responsestatus",
            "ok",
            "success",
            "stage",
            "estado",
            "stav",
            "статус",
            "состояние",
            "этап сделки",
        ],
        Meaning::EffectId => &[
            "id",
            "transaction id",
            "transaction_id",
            "transactionid",
            "payment_id",
            "payment id",
            "charge_id",
            "order_id",
            "record id",
            "ticket_id",
            "issue key",
            "psp reference",
            "source_id",
            "document",
            "belnr",
            "transaktionscode",
            "effect_id",
            "номер",
            "идентификатор платежа",
        ],
        Meaning::RequestKey => &[
            "idempotency_key",
            "idempotency key",
            "idempotency-key",
            "idempotencykey",
            "idempotence-key",
            "request_id",
            "requestid",
            "message_id",
            "messageid",
            "client_token",
            "clienttoken",
            "tool_call_id",
            "call_id",
            "jid",
            "job_id",
            "delivery_id",
        ],
        Meaning::RecordId => &[
            "event_id",
            "eventid",
            "_document_id",
            "sg_event_id",
            "auditid",
            "uuid",
            "log_id",
            "balance_transaction_id",
            "record_id",
        ],
        Meaning::Reverses => &[
            "refund of",
            "refund_of",
            "refunds",
            "refunded_payment",
            "refunded payment id",
            "refunded_charge",
            "refunded_transaction",
            "refunded_id",
            "original_payment",
            "original_transaction",
            "original_id",
            "original transaction id",
            "originaltransactionid",
            "reference txn id",
            "reversal_of",
            "parent_id",
            "stblg",
            "zugehöriger transaktionscode",
        ],
        Meaning::Business => &[
            "order number",
            "order_number",
            "order no",
            "order",
            "order_id",
            "orderid",
            "invoice number",
            "invoice_number",
            "invoice id",
            "invoice",
            "merchant reference",
            "merchant_reference",
            "reference",
            "xblnr",
            "external_id",
            "rechnungsnummer",
            "contract",
            "to",
            "recipient",
            "recipients",
            "to email address",
            "subscription",
            "booking",
            "номер заказа",
            "назначение",
            "описание",
            "description",
            "subject",
            "summary",
            "title",
            "название",
        ],
    }
}

/// How well a column's name fits a meaning, 0 to 1: equal to a telling word, ending or beginning with one, holding one as a word.
pub fn name_score(name: &str, meaning: Meaning) -> f64 {
    let lower = name.to_lowercase();
    let bare = spaced(&bare_name(&lower));
    let full = spaced(&lower.replace('/', " "));
    let best = words(meaning).iter().enumerate().map(|(place, word)| {
        let word = spaced(word);
        // The list goes from telling to vague.
        let weight = 1.0 - 0.4 * place as f64 / words(meaning).len() as f64;
        let fit = match () {
            () if full == word || bare == word => 1.0,
            () if full.ends_with(&format!(" {word}")) || full.starts_with(&format!("{word} ")) => 0.75,
            () if full.split([' ', '(', ')']).any(|part| part == word) || full.contains(&format!(" {word} ")) => 0.6,
            () => 0.0,
        };
        weight * fit
    });
    best.fold(0.0, f64::max)
}

/// A name with single blanks between its words.
fn spaced(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '.' | ',' | ';' | ':'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The last part of a pointer. An `id` alone is that of what holds it: `/order/id` is the id of an order.
fn bare_name(lower: &str) -> String {
    let mut parts = lower.rsplit('/');
    match (parts.next(), parts.next()) {
        (Some("id"), Some(owner)) if !owner.is_empty() => format!("{owner} id"),
        (Some(last), _) => last.to_owned(),
        (None, _) => String::new(),
    }
}

/// Whether a column of amounts says itself that they are in cents.
pub fn is_in_cents(name: &str) -> bool {
    const WORDS: [&str; 6] = ["cents", "minor", "kopecks", "kopeks", "pence", "копейках"];
    let lower = name.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|part| WORDS.contains(&part))
}
