#!/usr/bin/env python3
"""Scans logs of bad shapes, each at one size and at twice the size, and prints what they cost.

usage: benches/shapes.py [SHAPE ...] [--records 50000] [--binary PATH] [--max-memory 128MiB] [--threads 2] [--work FOLDER]
                         [--write docs/performance.md]

Each shape is written to a file (the long line goes through a pipe and is never kept), scanned, and removed: no more than one of them lies on
disk. Each scan must end as it should, and tell of as many findings as were planted; where it does not, the script says so and ends with 1.
What a scan costs beside is the processor time and the peak resident memory of the process. Time that grows with the records stays near 2 from
one size to the next; a little less where starting up counts, a little more where records no longer fit into caches."""

import argparse
import concurrent.futures
import datetime
import json
import multiprocessing
import os
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKS = ("<!-- shapes: begin -->", "<!-- shapes: end -->")
CONFIG = """version = 1
[[source]]
name = "log"
files = {files}
format = "csv"
[source.map]
time = {{ from = "at", format = "iso" }}
operation = {{ const = "charge" }}
actor = "actor"
amount = "amount"
currency = {{ const = "EUR" }}
outcome = {{ from = "status", took_effect = ["ok"], reversal = ["refund"] }}
effect_id = "id"
reverses = "of"
[source.map.fields]
name = "name"
[[rule]]
id = "twice"
fingerprint = [{fingerprint}]
window = {window}
{more}
"""
HEADER = "id,at,actor,amount,status,of,name"


class Shape:
    """`rows` gives (second, id, actor, amount, status, of, name) for a number of records; `findings` how many there must be."""

    def __init__(self, what, rows, findings, window='"10m"', fingerprint='"actor", "amount"', more="", write=None, share=1.0):
        self.what, self.rows, self.findings, self.window, self.fingerprint = what, rows, findings, window, fingerprint
        self.more, self.write, self.share = more, write or one_file, share


