/* SPDX-License-Identifier: BSD-3-Clause */
#include "benches.h"
#include "collective.h"

static int call(const struct vectors *v)
{
	return MPI_Reduce_scatter_block(v->send, v->receive, v->part, MPI_FLOAT, MPI_SUM, v->group);
}

static double expected(const struct vectors *v, int item)
{
	return item_sum(v->size, (int)v->rank * v->part + item);
}

static const struct collective collective = {.bench = &bench_reduce_scatter,
	.parts = true,
	.receives_part = true,
	.call = call,
	.expected = expected};

static void list(const struct plan *plan, struct points *points)
{
	collective_list(&collective, plan, points);
}

static enum ready prepare(struct run *run)
{
	return collective_prepare(&collective, run);
}

const struct bench bench_reduce_scatter = {
	.name = "reduce-scatter",
	.summary = "sum of all ranks' vectors, a part on each",
	.list = list,
	.prepare = prepare,
	.sample = collective_sample,
	.release = collective_release,
};
