# SPDX-License-Identifier: BSD-3-Clause
"""One training step of a network, timed again and again."""
import math
import statistics
import time

import torch

import torch_rows as rows
from torch_device import busy
from torch_file import Trouble
from torch_formats import Format
from torch_network import Task

MOST_SWITCHES = 20  # a second: more often others had the processor
# What profiles of training programs say: are items of channels side by side, is the network compiled, launched as graphs.
FRAMEWORKS = {"pytorch-nchw": (False, False, False), "pytorch-nhwc": (True, False, False), "pytorch-compile": (True, True, False),
              "pytorch-compile+graphs": (True, True, True)}


def optimizer_of(name, parameters, update, device):
    """An optimizer; `update` says whether one kernel updates all weights, one list of kernels, or each weight has its own."""
    if update == "fused" and not device.is_gpu:
        update = "foreach"
    how = {"fused": update == "fused", "foreach": update == "foreach"}
    if name in ("sgd", "sgd-momentum"):
        return torch.optim.SGD(parameters, lr=1e-6, momentum=0.9 if name == "sgd-momentum" else 0, **how)
    if name in ("adam", "adamw"):
        return (torch.optim.AdamW if name == "adamw" else torch.optim.Adam)(parameters, lr=1e-6, **how)
    raise Trouble(f"optimizer {name} is not run here; sgd, sgd-momentum, adam and adamw are")


class Steps:
    """Steps of one network, batch and number format under one program."""

    def __init__(self, file, batch, precision, framework, update, device):
        last, compiled, graphs = FRAMEWORKS[framework]
        device.forget()
        self.device, self.format = device, Format(precision, device.torch)
        with torch.device(device.torch):
            task = Task(file)
        self.parameters = task.parameters()
        module = self.format.put(task.module.to(device.torch)).train()
        x, self.target = task.samples(batch, device.torch)
        x = self.format.given(x)
        if last and not task.tokens and x.dim() in (4, 5):
            order = torch.channels_last if x.dim() == 4 else torch.channels_last_3d
            module, x = module.to(memory_format=order), x.contiguous(memory_format=order)
        self.x = x
        if self.target.is_floating_point():
            self.target = self.format.given(self.target)
        self.module = torch.compile(module, mode="reduce-overhead" if graphs else None) if compiled else module
        self.optimizer = optimizer_of(file.optimizer, module.parameters(), update, device)
        self.loss = None

    def step(self):
        """Forward, backward and update; the loss stays on the device."""
        scaler = self.format.scaler
        self.optimizer.zero_grad(set_to_none=True)
        with self.format.running():
            loss = self.module(self.x, self.target)
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(self.optimizer)
            scaler.update()
        else:
            loss.backward()
            self.optimizer.step()
        self.loss = loss.detach()

    def warm_up(self, count, least_s, most_s):
        """Steps until there were so many and so long, or too long: kernels are chosen, clocks have risen. Returns the seconds of the last one."""
        begin, done, last = time.perf_counter(), 0, 0
        while done < 2 or (done < count and time.perf_counter() - begin < most_s) or time.perf_counter() - begin < least_s:
            before = time.perf_counter()
            self.step()
            self.device.wait()
            last = time.perf_counter() - before
            done += 1
        if not math.isfinite(float(self.loss)):
            raise Trouble(f"the loss is {float(self.loss)} after {done} steps")
        return last


class Measured:
    """Times of steps, and what the device was like meanwhile."""

    def __init__(self, steps, effort, cap_s):
        warm_up, count, repeats = {"quick": (3, 5, 2), "usual": (10, 20, 3), "full": (30, 50, 3)}[effort]
        last_s = steps.warm_up(warm_up, min(1.0, cap_s / 4) if steps.device.is_gpu else 0, cap_s)
        repeats = min(repeats, max(1, int(cap_s / (5 * last_s))))  # a repetition has five steps at least
        begin_used, begin_switches = busy()
        begin = time.perf_counter()
        self.groups, looks, clock_s = [], [], 0
        for turn in range(repeats):
            seconds, host_s = steps.device.steps(steps.step, count, begin + cap_s * (turn + 1) / repeats)
            self.groups.append(seconds)
            clock_s += host_s
            steps.step()
            looks.append(steps.device.look())  # while the step runs
            steps.device.wait()
        wall = time.perf_counter() - begin
        used, switches = busy()
        self.processors, self.switches = (used - begin_used) / wall, switches - begin_switches
        self.seen = {key: statistics.fmean(look[key] for look in looks) for key in looks[0]}
        self.memory = steps.device.memory()
        self.seconds = [second for group in self.groups for second in group]
        self.total_s = statistics.median(self.seconds)
        self.flags = []
        if abs(clock_s / sum(self.seconds) - 1) > 0.05:
            self.flags.append("clocks-differ")
        if self.switches > MOST_SWITCHES * wall:
            self.flags.append("contended")
        if not math.isfinite(float(steps.loss)):
            raise Trouble(f"the loss is {float(steps.loss)}")

    def between(self):
        """Largest over least median of the repetitions, less one."""
        medians = [statistics.median(group) for group in self.groups]
        return max(medians) / min(medians) - 1

    def notes(self):
        seen = {"sm_clock_mhz": "SM {:.0f} MHz", "power_watt": "{:.0f} W", "temperature_celsius": "{:.0f} degrees"}
        words = [f"{len(self.seconds)} steps", f"spread {100 * rows.spread(self.seconds):.1f} %", f"repetitions {100 * self.between():.1f} % apart"]
        words += [text.format(self.seen[key]) for key, text in seen.items() if key in self.seen]
        if "tensors_bytes" in self.memory:
            words.append(f"tensors {self.memory['tensors_bytes']} B")
        return "; ".join(words + self.flags)