def moment(second):
    return (datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")


def line(row):
    second, *fields = row
    identity, *rest = fields
    return ",".join([identity, moment(second), *map(str, rest)]) + "\n"


def one_file(folder, rows):
    with open(folder / "log.csv", "w") as file:
        file.write(HEADER + "\n")
        file.writelines(map(line, rows))
    return ["log.csv"]


def two_files(folder, rows):
    one_file(folder, rows)
    shutil.copy(folder / "log.csv", folder / "again.csv")
    return ["log.csv", "again.csv"]


def many_files(folder, rows):
    """Ten records each."""
    (folder / "many").mkdir()
    rows = list(rows)
    for number in range(0, len(rows), 10):
        with open(folder / "many" / f"{number}.csv", "w") as file:
            file.write(HEADER + "\n")
            file.writelines(map(line, rows[number:number + 10]))
    return ["many/*.csv"]


def many_columns(folder, rows):
    columns = 2_000
    with open(folder / "log.csv", "w") as file:
        file.write(HEADER + "".join(f",c{column}" for column in range(columns)) + "\n")
        file.writelines(line(row).rstrip("\n") + ",x" * columns + "\n" for row in rows)
    return ["log.csv"]


def single(number, second=None, **other):
    of = {"amount": number % 9_000 + 1, "status": "ok", "of": "", "name": "", **other}
    return (number * 7 if second is None else second, f"e{number}", f"a{number // 1_000}", of["amount"], of["status"], of["of"], of["name"])


def pairs(count):
    for number in range(count):
        yield (number * 7, f"e{number}", f"a{number // 2}", number // 2 % 900 + 1, "ok", "", "")


def shuffled(count):
    rows = list(pairs(count))
    random.Random(1).shuffle(rows)
    return rows


def refunds(count):
    """Every second record names the effect of the one before it, of which every second one is the repeat of the one before that."""
    for number in range(count):
        payment = number // 2
        if number % 2 == 0:
            yield (number * 7, f"e{payment}", f"a{payment // 2}", 5, "ok", "", "")
        else:
            yield (number * 7, f"r{payment}", f"b{payment // 2}", 5, "refund", f"e{payment}", "")


SYLLABLES = "ka ro mi ta ne lu vo si pe da zo li be gu na ri mo te fa lo".split()


def names(count):
    """Every hundredth name is an earlier one with another letter."""
    draw = random.Random(7)
    made = []
    for number in range(count):
        if number % 100 == 99:
            name = list(made[draw.randrange(len(made))])
            name[draw.randrange(len(name))] = "x"
            name = "".join(name)
        else:
            name = "".join(draw.choice(SYLLABLES) for _ in range(draw.randint(5, 8)))
            made.append(name)
        yield (number, f"e{number}", "a", draw.randrange(count * 100) / 100, "ok", "", name)


def near(measure):
    return f"similar = [{measure}]"


ANY = None
SHAPES = {
    "plain": Shape("nothing special: every record is another's repeat", pairs, lambda n: n // 2),
    "one-fingerprint": Shape(
        "one fingerprint on every record", lambda n: (single(i, amount=5, second=i) for i in range(n)), lambda n: 1,
        fingerprint='"currency"', window='"unlimited"'),
    "unlimited": Shape("a window without end", pairs, lambda n: n // 2, window='"unlimited"'),
    "one-time": Shape("one time on every record", lambda n: ((0, *row[1:]) for row in pairs(n)), lambda n: n // 2),
    "reverse": Shape("the last record first", lambda n: reversed(list(pairs(n))), lambda n: n // 2),
    "random": Shape("in random order", shuffled, lambda n: n // 2),
    "repeated": Shape("every record in two files", pairs, lambda n: n // 2, write=two_files, share=0.5),
    "refunds": Shape("every second record names another's effect", refunds, lambda n: n // 4),
    "one-refunded": Shape(
        "every second record names one effect, which all others had",
        lambda n: (single(i, amount=5, status="refund" if i % 2 else "ok", of="e0" if i % 2 else "") if i % 2
                   else (i * 7, "e0", f"a{i // 4}", 5, "ok", "", "") for i in range(n)), lambda n: 0),
    "files": Shape("ten records a file", pairs, lambda n: n // 2, write=many_files, share=0.2),
    "columns": Shape("2,000 columns", pairs, lambda n: n // 2, write=many_columns, share=0.02),
    "near-amounts": Shape(
        "near amounts, one block", names, ANY, fingerprint='"actor"', window='"unlimited"',
        more=near('{ field = "amount", within = "0.05" }')),
    "near-names": Shape(
        "near names, one block", names, ANY, fingerprint='"actor"', window='"unlimited"',
        more=near('{ field = "name", method = "damerau_levenshtein", at_least = 0.9 }')),
    "near-equal": Shape(
        "near amounts, one block, all equal", lambda n: (single(i, amount=5, second=i) for i in range(n)), lambda n: 1,
        fingerprint='"currency"', window='"unlimited"', more=near('{ field = "amount", within = "0.5%" }')),
    "long-line": Shape("one line without an end, through a pipe: bytes for records", None, ANY, share=1000),
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", choices=[*SHAPES, []])
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--max-memory", default="128MiB")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    return parser.parse_args()


def built():
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "twicelog"


def aside(work, *given):
    """Does work in a process of its own: the system counts as a scan's memory what the process that started it held at any time."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as one:
        return one.submit(work, *given).result()


def written(name, count, folder):
    shape = SHAPES[name]
    return shape.write(folder, shape.rows(count))


def told(folder):
    """Number of findings, and the codes of the notes."""
    result = json.loads((folder / "out.json").read_text())["result"]
    return result["totals"]["findings"], sorted({note["code"] for note in result["notes"]})


def measured(command, folder, feed=None):
    """Exit code, wall seconds, processor seconds, peak MiB."""
    begin = time.monotonic()
    with open(folder / "talk", "w") as talk:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stdout=talk, stderr=talk)
        if feed:
            try:
                feed(child.stdin)
                child.stdin.close()
            except BrokenPipeError:
                pass
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def scan(name, count, options, folder):
    shape = SHAPES[name]
    feed, code = None, 0 if shape.findings and shape.findings(count) == 0 else 1
    if shape.rows is None:
        files, code = ["-"], None
        def feed(pipe):
            pipe.write(f"{HEADER}\ne1,2026-01-01T00:00:00Z,a,5,ok,,n\n\"".encode())
            for _ in range(count // 65_536):
                pipe.write(b"x" * 65_536)
    else:
        files = aside(written, name, count, folder)
    config = CONFIG.format(files=json.dumps(files), window=shape.window, fingerprint=shape.fingerprint, more=shape.more)
    (folder / "twicelog.toml").write_text(config)
    command = [options.binary.resolve(), "scan", "--threads", options.threads, "--max-memory", options.max_memory, "--format", "json",
               "--output", "json=out.json"]
    found, *cost = measured(command, folder, feed)
    problem, said = None, []
    try:
        findings, said = aside(told, folder)
        expected = shape.findings and shape.findings(count)
        if expected is not None and findings != expected:
            problem = f"{findings} findings in place of {expected}"
    except (OSError, ValueError) as error:
        problem = f"no result: {error}"
    if code is not None and found != code:
        problem = f"exit code {found}: {(folder / 'talk').read_text()[-300:]}"
    if code is None and problem is None and found == 0:
        problem = "a file without an end was taken for a whole one"
    return cost, said, problem


def main():
    options = arguments()
    options.binary = options.binary or built()
    rows, failed = [], False
    for name in options.shapes or SHAPES:
        shape = SHAPES[name]
        costs, said = [], []
        for times in (1, 2):
            count = int(options.records * shape.share) // 20 * 20 * times
            with tempfile.TemporaryDirectory(dir=options.work, prefix="twicelog-shapes-") as folder:
                cost, said, problem = scan(name, count, options, pathlib.Path(folder))
            costs.append((count, *cost))
            if problem:
                failed = True
                print(f"{name}, {count:,}: {problem}", file=sys.stderr)
        (count, _, one, few), (_, wall, two, many) = costs
        rows.append(f"| {shape.what} | {2 * count:,} | {wall:.2f} s | {two:.2f} s | {two / max(one, 0.01):.2f} | {many:.0f} MiB "
                    f"| {many / few:.2f} | {', '.join(f'`{code}`' for code in said)} |")
        print(rows[-1], flush=True)
    table = "\n".join([
        f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, `--max-memory {options.max_memory}`; each size once.",
        "",
        "| shape | records | wall | processor | against half of it | peak memory | against half of it | notes |",
        "| --- | --: | --: | --: | --: | --: | --: | --- |",
        *rows])
    if options.write:
        text = options.write.read_text()
        begin, end = MARKS
        if begin not in text or end not in text:
            sys.exit(f"{options.write}: has no {begin} and {end} to put the table between")
        text = re.sub(f"{begin}.*{end}", lambda _: f"{begin}\n{table}\n{end}", text, flags=re.DOTALL)
        options.write.write_text(text)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
