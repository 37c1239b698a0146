#!/usr/bin/env python3
"""Runs twicelog and what else answers the same question, in turn, on one made-up log, and prints how they compare.

usage: benches/compare.py [--payments 1000000] [--runs 3] [--threads 2] [--work FOLDER] [--only NAME,NAME] [--write docs/performance.md]

Builds the release binary unless --binary names one, makes the log with `twicelog synth`, and a Python environment with DuckDB and Polars
in FOLDER. Each contender runs once to warm up and then --runs times, one after the other, so that a slow minute hits all alike. Printed
are medians of wall time, processor time and peak memory, and their ratio to twicelog's. The contenders must find the same groups and the
same number of extra effects; where they do not, the script says so and ends with 1. With --write the table replaces the one between the
marks in that page."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# A session: each payment at most ten minutes after the one before. Databases say that with one LAG.
WINDOW = 'window = { gap = "10m", span = "30d" }'
MARKS = ("<!-- compare: begin -->", "<!-- compare: end -->")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--payments", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "twicelog-compare")
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--only", default="csv,ndjson,gzip,duckdb,polars,cat")
    parser.add_argument("--write", type=pathlib.Path)
    return parser.parse_args()


def built():
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    return pathlib.Path(target) / "release" / "twicelog"


def environment(work):
    """A Python that has the peers."""
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "duckdb", "polars"], check=True)
    return python


def log(binary, work, payments):
    """The made-up log in each format, with a configuration for each."""
    folder = work / f"log-{payments}"
    if not (folder / "done").exists():
        cases = str(max(payments // 70, 10))
        subprocess.run([binary, "synth", folder, "--payments", str(payments), "--cases", cases, "--seed", "7"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rewrite(folder)
        (folder / "done").touch()
    return folder


def rewrite(folder):
    """The same records as NDJSON and gzip."""
    table = folder / "payments.csv"
    with open(table) as rows, open(folder / "payments.ndjson", "w") as lines:
        names = rows.readline().rstrip("\n").split(",")
        for row in rows:
            record = {name: value for name, value in zip(names, row.rstrip("\n").split(",")) if value}
            lines.write(json.dumps(record, separators=(",", ":")) + "\n")
    with open(folder / "payments.csv.gz", "wb") as packed:
        subprocess.run(["gzip", "-6", "-c", table], stdout=packed, check=True)
    text = (folder / "twicelog.toml").read_text().replace('window = "10m"', WINDOW)
    for name in ["payments.csv", "payments.ndjson", "payments.csv.gz"]:
        (folder / f"{name}.toml").write_text(text.replace('"payments.csv"', f'"{name}"'))


def contenders(options, binary, folder):
    """Name, command, and where the answer lies."""
    def scan(name):
        answer = options.work / f"{name}.json"
        command = [binary, "scan", "--config", folder / f"{name}.toml", "--threads", str(options.threads), "--exit-zero"]
        return [*command, "--output", f"json={answer}"], answer

    def peer(kind):
        answer = options.work / f"{kind}.json"
        return [options.work / "venv/bin/python", HERE / "peers.py", kind, folder / "payments.csv", answer, str(options.threads)], answer

    all_of_them = {
        "twicelog, CSV": ("csv", *scan("payments.csv")),
        "twicelog, NDJSON": ("ndjson", *scan("payments.ndjson")),
        "twicelog, CSV in gzip": ("gzip", *scan("payments.csv.gz")),
        "DuckDB, CSV": ("duckdb", *peer("duckdb")),
        "Polars, CSV": ("polars", *peer("polars")),
        "reading the CSV and counting its lines": ("cat", ["wc", "-l", folder / "payments.csv"], None),
        "gzip -dc": ("gzip", ["gzip", "-dc", folder / "payments.csv.gz"], None),
    }
    only = options.only.split(",")
    return {name: (command, answer) for name, (key, command, answer) in all_of_them.items() if key in only}


def run(command):
    """Wall seconds, processor seconds and peak MiB of one run."""
    began = time.monotonic()
    process = os.fork()
    if process == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.execvp(command[0], command)
    _, status, used = os.wait4(process, 0)
    wall = time.monotonic() - began
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(map(str, command))}: ended with {os.waitstatus_to_exitcode(status)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measured(jobs, runs):
    figures = {name: [] for name in jobs}
    for number in range(runs + 1):
        for name, (command, _) in jobs.items():
            figure = run([str(part) for part in command])
            if number > 0:
                figures[name].append(figure)
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}


def answer_of(path):
    """Groups that took effect twice, and the effects beyond the first in them."""
    said = json.loads(path.read_text())
    if "groups" in said:
        return said["groups"], said["extra"]
    # Databases see effects; that some were refunded is a question they were not asked.
    twice = [finding for finding in said["result"]["findings"] if finding["verdict"] in ("duplicate_effect", "compensated")]
    return len(twice), sum(len({record["effect_id"] for record in finding["records"] if record["outcome"] == "took_effect"}) - 1
                           for finding in twice)


def table(medians, folder):
    base = next(iter(medians.values()))
    rows = ["| contender | wall | processor | peak memory | wall against twicelog | memory against twicelog |", "| --- | --: | --: | --: | --: | --: |"]
    for name, (wall, cpu, memory) in medians.items():
        rows.append(f"| {name} | {wall:.2f} s | {cpu:.2f} s | {memory:.0f} MiB | {wall / base[0]:.2f} | {memory / base[2]:.2f} |")
    size = (folder / "payments.csv").stat().st_size / 1e6
    cores = os.cpu_count()
    head = f"{datetime.date.today()}, {platform.machine()}, {cores} cores, CSV of {size:.0f} MB; medians, each contender in turn."
    return "\n".join([head, "", *rows])


def write(page, text):
    before, rest = page.read_text().split(MARKS[0])
    _, after = rest.split(MARKS[1])
    page.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}")


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    binary = options.binary.resolve() if options.binary else built()
    environment(options.work)
    folder = log(binary, options.work, options.payments)
    jobs = contenders(options, binary, folder)
    medians = measured(jobs, options.runs)
    text = table(medians, folder)
    print(text)
    answers = {name: answer_of(answer) for name, (_, answer) in jobs.items() if answer}
    for name, (groups, extra) in answers.items():
        print(f"{name}: {groups} groups, {extra} extra effects")
    if len(set(answers.values())) > 1:
        sys.exit("the contenders do not agree: their times compare nothing")
    if options.write:
        write(options.write, text)


main()
