#!/usr/bin/env python3
"""Counts the instructions of a scan of one fixed log under callgrind: a figure that a noisy machine cannot blur.

usage: benches/instructions.py [--binary target/release/twicelog] [--payments 50000] [--against FILE] [--record FILE] [--most PERCENT]

Prints instructions for each record and the functions that take most of them. --record keeps the figure; --against compares with a kept
one and ends with 1 where it grew by more than --most percent (default 3). SHA-256 has no hardware to help it under callgrind, so what it takes
is left out of the figure. Needs valgrind; function names need a binary that was not stripped (CARGO_PROFILE_RELEASE_STRIP=none)."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "target/release/twicelog")
    parser.add_argument("--payments", type=int, default=50_000)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--most", type=float, default=3.0)
    return parser.parse_args()


def counted(binary, payments, work):
    """Instructions by function."""
    log = work / "log"
    subprocess.run([binary, "synth", log, "--payments", str(payments), "--cases", str(payments // 70), "--seed", "7"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts = work / "callgrind"
    scan = [binary, "scan", "--config", log / "twicelog.toml", "--threads", "1", "--exit-zero", "--output", f"json={work}/result.json"]
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", *scan], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    told = subprocess.run(["callgrind_annotate", "--threshold=99.9", counts], check=True, capture_output=True, text=True).stdout
    functions = re.findall(r"^\s*([\d,]+) \([^)]*\)\s+(.+?)(?: \[[^\]]*\])?$", told, re.M)
    return [(name, int(count.replace(",", ""))) for count, name in functions], sum(1 for _ in open(log / "payments.csv")) - 1


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as work:
        functions, records = counted(options.binary.resolve(), options.payments, pathlib.Path(work))
    total = next(count for name, count in functions if name.startswith("PROGRAM TOTALS"))
    hashing = sum(count for name, count in functions if "sha2" in name or "sha256" in name)
    figure = {"records": records, "instructions_per_record": round((total - hashing) / records)}
    print(f"{figure['instructions_per_record']} instructions for each of {records} records, SHA-256 ({hashing / total:.0%} of all) left out")
    for name, count in functions[1:21]:
        print(f"{count / records:8.0f}  {name}")
    if options.record:
        options.record.write_text(json.dumps(figure) + "\n")
    if options.against:
        before = json.loads(options.against.read_text())["instructions_per_record"]
        growth = (figure["instructions_per_record"] / before - 1) * 100
        print(f"{growth:+.1f} % against {options.against}")
        if growth > options.most:
            sys.exit(1)


main()
