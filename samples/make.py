#!/usr/bin/env python3
"""Writes the four sample stories: every export and every expected.json.

usage: make.py           write the files beside this script
       make.py --check   write nothing; exit 1 when a file differs from what would be written

Everything is invented: example.org addresses, no real people, no card numbers. There is no randomness and no clock,
so two runs write the same bytes. A story gives a label to each record that matters and states its answer by labels;
the record numbers in expected.json follow from where those records land in the files.
Standard library only (Python 3.9+)."""

import csv
import io
import json
import sys
import unicodedata
from datetime import datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Export:
    """One file of a story: rows in the order in which they are written, some with a label."""

    def __init__(self, name):
        self.name = name
        self.rows = []

    def add(self, when, row, label=None):
        self.rows.append((when, row, label))

    def sort(self):
        self.rows.sort(key=lambda entry: entry[0])

    def places(self):
        """Label -> `file:record`, records counted from 1."""
        return {label: f"{self.name}:{number}" for number, (_, _, label) in enumerate(self.rows, 1) if label}

    def csv(self, columns, delimiter=",", encoding="utf-8"):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
        writer.writerow(columns)
        for _, row, _ in self.rows:
            writer.writerow([row[column] for column in columns])
        return out.getvalue().encode(encoding)

    def ndjson(self):
        lines = [json.dumps(row, ensure_ascii=False) for _, row, _ in self.rows]
        return ("\n".join(lines) + "\n").encode("utf-8")


def answer(title, lesson, places, findings, quiet, ledger, batches=()):
    """expected.json: labels replaced by places."""

    def resolved(entry):
        entry = dict(entry)
        for key in ("records", "proof", "first", "second"):
            if key in entry:
                entry[key] = [places[label] for label in entry[key].split()]
        return entry

    document = {
        "title": title,
        "lesson": lesson,
        "ledger": ledger,
        "findings": [resolved(entry) for entry in findings],
        "quiet": [resolved(entry) for entry in quiet],
    }
    if batches:
        document["batches"] = [resolved(entry) for entry in batches]
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def iso(when):
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1000:03d}Z"


def seconds(number):
    return timedelta(seconds=number)


def finding(records, verdict, extra, why, **more):
    return {"records": records, "verdict": verdict, "extra_effects": extra, **more, "why": why}


def quiet(records, verdict, why):
    return {"records": records, "verdict": verdict, "why": why}


# ---------------------------------------------------------------------------------------------------------------- payments

EXPONENTS = {"EUR": 2, "USD": 2, "GBP": 2, "RUB": 2, "JPY": 0, "KWD": 3}


def major(minor, currency):
    """Decimal text of an amount in the smallest unit: 7200 JPY -> 7200, 5250 KWD -> 5.250."""
    digits = EXPONENTS[currency]
    if digits == 0:
        return str(minor)
    whole, part = divmod(minor, 10**digits)
    return f"{whole}.{part:0{digits}d}"


