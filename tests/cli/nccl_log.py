# SPDX-License-Identifier: GPL-3.0-or-later
"""A log of nccl-tests: an allreduce inside a node of so many ranks at so many GB/s of bus bandwidth: nccl_log.py RANKS RATE"""
import sys
ranks, rate = int(sys.argv[1]), float(sys.argv[2])
print("# nThread 1 nGpus 1 minBytes 1024 maxBytes 4294967296 step: 4(factor) warmup iters: 5 iters: 100 agg iters: 1 validation: 0 graph: 0\n# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703\n# Collective test starting: all_reduce_perf\n# Using devices")
for r in range(ranks):
    print(f"#  Rank {r:2} Group  0 Pid {100 + r} on node1 device {r:2} [0x{r + 16:02x}] GPU")
print("#   size   count  type  redop  root   time  algbw  busbw #wrong   time  algbw  busbw #wrong\n#    (B) (elements)   (us) (GB/s) (GB/s)   (us) (GB/s) (GB/s)")
for size in (4 ** k for k in range(5, 17)):
    factor = 2 * (ranks - 1) / ranks
    us = 12 + factor * size / rate / 1e3
    row = f"{us:.2f} {size / us / 1e3:.2f} {factor * size / us / 1e3:.2f} 0"
    print(f"{size} {size // 4} float sum -1 {row} {row}")
print("# Out of bounds values : 0 OK")
