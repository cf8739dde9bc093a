/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists the numbers of device files that can be fitted to times of kernels. Bounds are physical: shares, a launch,
 * the rate at which a multiprocessor reads.
 */
#include "fit/kernels_profile.h"

#define EVERY     PARADL_PRECISION_COUNT
#define US(value) ((value)*1e-6)
#define LONG      true

static const struct kernel_constant constants[] = {
	{"product.launch", "s", US(2.4), US(0.2), US(20), KERNEL_GEMM, EVERY, AS_IT_IS, false},
	{"product.wave", "s", 0.5, 0.005, 5, KERNEL_GEMM, EVERY, PER_TILE, false},
	{"product.half_tile", "", 0.85, 0.3, 1, KERNEL_GEMM, EVERY, AS_IT_IS, false},
	{"product.wave_share", "", 0.5, 0, 1, KERNEL_GEMM, EVERY, AS_IT_IS, false},
	{"product.split", "s", US(2), US(0.01), US(20), KERNEL_GEMM, EVERY, AS_IT_IS, false},
	{"product.exposed", "", 0.3, 0, 1, KERNEL_GEMM, EVERY, AS_IT_IS, false},
	{"product.memory_share", "", 0.9, 0.3, 1.3, KERNEL_GEMM, EVERY, AS_IT_IS, false},
	{"product.half_tiles.fp4", "", 0.4, 0.05, 1, KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS, false},
	{"product.sustained.fp32", "", 0.8, 0.1, 1, KERNEL_GEMM, PARADL_FP32, AS_IT_IS, false},
	{"product.sustained.tf32", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_TF32, AS_IT_IS, false},
	{"product.sustained.bf16", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_BF16, AS_IT_IS, false},
	{"product.sustained.fp16", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_FP16, AS_IT_IS, false},
	{"product.sustained.fp8", "", 0.7, 0.1, 1, KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS, false},
	{"product.sustained.mxfp8", "", 0.6, 0.1, 1, KERNEL_GEMM, PARADL_MXFP8_MIXED, AS_IT_IS, false},
	{"product.sustained.fp4", "", 0.5, 0.1, 1, KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS, false},
	{"product.throttled.fp32", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_FP32, AS_IT_IS, LONG},
	{"product.throttled.tf32", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_TF32, AS_IT_IS, LONG},
	{"product.throttled.bf16", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_BF16, AS_IT_IS, LONG},
	{"product.throttled.fp16", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_FP16, AS_IT_IS, LONG},
	{"product.throttled.fp8", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS, LONG},
	{"product.throttled.mxfp8", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_MXFP8_MIXED, AS_IT_IS, LONG},
	{"product.throttled.fp4", "", 0.85, 0.3, 1, KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS, LONG},
	{"product.quantize.fp8.start", "s", US(8), US(0.1), US(40), KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS,
		false},
	{"product.quantize.fp8.bytes", "B", 4, 0.1, 30, KERNEL_GEMM, PARADL_FP8_MIXED, AS_IT_IS, false},
	{"product.quantize.mxfp8.start", "s", US(3), US(0.1), US(40), KERNEL_GEMM, PARADL_MXFP8_MIXED,
		AS_IT_IS, false},
	{"product.quantize.mxfp8.bytes", "B", 4, 0.1, 30, KERNEL_GEMM, PARADL_MXFP8_MIXED, AS_IT_IS, false},
	{"product.quantize.fp4.start", "s", US(5), US(0.1), US(40), KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS,
		false},
	{"product.quantize.fp4.bytes", "B", 4, 0.1, 30, KERNEL_GEMM, PARADL_FP4_MIXED, AS_IT_IS, false},
	{"product.narrow_weights", "s", US(5), US(0.1), US(40), KERNEL_WEIGHTS, EVERY, AS_IT_IS, false},
	{"product.grouped.rate", "", 0.8, 0.1, 1.5, KERNEL_GROUPED, EVERY, AS_IT_IS, false},
	{"product.grouped.start", "s", 54e3, 1800, 360e3, KERNEL_GROUPED, EVERY, IN_CYCLES, false},
	{"product.grouped.copies", "", 2.5, 0.01, 30, KERNEL_GROUPED, EVERY, AS_IT_IS, false},
	{"product.grouped.sort", "s", 1.8, 0.0018, 180, KERNEL_GROUPED, EVERY, IN_CYCLES, false},
	{"product.grouped.choose", "s", 1800, 2, 36e3, KERNEL_GROUPED, EVERY, IN_CYCLES, false},
	{"attention.forward", "", 0.8, 0.05, 2, KERNEL_PROMPT, EVERY, AS_IT_IS, false},
	{"attention.narrow", "", 1.5, 0.3, 4, KERNEL_PROMPT, PARADL_FP8_MIXED, AS_IT_IS, false},
	{"attention.narrow_cache", "", 1.5, 0.3, 4, KERNEL_PROMPT, PARADL_FP8_MIXED, AS_IT_IS, false},
	{"attention.narrow_other", "", 1.5, 0.3, 4, KERNEL_PROMPT, PARADL_FP8_MIXED, AS_IT_IS, false},
	{"attention.narrow_block", "s", 3600, 20, 36e3, KERNEL_PROMPT, PARADL_FP8_MIXED, IN_CYCLES, false},
	{"attention.block", "s", 3600, 20, 36e3, KERNEL_PROMPT, EVERY, IN_CYCLES, false},
	{"attention.softmax", "", 28, 0.5, 5600, KERNEL_PROMPT, EVERY, PER_UNIT_CYCLE, false},
	{"attention.start", "s", US(12), US(0.5), US(50), KERNEL_PROMPT, EVERY, AS_IT_IS, false},
	{"attention.copies", "", 2, 0.01, 20, KERNEL_PROMPT, EVERY, AS_IT_IS, false},
	{"attention.token.start", "s", US(8), US(0.5), US(40), KERNEL_TOKEN, EVERY, AS_IT_IS, false},
	{"attention.token.block", "s", 3600, 20, 36e3, KERNEL_TOKEN, EVERY, IN_CYCLES, false},
	{"attention.token.group", "s", 90, 2, 1800, KERNEL_TOKEN, EVERY, IN_CYCLES, false},
	{"attention.token.single", "s", 2300, 20, 36e3, KERNEL_TOKEN, EVERY, IN_CYCLES, false},
	{"attention.token.rate", "B/s", 33, 0.5, 280, KERNEL_TOKEN, EVERY, EACH_CYCLE, false},
	{"attention.token.wide_rate", "B/s", 17, 0.5, 170, KERNEL_TOKEN, EVERY, EACH_CYCLE, false},
	{"attention.token.exposed", "", 0.5, 0, 1, KERNEL_TOKEN, EVERY, AS_IT_IS, false},
	{"attention.token.narrow.block", "s", 1800, 20, 36e3, KERNEL_TOKEN, PARADL_FP8_MIXED, IN_CYCLES,
		false},
	{"attention.token.narrow.single", "s", 2300, 20, 36e3, KERNEL_TOKEN, PARADL_FP8_MIXED, IN_CYCLES,
		false},
	{"attention.token.narrow.wide_rate", "B/s", 17, 0.5, 170, KERNEL_TOKEN, PARADL_FP8_MIXED, EACH_CYCLE,
		false},
	{"attention.token.split", "s", 3600, 20, 36e3, KERNEL_TOKEN, EVERY, IN_CYCLES, false},
	{"attention.token.split_keys", "", 256, 16, 8192, KERNEL_TOKEN, EVERY, AS_IT_IS, false},
	{"link.share", "", 0.75, 0.01, 0.9, KERNEL_COLLECTIVE, EVERY, AS_IT_IS, false},
	{"link.beyond_switch.share", "", 0.25, 0.002, 1, KERNEL_COLLECTIVE, EVERY, AS_IT_IS, false},
	{"link.beyond_socket.share", "", 0.1, 0.002, 1, KERNEL_COLLECTIVE, EVERY, AS_IT_IS, false},
	{"link.start", "s", 15e3, 200, 75e3, KERNEL_COLLECTIVE, EVERY, IN_CYCLES, false},
	{"link.start_log", "s", US(1), US(0.01), US(20), KERNEL_COLLECTIVE, EVERY, AS_IT_IS, false},
	{"link.own", "", 0.4, 0, 2, KERNEL_COLLECTIVE, EVERY, AS_IT_IS, false},
	{"link.ramp", "s", 75e3, 2e3, 400e3, KERNEL_COLLECTIVE, EVERY, IN_CYCLES, false},
	{"link.dispatch_start", "s", US(30), US(1), US(200), KERNEL_DISPATCH, EVERY, AS_IT_IS, false},
	{"link.dispatch_rate", "B/s", 300e9, 1e9, 10e12, KERNEL_DISPATCH, EVERY, AS_IT_IS, false},
};

const struct kernel_constant *kernel_constants(size_t *count)
{
	*count = sizeof constants / sizeof *constants;
	return constants;
}

double kernel_constant_scale(const struct kernel_constant *constant, const struct device *device)
{
	static const double tile_bytes = 128 * 256 * 2, usual_cycle_s = 1 / 1.8e9;
	const double units = device->product.units > 0 ? device->product.units : 1;
	const double cycle_s = device->link.cycle_s > 0 ? device->link.cycle_s : usual_cycle_s;
	return constant->scale == PER_TILE         ? tile_bytes * units / device->memory_bytes_per_s
	       : constant->scale == PER_UNIT_CYCLE ? units / cycle_s
	       : constant->scale == IN_CYCLES      ? cycle_s
	       : constant->scale == EACH_CYCLE     ? 1 / cycle_s
						   : 1;
}
