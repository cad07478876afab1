#!/usr/bin/env python3
"""Joins the lines of two provers into figures with a ratio.

usage: join.py OURS.jsonl PEER.jsonl MACHINE COMMAND

A figure of one side alone is printed with nulls. Where both sides made the same proof, their digests must agree.
"""

import datetime
import json
import sys


def read(path):
    with open(path) as lines:
        rows = [json.loads(line) for line in lines if line.startswith("{")]
    return {(row["what"], row["lg"], row["circuits"], row.get("significant")): row for row in rows}


def main():
    ours, peer = read(sys.argv[1]), read(sys.argv[2])
    date = datetime.date.today().isoformat()
    differ = 0
    for key in dict.fromkeys([*ours, *peer]):
        a, b = ours.get(key), peer.get(key)
        figure = {
            "what": key[0],
            "lg": key[1],
            "circuits": key[2],
            "ours_s": a and a["seconds"],
            "peer_s": b and b["seconds"],
            "ratio": round(b["seconds"] / a["seconds"], 3) if a and b else None,
            "peer": b and b["prover"],
            "machine": sys.argv[3],
            "date": date,
            "command": sys.argv[4],
        }
        if a and b and a.get("digest") != b.get("digest"):
            figure["proofs_differ"] = True
            differ = 1
        print(json.dumps(figure))
    return differ


sys.exit(main())
