/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device: the times of its kernels (contraction.c, attention.c), read from its file (device.c, device_blocks.c). */
#ifndef MACHINE_DEVICE_H
#define MACHINE_DEVICE_H

#include "base/arena.h"
#include "base/json.h"
#include "machine/link.h"

/*
 * Lengths at which a product runs at half its rate, one for each of its three: its work counts as 2 (M + m) (N + n)
 * (K + k). They are Hockney's n_1/2 (Hockney and Jesshope, Parallel Computers 2, 1988) for three lengths; 0: none.
 */
struct half_lengths {
	double m, n, k;
};

/* The cast of a product's input to a narrow format. */
struct device_quantize {
	double start_s; /* time of its launch and of all else that is fixed */
	double bytes;   /* bytes moved for each item of the input */
};

/* Products of experts, many small ones in one launch. */
struct device_grouped {
	double rate;    /* rate relative to that of one product */
	double start_s; /* time of a served layer of experts: choosing, sorting, and the launches of all that */
	double copies; /* served layer: passes over the tokens that come to the experts of the device */
	double sort_s; /* served layer: time for each expert that any token of the group chooses */
	double choose_s; /* served layer: time for each expert of a token beyond eight, which one kernel can choose */
};

/* Speed of matrix products by their shape; contraction.c. Shares are of the peak in that number format. */
struct device_product {
	double units; /* multiprocessors: tiles that run at once; 0: not known, nothing comes in waves */
	double sustained[PARADL_PRECISION_COUNT]; /* share of the peak that a large product alone reaches */
	double throttled
		[PARADL_PRECISION_COUNT]; /* share of that which the power limit leaves of products that take long */
	double half_tile; /* rate of 128 x 64 tiles / that of 128 x 256; 128 x 128: its root, 64 x 64: squared */
	double half_tiles[PARADL_PRECISION_COUNT]; /* half_tile of one number format; 0: half_tile */
	double wave_s;       /* fixed time of one wave of 128 x 256 tiles: prologue and epilogue */
	double split_s;      /* fixed time of a product whose depth is cut into parts for idle units */
	double memory_share; /* share of the memory rate that products reach */
	double exposed; /* share of the shorter of arithmetic and memory traffic that the longer does not hide */
	double launch_s;   /* time of one kernel, back to back */
	double wave_share; /* degree to which waves are whole: 1 quantized, 0 filled up by what follows */
	double cast_bytes; /* bytes moved for each input item when it is cast to fp8 or fp4 */
	double narrow_weights_s; /* extra time of a product that widens its weights from 8 or 4 bits to 16 */
	double unaligned; /* time factor of arithmetic where rows of the result, or heads, are no multiple of 8 items */
	struct half_lengths half; /* half-lengths where units are not known: tiles and waves say the same */
	struct device_grouped grouped;
	struct device_quantize
		quantize[PARADL_PRECISION_COUNT]; /* casts before products of serving, by narrow format */
};

/* Numbers of device_token_attention that are different with 8-bit caches. */
struct device_narrow_attention {
	double block_s, single_s, wide_bytes_per_s;
	double whole; /* 1: keys of a head that serves a group are never split */
};

/*
 * Attention of one new token of each sequence; attention.c. A block reads the keys and values of one head that heads
 * of a group share. It reads those of one head for itself where there are no groups, or wide ones. Bytes are those
 * that the items have in 16 bits.
 */
struct device_token_attention {
	double start_s;
	double block_s, group_s; /* fixed time of a block that serves a group; more for each head in it */
	double single_s;         /* fixed time of a block that serves one head */
	double bytes_per_s;      /* rate at which a block works; 0: not known, none of this is used */
	double wide_bytes_per_s; /* the same where it serves one head */
	double split_s;          /* extra time where keys of a head are split among multiprocessors */
	double split_keys;       /* least keys in each part */
	double exposed;          /* share of the fixed times that reading the cache does not hide */
	struct device_narrow_attention narrow;
};

/*
 * Numbers that decide how fast convolutions run, on top of their products; contraction.c. All 0: nothing is known.
 * Numbers of matrix units hold in all number formats but fp32.
 */
