/* SPDX-License-Identifier: BSD-3-Clause */
#include "benches.h"
#include "collective.h"

static int call(const struct vectors *v)
{
	return MPI_Alltoall(v->send, v->part, MPI_FLOAT, v->receive, v->part, MPI_FLOAT, v->group);
}

static double expected(const struct vectors *v, int item)
{
	return item_value((unsigned)(item / v->part), (int)v->rank * v->part + item % v->part);
}

static const struct collective collective = {
	.bench = &bench_all_to_all, .parts = true, .call = call, .expected = expected};

static void list(const struct plan *plan, struct points *points)
{
	collective_list(&collective, plan, points);
}

static enum ready prepare(struct run *run)
{
	return collective_prepare(&collective, run);
}

const struct bench bench_all_to_all = {
	.name = "all-to-all",
	.summary = "a part of every rank to every rank",
	.list = list,
	.prepare = prepare,
	.sample = collective_sample,
	.release = collective_release,
};
