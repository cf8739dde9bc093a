# SPDX-License-Identifier: BSD-3-Clause
"""Number formats of training: what is computed in what, and products of 8 bits."""
import contextlib

import torch
from torch import nn

from torch_file import Trouble

FORMATS = ("fp32", "tf32", "fp16", "bf16", "fp16-mixed", "bf16-mixed", "fp8-mixed")
MOST = {torch.float8_e4m3fn: 448.0, torch.float8_e5m2: 57344.0} if hasattr(torch, "float8_e4m3fn") else {}


def to_8_bits(x, kind):
    """The items over a scale that makes the largest one fill the format, and that scale."""
    scale = (x.detach().abs().amax().float().clamp(min=1e-12) / MOST[kind])
    return (x.float() / scale).to(kind), scale


class Product8(torch.autograd.Function):
    """y = x w' with operands of 8 bits, each with one scale; gradients have the format with more exponents."""

    @staticmethod
    def forward(context, x, weight):
        rows = x.reshape(-1, x.shape[-1])
        narrow, scale = to_8_bits(rows, torch.float8_e4m3fn)
        narrow_weight, weight_scale = to_8_bits(weight, torch.float8_e4m3fn)
        context.save_for_backward(narrow, scale, narrow_weight, weight_scale)
        context.shape, context.weight_kind = x.shape, weight.dtype
        y = torch._scaled_mm(narrow, narrow_weight.t(), scale_a=scale, scale_b=weight_scale, out_dtype=torch.bfloat16, use_fast_accum=True)
        return y.reshape(*x.shape[:-1], weight.shape[0])

    @staticmethod
    def backward(context, upper):
        narrow, scale, narrow_weight, weight_scale = context.saved_tensors
        rows = upper.reshape(-1, upper.shape[-1])
        steep, steep_scale = to_8_bits(rows, torch.float8_e5m2)
        # The second operand is read by columns, so transposes are made in memory.
        data = torch._scaled_mm(steep, narrow_weight.t().contiguous().t(), scale_a=steep_scale, scale_b=weight_scale, out_dtype=torch.bfloat16)
        weight = torch._scaled_mm(steep.t().contiguous(), narrow.t().contiguous().t(), scale_a=steep_scale, scale_b=scale, out_dtype=torch.bfloat16)
        return data.reshape(context.shape), weight.to(context.weight_kind)


class Linear8(nn.Module):
    """A linear layer whose products have operands of 8 bits."""

    def __init__(self, line):
        super().__init__()
        self.weight, self.bias = line.weight, line.bias

    def forward(self, x):
        y = Product8.apply(x, self.weight)
        return y if self.bias is None else y + self.bias.to(y.dtype)


def narrow_linears(module):
    """Puts layers of 8 bits in place of linear ones whose sizes allow it; returns how many."""
    count = 0
    for name, child in module.named_children():
        if isinstance(child, nn.Linear) and child.in_features % 16 == 0 and child.out_features % 16 == 0 and name != "scores":
            setattr(module, name, Linear8(child))
            count += 1
        else:
            count += narrow_linears(child)
    return count


class Format:
    """How a network is run in a number format on a device."""

    def __init__(self, name, device):
        if name not in FORMATS:
            raise Trouble(f"precision {name} is not run here; these are: {', '.join(FORMATS)}")
        self.name, self.device = name, device
        capability = torch.cuda.get_device_capability(device) if device.type == "cuda" else None
        if name == "tf32" and (capability is None or capability < (8, 0)):
            raise Trouble("tf32 is of GPUs of compute capability 8.0 or later")
        if name == "fp8-mixed" and (not MOST or not hasattr(torch, "_scaled_mm") or (capability and capability < (8, 9))):
            raise Trouble("fp8-mixed needs PyTorch 2.5 or later, and on GPUs compute capability 8.9")
        if name == "fp16-mixed" and device.type != "cuda":
            raise Trouble("fp16-mixed is run on GPUs only")
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = name == "tf32"
        self.narrow = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp16-mixed": torch.float16, "bf16-mixed": torch.bfloat16,
                       "fp8-mixed": torch.bfloat16}.get(name)
        self.scaler = torch.amp.GradScaler("cuda") if name == "fp16-mixed" else None

    def put(self, module):
        """Makes a module's items what they are in this format."""
        if self.name in ("fp16", "bf16"):
            return module.to(self.narrow)
        if self.name == "fp8-mixed" and not narrow_linears(module):
            raise Trouble("fp8-mixed: no linear layer has sizes that are multiples of 16")
        return module

    def given(self, x):
        """Samples as a network of this format reads them."""
        return x.to(self.narrow) if self.name in ("fp16", "bf16") and x.is_floating_point() else x

    def running(self):
        """In force while forward runs."""
        return torch.autocast(self.device.type, self.narrow) if self.name.endswith("-mixed") else contextlib.nullcontext()
