/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who measures together: one process with all its GPUs, or, under mpirun, one process for each GPU. Members are GPUs; their
 * numbers go through the nodes one after another.
 */
#ifndef CALIBRATE_CUDA_TEAM_H
#define CALIBRATE_CUDA_TEAM_H

#include <stddef.h>

#include "bench.h"

struct team {
	bool processes;               /* one for each GPU */
	unsigned rank, count;         /* of processes; 0 of 1 without mpirun */
	unsigned local_rank, on_node; /* of the processes of this node */
	unsigned nodes;
	bool even; /* every node has as many processes */
};
extern struct team team;

/* Before anything else: joins the other processes if mpirun started this one. NULL: alone. */
const struct ranks *team_join(int *argc, char ***argv);
void team_leave(void);
/* These do nothing in a process alone. */
void team_barrier(void);
void team_tell(void *bytes, size_t count, unsigned root);
/* The largest that any process has. */
double team_most(double mine);

/* GPUs of the team, and of one node. */
unsigned team_members(void);
unsigned team_members_per_node(void);

#endif
