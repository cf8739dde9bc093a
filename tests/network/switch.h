/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives on one switch against their closed forms: a route is two links, so alpha is twice a link's, and no step
 * has contention. T = steps alpha + volume bytes beta + reduced bytes gamma.
 */
#ifndef TESTS_NETWORK_SWITCH_H
#define TESTS_NETWORK_SWITCH_H

#include "network/paper.h"

#define SWITCH_BYTES_PER_S       10e9
#define SWITCH_LATENCY_S         1e-6
#define SWITCH_REDUCE_S_PER_BYTE 3e-12

static inline struct machine_network switch_rules(void)
{
	struct machine_network rules = paper_rules(SWITCH_BYTES_PER_S, SWITCH_LATENCY_S);
	rules.reduce_s_per_byte = SWITCH_REDUCE_S_PER_BYTE;
	return rules;
}

static inline void switch_open(struct paper *paper, unsigned ranks)
{
	char topology[32];
	const struct machine_network rules = switch_rules();
	snprintf(topology, sizeof topology, "switch:%u", ranks);
	paper_open(paper, topology, &rules, 0);
}

static inline unsigned log2_below(unsigned ranks)
{
	return (unsigned)(log(ranks) / log(2) + 1e-9);
}

static inline unsigned log2_above(unsigned ranks)
{
	return (unsigned)ceil(log(ranks) / log(2) - 1e-9);
}

/* Compares both bounds with the closed form, for messages of any size. */
static inline void switch_expect(struct paper *paper, const struct collective *collective, unsigned variant,
	double steps, double volume, double reduced)
{
	static const double sizes[] = {0, 1, 4096, 1e6, 3e8};
	const struct compiled compiled = paper_compile(paper, collective, variant, 0);
	assert_close(compiled.steps, steps, 1e-12);
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
		const double want =
			steps * 2 * SWITCH_LATENCY_S +
			sizes[i] * (volume / SWITCH_BYTES_PER_S + reduced * SWITCH_REDUCE_S_PER_BYTE);
		assert_close(hull_s(&compiled.upper, sizes[i]), want, 1e-12);
		assert_close(hull_s(&compiled.lower, sizes[i]), want, 1e-12);
	}
}

#endif
