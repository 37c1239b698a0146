#!/usr/bin/env python3
"""The question of benches/compare.py asked of a database: peers.py duckdb|polars TABLE ANSWER THREADS.

Payments of one customer, order, amount and currency, each at most ten minutes after the one before, in which more than one payment took
effect. Written as somebody would who knows the engine: a first look by hash keeps only what comes more than once."""

import json
import os
import sys

KEY = ["customer", "order", "amount", "currency"]


def duckdb(table, threads):
    import duckdb as engine
    base = engine.connect()
    base.execute(f"SET threads = {threads}; SET preserve_insertion_order = false")
    key = ", ".join(f'"{name}"' for name in KEY)
    rows = base.execute(f"""
        WITH payments AS MATERIALIZED (
            SELECT {key}, time, status, payment FROM read_csv('{table}', all_varchar = true, header = true)
            WHERE status <> 'refund'
        ), often AS (
            SELECT hash({key}) AS mark FROM payments GROUP BY 1 HAVING count(*) > 1
        ), candidates AS (
            SELECT {key}, time::TIMESTAMP AS moment, status, payment FROM payments WHERE hash({key}) IN (SELECT mark FROM often)
        ), steps AS (
            SELECT *, coalesce(moment - lag(moment) OVER w > INTERVAL 10 MINUTE, true) AS opens FROM candidates
            WINDOW w AS (PARTITION BY {key} ORDER BY moment)
        ), sessions AS (
            SELECT *, sum(opens::INT) OVER (PARTITION BY {key} ORDER BY moment) AS session FROM steps
        ), twice AS (
            SELECT count(DISTINCT payment) FILTER (WHERE status = 'paid') AS effects FROM sessions GROUP BY {key}, session
        )
        SELECT count(*), sum(effects - 1) FROM twice WHERE effects > 1""").fetchone()
    return int(rows[0]), int(rows[1] or 0)


def polars(table, threads):
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as engine
    payments = engine.read_csv(table, columns=[*KEY, "time", "status", "payment"], infer_schema=False)
    payments = payments.filter(engine.col("status") != "refund").with_columns(mark=engine.struct(KEY).hash())
    often = payments.group_by("mark").len().filter(engine.col("len") > 1)
    candidates = payments.join(often, on="mark", how="semi").with_columns(at=engine.col("time").str.to_datetime(time_zone="UTC"))
    steps = candidates.sort("at").with_columns(
        opens=(engine.col("at").diff() > engine.duration(minutes=10)).fill_null(True).over(KEY))
    sessions = steps.with_columns(session=engine.col("opens").cum_sum().over(KEY))
    paid = engine.col("payment").filter(engine.col("status") == "paid")
    twice = sessions.group_by([*KEY, "session"]).agg(effects=paid.n_unique()).filter(engine.col("effects") > 1)
    return twice.height, int((twice["effects"] - 1).sum())


groups, extra = {"duckdb": duckdb, "polars": polars}[sys.argv[1]](sys.argv[2], int(sys.argv[4]))
with open(sys.argv[3], "w") as answer:
    json.dump({"groups": groups, "extra": extra}, answer)
