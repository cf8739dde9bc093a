/* SPDX-License-Identifier: BSD-3-Clause */
/* paradl-measure-step, under mpirun: training steps of a small network on processors, one process for each device. */
#include <mpi.h>
#include <string.h>

#include "cpu/blas.h"
#include "step/step.h"

#define X(id) extern const struct bench bench_##id;
#include "step/list.def"
#undef X

static const struct bench *const benches[] = {
#define X(id) &bench_##id,
#include "step/list.def"
#undef X
	NULL};

struct setting *step_setting(void)
{
	static struct setting setting;
	return &setting;
}

static enum ready begin(struct run *run)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int length, major, minor;
	(void)run;
	const char *warning = blas_warning();
	blas_single_thread(); /* a rank is one device; where BLAS cannot be told, its environment has to say so */
	environment_add("blas", "%s", blas_description());
	if (warning)
		environment_add("warning", "%s", warning);
	MPI_Get_library_version(version, &length);
	MPI_Get_version(&major, &minor);
	environment_add("mpi", "%.*s, MPI %d.%d", (int)strcspn(version, ",\n"), version, major, minor);
	environment_add("ranks", "%u", step_setting()->peers.count);
	return READY;
}

int main(int argc, char **argv)
{
	int rank, count;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	step_setting()->peers = (struct peers){(unsigned)rank, (unsigned)count};
	const struct ranks ranks = {
		.rank = (unsigned)rank,
		.count = (unsigned)count,
		.agree = exchange_first,
		.most = exchange_most,
	};
	const struct program program = {
		.name = "step",
		.summary = "training steps of a small network, each rank one device",
		.benches = benches,
		.begin = begin,
		.ranks = &ranks,
	};
	const int status = calibrate_main(argc, argv, &program);
	MPI_Finalize();
	return status;
}
