# SPDX-License-Identifier: BSD-3-Clause
"""Options, the list of what is measured, and the lines that say how far it is."""
import argparse
import itertools
import os
import sys
import time

import torch_attention as attention
import torch_rows as rows
from torch_file import NetworkFile, Trouble

DONE, SOME_FAILED, USAGE, LEFT, LOST, NO_HARDWARE = 0, 1, 2, 3, 75, 77
NAME = "paradl-measure-step-torch"
FRAMEWORKS = ("pytorch-nchw", "pytorch-nhwc", "pytorch-compile", "pytorch-compile+graphs")
CAPS_S = {"quick": 3.0, "usual": 20.0, "full": 60.0}
ATTENTION_CAPS_S = {"quick": 0.5, "usual": 2.0, "full": 5.0}


started = time.monotonic()


def complain(text):
    print(f"{NAME}: {text}", file=sys.stderr, flush=True)


def parser():
    made = argparse.ArgumentParser(prog=NAME, allow_abbrev=False, description="Times training steps of networks on one device with PyTorch.",
                                   epilog="Every network, batch, sequence, precision and program is measured with every other.")
    made.add_argument("--network", default="", metavar="LIST", help="names of paradl's models, or paradl-model(5) files")
    made.add_argument("--batch", default="", metavar="LIST", help="samples of a step [what the model says]")
    made.add_argument("--seq", default="", metavar="LIST", help="tokens of a sample [what the model says]")
    made.add_argument("--precision", default="", metavar="LIST", help="fp32, tf32, fp16, bf16, fp16-mixed, bf16-mixed, fp8-mixed [what the model says]")
    made.add_argument("--framework", default="pytorch-nhwc", metavar="LIST", help=", ".join(FRAMEWORKS) + " [pytorch-nhwc]")
    made.add_argument("--update", default="fused", choices=("fused", "foreach", "loop"), help="kernels of the optimizer [fused; foreach on a processor]")
    made.add_argument("--device", default="", help="cuda, cuda:N or cpu [cuda where there is one]")
    made.add_argument("--threads", type=int, default=0, help="threads of a processor [all cores]")
    made.add_argument("--hw", default="here", help="machine of the rows: a name or path of a paradl-hw(5) profile [here]")
    made.add_argument("--set", default="steps", help="name of the rows' set [steps]")
    made.add_argument("--measured", metavar="CSV", help="add a row of paradl-measured(5) for each point; points that have one are skipped")
    made.add_argument("--out", metavar="FILE", help="add samples, a line for each point")
    made.add_argument("--launch", type=int, default=0, help="number of this launch [0]")
    made.add_argument("--seed", type=int, default=1, help="of weights and samples [1]")
    made.add_argument("--quick", dest="effort", action="store_const", const="quick", default="usual", help="few steps, 3 s a point")
    made.add_argument("--full", dest="effort", action="store_const", const="full", help="many steps, a minute a point")
    made.add_argument("--cap", type=float, default=0, metavar="SECONDS", help="time for the steps of a point [20; quick 3, full 60]")
    made.add_argument("--time-limit", type=float, default=0, metavar="SECONDS",
                      help="begin no point that may not end by then, judged by the longest one; ends with 3 where some are left")
    made.add_argument("--attention", action="store_true", help="fused attention alone, forward and backward, in place of steps [bf16]")
    made.add_argument("--only", default="step", choices=("step",), help=argparse.SUPPRESS)
    made.add_argument("--cases", metavar="FILE", help="points from a file, as 'paradl validate --run' writes it")
    made.add_argument("--list", action="store_true", help="names of all points; measures nothing")
    made.add_argument("--benches", action="store_true", help="what there is to measure")
    return made


def parts(text):
    return [part for part in text.split(",") if part]


def whole(text, what):
    if not text.isdigit() or int(text) < 1:
        raise Trouble(f"--{what} must be whole numbers from 1 on, is \"{text}\"")
    return int(text)


class Point:
    """A network with a batch, a sequence length, a number format and a program."""

    def __init__(self, network, batch, sequence, precision, framework, update, plan=None):
        self.file = NetworkFile(network, sequence)
        self.batch, self.precision, self.framework = batch or self.file.batch, precision or self.file.precision, framework
        self.update = update
        if framework not in FRAMEWORKS:
            raise Trouble(f"{framework} is not run here; these are: {', '.join(FRAMEWORKS)}")
        name = os.path.splitext(os.path.basename(self.file.row_name))[0]
        size = f"{self.batch}x{self.file.sequence}" if self.file.sequence else str(self.batch)
        self.name = f"step/{plan}/{self.batch}/total" if plan else f"step/{name}/{framework}/{self.precision}/{size}/total"
        self.parameters = {"network": name, "strategy": "data=1", "batch": self.batch, "precision": self.precision, "framework": framework,
                           "optimizer": self.file.optimizer, "update": update, "phase": "total"}
        if self.file.sequence:
            self.parameters["seq"] = self.file.sequence

    def row(self, options):
        """The row, without what was measured."""
        model = self.file.row_name
        if model.endswith(".json") and options.measured:
            model = os.path.relpath(os.path.realpath(model), os.path.dirname(os.path.realpath(options.measured)))
        return {"model": model, "hw": options.hw, "strategy": "data=1", "batch": self.batch, "precision": self.precision, "unit": "iter",
                "framework": self.framework, "includes": "compute", "seq": self.file.sequence or "", "set": options.set}


