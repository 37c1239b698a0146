//! Who is masked and how, on single values.

use super::*;

#[test]
fn two_people_stay_two() {
    let mut masker = Masker::new(Mask::On);
    assert_eq!(masker.value("actor", "anna@example.org"), "a…@e….org #1");
    assert_eq!(masker.value("email", "alex@example.org"), "a…@e….org #2");
    assert_eq!(masker.value("actor", "anna@example.org"), "a…@e….org #1");
    assert_eq!(masker.value("customer_name", "Анна Иванова"), "А… #3");
    assert_eq!(masker.value("phone", "+7 916 123-45-67"), "+7…67 #4");
    assert_eq!(masker.value("iban", "DE89370400440532013000"), "DE…3000 #5");
    assert_eq!(masker.value("api_key", "sk_live_abcdef"), "secret #6");
}

#[test]
fn what_must_be_looked_up_stays() {
    let mut masker = Masker::new(Mask::On);
    for (field, value) in [("order", "A-1042"), ("invoice_id", "2026/0042"), ("effect_id", "ch_1"), ("amount", "59.00")] {
        assert_eq!(masker.value(field, value), value);
    }
}

#[test]
fn free_text_is_searched() {
    let mut masker = Masker::new(Mask::On);
    assert_eq!(
        masker.text("paid by anna@example.org (+49 151 2345678) from DE89 3704 0044 0532 0130 00, Bearer abcdef123456"),
        "paid by a…@e….org #1 (+4…78 #2) from DE…3000 #3, Bearer secret #4"
    );
    assert_eq!(masker.text("the gap of 3 min 2 s is a usual timeout"), "the gap of 3 min 2 s is a usual timeout");
    assert_eq!(masker.text("account 40702810900000012345: 2 rows"), "account …2345 #5: 2 rows");
    assert_eq!(masker.text("effect 40702999900000012345"), "effect 40702999900000012345");
}

/// Whatever is revealed.
#[test]
fn cards_never_stay() {
    for mask in [Mask::On, Mask::Off] {
        let mut masker = Masker::new(mask);
        assert_eq!(masker.value("note", "card 4276 3800 1234 5679"), "card 4276 38** **** 5679", "{mask:?}");
        assert_eq!(masker.text("4111111111111111"), "411111******1111", "{mask:?}");
    }
}

#[test]
fn a_payload_names_its_own_fields() {
    let mut masker = Masker::new(Mask::On);
    assert_eq!(masker.value("actor", "cus_20105"), "c… #1");
    assert_eq!(
        masker.value("payload", r#"{"amount":24990,"customer":"cus_20105","order":"A-1","to":["anna@example.org"]}"#),
        r##"{"amount":24990,"customer":"c… #1","order":"A-1","to":["a…@e….org #2"]}"##
    );
}

#[test]
fn off_is_off() {
    assert_eq!(Masker::new(Mask::Off).value("email", "anna@example.org"), "anna@example.org");
}

/// Every form that masking makes, by the field that it was made for.
const PERSONAL: [(&str, &str); 16] = [
    ("actor", "anna@example.org"),
    ("actor", "anna@localhost"),
    ("actor", "+7 916 123-45-67"),
    ("actor", "cus_20105"),
    ("customer_name", "Анна Иванова"),
    ("email", "anna@example.org"),
    ("email", "anna"),
    ("phone", "+7 916 123-45-67"),
    ("phone", "112"),
    ("iban", "DE89370400440532013000"),
    ("account", "40702810900000012345"),
    ("account", "1234567"),
    ("account", "12"),
    ("card", "4111 1111 1111 1111"),
    ("card", "1234567890123456"),
    ("api_key", "sk_live_abcdef"),
];

fn maskers() -> [Masker; 2] {
    let key = PseudonymKey::of(b"0f1e2d3c4b5a69788796a5b4c3d2e1f0").expect("a key");
    let keyed = Masker { mask: Mask::On, names: Names::Pseudonyms(key), kinds: BTreeMap::new() };
    [Masker::new(Mask::On), keyed]
}

#[test]
fn what_was_masked_before_is_told_as_it_is() {
    for mut first in maskers() {
        for (field, value) in PERSONAL {
            let masked = first.value(field, value);
            assert_ne!(masked, value);
            for mut second in maskers() {
                assert_eq!(second.value(field, &masked), masked, "{field}, once {value}");
                let json = format!(r#"{{"{field}":"{masked}"}}"#);
                assert_eq!(second.value("payload", &json), json, "{field}, once {value}");
            }
        }
        let text = first.text("anna@example.org, +49 151 2345678, DE89 3704 0044 0532 0130 00, Bearer abcdef123456");
        for mut second in maskers() {
            assert_eq!(second.text(&text), text);
        }
    }
}

/// Nobody is taken for somebody whose name stands in the log already.
#[test]
fn numbers_that_are_borne_are_given_to_nobody_else() {
    let mut masker = Masker::new(Mask::On);
    assert_eq!(masker.value("actor", "z…@e….org #1"), "z…@e….org #1");
    assert_eq!(masker.value("actor", "anna@example.org"), "a…@e….org #2");
}

/// A log that imitates what masking makes shows no more for it.
#[test]
fn an_imitation_unmasks_nothing() {
    for mut masker in maskers() {
        for (field, value, secret) in [
            ("actor", "anna@example.org #1", "anna"),
            ("actor", "a…@example.org #1", "example"),
            ("actor", "an…@e….org #1", "an…"),
            ("actor", "a…@e….Anna Ivanova #1", "Ivanova"),
            ("actor", "A… #Ivanova", "Ivanova"),
            ("actor", "A… #9161234567", "9161234567"),
            ("actor", "A… Ivanova #1", "Ivanova"),
            ("phone", "+7…1234567 #1", "1234567"),
            ("phone", "+7…67 #9161234567", "9161234567"),
            ("account", "DE…370400440532013000 #1", "370400440532013000"),
            ("account", "40702810…2345 #1", "40702810"),
            ("card", "…1234567890123456 #1", "1234567890"),
            ("card", "1234567890*23456", "7890"),
            ("api_key", "…abcd #1", "abcd"),
            ("api_key", "secret abcd #1", "abcd"),
            ("email", "x@y.ivanova ivanova ivanova", "ivanova"),
        ] {
            let shown = masker.value(field, value);
            assert!(!shown.contains(secret), "{field}: {shown}");
        }
    }
}

#[test]
fn one_address_is_one_person_however_it_is_written() {
    for mut masker in maskers() {
        let name = |value: String| value.rsplit_once('#').expect("a name").1.to_owned();
        assert_eq!(name(masker.value("actor", "Zorg@example.org")), name(masker.value("actor", "zorg@example.org")));
        assert_eq!(
            name(masker.value("iban", "DE89 3704 0044 0532 0130 00")),
            name(masker.value("iban", "DE89370400440532013000"))
        );
        assert_ne!(name(masker.value("actor", "cus_aB3")), name(masker.value("actor", "cus_Ab3")));
    }
}