struct device_convolution {
	double sustained[PARADL_PRECISION_COUNT]; /* share of the peak; else as contractions */
	double tile;                              /* channels of the result are rounded up to it */
	double winograd;     /* speed-up in fp32 only; as of contractions where the file does not say */
	double start_s;      /* least time of a pass of matrix units */
	double memory_share; /* share of the memory rate that convolutions of matrix units reach; 0: 1 */
	double group_tile;   /* channels that those of one group are rounded up to; 0: groups share a tile */
	double tap_s; /* depthwise: time of one multiprocessor for a 16-bit item and one place of the kernel */
	double tap_passes;        /* depthwise: further passes over input and output */
	double nchw_passes;       /* passes over input and output, to change the layout for matrix units */
	double nchw_point_passes; /* nchw_passes of 1x1 convolutions */
	double nchw_taps;         /* time factor of depthwise convolutions in NCHW */
	double volume_passes; /* passes over all it touches, to bring three dimensions before matrix units */
	double volume[PARADL_PRECISION_COUNT]; /* rate in three dimensions / that in two */
};

/* Fused attention; forward and backward are shares of peak times sustained. */
struct device_attention {
	double forward, backward;
	double portable; /* rate of the portable kernel (flash-attention 2) / the vendor's; 0: 1 */
	double narrow;   /* rate of the 8-bit kernel / the 16-bit one; 0: 1 */
	double narrow_cache,
		narrow_other; /* narrow for queries with 16 bits; for heads not of 128 to 192; 0: as narrow */
	double tile, key_tile; /* queries of a block, keys that it takes at a time; tile 0: not known */
	double block_s, narrow_block_s; /* fixed time of a block; for heads of narrow_other, 0: the same */
	double softmax_per_s; /* rate of exponentials of scores, on the whole device; 0: they take no time */
	double start_s;       /* time of a prompt: rotating, writing the cache, and their launches */
	double copies;        /* passes of a prompt over queries, keys, values and output */
	struct device_token_attention token;
};

enum { TILE_SHAPES = 5, GROUPED_SHAPES = 6, MEMORY_LEVELS_MAX = 8 };

/*
 * The cache that all multiprocessors share. A kernel that is timed again and again reads from it instead of from
 * memory; sums of parts go through it, too.
 */
struct device_cache {
	double bytes, bytes_per_s; /* 0: not known */
};

/* A cache: passes over at most up_to_bytes run at its rate. */
struct memory_level {
	double up_to_bytes, bytes_per_s, s_per_byte;
};

/* Rates that device_product_derive computes from device_product. */
struct product_rates {
	double s_per_flop[PARADL_PRECISION_COUNT]; /* time on the whole device at full tiles; 0: it cannot */
	double s_per_byte, unit_share;             /* 1 / units */
	double slower[PARADL_PRECISION_COUNT][GROUPED_SHAPES]; /* full rate / rate, by shape of tile */
	double bytes_share[PARADL_PRECISION_COUNT]; /* time of a weight's bytes / that in a tile of 64 rows */
	double grouped_slower[GROUPED_SHAPES];      /* slower for grouped products, in any format */
	double wave_s[GROUPED_SHAPES], reduce_s[GROUPED_SHAPES];
};

/* The device whose numbers stand for those that a device's own file does not state. */
struct device_tie {
	const char *device; /* name of its file; NULL: none */
	const char *reason;
};

struct device {
	const char *name, *path;
	struct device_tie tied_to;
	const struct json *from;                        /* origins of its numbers; NULL: none */
	double peak_flop_per_s[PARADL_PRECISION_COUNT]; /* 0: not in this format */
	double memory_bytes;
	double memory_bytes_per_s; /* rate sustained by streaming kernels, reads and writes counted */
	struct memory_level memory_levels[MEMORY_LEVELS_MAX]; /* ascending in bytes, descending in rate */
	unsigned memory_level_count;
	double efficiency; /* contraction rate / peak once tiles are counted, in formats not below */
	double contraction_share[PARADL_PRECISION_COUNT]; /* efficiency of each number format */
	double tile, depth_tile;  /* a contraction's output channels and depth are rounded up to these */
	double winograd;          /* speed-up of 3x3 stride-1 two-dimensional convolutions */
	double launch_s;          /* least time of one kernel */
	struct half_lengths half; /* half-lengths of contractions */
	struct device_convolution convolution;
	double patches; /* passes over the matrix of patches that convolutions make first; 0: they make none */
	double busy_watt, idle_watt;      /* 0: not known */
	double memory_watt, waiting_watt; /* while memory limits its kernels; while it waits for others */
	bool memory_is_given, waiting_is_given; /* false: as device_power_derive has them */
	struct device_cache cache;
	struct device_product product;
	struct device_attention attention;
	struct device_link link;
	/* Numbers that device_derive computes, so that the hot path divides by nothing. */
	double s_per_byte, s_per_flop[PARADL_PRECISION_COUNT], tiles_per_item, tiles_per_depth;
	double convolution_s_per_flop[PARADL_PRECISION_COUNT], convolution_tiles_per_item, tiles_per_group;
	struct product_rates product_rates;
};

