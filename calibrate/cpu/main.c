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

/* Seconds of preparing a point and of one call of it; false: it cannot be measured. */
static bool point_time(const struct point *point, double *prepare_s, double *call_s)
{
	struct run run = {.point = point};
	const double begin_s = clock_s();
	const bool ready = point->bench->prepare(&run) == READY;
	*prepare_s = clock_s() - begin_s;
	*call_s = ready ? point->bench->sample(&run, 1) : -1;
	point->bench->release(&run);
	return *call_s > 0;
}

/* A stream beyond caches and a product. */
static void probe(bool at_work, struct rates *rates)
{
	const unsigned busy = at_work ? host_cores() : 1;
	enum { STREAM_BYTES = 96 << 20, SIDE = 512, ARRAYS = 3 };
	struct point stream = {.bench = &bench_memory, .name = "probe", .bytes = STREAM_BYTES};
	struct point product = {.bench = &bench_gemm, .name = "probe", .bytes = ARRAYS * 4.0 * SIDE * SIDE};
	double prepare_s, call_s;
	point_text(&stream, "kind", "triad");
	point_number(&stream, "footprint", STREAM_BYTES);
	point_number(&stream, "busy", busy);
	point_text(&product, "precision", "fp32");
	point_number(&product, "m", SIDE);
	point_number(&product, "n", SIDE);
	point_number(&product, "k", SIDE);
	point_number(&product, "count", 1);
	point_number(&product, "busy", busy);
	if (point_time(&stream, &prepare_s, &call_s)) {
		rates->fill_s_per_byte = prepare_s / STREAM_BYTES;
		rates->s_per_byte = call_s / STREAM_BYTES;
	}
	if (point_time(&product, &prepare_s, &call_s))
		rates->s_per_flop = call_s / (2.0 * SIDE * SIDE * SIDE);
}

static const struct program program = {
	.name = "cpu",
	.summary = "what one core of this host does: products, convolutions, passes over memory",
	.benches = benches,
	.begin = begin,
	.probe = probe,
};

int main(int argc, char **argv)
{
	return calibrate_main(argc, argv, &program);
}
