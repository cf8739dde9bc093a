#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training rates of networks of images as one table of published results, paradl-measured(5), for "paradl fit --measured".

    python3 tests/validation/images.py > images.csv
    paradl fit --measured images.csv --constants tests/validation/images_constants.csv --into hw-profiles

Its rows are those of cnn_one_gpu.csv, steps of tests/data/measured/h100_layouts.csv whose networks are known and which the device
decides (batch 128), compiled ones of h100_compiled.csv (batch 128, and 32 as graphs, where the least time of a kernel shows), and the
published trainings of ResNet-50 and its like in llm_measured.csv. With --networks each network is a set, which networks_out.py leaves out in
turn, and published trainings are one that stays."""
import argparse
import csv
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ("id", "set", "kind", "model", "layers", "gpus", "gpu", "gpus_per_node", "net_gbps_per_gpu", "dp", "mbs", "gbs", "precision",
           "framework", "samples_s", "primary", "complete", "source", "notes")
PUBLISHED = ("dle-cnn", "mlperf-rn50")


def table(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def row(group, model, batch, precision, rate, source):
    where = f"{group}; {source}"
    return {"id": f"{group}-{model}-{batch}", "set": group, "kind": "cnn", "model": model, "gpus": 1, "gpu": where, "gpus_per_node": 1, "dp": 1,
            "mbs": batch, "gbs": batch, "precision": precision, "framework": where, "samples_s": rate, "primary": "samples_s", "complete": "yes",
            "source": source}


def rows():
    for r in table("cnn_one_gpu.csv"):
        yield row(r["set"], r["model"], r["batch"], r["precision"], r["measured_images_per_s"], r["source"])
    for r in table("../data/measured/h100_layouts.csv"):
        known = os.path.exists(os.path.join(HERE, "networks", f"tv_{r['model']}.json"))
        if known and r["batch"] == "128":
            precision = "fp16-mixed" if r["precision"] == "fp16" else r["precision"]
            busy = sum(float(r[key + "_ms"]) for key in ("conv", "norm", "transform", "copy", "update", "other"))
            yield row(f"h100-{r['precision']}-{r['layout']}", f"tv_{r['model']}", r["batch"], precision, 128e3 / busy,
                      f"kernels alone, {r['layout']}, H100")
    for r in table("../data/measured/h100_compiled.csv"):
        known = os.path.exists(os.path.join(HERE, "networks", f"tv_{r['model']}.json"))
        if known and r["precision"] == "fp16" and (r["mode"], r["batch"]) in (("compiled", "128"), ("graphs", "32")):
            busy = sum(float(r[key + "_ms"]) for key in ("conv", "norm", "transform", "copy", "update", "compiled", "other"))
            batch = int(r["batch"])
            yield row(f"h100-fp16-compiled-{batch}", f"tv_{r['model']}", batch, "fp16-mixed", 1e3 * batch / busy, "kernels alone, compiled, H100")
    for r in table("llm_measured.csv"):
        if r["set"] in PUBLISHED and r["complete"] in ("yes", "mostly"):
            yield {key: r[key] for key in COLUMNS} | {"set": f"{r['set']}, {'V100' if 'V100' in r['gpu'] else 'later'}"}


def main():
    parser = argparse.ArgumentParser(description="Training rates of networks of images as one table.")
    parser.add_argument("--networks", action="store_true", help="a set for each network")
    options = parser.parse_args()
    out = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    out.writeheader()
    for r in rows():
        if options.networks:
            r["set"] = "published" if r["set"].startswith(PUBLISHED) else r["model"].split("_", 1)[-1]
        out.writerow(r)


if __name__ == "__main__":
    main()
