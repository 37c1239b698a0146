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
