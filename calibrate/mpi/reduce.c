/* SPDX-License-Identifier: BSD-3-Clause */
#include "benches.h"
#include "collective.h"

static int call(const struct vectors *v)
{
	return MPI_Reduce(v->send, v->receive, v->items, MPI_FLOAT, MPI_SUM, v->root, v->group);
}

static double expected(const struct vectors *v, int item)
{
	return item_sum(v->size, item);
}

static const struct collective collective = {
	.bench = &bench_reduce, .root_only = true, .by_root = true, .call = call, .expected = expected};

static void list(const struct plan *plan, struct points *points)
{
	collective_list(&collective, plan, points);
}

static enum ready prepare(struct run *run)
{
	return collective_prepare(&collective, run);
}

const struct bench bench_reduce = {
	.name = "reduce",
	.summary = "sum of all ranks' vectors, on one; in blocks each in turn",
	.list = list,
	.prepare = prepare,
	.sample = collective_sample,
	.release = collective_release,
};