/* Returns the bytes of one activation or gradient item. */
double precision_activation_bytes(enum paradl_precision precision);
double precision_weight_bytes(enum paradl_precision precision);
/* Returns the bytes of a weight that is stored for products only, as inference does. */
double precision_stored_bytes(enum paradl_precision precision);
/* Returns the format of all other work: bf16 in place of narrow formats, which are for products with weights only. */
static inline enum paradl_precision precision_wide(enum paradl_precision precision)
{
	return precision == PARADL_FP8_MIXED || precision == PARADL_MXFP8_MIXED ||
			       precision == PARADL_FP4_MIXED
		       ? PARADL_BF16_MIXED
		       : precision;
}
/* Returns the bytes of a weight in the fp32 copy that mixed precision keeps; else 0. */
double precision_master_bytes(enum paradl_precision precision);

/* Returns seconds for each byte of a pass over `bytes` of memory. The time of passes never shrinks when they grow. */
static inline double device_s_per_byte(const struct device *device, double bytes)
{
	double s_per_byte = device->s_per_byte;
	for (unsigned i = device->memory_level_count;
		i-- > 0 && bytes <= device->memory_levels[i].up_to_bytes;)
		s_per_byte = device->memory_levels[i].s_per_byte;
	return s_per_byte;
}

/*
 * Returns seconds to read and write `bytes` in products and attention of single tokens, which reach a share of the
 * rates of passes.
 */
static inline double device_product_memory_s(const struct device *device, double bytes)
{
	if (device->memory_level_count)
		return bytes * device_s_per_byte(device, bytes) / device->product.memory_share;
	return bytes * device->product_rates.s_per_byte;
}

/* Fills the derived fields of a device; device_load has done so. */
void device_derive(struct device *device);
void device_product_derive(struct device *device);
/*
 * Slows products and attention down from their rates alone to those in a step. Both keep a share. Products also keep
 * only what the power limit leaves when their clock falls; attention, as fast in 20 ms as in 1 ms, draws less power.
 * Times that memory limits stay.
 */
void device_sustain(struct device *device, double share);
/*
 * Builds a device from a tree, which is that of a file or of the part of a profile that stands for one (then there is
 * no path), and from the device that it is tied to. The latter is looked up beside it or in `directories`
 * (NULL-terminated; may be NULL). changes: NULL: none.
 */
bool device_build(struct paradl_arena *arena, const struct json *file, const char *const *directories,
	const struct paradl_changes *changes, struct device *device, struct paradl_error *error);
bool device_load(struct paradl_arena *arena, const char *path, const char *const *directories,
	struct device *device, struct paradl_error *error);
bool device_load_changed(struct paradl_arena *arena, const char *path, const char *const *directories,
	const struct paradl_changes *changes, struct device *device, struct paradl_error *error);

/*
 * Sets the error of a name, at `node`, that no device has: the nearest name among those in `directories` (may be NULL).
 * Returns false.
 */
bool device_missing(struct paradl_arena *arena, const struct json *node, const char *name,
	const char *const *directories, struct paradl_error *error);
/* Reads from which device a file takes numbers, and why. */
bool device_tie_read(const struct json *root, struct device_tie *tie, struct paradl_error *error);
/*
 * Multiplies *factor by the factors that a tied file applies to the other device's number "product.sustained.bf16".
 * False: it does not take that number. Whether the file has the number itself is not looked at.
 */
bool device_tie_factor(const struct json *root, const char *name, double *factor);
/*
 * Returns the path of the other device: beside a device file, in devices/ beside a profile, or shipped. NULL: out of
 * memory.
 */
const char *device_tie_path(struct paradl_arena *arena, const struct json *root, const char *name,
	const char *const *directories);
/*
 * Returns the tree with the numbers that come from the device that it is tied to; the tree itself where it is tied to
 * none. NULL with an error.
 */
const struct json *device_tied(struct paradl_arena *arena, const struct json *root,
	const char *const *directories, struct paradl_error *error);

bool device_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/*
 * A contraction M x N x K on one device, whose time is (roofline):
 *     max( 2 (M + m) (ceil(N / tile) tile + n) (ceil(K / depth) depth + k) / (peak efficiency speed_up),
 *          bytes / memory rate, launch ) + patches patch_bytes / memory rate
 * N and K are the channel-like dimensions, which kernels pad to their tiles; M (samples * positions) is long and
 * counts as it is. tile_m: M is channel-like too (backward-weight). m, n, k: half-lengths; n once for each group.
 * Where the file has "convolution", matrix units have a depth of their own and a share of the memory rate, and change
 * the layout of NCHW; depthwise convolutions take passes and taps instead.
 */
