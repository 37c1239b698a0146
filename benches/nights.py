#!/usr/bin/env python3
"""Cuts one log into nights by time, scans each night with `twicelog scan --state`, and prints what a night costs beside a scan of everything
that lies there by then.

usage: benches/nights.py [LOG.csv] [--nights 30] [--config twicelog.toml] [--time-column ts] [--binary PATH] [--work FOLDER]
                         [--full-every 5] [--payments 1000000] [--window 10m] [--layout files|growing|moved] [--write docs/performance.md]

Without a LOG it makes one with `twicelog synth`. The log has one header and a record on each line, in the order of time. The configuration
is that of the log: its first `files = [...]` is replaced by the folder of nights. With --layout files every night adds a file and the
others stay where they are; with growing one file is added to; with moved only the night's own file is there. Times are those of the clock and those of the processors, memory is the peak resident size of the process;
each night runs once, because a night can be done only once. Every --full-every nights, and on the last one, everything is scanned without a
state, and both must tell of equally many findings since the first night; where they do not, the script says so and ends with 1."""

import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LAYOUTS = {"files": "a file each, all of them there", "growing": "added to one file", "moved": "a file each, only the last one there"}
MARKS = ("<!-- nights: begin -->", "<!-- nights: end -->")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", nargs="?", type=pathlib.Path)
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--config", type=pathlib.Path)
    parser.add_argument("--time-column", default="")
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "twicelog-nights")
    parser.add_argument("--full-every", type=int, default=5)
    parser.add_argument("--payments", type=int, default=1_000_000)
    parser.add_argument("--window", default="")
    parser.add_argument("--layout", choices=["files", "growing", "moved"], default="files")
    parser.add_argument("--lateness", default="1h")
    parser.add_argument("--write", type=pathlib.Path)
    return parser.parse_args()


def built():
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    return pathlib.Path(target) / "release" / "twicelog"


