/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values at the ends of their ranges, beyond them, or in another's place. */
#include "mutate.h"

static const char *const values[] = {"", " ", "0", "-0", "1", "-1", "2", "3", "7", "8", "16", "64", "1000",
	"1001", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "1e6", "1e9", "9e15", "1e16",
	"1e20", "1e300", "1e308", "1e309", "1e-6", "1e-300", "1e-320", "0.5", "1.5", "0.1",
	"99999999999999999999999999999", "0.0000000000000000000000000000000001", "nan", "inf", "-inf", "0x10",
	"1,5", "1_000", "10%", "150%", "-10%", "0%", "1/3", "null", "true", "1 s", "1 us", "0 s", "-1 s",
	"1e30 s", "1 ns", "1 fortnight", "1 GB/s", "0 GB/s", "1 B/s", "1e18 B/s", "1 GiB", "0 B", "1 B",
	"1e15 B", "1 Tflop/s", "1e30 flop/s", "1 W", "1 EUR", "s", "GB", "12.5 GB/s,500 ns", "*", "..",
	"../x", "/dev/zero", "/dev/null", "/", "a/b", ".", "-", "--", "--help", "=cmd|' /C calc'!A0", "+1",
	"%s%n%x", "\\", "'", ";", "#", "a,b", "a\tb", "fp32", "bf16-mixed", "fp4-mixed", "adam", "sgd",
	"none", "auto", "all", "data=4", "data=*", "tensor=2", "data=2,tensor=2", "data=2,data=2",
	"pipeline=8,micro=4,schedule=interleaved:2", "data=1e9", "data=4,zero=3,recompute=full",
	"data=4294967296", "filter=2,channel=2,spatial=2x2", "data=2,expert=2",
	"context=2,context-method=ring", "data=0", "data=", "conv", "linear", "attention", "moe", "embedding",
	"head", "loss", "norm", "pool", "custom", "add", "concat", "group", "recurrent", "fat-tree:2x2",
	"torus:4x4", "torus:1x1", "ring:1", "ring:0", "dragonfly:2,2,2", "switch:4", "hypercube:3",
	"torus:100000x100000", "ring", "tree", "hw.levels.*.bandwidth=x2", "device.peak.*=x1e300",
	"model.layers.*=0", "hw.levels.0.devices=3", "framework.rules.passes=1e9", "model.dims.seq=1e9",
	"1..4", "1..1e9", "4..1", "1..8+1", "2026-02-30", "allreduce", "\xe2\x80\xae", "\xc3\xa9",
	"\xf0\x9d\x84\x9e", "\xff", "\xc2\x9b", "\x1b[31m", "paradl-model", "paradl-hw", "paradl-device",
	"resnet50", "llama2-7b", "abci", "toy", "tiny", "nccl", "vllm"};

const char *odd_value(struct chance *chance)
{
	return values[chance_below(chance, sizeof values / sizeof *values)];
}
