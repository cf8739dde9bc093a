/* SPDX-License-Identifier: BSD-3-Clause */
/* paradl-measure-mpi: under mpirun, what an MPI library does with messages between the ranks of the job. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "benches.h"
#include "watch.h"
#include "world.h"

static const double usual_patience_s = 60;

static const struct bench *const benches[] = {
#define X(name) &bench_##name,
#include "list.def"
#undef X
	NULL};

static enum ready begin(struct run *run)
{
	world_describe(&world);
	if (world.count < 2)
		return run_say(run, ABSENT, "one process has nobody to talk to: start it as mpirun -n 2 %s",
			"paradl-measure-mpi");
	return READY;
}

/* Of a rank that hears nothing; tests have less. */
static double patience_s(void)
{
	const char *const text = getenv("PARADL_MEASURE_PATIENCE");
	const double given_s = text ? strtod(text, NULL) : 0;
	return given_s > 0 ? given_s : usual_patience_s;
}

int main(int argc, char **argv)
{
	int provided;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	if (!world_create(&world)) {
		fputs("paradl-measure-mpi: out of memory\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 1);
		return 1;
	}
	watch_begin(world.rank, patience_s());
	const struct program program = {.name = "mpi",
		.summary = "messages between ranks of an MPI job; start it under mpirun",
		.benches = benches,
		.begin = begin,
		.ranks = &world.ranks};
	const int status = calibrate_main(argc, argv, &program);
	watch_end();
	world_free(&world);
	MPI_Finalize();
	return status;
}
