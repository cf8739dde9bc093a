/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What benchmarks print, in the shapes of their versions. */
#include "test.h"

#include "paradl/network.h"

static bool load(struct paradl_arena *arena, const char *text, enum paradl_operation operation,
	struct paradl_timings *timings, struct paradl_error *error)
{
	const struct paradl_source source = {.path = "timings", .text = text, .length = strlen(text)};
	return paradl_timings_load(arena, &source, operation, 4, timings, error);
}

static void check(const char *text, enum paradl_operation operation, const char *tool, size_t count,
	double first_bytes, double first_s)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_timings timings;
	struct paradl_error error = {0};
	if (!load(arena, text, operation, &timings, &error))
		fail_msg("%s", error.message);
	assert_string_equal(timings.tool, tool);
	assert_int_equal(timings.count, count);
	assert_close(timings.items[0].bytes, first_bytes, 0);
	assert_close(timings.items[0].time_s, first_s, 1e-12);
	paradl_arena_free(arena);
}

static void test_nccl(void **unused)
{
	(void)unused;
	check("# nThread 1 nGpus 4 minBytes 8 maxBytes 64\n"
	      "#                                                       out-of-place              in-place\n"
	      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
	      "time\n"
	      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
	      "(us)\n"
	      "node1: NCCL INFO something\n"
	      "           0             0     float     sum      -1     9.10    0.00    0.00      0     "
	      "9.00\n"
	      "           8             2     float     sum      -1    10.50    0.00    0.00      0    "
	      "10.10\n"
	      "          64            16     float     sum      -1    1e+01    0.01    0.01    N/A    "
	      "10.10\n"
	      "# Out of bounds values : 0 OK\n",
		PARADL_ALLREDUCE, "nccl-tests", 2, 8, 10.5e-6);
	/* older: no root and operation for allgather; CR at the ends of lines */
	check("#       size    count    type     time   algbw   busbw  error     time\r\n"
	      "      262144    16384   float    55.25    4.74    3.56  0e+00    55.00\r\n",
		PARADL_ALLGATHER, "nccl-tests", 1, 262144, 55.25e-6);
}

static void test_osu(void **unused)
{
	(void)unused;
	static const char text[] =
		"\n# OSU MPI-CUDA Allgather Latency Test v5.9\n"
		"# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
		"1024                   41.72             40.01             43.11        1000\n"
		"2048                   43.72             40.01             43.11        1000\n";
	check(text, PARADL_ALLGATHER, "OSU", 2, 4096, 41.72e-6);
	check(text, PARADL_ALL_TO_ALL, "OSU", 2, 4096, 41.72e-6);
	check(text, PARADL_ALLREDUCE, "OSU", 2, 1024, 41.72e-6);
	check("# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n0 1.1\n1 1.25",
		PARADL_POINT_TO_POINT, "OSU", 1, 1, 1.25e-6);
}

static void test_ranks(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		unsigned ranks;
	} rows[] = {{"#  Rank  0 Group  0 Pid 7 on a device  0 [0x07] A100\n"
		     "#  Rank  1 Group  0 Pid 8 on a device  1 [0x0a] A100\n"
		     "#  size  time\n8  10\n",
			    2},
		{"#  size  time\n8  10\n", 0}, {"# Size Latency(us)\n8 10\n", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_timings timings;
		struct paradl_error error = {0};
		assert_true(load(arena, rows[i].text, PARADL_ALLREDUCE, &timings, &error));
		assert_int_equal(timings.ranks, rows[i].ranks);
		paradl_arena_free(arena);
	}
}

static void test_refused(void **unused)
{
	(void)unused;
	static const char *const texts[] = {"", "nothing\n", "# Size Latency(us)\n", "1024 5\n",
		"# Size      Bandwidth (MB/s)\n1024 5000\n", "# Size Latency(us)\n8 fast\n",
		"# Size Latency(us)\n8 0\n", "# Size Latency(us)\n8 nan\n",
		"#  size  count  type\n8 2 float 1\n"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_timings timings;
		struct paradl_error error = {0};
		assert_false(load(arena, texts[i], PARADL_ALLREDUCE, &timings, &error));
		assert_int_equal(error.status, PARADL_SYNTAX);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nccl),
		cmocka_unit_test(test_osu),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
