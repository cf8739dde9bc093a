/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine whose numbers are known. Nothing is measured and no time passes: each bench says what its points take, and
 * made_up.c makes samples of that with the noise that was asked for. What is true is in the environment of every launch.
 */
#ifndef CALIBRATE_FAKE_H
#define CALIBRATE_FAKE_H

#include "bench.h"

/* What is wrong with the samples, besides being made up. */
struct trouble {
	double noise;    /* standard deviation of the logarithm of samples */
	double outliers; /* share of samples that take 3 to 10 times as long */
	double bimodal,
		factor; /* of that launch, half of the samples take so many times as long; negative: of none */
	double slow, slow_factor; /* of that launch, all samples do */
};
extern struct trouble trouble;

/* Of messages up to so many bytes; the last one has no end. */
struct protocol {
	double upto_bytes, start_s, s_per_byte;
};
enum { PROTOCOLS = 3 };
double protocols_s(const struct protocol *protocols, double bytes);
/* "truth/WHERE/alpha_s", "truth/WHERE/bytes_per_s" (of the largest) and "truth/WHERE/protocols": start:rate@upto ... */
void protocols_tell(const char *where, const struct protocol *protocols);

/* 8 bytes to `most`; returns the next size, 0 after the last. */
double size_next(const struct plan *plan, double bytes, double most);

/* list() of each bench begins with it. */
void fake_plan(const struct plan *plan);
/* For prepare(): one call takes `seconds`. */
enum ready fake_prepare(struct run *run, double seconds);
double fake_sample(struct run *run, unsigned long long calls);
void fake_release(struct run *run);

/* The device: products take 2 (m + half m) (n + half n) (k + half k) / rate, or what their bytes take, if that is longer. */
enum { EXTENTS = 3 };
extern const double memory_bytes_per_s, cache_bytes_per_s, cache_bytes, product_flop_per_s;

/* Adds what is true of a bench to the environment. */
#define X(name) void truth_##name(void);
#include "list.def"
#undef X

#endif
