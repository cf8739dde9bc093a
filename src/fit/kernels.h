/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured times of single kernels, against what the device files say of them. Rows are priced by the functions that plans are
 * priced by (machine/device.h), so what is fitted here is what plans use.
 */
#ifndef FIT_KERNELS_H
#define FIT_KERNELS_H

#include "machine/device.h"

enum kernel_kind {
	KERNEL_GEMM,
	KERNEL_WEIGHTS, /* products in 16 bits of weights in 8 or 4 */
	KERNEL_GROUPED,
	KERNEL_PROMPT,
	KERNEL_TOKEN,
	KERNEL_COLLECTIVE,
	KERNEL_DISPATCH,
	KERNEL_KINDS
};
const char *kernel_kind_name(enum kernel_kind kind);

/* A layer of experts on one rank: a product up and one down for each expert that any token comes to. */
struct grouped_call {
	double tokens;                /* of each such expert: a product's m */
	double hidden, columns;       /* up: hidden x columns */
	double inner, experts;        /* down: inner x hidden; experts: that any token comes to */
	struct experts_choice choice; /* of tokens of all ranks, which each rank looks through */
};

struct kernel_row {
	enum kernel_kind kind;
	enum paradl_precision precision; /* of a product; of attention that of the cache: bf16 or fp8 */
	double m, n, k, bytes;           /* of a product */
	double weight_bytes; /* of an item of the weights, where they alone are narrow; 0: they are not */
	struct grouped_call grouped;
	struct attention_call prompt;
	struct token_attention_call token;
	struct node_call node;
	double dispatched; /* bytes of copies of tokens that a device sends to their experts */
	double rotated; /* bytes of a product's operand that repetitions take in turns from several places */
	const char *operation; /* of a node's devices, as rows name it */
	double seconds;
	size_t device; /* index into names */
	unsigned fold; /* by its shape, not by its length: rows of one fold share weights or heads */
};

enum { KERNEL_FOLDS = 5 };

struct kernel_rows {
	struct kernel_row *items;
	size_t count;
	const char **devices; /* names, as files of hw-profiles/devices have them */
	size_t device_count;
	struct paradl_kernels_passed *passed;
	size_t passed_count;
};

/* kernels_read.c: adds the rows of a CSV; only those of `device` unless that is NULL. */
bool kernel_rows_read(struct paradl_arena *arena, const char *path, const char *device,
	struct kernel_rows *rows, struct paradl_error *error);

/* kernels_price.c: seconds of a row's kernel on a device. */
double kernel_row_s(const struct device *device, const struct kernel_row *row);
/* Returns the seconds of that in which the input of a product is brought to its narrow format. */
double kernel_row_quantize_s(const struct device *device, const struct kernel_row *row);
/* Finds the flop of a layer of experts, and the bytes that its products read and write. */
void kernel_experts_work(const struct kernel_row *row, double *flop, double *bytes);
/* "m < 64": rows of one kind and one size are reported together. */
const char *kernel_row_size(const struct kernel_row *row);
const char *kernel_row_precision(const struct kernel_row *row);

/* What a constant is told in, so that devices share it: seconds to write a tile at a unit's share of the memory rate; units; cycles
 * of multiprocessors; bytes a cycle. */
enum kernel_scale { AS_IT_IS, PER_TILE, PER_UNIT_CYCLE, IN_CYCLES, EACH_CYCLE };

/* A number of a device file that a kind of kernels is fitted through. */
struct kernel_constant {
	const char *name; /* "product.wave"; place.h */
	const char *unit; /* "s", "B", "B/s" or "" */
	double start, low, high;
	enum kernel_kind kind; /* whose rows say what it is */
	enum paradl_precision
		precision; /* rows of other formats know nothing of it; PARADL_PRECISION_COUNT: all do */
	enum kernel_scale scale;
	bool throttles; /* said by products that take long, once all others are known */
};

struct kernel_fit {
	const struct kernel_constant **constants; /* those that the rows say something of */
	size_t count;
	double *values;     /* of constants, in their scales */
	double *half_width; /* of intervals that hold them in 95 of 100 cases */
	double residual[KERNEL_KINDS];
};

/* kernels_constants.c: all that there are. */
const struct kernel_constant *kernel_constants(size_t *count);
/* kernels_constants.c: a number of a device file over the value of its constant. */
double kernel_constant_scale(const struct kernel_constant *constant, const struct device *device);

/*
 * kernels_fit.c: finds the constants of devices from rows for which `used` (by index) is true, all devices' alike; `devices` are
 * changed to have them. `fit`: of a fit before, where to begin; zeroed: as constants say.
 */
bool kernels_fit(struct paradl_arena *arena, const struct kernel_rows *rows, const bool *used,
	struct device *devices, struct kernel_fit *fit, struct paradl_error *error);

/*
 * kernels_devices.c: predicts the seconds of all rows, of each device from those of others; `files`: devices as their files have them,
 * which say whose kernels are alike.
 */
bool kernels_leave_devices_out(struct paradl_arena *arena, const struct kernel_rows *rows,
	const struct device *files, double *predicted, struct paradl_error *error);

#endif
