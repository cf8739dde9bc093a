#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes traces as the PyTorch profiler does, of a run that never was: trace-rank0.json and trace-rank1.json.

Three steps of AlexNet on two of 16 GPUs. Layers take what paradl estimates (the times below, of "paradl estimate alexnet --hw abci
-s data=16 --layers"), but conv5 1.2 times as long; the allreduce takes twice as long, and 0.1 ms pass between the steps."""
import json
import pathlib
import sys

US = 1e-6
# name: forward, backward, in seconds
LAYERS = {"conv1": (3226 * US, 3082 * US),
          "act1": (287 * US, 431 * US),
          "pool1": (178 * US, 357 * US),
          "conv2": (6109 * US, 15094 * US),
          "act2": (208 * US, 312 * US),
          "pool2": (128 * US, 256 * US),
          "conv3": (1869 * US, 4251 * US),
          "act3": (96 * US, 144 * US),
          "conv4": (2428 * US, 4760 * US),
          "act4": (64 * US, 97 * US),
          "conv5": (1968 * US, 3821 * US),
          "act5": (64 * US, 97 * US),
          "pool5": (39 * US, 78 * US),
          "dropout1": (21 * US, 21 * US),
          "fc6": (752 * US, 1495 * US),
          "act6": (6 * US, 9 * US),
          "dropout2": (9 * US, 9 * US),
          "fc7": (338 * US, 666 * US),
          "act7": (6 * US, 9 * US),
          "fc8": (84 * US, 167 * US),
          "loss1": (1 * US, 1 * US)}
UPDATE_S, EXCHANGE_S, GAP_S = 1771 * US, 72500 * US, 100 * US


class Trace:
    """Events on a host that starts kernels ahead of a device that runs them one after the other."""

    def __init__(self, rank):
        self.rank, self.events, self.number, self.host_us, self.device_us = rank, [], 0, 0.0, 0.0

    def add(self, category, name, thread, begin_us, length_us, **arguments):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": self.rank, "tid": thread,
                            "ts": round(begin_us, 3), "dur": round(length_us, 3), "args": arguments})

    def kernel(self, name, thread, seconds, **arguments):
        """Started now, run when the device is free."""
        self.number += 1
        self.add("cuda_runtime", "cudaLaunchKernel", thread, self.host_us, 2, correlation=self.number)
        begin_us = max(self.device_us, self.host_us + 3)
        self.add("kernel", name, 7, begin_us, seconds / US, correlation=self.number, stream=7, **arguments)
        self.host_us += 5
        self.device_us = begin_us + seconds / US

    def step(self, number):
        begin_us = self.host_us
        for sequence, (layer, (forward_s, _)) in enumerate(LAYERS.items()):
            at_us = self.host_us
            self.kernel(f"forward_{layer}", 1, forward_s)
            self.add("user_annotation", layer, 1, at_us, self.host_us - at_us)
            self.add("cpu_op", "aten::" + layer, 1, at_us, self.host_us - at_us,
                     **{"Sequence number": 100 * number + sequence})
        for sequence, (layer, (_, backward_s)) in reversed(list(enumerate(LAYERS.items()))):
            if not backward_s:
                continue
            at_us = self.host_us
            self.kernel(f"backward_{layer}", 2, backward_s)
            self.add("cpu_op", "autograd::engine::evaluate_function: Backward0", 2, at_us,
                     self.host_us - at_us, **{"Sequence number": 100 * number + sequence})
        self.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 2, 2 * EXCHANGE_S, **{"Group size": 16})
        at_us = self.host_us
        self.kernel("multi_tensor_apply_kernel", 1, UPDATE_S)
        self.add("user_annotation", "Optimizer.step#SGD.step", 1, at_us, self.host_us - at_us)
        self.host_us = self.device_us + GAP_S / US
        self.add("user_annotation", f"ProfilerStep#{number}", 1, begin_us, self.host_us - begin_us)

    def write(self, folder):
        path = folder / f"trace-rank{self.rank}.json"
        events = ",\n".join(json.dumps(event, separators=(",", ":")) for event in self.events)
        path.write_text('{"schemaVersion":1,"distributedInfo":{"rank":%d,"world_size":16},"traceEvents":[\n%s\n]}\n'
                        % (self.rank, events))


if __name__ == "__main__":
    for rank in range(2):
        trace = Trace(rank)
        for step in range(3):
            trace.step(step)
        trace.write(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
