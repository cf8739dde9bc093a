/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares measured times of single kernels with those that the device files give, and fits the files to them. Rows
 * are priced by the functions that also price plans (machine/device.h), so that plans use exactly the numbers that
 * are fitted here.
 */
#ifndef FIT_KERNELS_PROFILE_H
#define FIT_KERNELS_PROFILE_H

#include "machine/device.h"
#include "paradl/fit.h"

/* The kinds of kernels that rows can be of. */
enum kernel_kind {
	KERNEL_GEMM,
	KERNEL_WEIGHTS,    /* products whose weights alone are narrow, in 8 or 4 bits */
	KERNEL_GROUPED,    /* layers of experts */
	KERNEL_PROMPT,     /* attention of prompts */
	KERNEL_TOKEN,      /* attention of single tokens */
	KERNEL_COLLECTIVE, /* collectives of the devices of a node */
	KERNEL_DISPATCH,   /* tokens that go to their experts or come back */
	KERNEL_KINDS
};
const char *kernel_kind_name(enum kernel_kind kind);

/* A layer of experts on one rank: a product up and one down for each expert that any token is routed to. */
struct grouped_call {
	double tokens;                /* tokens of each such expert: a product's m */
	double hidden, columns;       /* product up: hidden x columns */
	double inner, experts;        /* product down: inner x hidden; experts: number with any token */
	struct experts_choice choice; /* choice for tokens of all ranks, which each rank looks through */
};

/* A measured kernel. */
struct kernel_row {
	enum kernel_kind kind;
	enum paradl_precision precision; /* format of a product, or of attention's cache: bf16 or fp8 */
	double m, n, k, count,
		bytes;       /* sizes of a product, how many of them, and the bytes that these move */
	double weight_bytes; /* bytes of one weight where the weights alone are narrow; 0: they are not */
	struct grouped_call grouped;
	struct attention_call prompt;
	struct token_attention_call token;
	struct node_call node;
	double dispatched; /* bytes of copies of tokens that a device sends to their experts */
	double rotated; /* bytes of a product's operand that repetitions take in turns from several places */
	bool is_cold;   /* repetitions take all operands in turns from more places than the cache holds */
	bool is_narrow; /* operands were in their narrow format before: the time has no cast in it */
	bool is_long; /* the clock has fallen to what the power limit leaves, as in steps, however short a product is */
	const char *operation; /* collective, or phase of a dispatch, as the table names it */
	double seconds;        /* measured time */
	size_t device;         /* index into kernel_rows.devices */
	unsigned fold; /* fold of its shape, not its length: rows with the same weights or heads share it */
};

enum { KERNEL_FOLDS = 5 };

struct kernel_rows {
	struct kernel_row *items;
	size_t count;
	const char **devices; /* names of devices, as in the files of hw-profiles/devices */
	size_t device_count;
	struct paradl_kernels_passed *passed;
	size_t passed_count;
};

/* Adds the rows of a CSV, only those of `device` unless that is NULL (kernels_read.c). Returns false with an error. */
bool kernel_rows_read(struct paradl_arena *arena, const char *path, const char *device,
	struct kernel_rows *rows, struct paradl_error *error);

/*
 * Adds the products of a file of samples, as rows of `device` (kernels_samples.c). What else was measured is counted
 * and passed over. Returns false with an error.
 */
bool kernel_samples_read(struct paradl_arena *arena, const char *path, const char *device,
	struct kernel_rows *rows, struct paradl_error *error);
/* Reads the beginning of a file; what can be read only once, such as standard input, is kept for its next reader. */
struct file_head;
bool kernels_head_read(struct paradl_arena *arena, const char *path, struct file_head *head);
/* Returns whether a file has samples of measuring programs (kernels_samples.c). */
bool kernel_samples_known(struct paradl_arena *arena, const char *path);
/* Returns the index of a device, which it adds where it is new; SIZE_MAX when out of memory (kernels_rows.c). */
size_t kernel_device_add(struct paradl_arena *arena, struct kernel_rows *rows, const char *name);
/* Counts a row of a kind and format without a formula (kernels_rows.c). Returns false when out of memory. */
bool kernel_passed_count(
	struct paradl_arena *arena, struct kernel_rows *rows, const char *kind, const char *format);
/* Returns the fold of a shape, which depends on two of its numbers alone (kernels_rows.c). */
unsigned kernel_fold(double a, double b);