struct contraction {
	double m, n, k, groups;
	double bytes, speed_up;
	double patch_bytes; /* bytes of the matrix of patches; 0: it is not made */
	double taps;        /* depthwise: items times places of the kernel; 0: it is none */
	double item_bytes;
	double passes;        /* convolutions: rules.convolution_passes */
	double changed_bytes; /* bytes of input and output that lie as matrix units cannot take them */
	bool convolution, nchw, tile_m;
	bool window, volume; /* window: a kernel of more than one place; volume: three dimensions */
};
double device_contraction_s(
	const struct device *device, enum paradl_precision precision, const struct contraction *contraction);

/*
 * Returns the time of `count` equal products M x N x K in one launch, moving `bytes`:
 *     launch + max(c, b) + exposed min(c, b),   b = bytes / memory rate,
 *     c = min over tiles of waves (2 tm tn K / (rate per unit) + wave_s tm tn / 2^15)
 * contraction.c says more. Casts to narrow formats are the caller's to add.
 */
double device_gemm_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes);
/*
 * Returns the time of products with weights that are stored in fewer bits, as `bytes` has them. Their tiles have 16
 * rows of M or more, those of other products 64.
 */
double device_narrow_weights_s(const struct device *device, enum paradl_precision precision, double m,
	double n, double k, double count, double bytes);
/*
 * Returns the time of products whose rows are no multiple of 8 items, as of a vocabulary that is not padded, or of
 * heads.
 */
double device_unaligned_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes);
/* Returns the time of products of experts, at the rate of grouped ones, whose depth is never cut. */
double device_grouped_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes);
/* Seconds after which measured products get no slower. */
extern const double throttle_s;
/*
 * Returns the time of a product that runs again and again; alone it takes alone_s seconds for `flop`. Its clock falls
 * to what the power limit leaves. Steps and passes are long, so device_sustain takes all of that fall.
 */
double device_throttled_s(
	const struct device *device, enum paradl_precision precision, double flop, double alone_s);
struct experts_choice {
	double tokens, top_k; /* tokens of the whole group, with those of other devices */
};
/* Returns seconds that a served layer of experts takes on top of its products; `bytes` of tokens come to it. */
double device_experts_s(const struct device *device, double bytes, const struct experts_choice *choice);

/*
 * Returns seconds to cast `items` of a product's input to a narrow format, as serving does before the product. fused:
 * share of the start that is saved where the cast is fused with the kernel before.
 */
static inline double device_quantize_s(
	const struct device *device, enum paradl_precision precision, double items, double fused)
{
	const struct device_quantize *quantize = &device->product.quantize[precision];
	return (1 - fused) * quantize->start_s + items * quantize->bytes * device->s_per_byte;
}

/*
 * One call of fused attention over prompts, attention.c. format says what is in 8 bits: nothing, the cache alone, or
 * queries, too.
 */
struct attention_call {
	double sequences, queries; /* queries: those of all sequences together */
	double keys;               /* keys of one sequence */
	double sources; /* keys of all sequences, where they are other sequences than queries; else 0 */
	double heads, kv_heads;
	double widths; /* width of a head: of keys and values together */
	double values; /* part of widths that is of values; 0: half */
	double window; /* keys that a query sees at most; 0: all */
	double item_bytes;
	double rate_flop_per_s; /* rate of products, times what the program's kernel reaches of the vendor's */
	double spared;          /* share of the time of copies that the device's cache spares; 0 in plans */
	enum attention_format { ATTENTION_WIDE, ATTENTION_NARROW_CACHE, ATTENTION_NARROW } format;
	bool causal, writes_cache;
};
double device_attention_s(const struct device *device, const struct attention_call *call);
/* Returns seconds of the backward pass: 2.5 times the work, at the backward rate. */
double device_attention_backward_s(const struct device *device, const struct attention_call *call);

/* Attention of one new token of each sequence to the keys before it. */
struct token_attention_call {
	double sequences, keys, heads;
	double kv_heads;        /* 0: latent attention */
	double widths;          /* width of a head: of what scores and values are made of */
	double cache_bytes;     /* bytes of all sequences */
	double bytes;           /* bytes of cache, queries and output */
	double rate_flop_per_s; /* rate of products */
	enum attention_format format;
};
double device_token_attention_s(const struct device *device, const struct token_attention_call *call);

#endif