def case_points(path, update):
    """Points of lines such as "plan strategy=data=1 batch=32 precision=fp32 framework=pytorch-nhwc seq=1024 model=resnet50"."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error
    found = []
    for line in lines:
        begin, _, model = line.partition(" model=")
        words = begin.split(" ")
        if words[0] != "plan":
            continue
        said = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        if said.get("strategy") != "data=1":
            raise Trouble(f"plan {said.get('strategy')}: PyTorch runs on one device here, data=1")
        found.append(Point(model, whole(said["batch"], "batch"), whole(said["seq"], "seq") if said.get("seq") else None,
                           said.get("precision"), said["framework"], update, plan=said["strategy"]))
    return found


def points_of(options):
    if options.cases:
        return case_points(options.cases, options.update)
    if not parts(options.network):
        raise Trouble("--network names what to train: resnet50, vgg16, gpt2-xl, llama2-7b, or a paradl-model(5) file")
    batches = [whole(text, "batch") for text in parts(options.batch)] or [None]
    sequences = [whole(text, "seq") for text in parts(options.seq)] or [None]
    return [Point(*chosen, options.update) for chosen in
            itertools.product(parts(options.network), batches, sequences, parts(options.precision) or [None], parts(options.framework))]


def torch_there():
    """Imports PyTorch; says what is missing otherwise."""
    try:
        import torch
    except (ImportError, OSError) as error:
        complain(f"PyTorch is not there for {sys.executable} ({str(error).splitlines()[0]}); activate the environment that has it, or: pip install torch")
        return None
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < (2, 3):
        complain(f"PyTorch {torch.__version__} is too old: 2.3 or later is needed")
        return None
    return torch


def is_shortage(error):
    """Whether a device, or the host, has not got the memory."""
    return type(error).__name__ == "OutOfMemoryError" or "can't allocate memory" in str(error)


def attempt(point, options, device):
    """Runs a point's steps: what was measured, and None; or None and why not."""
    import torch
    from torch_step import Measured, Steps
    steps = None
    try:
        torch.manual_seed(options.seed)
        steps = Steps(point.file, point.batch, point.precision, point.framework, point.update, device)
        found = Measured(steps, options.effort, options.cap or CAPS_S[options.effort])
        point.parameters["parameters"] = steps.parameters
        return found, None
    except (Trouble, RuntimeError) as error:
        return None, error
    finally:
        del steps


def measure(point, options, device, samples, measured):
    """Measures one point. Returns whether that went well."""
    row = point.row(options)
    rows.say("start", point.name)
    found, error = attempt(point, options, device)
    if error is not None:
        absent = is_shortage(error)
        reason = "out of memory" if absent else (str(error).splitlines() or [type(error).__name__])[0]
        error = None
        samples.failed(point.name, point.parameters, reason, absent)
        rows.say("absent" if absent else "failed", point.name, reason)
        device.wait()  # raises where the device is lost, as after an illegal address
        return absent
    environment = device.environment()
    row.update(total_s=f"{found.total_s:.7g}", memory_bytes=found.memory.get("memory_bytes", ""), notes=found.notes(),
               source=f"{NAME}; {environment['device']}; torch {environment['torch']}; update {point.update}")
    samples.add(point.name, dict(point.parameters, **found.memory), found.seconds, calls=1, processors=round(found.processors, 4),
                switches=found.switches, timed="events" if device.is_gpu else "wall", flags=found.flags, **found.seen)
    measured.add(row)
    rows.say("done", point.name, f"{found.total_s:.7g}", f"{rows.half_width(found.seconds):.4g}", len(found.seconds))
    return True


def run_attention(options):
    """Measures fused attention, for 'paradl fit'."""
    if not options.out and not options.list:
        raise Trouble("--attention needs --out FILE for the samples")
    points = attention.points_of(options.effort, parts(options.precision))
    if options.list:
        for point in points:
            rows.say(point.name)
        return DONE
    torch = torch_there()
    if torch is None:
        return NO_HARDWARE
    from torch_device import Device, host
    torch.manual_seed(options.seed)
    device = Device(options.device)
    samples = rows.Samples(options.out, options.launch, options.seed, options.effort, host(), device.environment())
    rows.say("points", len(points))
    cap_s = options.cap or ATTENTION_CAPS_S[options.effort]
    try:
        done = [attention.run_point(point, options, device, samples, cap_s) for point in points]
    except RuntimeError as error:
        complain(f"the device cannot be used any more ({str(error).splitlines()[0]})")
        return LOST
    return DONE if all(done) else SOME_FAILED


def run(options):
    if options.benches:
        rows.say("step")
        return DONE
    if options.attention:
        return run_attention(options)
    points = points_of(options)
    if options.list:
        for point in points:
            rows.say(point.name)
        return DONE
    if not options.out and not options.measured:
        raise Trouble("needs --out FILE for the samples, or --measured CSV for rows")
    torch = torch_there()
    if torch is None:
        return NO_HARDWARE
    from torch_device import Device, host
    if options.threads:
        torch.set_num_threads(options.threads)
    device = Device(options.device)
    measured = rows.Rows(options.measured)
    samples = rows.Samples(options.out, options.launch, options.seed, options.effort, host(), device.environment())
    rows.say("points", len(points))
    fine, longest_s, left = True, 0, 0
    for point in points:
        if measured.has(point.row(options)):
            rows.say("skip", point.name)
            continue
        begin = time.monotonic()
        if 0 < options.time_limit < begin - started + longest_s:
            left += 1
            continue
        try:
            fine = measure(point, options, device, samples, measured) and fine
        except RuntimeError as error:
            complain(f"the device cannot be used any more after {point.name} ({str(error).splitlines()[0]}); start again, points with rows are skipped")
            return LOST
        longest_s = max(longest_s, time.monotonic() - begin)
    if left:
        rows.say("left", left)
        return LEFT
    return DONE if fine else SOME_FAILED


def main(arguments):
    try:
        return run(parser().parse_args(arguments))
    except Trouble as trouble:
        complain(trouble)
        return USAGE
    except KeyboardInterrupt:
        return 130
