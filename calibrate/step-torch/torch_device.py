# SPDX-License-Identifier: BSD-3-Clause
"""The device: its name, clocks and memory; when it has done what it was asked."""
import os
import platform
import resource
import time

import torch

from torch_file import Trouble
from torch_nvml import Nvml


def processor_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class Device:
    """Where steps run: "cuda", "cuda:1" or "cpu"."""

    def __init__(self, name):
        wanted = name or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            self.torch = torch.device(wanted)
        except RuntimeError as error:
            raise Trouble(f"device {wanted}: it is cuda, cuda:N or cpu") from error
        if self.torch.type not in ("cuda", "cpu"):
            raise Trouble(f"device {wanted} is not run here: it is cuda, cuda:N or cpu")
        self.is_gpu = self.torch.type == "cuda"
        self.nvml = None
        if self.is_gpu:
            if not torch.cuda.is_available():
                raise Trouble("there is no CUDA device that PyTorch can use (--device cpu runs on the processor)")
            torch.cuda.set_device(self.torch)
            bus = torch.cuda.get_device_properties(self.torch)
            if hasattr(bus, "pci_bus_id"):
                self.nvml = Nvml(f"{bus.pci_domain_id:08x}:{bus.pci_bus_id:02x}:{bus.pci_device_id:02x}.0")

    def environment(self):
        """What does not change while steps run."""
        found = {"device": torch.cuda.get_device_name(self.torch) if self.is_gpu else processor_name(), "torch": torch.__version__,
                 "python": platform.python_version()}
        if self.is_gpu:
            found["cuda"] = str(torch.version.cuda)
            found["cudnn"] = str(torch.backends.cudnn.version())
            found["memory"] = f"{torch.cuda.get_device_properties(self.torch).total_memory} B"
        else:
            found["threads"] = str(torch.get_num_threads())
        if self.nvml and self.nvml.driver():
            found["driver"] = self.nvml.driver()
        if self.nvml and self.nvml.most_clock():
            found["sm_clock_most"] = f"{self.nvml.most_clock()} MHz"
        return found

    def look(self):
        return self.nvml.look() if self.nvml else {}

    def wait(self):
        if self.is_gpu:
            torch.cuda.synchronize(self.torch)

    def forget(self):
        """Gives memory back, so that a peak is that of one network."""
        if self.is_gpu:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats(self.torch)

    def memory(self):
        """Bytes at the peak: of tensors, and of all that the program holds of the device, its context included."""
        if not self.is_gpu:
            return {}
        free, whole = torch.cuda.mem_get_info(self.torch)
        reserved = torch.cuda.memory_reserved(self.torch)
        context = max(0, whole - free - reserved)
        return {"tensors_bytes": torch.cuda.max_memory_allocated(self.torch), "memory_bytes": torch.cuda.max_memory_reserved(self.torch) + context}

    def steps(self, step, count, until_s):
        """Seconds of steps that follow one another: `count`, or as many as fit, three at least; and those of the host's clock.

        The device's own clock counts from the end of a step to the end of the next, while the host is ahead of it: no wait for the host is added,
        and none that there is gets lost. The step before the first is not counted."""
        step()
        self.wait()
        begin = time.perf_counter()
        if not self.is_gpu:
            marks = [begin]
            while len(marks) <= count and (len(marks) <= 3 or time.perf_counter() < until_s):
                step()
                marks.append(time.perf_counter())
            return [after - before for before, after in zip(marks, marks[1:])], marks[-1] - begin
        events = [torch.cuda.Event(enable_timing=True)]
        events[0].record()
        while len(events) <= count and (len(events) <= 3 or time.perf_counter() < until_s):
            step()
            events.append(torch.cuda.Event(enable_timing=True))
            events[-1].record()
            if len(events) > 8:
                events[-8].synchronize()  # so that the host is a few steps ahead, and not all of them
        self.wait()
        return [before.elapsed_time(after) / 1e3 for before, after in zip(events, events[1:])], time.perf_counter() - begin


def busy():
    """Seconds of the processor that this program has had, and how often another one took it away."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, used.ru_nivcsw


def host():
    return os.uname().nodename
