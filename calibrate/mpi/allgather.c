/* SPDX-License-Identifier: BSD-3-Clause */
#include "benches.h"
#include "collective.h"

static int call(const struct vectors *v)
{
	return MPI_Allgather(v->send, v->part, MPI_FLOAT, v->receive, v->part, MPI_FLOAT, v->group);
}

static double expected(const struct vectors *v, int item)
{
	return item_value((unsigned)(item / v->part), item % v->part);
}

static const struct collective collective = {
	.bench = &bench_allgather, .parts = true, .sends_part = true, .call = call, .expected = expected};

static void list(const struct plan *plan, struct points *points)
{
	collective_list(&collective, plan, points);
}

static enum ready prepare(struct run *run)
{
	return collective_prepare(&collective, run);
}

const struct bench bench_allgather = {
	.name = "allgather",
	.summary = "every rank's part, on all of them",
	.list = list,
	.prepare = prepare,
	.sample = collective_sample,
	.release = collective_release,
};
