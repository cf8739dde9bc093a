/* SPDX-License-Identifier: BSD-3-Clause */
#include "benches.h"
#include "collective.h"

static int call(const struct vectors *v)
{
	return MPI_Allreduce(v->send, v->receive, v->items, MPI_FLOAT, MPI_SUM, v->group);
}

static double expected(const struct vectors *v, int item)
{
	return item_sum(v->size, item);
}

static const struct collective collective = {
	.bench = &bench_allreduce, .windows = true, .segments = true, .call = call, .expected = expected};

static void list(const struct plan *plan, struct points *points)
{
	collective_list(&collective, plan, points);
}

static enum ready prepare(struct run *run)
{
	return collective_prepare(&collective, run);
}

const struct bench bench_allreduce = {
	.name = "allreduce",
	.summary = "sum of all ranks' vectors, on all of them",
	.list = list,
	.prepare = prepare,
	.sample = collective_sample,
	.release = collective_release,
};
