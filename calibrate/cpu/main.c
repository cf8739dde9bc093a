/* SPDX-License-Identifier: BSD-3-Clause */
/* What one core does: products, convolutions, passes over memory. One thread; companions keep the other cores busy. */
#include <stdio.h>

#include "bench.h"
#include "blas.h"
#include "host.h"

#define X(name) extern const struct bench bench_##name;
#include "list.def"
#undef X

static const struct bench *const benches[] = {
#define X(name) &bench_##name,
#include "list.def"
#undef X
	0,
};

static enum ready begin(struct run *run)
{
	const char *threads = blas_single_thread(), *warning = blas_warning();
	(void)run;
	environment_add("library", "%s", blas_description());
	if (threads)
		environment_add("threads", "%s", threads);
	if (warning) {
		environment_add("warning", "%s", warning);
		(void)fprintf(stderr, "paradl-measure-cpu: %s\n", warning);
	}
	host_describe();
	return READY;
}

static const struct program program = {
	.name = "cpu",
	.summary = "what one core of this host does: products, convolutions, passes over memory",
	.benches = benches,
	.begin = begin,
};

int main(int argc, char **argv)
{
	return calibrate_main(argc, argv, &program);
}
