/* SPDX-License-Identifier: BSD-3-Clause */
#include "benches.h"
#include "collective.h"

static int call(const struct vectors *v)
{
	return MPI_Bcast(v->receive, v->items, MPI_FLOAT, v->root, v->group);
}

static double expected(const struct vectors *v, int item)
{
	return item_value((unsigned)v->root, item);
}

static const struct collective collective = {
	.bench = &bench_broadcast, .in_place = true, .by_root = true, .call = call, .expected = expected};

static void list(const struct plan *plan, struct points *points)
{
	collective_list(&collective, plan, points);
}

static enum ready prepare(struct run *run)
{
	return collective_prepare(&collective, run);
}

const struct bench bench_broadcast = {
	.name = "broadcast",
	.summary = "one rank's vector to all; in blocks every rank in turn",
	.list = list,
	.prepare = prepare,
	.sample = collective_sample,
	.release = collective_release,
};