def payments():
    gateway, provider = Export("gateway.ndjson"), Export("provider.csv")
    calls = iter(range(1, 10_000))

    def call(when, order, minor, currency, status, label=None, charge=None, key=None, customer=None, swap=False, op="charge", of=None):
        number = next(calls)
        request = {"order": order, "customer": customer or f"cus_{order[3:]}", "amount": minor, "currency": currency}
        if of:
            request["charge"] = of
        if swap:
            request = dict(reversed(list(request.items())))
        row = {"at": iso(when), "call": op, "idempotency_key": key or f"key-{number:05d}", "request": request, "status": status, "id": charge}
        gateway.add(when, row, label)

    def charged(when, charge, order, minor, currency, status="captured", label=None):
        row = {
            "charge_id": charge,
            "created_utc": when.strftime("%Y-%m-%d %H:%M:%S"),
            "status": status,
            "amount": major(minor, currency),
            "currency": currency,
            "order_reference": order,
        }
        provider.add(when, row, label)

    day = datetime(2026, 3, 14)
    noon = datetime(2026, 3, 15, 12)

    # Ordinary trade: one order, one call, one charge.
    prices = [1990, 4500, 2450, 7200, 990, 12900, 3375, 5900, 1890, 24990, 649, 8225]
    money = ["EUR", "EUR", "GBP", "EUR", "USD", "EUR", "JPY", "EUR", "RUB", "EUR", "KWD", "USD"]
    for i in range(60):
        when = day + seconds(7 * 3600 + i * 1499 + (i * i) % 97)
        order, minor, currency = f"FF-{20001 + i}", prices[i % 12] + 10 * (i // 12), money[(i * 5) % 12]
        charge = f"ch_n{i:03d}"
        call(when, order, minor, currency, "succeeded", charge=charge)
        charged(when + seconds(1), charge, order, minor, currency)
        if i % 10 == 4:
            gateway.add(when + seconds(5), {"at": iso(when + seconds(5)), "call": "get_charge", "idempotency_key": None,
                                            "request": {"order": order}, "status": "succeeded", "id": charge})

    # Orders by telephone reach the provider without the shop: they open and close the export's time range.
    for i, when in enumerate([day + seconds(600), day + seconds(40_000), noon - seconds(400), noon - seconds(120)]):
        charged(when, f"ch_t{i:03d}", f"TEL-{310 + i}", 3000 + 250 * i, "EUR")

    # Declined, then paid with another card: one effect.
    for i in range(4):
        when = day + seconds(9 * 3600 + i * 8111)
        order, minor = f"FF-{20071 + i}", 2790 + 105 * i
        call(when, order, minor, "EUR", "declined", f"dec{i}a")
        charged(when + seconds(1), f"ch_x{i:03d}", order, minor, "EUR", "declined")
        call(when + seconds(47 + 13 * i), order, minor, "EUR", "succeeded", f"dec{i}b", charge=f"ch_d{i:03d}")
        charged(when + seconds(48 + 13 * i), f"ch_d{i:03d}", order, minor, "EUR")

    # From 18:00 to 18:40 the provider answered late. The card client gave up after 30 s and tried again with a fresh key.
    slow = datetime(2026, 3, 14, 18, 0)
    t = slow + seconds(131)
    call(t, "FF-20101", 5900, "EUR", "timeout", "A1")
    call(t + seconds(32), "FF-20101", 5900, "EUR", "succeeded", "A2", charge="ch_a2")
    charged(t + seconds(21), "ch_a1", "FF-20101", 5900, "EUR", label="pA1")
    charged(t + seconds(34), "ch_a2", "FF-20101", 5900, "EUR", label="pA2")

    t = slow + seconds(402)
    call(t, "FF-20102", 7200, "JPY", "timeout", "B1", customer="cus_7")
    call(t + seconds(35), "FF-20102", 7200, "JPY", "succeeded", "B2", charge="ch_b2", customer="cus_7")
    call(t + seconds(58), "FF-20117", 7200, "USD", "succeeded", "B3", charge="ch_b3", customer="cus_7")
    charged(t + seconds(27), "ch_b1", "FF-20102", 7200, "JPY", label="pB1")
    charged(t + seconds(37), "ch_b2", "FF-20102", 7200, "JPY", label="pB2")
    charged(t + seconds(60), "ch_b3", "FF-20117", 7200, "USD")

    t = slow + seconds(655)
    call(t, "FF-20103", 5250, "KWD", "timeout", "C1")
    call(t + seconds(31), "FF-20103", 5250, "KWD", "timeout", "C2")
    call(t + seconds(94), "FF-20103", 5250, "KWD", "succeeded", "C3", charge="ch_c3")
    for i, after in enumerate((24, 57, 96), 1):
        charged(t + seconds(after), f"ch_c{i}", "FF-20103", 5250, "KWD", label=f"pC{i}")

    t = slow + seconds(1010)
    call(t, "FF-20104", 1384270, "RUB", "timeout", "D1")
    call(t + seconds(33), "FF-20104", 1384270, "RUB", "succeeded", "D2", charge="ch_rd2")
    charged(t + seconds(29), "ch_rd1", "FF-20104", 1384270, "RUB", label="pD1")
    charged(t + seconds(35), "ch_rd2", "FF-20104", 1384270, "RUB", label="pD2")
    call(datetime(2026, 3, 15, 9, 12, 4), "FF-20104", 1384270, "RUB", "succeeded", "D3", charge="re_d", op="refund", of="ch_rd2")

    t = slow + seconds(1333)
    call(t, "FF-20105", 24990, "EUR", "timeout", "E1")
    call(t + seconds(36), "FF-20105", 24990, "EUR", "succeeded", "E2", charge="ch_e2")
    charged(t + seconds(22), "ch_e1", "FF-20105", 24990, "EUR", label="pE1")
    charged(t + seconds(38), "ch_e2", "FF-20105", 24990, "EUR", label="pE2")
    call(datetime(2026, 3, 15, 9, 20, 31), "FF-20105", 10000, "EUR", "succeeded", "E3", charge="re_e", op="refund", of="ch_e2")

    # The same client, but the first call never reached the provider.
    t = slow + seconds(1610)
    call(t, "FF-20106", 3450, "EUR", "timeout", "F1")
    call(t + seconds(34), "FF-20106", 3450, "EUR", "succeeded", "F2", charge="ch_f2")
    charged(t + seconds(35), "ch_f2", "FF-20106", 3450, "EUR")

    # The wallet client keeps its key: the second call returns the charge of the first.
    t = slow + seconds(1804)
    call(t, "FF-20107", 6640, "EUR", "timeout", "G1", key="wallet-20107")
    call(t + seconds(30), "FF-20107", 6640, "EUR", "replayed", "G2", charge="ch_g1", key="wallet-20107")
    charged(t + seconds(25), "ch_g1", "FF-20107", 6640, "EUR")

    t = slow + seconds(3600)
    call(t, "FF-20108", 2115, "GBP", "succeeded", "G3", charge="ch_g3", key="wallet-20108")
    call(t + seconds(3), "FF-20108", 2115, "GBP", "replayed", "G4", charge="ch_g3", key="wallet-20108", swap=True)
    charged(t + seconds(1), "ch_g3", "FF-20108", 2115, "GBP")

    # The key was made from the cart, and the cart changed.
    t = slow + seconds(4210)
    call(t, "FF-20109", 4500, "EUR", "succeeded", "H1", charge="ch_h1", key="cart-5512")
    call(t + seconds(371), "FF-20109", 5400, "EUR", "conflict", "H2", key="cart-5512")
    charged(t + seconds(1), "ch_h1", "FF-20109", 4500, "EUR")

    # The gateway itself refuses the second call.
    t = slow + seconds(5150)
    call(t, "FF-20110", 1900, "USD", "succeeded", "I1", charge="ch_i1")
    call(t + seconds(4), "FF-20110", 1900, "USD", "duplicate_transaction", "I2")
    charged(t + seconds(1), "ch_i1", "FF-20110", 1900, "USD")

    # One customer, one price, two orders.
    t = slow + seconds(6020)
    for i, order in enumerate(("FF-20112", "FF-20113")):
        call(t + seconds(190 * i), order, 3900, "EUR", "succeeded", f"K{i + 1}", charge=f"ch_k{i + 1}", customer="cus_88")
        charged(t + seconds(190 * i + 1), f"ch_k{i + 1}", order, 3900, "EUR")

    # The pay button was pressed twice.
    t = slow + seconds(7333)
    call(t, "FF-20114", 8900, "EUR", "succeeded", "L1", charge="ch_l1")
    call(t + timedelta(milliseconds=400), "FF-20114", 8900, "EUR", "succeeded", "L2", charge="ch_l2")
    charged(t + seconds(1), "ch_l1", "FF-20114", 8900, "EUR", label="pL1")
    charged(t + seconds(1), "ch_l2", "FF-20114", 8900, "EUR", label="pL2")

    # After the provider's export was made: nothing can prove or refute the first call.
    t = datetime(2026, 3, 15, 13, 5)
    call(t, "FF-20111", 7215, "EUR", "timeout", "J1")
    call(t + seconds(34), "FF-20111", 7215, "EUR", "succeeded", "J2", charge="ch_j2")

    gateway.sort()
    provider.sort()
    findings = [
        finding("A1 A2", "duplicate_effect", 1, "FF-20101: the call that timed out was charged 21 s after it began, and the retry with a fresh key charged again",
                net={"EUR": "59.00"}, cause_any_of=["client_retry"], key_relation="changed", proof="pA1 pA2"),
        finding("B1 B2", "duplicate_effect", 1, "FF-20102: as before, in yen, which have no smaller unit",
                net={"JPY": "7200"}, cause_any_of=["client_retry"], key_relation="changed", proof="pB1 pB2"),
        finding("C1 C2 C3", "duplicate_effect", 2, "FF-20103: two calls timed out, a third succeeded; the provider holds three charges of 5.250 dinar",
                net={"KWD": "10.500"}, cause_any_of=["client_retry"], key_relation="changed", proof="pC1 pC2 pC3"),
        finding("D1 D2 D3", "compensated", 1, "FF-20104: charged twice, one charge refunded in full the next morning",
                gross={"RUB": "13842.70"}, net={"RUB": "0.00"}, proof="pD1 pD2"),
        finding("E1 E2 E3", "duplicate_effect", 1, "FF-20105: charged twice, only 100.00 of 249.90 came back",
                gross={"EUR": "249.90"}, net={"EUR": "149.90"}, proof="pE1 pE2"),
        finding("H1 H2", "key_conflict", 0, "key cart-5512 was used for 45.00 and, six minutes later, for 54.00; the second call was refused", key_relation="same"),
        finding("L1 L2", "duplicate_effect", 1, "FF-20114: two charges 0.4 s apart, each with a key of its own",
                net={"EUR": "89.00"}, cause_any_of=["double_submit", "race"], key_relation="changed", proof="pL1 pL2"),
        finding("J1 J2", "possible_duplicate", 0, "FF-20111: timed out, tried again with a fresh key, and the provider's export ends an hour earlier",
                possible_extra_effects=1, net={"EUR": "72.15"}, cause_any_of=["client_retry"], key_relation="changed"),
    ]
    calm = [quiet(f"dec{i}a dec{i}b", "retried_failure", "declined, then paid once") for i in range(4)]
    calm += [
        quiet("F1 F2", "retried_failure", "the provider holds one charge, made by the second call: the first had no effect"),
        quiet("G1 G2", "safe_replay", "one key; the second call returned the charge of the first"),
        quiet("G3 G4", "safe_replay", "one key, the same request with its members in another order, the same charge"),
        quiet("I1 I2", "blocked_repeat", "the gateway refused the second call"),
        quiet("K1 K2", "legitimate_repeat", "same customer and amount three minutes apart, but two orders"),
        quiet("B2 B3", "legitimate_repeat", "the same number 7200 and the same customer, but dollars and another order"),
    ]
    read = len(gateway.rows) + len(provider.rows)
    expected = answer(
        "A payment provider answers late, and a client retries with fresh keys",
        "The log alone cannot tell a charge that timed out from one that never happened; the provider's export can. "
        "A timeout is not a failure. Amounts are in minor units on one side and in major units on the other.",
        {**gateway.places(), **provider.places()}, findings, calm,
        {"read": read, "used": read, "ignored": 0, "repeated": 0, "rejected": 0},
    )
    columns = ["charge_id", "created_utc", "status", "amount", "currency", "order_reference"]
    return {"gateway.ndjson": gateway.ndjson(), "provider.csv": provider.csv(columns), "expected.json": expected}


# ------------------------------------------------------------------------------------------------------------------ orders

def roubles(kopecks):
    """1249000 -> `12 490,00`."""
    whole, part = divmod(kopecks, 100)
    return f"{whole:,}".replace(",", " ") + f",{part:02d}"


def orders():
    every = []
    numbers = iter(range(70101, 79999))

    def order(when, customer, cart, goods, kopecks, status="Оплачен", label=None, later=None):
        """`later` is the status that the second export shows."""
        row = {
            "Номер заказа": str(next(numbers)),
            "Дата": when.strftime("%d.%m.%Y %H:%M:%S"),
            "Клиент": customer,
            "Корзина": cart,
            "Товары": goods,
            "Сумма": roubles(kopecks),
            "Валюта": "RUB",
            "Статус": status,
        }
        every.append((when, row, label, later))

    goods = [
        ("Плед шерстяной «Север»", 549000), ("Наволочка льняная", 129000), ("Чайник эмалированный, 2 л", 238550),
        ("Кружка «Ёлка»", 69000), ("Скатерть льняная", 384270), ("Набор полотенец, 3 шт.", 217000),
        ("Лампа настольная", 462500), ("Фартук хлопковый", 99900), ("Подсвечник кованый", 151000), ("Одеяло пуховое", 1249000),
    ]
    start = datetime(2026, 3, 14, 8, 0)
    for i in range(66):
        when = start + seconds(i * 1871 + (i * 37) % 211)
        name, price = goods[(i * 7) % 10]
        count = 1 + (i % 4 == 3)
        status = "Черновик" if i in (13, 20, 57) else ("Доставлен" if i % 9 == 2 else "Оплачен")
        order(when, f"buyer{101 + i}@example.org", f"c-{5001 + i}", f"{name}; {count} шт.", price * count, status)

    t = datetime(2026, 3, 14, 18, 2, 11)
    order(t, "vera@example.org", "c-6001", "Одеяло пуховое; 1 шт.", 1249000, label="A1")
    order(t + seconds(1), "vera@example.org", "c-6001", "Одеяло пуховое; 1 шт.", 1249000, label="A2")

    t = datetime(2026, 3, 14, 19, 40, 5)
    order(t, "oleg@example.org", "c-6002", "Скатерть льняная; 1 шт.", 384270, label="B1")
    order(t + seconds(35), "Oleg@Example.org", "c-6002", "Скатерть льняная; 1 шт.", 384270, label="B2")
    order(t + seconds(88), "oleg@example.org ", "c-6002", "Скатерть льняная; 1 шт.", 384270, label="B3")

    t = datetime(2026, 3, 14, 20, 15, 30)
    order(t, "nina@example.org", "c-6003", "Лампа настольная; 1 шт.", 462500, "Ошибка оплаты", "C1")
    order(t + seconds(74), "nina@example.org", "c-6003", "Лампа настольная; 1 шт.", 462500, label="C2")

    t = datetime(2026, 3, 14, 21, 3, 0)
    order(t, "timur@example.org", "c-6004", "Кружка «Ёлка»; 2 шт.", 138000, label="D1")
    order(t + seconds(430), "timur@example.org", "c-6005", "Кружка «Ёлка»; 2 шт.", 138000, label="D2")

    t = datetime(2026, 3, 14, 22, 31, 44)
    order(t, "alla@example.org", "c-6006", "Плед шерстяной «Север»; 1 шт.", 549000, label="E1")
    order(t + seconds(3), "alla@example.org", "c-6006", "Плед шерстяной «Север»; 1 шт.", 549000, "Отменён", "E2")

    # In both exports: a double, and an order that was delivered between the two.
    t = datetime(2026, 3, 15, 9, 12, 20)
    order(t, "ida@example.org", "c-6007", "Набор полотенец, 3 шт.; 1 шт.", 217000, label="F1")
    order(t + seconds(2), "ida@example.org", "c-6007", "Набор полотенец, 3 шт.; 1 шт.", 217000, label="F2")
    order(datetime(2026, 3, 15, 10, 1, 9), "pavel@example.org", "c-6008", "Фартук хлопковый; 1 шт.", 99900, label="G", later="Доставлен")

    t = datetime(2026, 3, 15, 14, 20, 0)
    order(t, "rita@example.org", "c-6009", "Подсвечник кованый; 1 шт.", 151000, "Ошибка оплаты", "H1")
    order(t + seconds(41), "rita@example.org", "c-6009", "Подсвечник кованый; 1 шт.", 151000, "Ошибка оплаты", "H2")
    order(t + seconds(160), "rita@example.org", "c-6009", "Подсвечник кованый; 1 шт.", 151000, label="H3")

    # The mobile application tried again 12 minutes later, when the train left the tunnel.
    t = datetime(2026, 3, 15, 16, 5, 0)
    order(t, "gleb@example.org", "c-6010", "Чайник эмалированный, 2 л; 1 шт.", 238550, label="I1")
    order(t + seconds(725), "gleb@example.org", "c-6010", "Чайник эмалированный, 2 л; 1 шт.", 238550, label="I2")

    every.sort(key=lambda entry: entry[0])
    first, second = Export("orders-1.csv"), Export("orders-2.csv")
    cut_from, cut_to = datetime(2026, 3, 15, 0, 0), datetime(2026, 3, 15, 12, 0)
    repeated = 0
    for when, row, label, later in every:
        if when < cut_to:
            first.add(when, row, label)
        if when >= cut_from:
            changed = {**row, "Статус": later} if later else row
            again = when < cut_to
            repeated += again and not later
            second.add(when, changed, f"{label}-again" if again and label else label)
    read = len(first.rows) + len(second.rows)
    # No draft stands in both exports, so none is both ignored and repeated.
    ignored = sum(row["Статус"] == "Черновик" for _, row, _, _ in every)

    findings = [
        finding("A1 A2", "duplicate_effect", 1, "cart c-6001 became two paid orders one second apart", net={"RUB": "12490.00"}, cause_any_of=["double_submit"], key_relation="none"),
        finding("B1 B2 B3", "duplicate_effect", 2, "cart c-6002 became three paid orders within 88 s; the address was typed in three ways", net={"RUB": "7685.40"}, key_relation="none"),
        finding("E1 E2", "compensated", 1, "cart c-6006 became two orders, the second was cancelled", gross={"RUB": "5490.00"}, net={"RUB": "0.00"}),
        finding("F1 F2", "duplicate_effect", 1, "cart c-6007 became two paid orders; both stand in both exports, and still only one is too many",
                net={"RUB": "2170.00"}, cause_any_of=["double_submit"]),
        finding("I1 I2", "duplicate_effect", 1, "cart c-6010 became two paid orders twelve minutes apart", net={"RUB": "2385.50"}),
    ]
    calm = [
        quiet("C1 C2", "retried_failure", "payment failed, then one paid order from the same cart"),
        quiet("H1 H2 H3", "retried_failure", "payment failed twice, then one paid order"),
        quiet("D1 D2", "legitimate_repeat", "same customer, goods and total seven minutes apart, but two carts"),
        quiet("G G-again", "safe_replay", "one order number: paid in the first export, delivered in the second; one effect"),
    ]
    expected = answer(
        "An online shop exports its orders twice, and some carts became two orders",
        "Windows-1251, semicolons, decimal comma, blanks in thousands, local time. An order that stands in two overlapping exports is one record seen twice, "
        "not two orders. Order numbers exist for failed and cancelled orders too.",
        {**first.places(), **second.places()}, findings, calm,
        {"read": read, "used": read - ignored - repeated, "ignored": ignored, "repeated": repeated, "rejected": 0},
    )
    columns = ["Номер заказа", "Дата", "Клиент", "Корзина", "Товары", "Сумма", "Валюта", "Статус"]
    return {
        "orders-1.csv": first.csv(columns, ";", "windows-1251"),
        "orders-2.csv": second.csv(columns, ";", "windows-1251"),
        "expected.json": expected,
    }


# --------------------------------------------------------------------------------------------------------------------- crm

def crm():
    leads, deals, tickets = Export("leads.csv"), Export("deals.csv"), Export("tickets.csv")
    ids = iter(range(1, 10_000))

    def lead(when, name, mail, inquiry, label=None):
        row = {"Lead ID": f"L-{next(ids):04d}", "Created": iso(when), "Name": name, "Email": mail, "Inquiry": inquiry}
        leads.add(when, row, label)

    def deal(when, owner, company, title, cents, period="", label=None):
        row = {"Deal ID": f"D-{next(ids):04d}", "Created": when.strftime("%Y-%m-%d %H:%M:%S"), "Owner": owner, "Company": company,
               "Title": title, "Amount": major(cents, "EUR"), "Currency": "EUR", "Period": period}
        deals.add(when, row, label)

    def ticket(when, requester, subject, label=None):
        row = {"Ticket": f"T-{next(ids):04d}", "Created": iso(when), "Requester": requester, "Subject": subject}
        tickets.add(when, row, label)

    # Leads: people who wrote once.
    topics = ["Prices for schools", "Demo for ten people", "Question about the licence", "Partner programme", "Offer for a museum", "Can it run offline?"]
    for i in range(36):
        when = datetime(2026, 3, 2, 8, 0) + seconds(i * 16_211)
        lead(when, f"Visitor {i + 1}", f"visitor{i + 1}@example.org", topics[i % 6])

    t = datetime(2026, 3, 5, 10, 2, 11)
    inquiry = "Résumé du projet : capteurs"
    lead(t, "Zoé Marchand", "zoe.marchand@example.org", inquiry, "A1")
    lead(t + seconds(9_929), "Zoé Marchand", "Zoe.Marchand@Example.org", unicodedata.normalize("NFD", inquiry), "A2")
    lead(t + seconds(10_971), "Zoé Marchand", "zoe.marchand@example.org ", "résumé  du projet : capteurs ", "A3")
    lead(t + seconds(83_000), "Zoé Marchand", "zoe.marchand@example.org", "Question sur la licence", "A4")

    t = datetime(2026, 3, 9, 14, 40, 0)
    lead(t, "Jürgen Groß", "j.gross@example.org", "Angebot für drei Filialen", "B1")
    lead(t + seconds(7_322), "Jürgen Groß", "J.Gross@example.org", unicodedata.normalize("NFD", "Angebot für drei Filialen"), "B2")
    # A Cyrillic letter that looks like a Latin one: another address, so another person.
    lead(t + seconds(8_400), "J. Gross", "j.gr\u043ess@example.org", "Angebot für drei Filialen", "B3")

    # The same words, two people.
    t = datetime(2026, 3, 11, 9, 0, 0)
    lead(t, "Ines Prado", "ines@example.org", "Prices for two teams", "C1")
    lead(t + seconds(600), "Milo Prado", "milo@example.org", "Prices for two teams", "C2")

    # Deals.
    firms = ["Alder Textiles", "Brook & Sons", "Cobalt Print", "Dune Optics", "Ember Foods", "Flint Logistics", "Grove Dental", "Harbour Maps"]
    for i in range(32):
        when = datetime(2026, 3, 2, 9, 30) + seconds(i * 17_977)
        deal(when, ["kim", "lee", "ana"][i % 3], firms[i % 8], f"Licence {2026000 + i}", 120000 + 7350 * i)

    t = datetime(2026, 3, 4, 11, 15, 0)
    deal(t, "kim", "Nordlicht Energie GmbH", "Sensor pilot", 480000, label="D1")
    deal(t + seconds(95_000), "lee", "Nordlich Energie Gmbh.", "Sensor pilot", 480000, label="D2")
    deal(t + seconds(101_500), "ana", "Nordlicht Energie AG", "Sensor pilot", 480000, label="D3")

    t = datetime(2026, 3, 10, 16, 2, 0)
    deal(t, "ana", "Café Zürich", "Table app", 99000, label="E1")
    deal(t + seconds(1), "ana", "Café Zürich", "Table app", 99000, label="E2")

    # A caterer orders lunch every day at seven: the days explain it.
    for i in range(12):
        deal(datetime(2026, 3, 3, 7, 0, 0) + timedelta(days=i), "import", "Kantine am Park", "Lunch for 40", 36000, label=f"lunch{i}")

    # One customer pays two months of a plan at once: the period explains it.
    t = datetime(2026, 3, 6, 10, 0, 0)
    deal(t, "lee", "Ibis Archive", "Support plan", 24000, "2026-03", "F1")
    deal(t + seconds(65), "lee", "Ibis Archive", "Support plan", 24000, "2026-04", "F2")

    # Tickets: the nightly monitoring import of 12 March ran at 02:00:00 and again at 02:47:30.
    for i in range(24):
        when = datetime(2026, 3, 2, 7, 10) + seconds(i * 28_411)
        ticket(when, f"user{i + 1}@example.org", ["Printer jam", "New laptop", "Password expired", "Door badge"][i % 4])
    night = datetime(2026, 3, 12, 2, 0, 0)
    for i in range(14):
        host = f"Disk above 90 %: host-{i + 1:02d}"
        if i < 12:
            ticket(night + seconds(3 * i + (i * i) % 5), "monitor@example.org", host, f"job{i}")
        ticket(night + seconds(2850 + 3 * i + (i * i) % 5), "monitor@example.org", host, f"job{i}-again")
    # The next night's alert of the same host is a new alert.
    ticket(night + timedelta(days=1), "monitor@example.org", "Disk above 90 %: host-01", "next")

    t = datetime(2026, 3, 13, 11, 4, 20)
    ticket(t, "sara@example.org", "VPN drops every hour", "G1")
    ticket(t + seconds(2), "Sara@example.org", "VPN drops every hour", "G2")

    # A weekly request is out of any window.
    for i in range(2):
        ticket(datetime(2026, 3, 3 + 7 * i, 6, 30), "backup@example.org", "Change the tape", f"tape{i}")

    for export in (leads, deals, tickets):
        export.sort()
    findings = [
        finding("A1 A2 A3", "duplicate_effect", 2, "one inquiry became three leads within 3 h 03 min; the copies differ in letter case, blanks and the bytes of é"),
        finding("B1 B2", "duplicate_effect", 1, "one inquiry became two leads two hours apart"),
        finding("D1 D2", "duplicate_effect", 1, "two colleagues entered one deal; the company's name has a letter less", net={"EUR": "4800.00"}),
        finding("E1 E2", "duplicate_effect", 1, "saved twice within a second", net={"EUR": "990.00"}, cause_any_of=["double_submit"]),
        finding("G1 G2", "duplicate_effect", 1, "sent twice within two seconds", cause_any_of=["double_submit"]),
    ]
    findings += [
        finding(f"job{i} job{i}-again", "duplicate_effect", 1, f"alert of host-{i + 1:02d} became two tickets 47 min 30 s apart", cause_any_of=["batch_reimport", "scheduler_rerun"])
        for i in range(12)
    ]
    calm = [
        quiet("A4", "legitimate_repeat", "the same person, another inquiry the next day"),
        quiet("B3", "legitimate_repeat", "an address that only looks the same: its o is Cyrillic"),
        quiet("C1 C2", "legitimate_repeat", "the same words by two people"),
        quiet("D3", "legitimate_repeat", "a company of nearly the same name, but another legal form"),
        quiet("F1 F2", "legitimate_repeat", "two months of one plan, paid at once"),
        quiet("job0 next", "legitimate_repeat", "the same host, the next night"),
        quiet("job12-again", "legitimate_repeat", "the second run also found new alerts"),
        quiet("tape0 tape1", "legitimate_repeat", "a weekly request"),
    ]
    calm += [
        quiet(" ".join(f"lunch{i}" for i in range(k, k + 4)), "legitimate_repeat", "a standing order, one each day at seven")
        for k in (0, 4, 8)
    ]
    batches = [{"first": " ".join(f"job{i}" for i in range(12)), "second": " ".join(f"job{i}-again" for i in range(12)), "lag_seconds": 2850, "extra_effects": 12}]
    read = len(leads.rows) + len(deals.rows) + len(tickets.rows)
    expected = answer(
        "A CRM with a late integration, two eager colleagues and a nightly job that ran twice",
        "Compare what a human would call equal: letter case, blanks and Unicode forms do not matter, look-alike letters do. "
        "Near names need a second opinion by amount and title. A constant lag over many pairs is one fact, not twelve.",
        {**leads.places(), **deals.places(), **tickets.places()}, findings, calm,
        {"read": read, "used": read, "ignored": 0, "repeated": 0, "rejected": 0}, batches,
    )
    return {
        "leads.csv": leads.csv(["Lead ID", "Created", "Name", "Email", "Inquiry"]),
        "deals.csv": deals.csv(["Deal ID", "Created", "Owner", "Company", "Title", "Amount", "Currency", "Period"]),
        "tickets.csv": tickets.csv(["Ticket", "Created", "Requester", "Subject"]),
        "expected.json": expected,
    }


# ------------------------------------------------------------------------------------------------------------------- agent

def agent():
    trace = Export("tool-calls.jsonl")
    calls, made = iter(range(1, 10_000)), iter(range(1, 10_000))

    def call(when, session, tool, args, status="ok", label=None, result=None, prefix=None):
        if result is None and prefix and status == "ok":
            result = {"id": f"{prefix}-{next(made):03d}"}
        row = {"ts": iso(when), "session": session, "call_id": f"call_{next(calls):04d}", "tool": tool, "args": args, "status": status, "result": result}
        trace.add(when, row, label)

    # Ordinary sessions: look, look again, write once.
    start = datetime(2026, 3, 16, 8, 0)
    for i in range(16):
        t, session, customer = start + seconds(i * 1620), f"s-{i + 1:02d}", f"C-{40 + i}"
        call(t, session, "get_customer", {"customer": customer}, result={"name": f"Customer {i + 1}"})
        call(t + seconds(4), session, "search_tickets", {"customer": customer, "open": True}, result={"hits": i % 3})
        if i % 2:
            call(t + seconds(11), session, "create_ticket", {"customer": customer, "title": "Delivery is late", "priority": 2}, prefix="TCK")
        else:
            call(t + seconds(11), session, "send_email", {"to": f"c{40 + i}@example.org", "subject": "Your delivery", "attachment_sha256": None}, prefix="msg")

    # The tool timed out after 60 s, the agent called again. The trace cannot tell whether the first call made a ticket.
    t, title = datetime(2026, 3, 16, 16, 10, 0), "Router offline"
    call(t, "s-21", "create_ticket", {"customer": "C-71", "title": title, "priority": 1}, "timeout", "A1")
    call(t + seconds(64), "s-21", "create_ticket", {"customer": "C-71", "title": title, "priority": 1}, label="A2", prefix="TCK")
    call(t + seconds(90), "s-21", "create_ticket", {"customer": "C-72", "title": title, "priority": 1}, label="A3", prefix="TCK")

    t = datetime(2026, 3, 16, 16, 40, 0)
    pay = {"invoice": "INV-1188", "amount": "1384.27", "currency": "EUR"}
    call(t, "s-22", "pay_invoice", {**pay, "idempotency_key": "agent-a17"}, "timeout", "B1")
    call(t + seconds(66), "s-22", "pay_invoice", {**pay, "idempotency_key": "agent-b42"}, label="B2", prefix="pay")

    # The same timeout, but the agent kept its key.
    t = datetime(2026, 3, 16, 17, 5, 0)
    pay = {"invoice": "INV-1190", "amount": "240.00", "currency": "EUR", "idempotency_key": "agent-c03"}
    call(t, "s-23", "pay_invoice", pay, "timeout", "C1")
    call(t + seconds(62), "s-23", "pay_invoice", pay, label="C2", prefix="pay")

    # Paid by two sessions on one day.
    pay = {"invoice": "INV-1201", "amount": "512.40", "currency": "EUR"}
    call(datetime(2026, 3, 17, 9, 1, 0), "s-24", "pay_invoice", {**pay, "idempotency_key": "agent-d11"}, label="D1", prefix="pay")
    call(datetime(2026, 3, 17, 15, 48, 30), "s-25", "pay_invoice", {**pay, "idempotency_key": "agent-e12"}, label="D2", prefix="pay")
    # The next invoice of the same amount is another invoice.
    call(datetime(2026, 3, 17, 15, 49, 2), "s-25", "pay_invoice", {**pay, "invoice": "INV-1202", "idempotency_key": "agent-e13"}, label="D3", prefix="pay")

    # The model wrote one call twice into one message; members in another order, 2.0 for 2.
    t = datetime(2026, 3, 17, 10, 30, 0)
    call(t, "s-26", "create_ticket", '{"customer":"C-80","priority":2,"title":"VPN down"}', label="E1", prefix="TCK")
    call(t + timedelta(milliseconds=4), "s-26", "create_ticket", '{"title": "VPN down", "priority": 2.0, "customer": "C-80"}', label="E2", prefix="TCK")
    call(t + timedelta(milliseconds=9), "s-26", "create_ticket", '{"title": "VPN down", "priority": 2, "customer": "C-81"}', label="E3", prefix="TCK")

    # Polling, and a status set twice: nothing happens twice.
    t = datetime(2026, 3, 17, 11, 0, 0)
    for i in range(6):
        call(t + seconds(10 * i), "s-27", "get_job", {"job": "j-7"}, label=f"F{i}", result={"state": "done" if i == 5 else "running"})
    call(t + seconds(70), "s-27", "set_status", {"ticket": "TCK-001", "status": "done"}, label="G1", result={"ok": True})
    call(t + seconds(73), "s-27", "set_status", {"status": "done", "ticket": "TCK-001"}, label="G2", result={"ok": True})

    # One mail three times in 40 s; another mail again because its attachment was wrong.
    t = datetime(2026, 3, 17, 13, 15, 0)
    for i, after in enumerate((0, 18, 40), 1):
        call(t + seconds(after), "s-28", "send_email", {"to": "kim@example.org", "subject": "Contract", "attachment_sha256": "9c1e"}, label=f"H{i}", prefix="msg")
    t = datetime(2026, 3, 17, 13, 30, 0)
    call(t, "s-29", "send_email", {"to": "lee@example.org", "subject": "Your report", "attachment_sha256": "00aa"}, label="I1", prefix="msg")
    call(t + seconds(41), "s-29", "send_email", {"to": "lee@example.org", "subject": "Your report", "attachment_sha256": "77be"}, label="I2", prefix="msg")

    # A real error, then success; and a tool that recognises its own repeat.
    t = datetime(2026, 3, 17, 14, 0, 0)
    call(t, "s-30", "create_ticket", {"customer": "C-90", "title": "No invoice", "priority": 3}, "error", "J1")
    call(t + seconds(9), "s-30", "create_ticket", {"customer": "C-90", "title": "No invoice", "priority": 3}, label="J2", prefix="TCK")
    t = datetime(2026, 3, 17, 14, 20, 0)
    call(t, "s-31", "create_ticket", {"customer": "C-91", "title": "Wrong size", "priority": 3}, label="K1", result={"id": "TCK-900"})
    call(t + seconds(12), "s-31", "create_ticket", {"customer": "C-91", "title": "Wrong size", "priority": 3}, "exists", "K2", result={"id": "TCK-900"})

    # The same room on two days.
    for i in range(2):
        call(datetime(2026, 3, 16 + i, 9, 0, 30), f"s-{32 + i}", "book_room", {"room": "Elm", "hours": 1}, label=f"L{i + 1}", prefix="room")

    trace.sort()
    findings = [
        finding("A1 A2", "possible_duplicate", 0, "timed out, then called again under a new call id: there may be two tickets",
                possible_extra_effects=1, cause_any_of=["agent_retry", "client_retry"], key_relation="changed"),
        finding("B1 B2", "possible_duplicate", 0, "INV-1188: timed out, then paid under a fresh idempotency key",
                possible_extra_effects=1, net={"EUR": "1384.27"}, cause_any_of=["agent_retry", "client_retry"], key_relation="changed"),
        finding("D1 D2", "duplicate_effect", 1, "INV-1201 was paid by two sessions on one day", net={"EUR": "512.40"}, key_relation="changed"),
        finding("E1 E2", "duplicate_effect", 1, "two tickets 4 ms apart for one request; as JSON the arguments are equal",
                cause_any_of=["agent_retry", "race", "double_submit"], key_relation="changed"),
        finding("H1 H2 H3", "duplicate_effect", 2, "the same mail with the same attachment three times in 40 s", cause_any_of=["agent_retry", "client_retry"], key_relation="changed"),
    ]
    calm = [
        quiet("A3", "legitimate_repeat", "another customer"),
        quiet("C1 C2", "safe_replay", "timed out, then repeated under the same key: at most one payment"),
        quiet("D3", "legitimate_repeat", "the same amount, another invoice"),
        quiet("E3", "legitimate_repeat", "another customer"),
        quiet(" ".join(f"F{i}" for i in range(6)), "idempotent_repeat", "polling: reads have no effect"),
        quiet("G1 G2", "idempotent_repeat", "a status set twice is set once"),
        quiet("I1 I2", "legitimate_repeat", "the second mail carries another attachment: a correction"),
        quiet("J1 J2", "retried_failure", "failed, then made one ticket"),
        quiet("K1 K2", "safe_replay", "the tool answered with the ticket it had made"),
        quiet("L1 L2", "legitimate_repeat", "the same room on two days"),
    ]
    read = len(trace.rows)
    expected = answer(
        "An AI agent calls its tools again after timeouts, and once twice in one breath",
        "A call id is new for every call, so only the arguments tell a repeat; they must be compared as JSON, not as text. "
        "Which tools write, set or read has to be said. A timeout under a fresh key leaves a doubt that only the other side can clear.",
        trace.places(), findings, calm, {"read": read, "used": read, "ignored": 0, "repeated": 0, "rejected": 0},
    )
    return {"tool-calls.jsonl": trace.ndjson(), "expected.json": expected}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = []
    for story in (payments, orders, crm, agent):
        for name, content in story().items():
            path = HERE / story.__name__ / name
            if sys.argv[1:]:
                if not path.exists() or path.read_bytes() != content:
                    stale.append(str(path.relative_to(HERE)))
            else:
                path.write_bytes(content)
    if stale:
        sys.exit("out of date: " + ", ".join(stale) + "; run samples/make.py")


if __name__ == "__main__":
    main()
