/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks of the job, and how they agree. */
#ifndef CALIBRATE_MPI_WORLD_H
#define CALIBRATE_MPI_WORLD_H

#include <mpi.h>

#include "bench.h"
#include "map.h"

struct world {
	MPI_Comm all;     /* of benches */
	MPI_Comm control; /* of the harness */
	unsigned rank, count;
	struct place *places;
	struct map map;
	bool oversubscribed; /* some node has more ranks than processors for them */
	size_t memory_bytes; /* that a rank may use for one point: a quarter of its share of the smallest node's */
	char library[64];   /* "open mpi 4.1.4" */
	struct ranks ranks; /* for the harness */
};

/* After MPI_Init. False: out of memory. */
bool world_create(struct world *world);
void world_free(struct world *world);
extern struct world world; /* of this process */

/* The worst of what all ranks say, with the reason of the first that says it. Every rank calls it, and gets the same. */
enum ready world_settle(struct run *run, enum ready mine);

/* environment.c: library, ranks, hosts, binding and variables into the environment of launches. */
void world_describe(const struct world *all);
int place_package(void); /* of the processors that this process may run on; -1: of several, or unknown */

#endif
