/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks send to one another, with the seconds that each rank spends in it added to *spent_s. */
#ifndef STEP_EXCHANGE_H
#define STEP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

struct peers {
	unsigned rank, count;
};

void exchange_allreduce(float *items, size_t count, double *spent_s);
/* `count` items of each rank, in the order of the ranks. */
void exchange_allgather(const float *mine, float *all, size_t count, double *spent_s);
/* The sum of the `count` items that are this rank's, of all[rank][count]. */
void exchange_reduce_scatter(const float *all, float *mine, size_t count, double *spent_s);

/* With the ranks before and after this one, where there are any; all four buffers hold `count` items. */
struct faces {
	const float *to_before, *to_after;
	float *from_before, *from_after;
	size_t count;
};
void exchange_faces(const struct peers *peers, const struct faces *faces, double *spent_s);

/* Between stages: sent without waiting, so `items` stay as they are until exchange_sent. */
struct sending;
struct sending *sending_create(unsigned most); /* NULL: out of memory */
void sending_free(struct sending *sending);
void exchange_send(
	struct sending *sending, const float *items, size_t count, unsigned to, int tag, double *spent_s);
void exchange_receive(float *items, size_t count, unsigned from, int tag, double *spent_s);
void exchange_sent(struct sending *sending, double *spent_s);

/* Not of a training step: what ranks agree on. */
double exchange_most(double mine);
double exchange_sum(double mine);
double exchange_first(double mine); /* what rank 0 says */
void exchange_barrier(void);

#endif