/* Returns the seconds of a row's kernel on a device (kernels_price.c). */
double kernel_row_s(const struct device *device, const struct kernel_row *row);
/*
 * Returns the part of those seconds in which the input of a product is quantized to its narrow format; 0 for other
 * rows.
 */
double kernel_row_quantize_s(const struct device *device, const struct kernel_row *row);
/* Computes the flop of a layer of experts, and the bytes that its products read and write. */
void kernel_experts_work(const struct kernel_row *row, double *flop, double *bytes);
/* Returns the size class of a row, such as "m < 64"; rows of one kind and one class are reported together. */
const char *kernel_row_size(const struct kernel_row *row);
const char *kernel_row_precision(const struct kernel_row *row);

/*
 * The scale in which devices share a constant: as it is; in times of writing a tile at a unit's share of the memory
 * rate (PER_TILE); per unit and cycle (PER_UNIT_CYCLE); in cycles of multiprocessors (IN_CYCLES); in bytes per cycle
 * (EACH_CYCLE).
 */
enum kernel_scale { AS_IT_IS, PER_TILE, PER_UNIT_CYCLE, IN_CYCLES, EACH_CYCLE };

/* A number of a device file that is fitted to a kind of kernels. */
struct kernel_constant {
	const char *name;        /* name of the place, such as "product.wave" (machine/format.h) */
	const char *unit;        /* unit of the number: "s", "B", "B/s" or "" */
	double start, low, high; /* start of the search, and bounds, in its scale */
	enum kernel_kind kind;   /* kind of the rows that it is fitted to */
	enum paradl_precision
		precision; /* number format of the rows that depend on it; PARADL_PRECISION_COUNT: of any */
	enum kernel_scale scale;
	bool throttles; /* it is found from products that take long, after all other constants */
};

struct kernel_fit {
	const struct kernel_constant **constants; /* constants that the rows depend on */
	size_t count;
	double *values;                /* values of the constants, in their scales */
	double *half_width;            /* half-widths of their 95 % intervals, in the same scales */
	double residual[KERNEL_KINDS]; /* median relative error of each kind's rows */
};

/* Returns all constants and their number (kernels_constants.c). */
const struct kernel_constant *kernel_constants(size_t *count);
/* Returns the number in a device file over the value of its constant (kernels_constants.c). */
double kernel_constant_scale(const struct kernel_constant *constant, const struct device *device);

/*
 * Finds the constants of devices from the rows whose `used` (by index) is true, one set for all devices, and puts
 * them into `devices` (kernels_fit.c). `fit` is an earlier fit, where the search begins, or zeroed, to begin at the
 * start of each constant. Returns false with an error.
 */
bool kernels_fit(struct paradl_arena *arena, const struct kernel_rows *rows, const bool *used,
	struct device *devices, struct kernel_fit *fit, struct paradl_error *error);

/*
 * Predicts the seconds of all rows, those of each device from the rows of the others (kernels_devices.c). `files` are
 * the devices as in their files, which tell whose kernels are alike. Returns false with an error.
 */
bool kernels_leave_devices_out(struct paradl_arena *arena, const struct kernel_rows *rows,
	const struct device *files, double *predicted, struct paradl_error *error);

/*
 * Collects the results of a fit of kernels: errors by kind, number format and size, numbers of device files, and
 * points.
 */

struct kernel_scores {
	struct paradl_arena *arena;
	struct paradl_kernel_errors *errors;
	size_t error_count;
	struct paradl_kernel_number *numbers;
	size_t number_count;
	struct paradl_kernel_point *points;
	size_t point_count;
	struct paradl_kernel_roof *roofs;
	size_t roof_count;
	struct paradl_error *error;
};

/* Predicted seconds of rows that were left out, draws x rows; 0: the row was not left out. */
struct kernel_predictions {
	double *seconds;
	size_t draws; /* number of draws; 0: nothing was left out */
};

/*
 * Adds the errors of all groups of rows, and all rows as points; where rows are of several devices, also the errors
 * of all devices together. `fitted` is NULL where nothing was fitted. Returns false with an error.
 */
bool kernel_scores_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted,
	const struct kernel_predictions *predictions);
/* Adds the numbers of a fit of one device. Returns false with an error. */
bool kernel_numbers_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct kernel_fit *fit, const struct device *fitted, const struct device *file);

#endif
