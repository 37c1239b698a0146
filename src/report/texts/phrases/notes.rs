//! Doubts about the input and the configuration.

use super::Phrase;
use super::Value::Plain;

pub(super) const PHRASES: &[Phrase] = &[
    (
        "rule {} saw no attempt; check its sources, operations and where",
        "правило {} не увидело ни одной попытки; проверьте его sources, operations и where",
        &[Plain],
    ),
    (
        "{} records came again under the same record id with other content; the newest state was used",
        "записей, пришедших снова под тем же номером с другим содержанием: {}; взято новейшее состояние",
        &[Plain],
    ),
    (
        "source {}: {} values of {} are numbers in scientific notation, rounded by a spreadsheet; they were not used as identity; export the column as text",
        "источник {}: значений поля {2}, записанных в экспоненциальном виде и округлённых таблицей: {1}; как номера они не использованы; выгрузите столбец как текст",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} records have no outcome and count as unknown; check source.map.outcome",
        "источник {}: записей без исхода: {}; исход считается неизвестным; проверьте source.map.outcome",
        &[Plain, Plain],
    ),
    (
        "source {}: outcome {} of {} records is in no list and counts as unknown; add it to a list of source.map.outcome",
        "источник {}: исхода {} нет ни в одном списке, записей с ним: {}; он считается неизвестным; внесите его в список source.map.outcome",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} local times lie in the hour that happens twice when summer time ends ({}); the earlier was taken",
        "источник {}: времён в часе, который бывает дважды в конце летнего времени: {} ({}); взято раннее",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} local times lie in the hour that summer time skips ({}); check the zone",
        "источник {}: времён в часе, который пропускает летнее время: {} ({}); проверьте пояс",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} amounts name no currency and are shown as XXX; set source.map.currency",
        "источник {}: сумм без валюты: {}, они показаны как XXX; задайте source.map.currency",
        &[Plain, Plain],
    ),
    (
        "source {}: {} times have no zone and were read as {}; set zone",
        "источник {}: времён без пояса: {}, они прочитаны как {}; задайте zone",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} records fill only some of the fields of rule {}; absent fields were compared as absent",
        "источник {}: записей, где заполнены не все поля правила {2}: {1}; отсутствующие поля сравнены как отсутствующие",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: column {} holds numbers in scientific notation, rounded by a spreadsheet; precision is lost, it is not usable as an id",
        "{}: в столбце {} числа в экспоненциальном виде, округлённые таблицей; точность потеряна, номером он быть не может",
        &[Plain, Plain],
    ),
    (
        "{}: several sheets fit alike and were read one after the other, with these records: {}; set read.sheet to read one of them",
        "{}: подходит несколько листов, они прочитаны один за другим, записи с номерами: {}; чтобы читать один, задайте read.sheet",
        &[Plain, Plain],
    ),
    (
        "{}: these sheets hold rows under other columns than sheet {} and were not read: {}; set read.sheet to read one of them",
        "{}: на этих листах не те столбцы, что на листе {}, они не прочитаны: {}; чтобы читать один из них, задайте read.sheet",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: tables of the page under other columns than the one that fits best were not read, by their place: {}; save them as files of their own",
        "{}: таблицы страницы с другими столбцами не прочитаны, их места: {}; сохраните их отдельными файлами",
        &[Plain, Plain],
    ),
    (
        "{}: {} numbers stand in cells that reach over several rows, the first {}; each row has them, check that they are no totals of several rows",
        "{}: чисел в ячейках на несколько строк: {}, первое {}; они стоят в каждой строке, проверьте, не итоги ли это",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: {} cells hold an error of the spreadsheet, the first {} in record {}; they count as empty, repair the formulas",
        "{}: ячеек с ошибкой таблицы: {}, первая {} в записи {}; они считаются пустыми, исправьте формулы",
        &[Plain, Plain, Plain, Plain],
    ),
    (
        "{}: the lines above the header give {} as {} and as {}; the first was used, make read.preamble match one line only",
        "{}: строки над заголовком дают столбцу {} значения {} и {}; взято первое, пусть read.preamble подходит к одной строке",
        &[Plain, Plain, Plain, Plain],
    ),
    (
        "{}: the columns {} fit the name {}; {} was used, write the name of the column that is meant",
        "{}: столбцы {} подходят к имени {}; взят {}, напишите имя нужного столбца",
        &[Plain, Plain, Plain, Plain],
    ),
    // Notes of nights.
    (
        "source {}: {} new records are older than what is held for late ones, and compared with what is left of that time; raise --lateness",
        "источник {}: новых записей старше того, что хранится для опоздавших: {}; они сравнены с тем, что осталось от того времени; увеличьте --lateness",
        &[Plain, Plain],
    ),
    (
        "source {}: {} new record is older than what is held for late ones, and compared with what is left of that time; raise --lateness",
        "источник {}: новых записей старше того, что хранится для опоздавших: {}; они сравнены с тем, что осталось от того времени; увеличьте --lateness",
        &[Plain, Plain],
    ),
    (
        "{} files end within a line; what stands behind the last line end waits for the next night",
        "файлов, которые обрываются посреди строки: {}; что стоит за последним концом строки, ждёт следующей ночи",
        &[Plain],
    ),
    (
        "{} file ends within a line; what stands behind the last line end waits for the next night",
        "файлов, которые обрываются посреди строки: {}; что стоит за последним концом строки, ждёт следующей ночи",
        &[Plain],
    ),
    (
        "{}: was written to a moment ago; it is left for another night",
        "{}: только что дописывался; оставлен на другую ночь",
        &[Plain],
    ),
    (
        "{}: its time of change lies ahead of this machine's clock, so that nobody can say whether it is still written to; it is left until that time has passed: set the clock right, touch the file, or scan without --settle",
        "{}: время изменения опережает часы этой машины, и нельзя сказать, дописывается ли он ещё; он оставлен, пока это время не пройдёт: поправьте часы, обновите время файла или сканируйте без --settle",
        &[Plain],
    ),
    (
        "rules or mappings have changed since the last night: findings of changed rules have new ids, and what is not found under its old id any more counts as dropped, not as resolved",
        "правила или сопоставления изменились с прошлой ночи: у находок изменённых правил новые номера, и то, что под прежним номером больше не находится, считается снятым, а не решённым",
        &[],
    ),
    (
        "{}: was told of as {} until now; what was decided about {} holds for it as long as it has not grown",
        "{}: до сих пор сообщалась как {}; решение о {} действует и для неё, пока она не выросла",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: was {} before an earlier record of it came late, and the decision about {} is taken for it; write the new id with twicelog baseline update",
        "{}: была {}, пока не пришла с опозданием более ранняя её запись, и решение о {} взято для неё; запишите новый номер: twicelog baseline update",
        &[Plain, Plain, Plain],
    ),
    (
        "{} reversals name effects that are not among the records at hand; nothing was taken to be undone by that",
        "отмен, называющих эффекты, которых нет среди записей: {}; отменённым из-за них ничто не считается",
        &[Plain],
    ),
    (
        "{} reversal names an effect that is not among the records at hand; nothing was taken to be undone by that",
        "отмен, называющих эффекты, которых нет среди записей: {}; отменённым из-за них ничто не считается",
        &[Plain],
    ),
    (
        "rule {} has no window; on a night attempts are compared with those of the last {} days and with open findings",
        "у правила {} нет окна; ночью попытки сравниваются с попытками последних дней, числом {}, и с открытыми находками",
        &[Plain, Plain],
    ),
    (
        "{} findings that were told of before, and not listed with --since-last; totals count all",
        "находки, о которых уже сообщалось, числом {}, с --since-last не перечислены; итоги считают все",
        &[Plain],
    ),
    (
        "{} finding that was told of before, and not listed with --since-last; totals count all",
        "находки, о которых уже сообщалось, числом {}, с --since-last не перечислены; итоги считают все",
        &[Plain],
    ),
    (
        "{}: grew while it was read; what was written after the scan began is not in this result",
        "{}: файл вырос, пока его читали; того, что записано после начала проверки, в этом результате нет",
        &[Plain],
    ),
    // Notes about decisions.
    (
        "{}: was decided, {}, and has grown since: {}; it counts again, decide anew with twicelog baseline add or update",
        "{}: решение {} принято раньше, чем находка выросла: {}; она снова считается, решите заново: twicelog baseline add или update",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: was decided, {}, until {}, which has passed; it counts again",
        "{}: решение {} действовало по {}, срок прошёл; находка снова считается",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: the baseline does not say what it was when decided, so growth cannot be seen; run twicelog baseline update",
        "{}: в baseline не записано, какой она была при решении, поэтому роста не видно; запустите twicelog baseline update",
        &[Plain],
    ),
    (
        "{}: the baseline has an entry, {}, but no such finding is in this result; twicelog baseline prune removes it",
        "{}: в baseline есть запись {}, но такой находки в этом результате нет; twicelog baseline prune удалит её",
        &[Plain, Plain],
    ),
    ("{}: column {} of source {} is not there", "{}: столбца {} источника {} нет", &[Plain, Plain, Plain]),
    (
        "one effect id stands on many attempts and is named by many reversals; {} of these were not set against it; check source.map.effect_id",
        "один effect_id стоит на многих попытках, и его называют многие отмены; из них не отнесено к нему: {}; проверьте source.map.effect_id",
        &[Plain],
    ),
    (
        "rule {} compares near values within blocks of up to {} records; add an exact field to its fingerprint",
        "правило {} сравнивает близкие значения внутри блоков до {} записей; добавьте в его fingerprint точное поле",
        &[Plain, Plain],
    ),
    (
        "rule {}: {} groups are too large to read in detail, {} of their records were only counted; their numbers are lower bounds, add fields to the fingerprint or shorten the window",
        "правило {}: групп, слишком больших, чтобы прочесть их целиком: {}; записей, которые только посчитаны: {}; их числа — нижние границы, добавьте поля в fingerprint или сократите window",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: more than {} different outcomes are in no list and count as unknown; check source.map.outcome",
        "источник {}: больше {} разных исходов нет ни в одном списке, они считаются неизвестными; проверьте source.map.outcome",
        &[Plain, Plain],
    ),
    (
        "source {}: {} times name a zone that has several meanings; IST was read as India, CST as central America, BST as British summer time; set source.map.time.zone if that is wrong",
        "источник {}: времён с поясом, у которого несколько значений: {}; IST прочитан как Индия, CST как центр Америки, BST как британское летнее время; если это не так, задайте source.map.time.zone",
        &[Plain, Plain],
    ),
    (
        "source {}: {} records hold no JSON where source.read.inside looks into it; what should be inside is absent there",
        "источник {}: записей, в которых нет JSON там, где его ищет source.read.inside: {}; того, что должно быть внутри, у них нет",
        &[Plain, Plain],
    ),
    (
        "source {}: {} times are dates without a time of day, which the window of rule {} cannot tell apart; use window = { days = N }",
        "источник {}: дат без времени суток: {}; окно правила {} их не различает; задайте window в днях (days)",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: nothing fills {}: the export has none of the columns {}",
        "{}: поле {} нечем заполнить: в выгрузке нет ни одного из столбцов {}",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: the footer counts {} rows, and {} were read; the file may be cut off or edited",
        "{}: в итоге файла строк: {}, а прочитано {}; возможно, файл обрезан или изменён",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: the footer's sum {} was not checked: column {} holds values that are no amounts",
        "{}: сумма в итоге файла {} не проверена: в столбце {} есть значения, которые не суммы",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: the footer tells a sum of {}, and column {} adds up to {}; the file may be cut off or edited",
        "{}: в итоге файла сумма {}, а столбец {} даёт {}; возможно, файл обрезан или изменён",
        &[Plain, Plain, Plain, Plain],
    ),
    (
        "{}: {} rows below the first line of the footer look like records and were not used; narrow read.footer",
        "{}: строк ниже начала итога, похожих на записи: {}; они не использованы; сузьте read.footer",
        &[Plain, Plain],
    ),
    (
        "{}: row {} tells of {} rows of data, but {} stand before it; check that the file is whole",
        "{}: строка {} говорит о строках данных: {}, а перед ней их {}; проверьте, что файл цел",
        &[Plain, Plain, Plain, Plain],
    ),
    (
        "{}: {} of account {} is {}, but its documents add up to {}; check that the file is whole",
        "{}: {} счёта {} — {}, а его документы дают {}; проверьте, что файл цел",
        &[Plain, Plain, Plain, Plain, Plain],
    ),
    (
        "{}: {} results answer no call of this file; they were left out",
        "{}: результатов, которые не отвечают ни на один вызов этого файла: {}; они пропущены",
        &[Plain, Plain],
    ),
];
