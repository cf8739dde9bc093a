/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduces of 4 devices a node: three protocols, whose start-ups grow by the logarithm of the nodes; rings at the end. */
#include <math.h>
#include <stdio.h>

#include "fake.h"

extern const struct bench bench_allreduce;

enum { PER_NODE = 4, NODES_MOST = 8 };
static const double most_bytes = 1 << 28, ring_in_bytes_per_s = 2e10, ring_between_bytes_per_s = 1e10;

static void protocols_of(unsigned nodes, struct protocol protocols[PROTOCOLS])
{
	const double p = nodes * (double)PER_NODE, levels = log2(nodes), share = 2 * (p - 1) / p;
	const double ring = nodes > 1 ? ring_between_bytes_per_s : ring_in_bytes_per_s;
	protocols[0] = (struct protocol){8192, 8e-6 + 5e-6 * levels, 4 * share / ring};
	protocols[1] = (struct protocol){1 << 20, 2.2e-5 + 9e-6 * levels, 2 * share / ring};
	protocols[2] = (struct protocol){0, 1.6e-4 + 2e-5 * levels, share / ring};
}

void truth_allreduce(void)
{
	struct protocol protocols[PROTOCOLS];
	char where[40];
	for (unsigned nodes = 1; nodes <= NODES_MOST; nodes *= 2) {
		protocols_of(nodes, protocols);
		snprintf(where, sizeof where, "allreduce/%u", nodes);
		protocols_tell(where, protocols);
	}
	environment_add("truth/node/ring", "%.9g", ring_in_bytes_per_s);
	environment_add("truth/far/ring", "%.9g", ring_between_bytes_per_s);
}

static void list(const struct plan *plan, struct points *points)
{
	fake_plan(plan);
	for (unsigned nodes = 1; nodes <= NODES_MOST; nodes *= 2)
		for (double bytes = 0; (bytes = size_next(plan, bytes, most_bytes)) > 0;) {
			struct point *point = points_add(points, &bench_allreduce, "allreduce/%ux%u/%.0f",
				nodes, nodes * PER_NODE, bytes);
			point_text(point, "library", "fake 1");
			point_text(point, "buffer", "device");
			point_number(point, "nodes", nodes);
			point_number(point, "devices", nodes * PER_NODE);
			point_number(point, "bytes", bytes);
			point_number(point, "groups", 1);
		}
}

static enum ready prepare(struct run *run)
{
	struct protocol protocols[PROTOCOLS];
	protocols_of((unsigned)point_get(run->point, "nodes"), protocols);
	return fake_prepare(run, protocols_s(protocols, point_get(run->point, "bytes")));
}

const struct bench bench_allreduce = {
	.name = "allreduce",
	.summary = "sums over all devices of 1, 2, 4 and 8 nodes",
	.list = list,
	.prepare = prepare,
	.sample = fake_sample,
	.made_up = true,
	.release = fake_release,
};