def made_up(binary, work, payments):
    """A log of `twicelog synth` with its configuration."""
    folder = work / f"log-{payments}"
    if not folder.exists():
        subprocess.run([binary, "synth", folder, "--payments", str(payments), "--cases", str(payments // 1000)], check=True, stdout=subprocess.DEVNULL)
    return folder / "payments.csv", folder / "twicelog.toml"


def column_of_times(log, asked):
    with open(log, newline="", encoding="utf-8") as lines:
        header = next(csv.reader(lines))
    names = [asked] if asked else ["ts", "time", "at", "date", "created", "created_at"]
    for name in names:
        if name in header:
            return header.index(name)
    sys.exit(f"{log}: none of {names} is in its header; say --time-column")


def moment(text):
    """Seconds of a time in ISO 8601."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def cut(log, nights, column):
    """The header, and where in the file each night begins and ends: equal spans of time between the first record and the last. Looked up by
    halves, and never held in memory: what this script holds would be counted as its children's."""
    with open(log, "rb") as file:
        header = file.readline()
        begin, end = file.tell(), file.seek(0, os.SEEK_END)

        def line_from(place):
            """Where the first line at or after a place begins, and its time; None behind the last one."""
            file.seek(place - 1)
            place += len(file.readline()) - 1 if place > begin else 0
            file.seek(place)
            row = file.readline().decode("utf-8")
            return (place, moment(next(csv.reader([row]))[column])) if row else (end, None)

        first, place = line_from(begin)[1], end
        while line_from(place := place - 4096)[1] is None:
            pass
        while (further := line_from(place + 1))[1] is not None:
            place, last = further
        places = [begin]
        for night in range(1, nights):
            at, low, high = first + (last - first) * night / nights, places[-1], end
            while low < high:
                middle = (low + high) // 2
                found, time_of = line_from(middle)
                low, high = (middle + 1, high) if time_of is not None and time_of < at else (low, middle)
            places.append(line_from(low)[0])
        places.append(end)
    return header, list(zip(places, places[1:]))


def add(log, header, night, path):
    """Adds a night's records to a file; how many they are."""
    begin, end = night
    with open(log, "rb") as whole, open(path, "ab") as file:
        if not file.tell():
            file.write(header)
        whole.seek(begin)
        rows = 0
        while begin < end:
            part = whole.read(min(1 << 16, end - begin))
            begin, rows = begin + len(part), rows + part.count(b"\n")
            file.write(part)
    return rows


def measured(command, folder):
    """Seconds by the clock, seconds of processors, and peak MiB."""
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    took, code = time.perf_counter() - began, os.waitstatus_to_exitcode(status)
    process.returncode = code
    if code not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}\nended with {code}: {said}")
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    args = arguments()
    binary = (args.binary or built()).resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    log, config = (args.log, args.config) if args.log else made_up(binary, args.work, args.payments)
    if not config:
        sys.exit("say --config: the configuration of the log")
    header, nights = cut(log, args.nights, column_of_times(log, args.time_column))
    folder = args.work / "run"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("all", "tonight"):
        (folder / name).mkdir(parents=True)
        text, found = re.subn(r"(?m)^files = .*$", f'files = ["{folder / name}/*.csv"]', config.read_text(), count=1)
        if not found:
            sys.exit(f"{config}: has no line that begins with files =")
        text = re.sub(r"(?m)^window = .*$", f'window = "{args.window}"', text) if args.window else text
        (folder / f"{name}.toml").write_text(text)
    scan = lambda of: [binary, "scan", "--no-baseline", "--config", folder / f"{of}.toml"]
    state = ["--state", folder / "state", "--lateness", args.lateness, "--output", f"json={folder / 'night.json'}"]
    rows, told, wrong, table = 0, set(), 0, []
    for number, night in enumerate(nights, 1):
        path = folder / "all" / ("log.csv" if args.layout == "growing" else f"{number:02}.csv")
        new = add(log, header, night, path)
        rows += new
        if args.layout == "moved":
            [old.unlink() for old in (folder / "tonight").iterdir()]
            os.link(path, folder / "tonight" / path.name)
        took = measured(scan("tonight" if args.layout == "moved" else "all") + state, folder)
        report = json.loads((folder / "night.json").read_text())
        changes, carried = report["run"]["night"]["changes"], report["result"]["nightly"]["carried_out"]
        del report
        told |= set(changes["new"]) | set(changes["grown"])
        kept = sum(file.stat().st_size for file in (folder / "state").iterdir()) / 2**20
        line = [number, new, rows, len(changes["new"]), carried, kept, *took]
        if number % args.full_every == 0 or number in (1, args.nights):
            line += measured(scan("all") + ["--output", f"json={folder / 'whole.json'}"], folder)
            at_once = json.loads((folder / "whole.json").read_text())["result"]["totals"]["findings"]
            if at_once != len(told):
                print(f"night {number}: {len(told)} findings night by night, {at_once} at once", file=sys.stderr)
                wrong += 1
        table.append(line)
        print(*(f"{value:.2f}" if isinstance(value, float) else value for value in line), flush=True)
    page = told_of(table, log, args)
    print(page)
    if args.write:
        before, rest = args.write.read_text().split(MARKS[0])
        args.write.write_text(before + MARKS[0] + "\n" + page + MARKS[1] + rest.split(MARKS[1])[1])
    shutil.rmtree(folder)
    sys.exit(1 if wrong else 0)


def told_of(table, log, args):
    """The table in Markdown."""
    lines = [
        f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores; a CSV of {log.stat().st_size / 1e6:.0f} MB in "
        f"{args.nights} nights, {LAYOUTS[args.layout]}; each night once.",
        "",
        "| night | new records | records so far | new findings | carried on | state | wall | processor | peak memory "
        "| all at once: wall | processor | peak memory |",
        "|" + " --: |" * 12,
    ]
    for number, new, rows, fresh, carried, kept, *costs in table:
        if len(costs) > 3:
            told = (f"{wall:.2f} s | {processor:.2f} s | {memory:.0f} MiB" for wall, processor, memory in (costs[:3], costs[3:]))
            lines.append(f"| {number} | {new:,} | {rows:,} | {fresh} | {carried:,} | {kept:.1f} MiB | {' | '.join(told)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
