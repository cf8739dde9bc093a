/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers in floats add up exactly, in any order, as long as sums stay below 2^24: up to a million ranks. */
#include <math.h>

#include "collective.h"

enum { PERIOD = 13 };

double item_value(unsigned rank, int item)
{
	return 1 + (double)((rank + (unsigned)item) % PERIOD);
}

/* Each 13 ranks in a row have 1 + 2 + ... + 13 together. */
double item_sum(unsigned ranks, int item)
{
	double sum = (double)(ranks / PERIOD) * (PERIOD * (PERIOD + 1) / 2);
	for (unsigned rank = 0; rank < ranks % PERIOD; rank++)
		sum += item_value(rank, item);
	return sum;
}

static void fill(const struct collective *collective, struct vectors *vectors)
{
	const int received = collective->receives_part ? vectors->part : vectors->items;
	const int sent = collective->in_place ? 0 : collective->sends_part ? vectors->part : vectors->items;
	for (int i = 0; i < sent; i++)
		vectors->send[i] = (float)item_value(vectors->rank, i);
	for (int i = 0; i < received; i++)
		vectors->receive[i] =
			collective->in_place && vectors->rank == 0 ? (float)item_value(0, i) : -1;
}

enum ready collective_verify(const struct collective *collective, struct vectors *vectors, struct run *run)
{
	const int received = collective->receives_part ? vectors->part : vectors->items;
	vectors->root = 0;
	fill(collective, vectors);
	if (collective->call(vectors) != MPI_SUCCESS)
		return run_say(run, FAILED, "rank %u of the group: the library failed", vectors->rank);
	if (collective->root_only && vectors->rank != 0)
		return READY;
	for (int i = 0; i < received; i++) {
		const double expected = collective->expected(vectors, i);
		if (fabs((double)vectors->receive[i] - expected) > 0)
			return run_say(run, FAILED,
				"wrong result: item %d of rank %u of the group is %g, not %g", i,
				vectors->rank, (double)vectors->receive[i], expected);
	}
	return READY;
}
