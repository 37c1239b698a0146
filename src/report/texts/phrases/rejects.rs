//! Why records could not be used: the kinds that a file's rejects are counted by, and the messages of single records. What only one
//! format of file can be wrong with stays in English.

use super::Phrase;
use super::Value::Plain;

pub(super) const PHRASES: &[Phrase] = &[
    ("no time", "нет времени", &[]),
    ("unreadable time", "нечитаемое время", &[]),
    ("unknown zone", "неизвестный пояс", &[]),
    ("unreadable amount", "нечитаемая сумма", &[]),
    ("unreadable currency", "нечитаемая валюта", &[]),
    ("no currency", "нет валюты", &[]),
    ("no operation", "нет операции", &[]),
    ("no fingerprint", "нет отпечатка", &[]),
    ("broken record", "повреждённая запись", &[]),
    ("no time; check source.map.time", "нет времени; проверьте source.map.time", &[]),
    (
        "time {} is not a time; set source.map.time.format",
        "время {} не является временем; задайте source.map.time.format",
        &[Plain],
    ),
    ("time {} has no year; set source.read.default_year", "во времени {} нет года; задайте source.read.default_year", &[Plain]),
    ("time {} is outside the years 1678 to 2261", "время {} вне годов с 1678 по 2261", &[Plain]),
    (
        "time {} names a zone that is not known; set source.map.time.format and source.map.time.zone",
        "время {} называет неизвестный пояс; задайте source.map.time.format и source.map.time.zone",
        &[Plain],
    ),
    ("time {} is not a date of the calendar", "время {}: такого дня в календаре нет", &[Plain]),
    (
        "zone {} is not known; set source.map.time.zone to a name of the tz database",
        "пояс {} неизвестен; задайте в source.map.time.zone имя из базы tz",
        &[Plain],
    ),
    (
        "amount {} is not a number; check source.map.amount, source.read.decimal and source.read.thousands",
        "сумма {} не является числом; проверьте source.map.amount, source.read.decimal и source.read.thousands",
        &[Plain],
    ),
    (
        "amount {} is written with an exponent, so digits may be lost; export the column as text",
        "сумма {} записана с порядком, и цифры могли пропасть; выгрузите столбец как текст",
        &[Plain],
    ),
    ("amount {} has more than 28 digits", "в сумме {} больше 28 цифр", &[Plain]),
    (
        "amount {} is in minor units, whose size needs a currency; check source.map.currency",
        "сумма {} в мелких единицах, и без валюты их размер неизвестен; проверьте source.map.currency",
        &[Plain],
    ),
    (
        "currency {} is not a code of up to 12 letters and digits; check source.map.currency",
        "валюта {} не является кодом до 12 букв и цифр; проверьте source.map.currency",
        &[Plain],
    ),
    ("no operation; check source.map.operation", "нет операции; проверьте source.map.operation", &[]),
    (
        "no fingerprint: the record fills none of the fields that the rules compare",
        "нет отпечатка: в записи не заполнено ни одно поле, которое сравнивают правила",
        &[],
    ),
    (
        "a record of {} bytes is longer than the limit of 1 MiB; split or remove it",
        "запись в {} байт длиннее предела в 1 МиБ; разделите или удалите её",
        &[Plain],
    ),
    (
        "bytes that are not {} in \"{}\"; set read.encoding, or repair the file",
        "байты не в кодировке {} рядом с \"{}\"; задайте read.encoding или исправьте файл",
        &[Plain, Plain],
    ),
    (
        "has {} fields, the header has {}; quote cells that hold the delimiter",
        "полей: {}, а в заголовке {}; возьмите в кавычки ячейки, в которых есть разделитель",
        &[Plain, Plain],
    ),
    (
        "has {} field, the header has {}; quote cells that hold the delimiter",
        "полей: {}, а в заголовке {}; возьмите в кавычки ячейки, в которых есть разделитель",
        &[Plain, Plain],
    ),
    (
        "quote opened here never closes {}; close it, or double it if it is text",
        "открытая здесь кавычка не закрыта: {}; закройте её или удвойте, если она часть текста",
        &[Plain],
    ),
];
