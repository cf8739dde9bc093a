/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of other tools: tests/data/logs/README.md says where they are from. */
#include "test.h"

#include "fit/calibration.h"
#include "fit/reader/reader.h"

#define LOGS "tests/data/logs/"

static struct paradl_error failure;

static bool load(struct paradl_arena *arena, const char *path, struct sample_set *set)
{
	*set = (struct sample_set){0};
	failure = (struct paradl_error){0};
	return samples_load(arena, path, set, &failure);
}

/* Reads a text as a file of this name. */
static bool read_text(struct paradl_arena *arena, const struct sample_reader *reader, const char *name,
	const char *text, struct sample_set *set)
{
	*set = (struct sample_set){0};
	failure = (struct paradl_error){0};
	return reader->knows(text, strlen(text)) &&
	       reader->read(arena, text, strlen(text), name, set, &failure);
}

static const struct sample_point *point_at(const struct sample_set *set, double nodes, double bytes)
{
	for (size_t i = 0; i < set->count; ++i) {
		const double size = sample_number(&set->points[i], "bytes", 0);
		const double count = sample_number(&set->points[i], "nodes", 0);
		if (fabs(size - bytes) < 0.5 && fabs(count - nodes) < 0.5)
			return &set->points[i];
	}
	fail_msg("no point of %g nodes and %g bytes", nodes, bytes);
	return &set->points[0];
}

static void nccl_tables(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	assert_true(load(arena, LOGS "abci-v-allreduce.nccl-tests.txt", &set));
	assert_int_equal(set.launch_count, 4); /* runs on 1, 2, 4 and 8 nodes */
	assert_int_equal(set.count, 4 * 24);
	const struct sample_point *point = point_at(&set, 8, 33554432);
	assert_string_equal(point->bench, "allreduce");
	assert_string_equal(sample_text(point, "library"), "nccl 2.8.4");
	assert_string_equal(sample_text(point, "buffer"), "device");
	assert_string_equal(point->launch->host, "g0001");
	assert_close(sample_number(point, "devices", 0), 32, 0);
	assert_int_equal(point->count, 2); /* out of place, in place */
	assert_close(point->seconds[0], 3319.4e-6, 1e-9);
	assert_close(sample_number(point_at(&set, 1, 4), "devices", 0), 4, 0);
	paradl_arena_free(arena);
}

static void nccl_operation_from_the_table(void **unused)
{
	(void)unused;
	static const char header[] =
		"#  Rank  0 Pid 1 on a device 0 [0x1] X\n#  Rank  1 Pid 2 on a device 1 [0x2] X\n"
		"#  Rank  2 Pid 1 on b device 0 [0x1] X\n#  Rank  3 Pid 2 on b device 1 [0x2] X\n"
		"#       size         count    type   redop    root     time   algbw   busbw  error\n";
	static const struct {
		const char *row, *operation;
	} cases[] = {
		{"33554432 8388608 float sum -1 1000.0 33.55 50.33 N/A\n", "allreduce"},
		{"33554432 2097152 float sum -1 1000.0 33.55 25.17 N/A\n", "reduce-scatter"},
		{"33554432 8388608 float sum 0 1000.0 33.55 33.55 N/A\n", "reduce"},
		{"33554432 8388608 float none 0 1000.0 33.55 33.55 N/A\n", "broadcast"},
	};
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const char *text = arena_printf(arena, "%s%s", header, cases[i].row);
		assert_true(read_text(arena, &reader_nccl_text, "x.txt", text, &set));
		assert_string_equal(set.points[0].bench, cases[i].operation);
		assert_close(sample_number(&set.points[0], "nodes", 0), 2, 0);
	}
	/* allgather and all-to-all look alike: the name decides, and without it nothing is guessed */
	const char *odd = arena_printf(arena, "%s%s", header, "1024 64 float none -1 10.0 0.10 0.08 N/A\n");
	assert_false(read_text(arena, &reader_nccl_text, "x.txt", odd, &set));
	assert_non_null(strstr(failure.message, "which operation"));
	assert_non_null(strstr(failure.hint, "all_gather"));
	assert_true(read_text(arena, &reader_nccl_text, "run/alltoall.txt", odd, &set));
	assert_string_equal(set.points[0].bench, "all-to-all");
	paradl_arena_free(arena);
}

static void nccl_groups_and_commands(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	static const char text[] = "+ mpirun -np 4 ./build/sendrecv_perf -b 8\n"
				   "#  Rank  0 Group  0 Pid 1 on a device 0 [0x1] X\n#  Rank  1 Group  1 Pid "
				   "2 on a device 1 [0x2] X\n"
				   "#  Rank  2 Group  0 Pid 1 on b device 0 [0x1] X\n#  Rank  3 Group  1 Pid "
				   "2 on b device 1 [0x2] X\n"
				   "#       size  count  type  redop  root  time  algbw  busbw #wrong\n"
				   "NCCL version 2.18.3+cuda12.2\n"
				   "0 0 float none -1 0.1 0 0 0\n"
				   "1024 256 float none -1 12.5 0.08 0.08 0\n"
				   "a line of some other program\n";
	assert_true(read_text(arena, &reader_nccl_text, "x.txt", text, &set));
	assert_int_equal(set.count, 1); /* none of a size of no bytes */
	assert_string_equal(set.points[0].bench, "send-receive");
	assert_string_equal(sample_text(&set.points[0], "library"), "nccl 2.18.3");
	assert_close(sample_number(&set.points[0], "groups", 0), 2, 0);
	assert_close(sample_number(&set.points[0], "devices", 0), 2, 0);
	assert_close(sample_number(&set.points[0], "nodes", 0), 2, 0);
	assert_int_equal(set.points[0].line, 8 + 1);
	paradl_arena_free(arena);
}

/* Commands, versions and ranks are those of their own run, in a log of several; a run may end before its table. */
static void nccl_runs_of_a_log(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	static const char two_ranks[] = "#  Rank  0 Pid 1 on a device 0 [0x1] X\n"
					"#  Rank  1 Pid 2 on a device 1 [0x2] X\n";
	static const char table[] = "#       size  count  type  redop  root  time  algbw  busbw #wrong\n"
				    "1024 256 float none -1 12.5 0.08 0.08 0\n"
				    "# Avg bus bandwidth    : 0.08\n";
	const char *const text = arena_printf(arena,
		"+ mpirun ./sendrecv_perf -b 8\n# nThread 1 nGpus 1\n%sNCCL version 2.18.3+cuda12.2\n%s"
		"+ mpirun ./alltoall_perf -b 8\n# nThread 1 nGpus 1\n%sout of memory\n"
		"+ mpirun ./all_gather_perf -b 8\n# nThread 1 nGpus 1\n%sNCCL version 2.20.5+cuda12.4\n%s"
		"# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 1\n%s%s",
		two_ranks, table, two_ranks, two_ranks, table, two_ranks, table);
	assert_true(read_text(arena, &reader_nccl_text, "job.out", text, &set));
	static const char *const operations[] = {"send-receive", "allgather", "allreduce"};
	static const char *const libraries[] = {"nccl 2.18.3", "nccl 2.20.5", "nccl 2.20.5"};
	assert_int_equal(set.count, 3);
	assert_int_equal(set.launch_count, 3);
	for (size_t i = 0; i < set.count; ++i) {
		assert_string_equal(set.points[i].bench, operations[i]);
		assert_string_equal(sample_text(&set.points[i], "library"), libraries[i]);
		assert_close(sample_number(&set.points[i], "devices", 0), 2, 0);
	}
	paradl_arena_free(arena);
}

/* Of a run that crashed the rows before count; what broke off is counted, wherever it did. */
static void nccl_runs_that_crashed(void **unused)
{
	(void)unused;
	static const char run[] =
		"# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 1\n"
		"#  Rank  0 Pid 1 on a device 0 [0x1] X\n"
		"#  Rank  1 Pid 2 on a device 1 [0x2] X\n"
		"#   size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n";
	static const char row[] = "1024 256 float sum -1 12.5 0.08 0.08 0 12.7 0.08 0.08 0\n";
	static const struct {
		const char *end;
		size_t points, torn;
	} ends[] = {
		{"", 1, 1}, /* the second run has a header, and no row */
		{row, 2, 0},
		{"2048 512 float sum -1 13.", 1, 2}, /* a row that is cut, and so no row at all */
		{"2048 512 float sum -1 13.1 0.16 0.16 0 13", 1, 2},
		{"2048 512 float sum -1a: Test NCCL failure common.cu:958 'unhandled cuda error (run with "
		 "NCCL_DEBUG=INFO for details) / '\n .. a pid 1: Test failure common.cu:1055\n",
			1, 2},
		{"1024 256 float sum -1 12.5 0.08 0.08 0 12.7 0.08 0.08 0\n2048 512 float sum -1\n", 2, 1},
	};
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
		const char *const text = arena_printf(arena, "%s%s%s%s", run, row, run, ends[i].end);
		assert_true(read_text(arena, &reader_nccl_text, "job.out", text, &set));
		assert_int_equal(set.count, ends[i].points);
		assert_int_equal(set.launch_count, ends[i].points);
		assert_int_equal(set.torn, ends[i].torn);
		for (size_t k = 0; k < set.count; ++k) {
			assert_int_equal(set.points[k].count, 2);
			assert_close(set.points[k].seconds[1], 12.7e-6, 1e-12);
		}
	}
	/* where no run has a whole row there is nothing to read; a time that is none is no crash */
	assert_false(read_text(arena, &reader_nccl_text, "x",
		arena_printf(arena, "%s2048 512 float sum -1 13.", run), &set));
	assert_non_null(strstr(failure.message, "has no times"));
	assert_false(read_text(arena, &reader_nccl_text, "x",
		arena_printf(arena, "%s2048 512 float sum -1 1x 0.08 0.08 0 12.7 0.08 0.08 0\n", run), &set));
	assert_non_null(strstr(failure.message, "not a number"));
	paradl_arena_free(arena);
}

static void nccl_json(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	assert_true(load(arena, LOGS "made-up.nccl-tests.json", &set));
	assert_int_equal(set.count, 3);
	const struct sample_point *point = point_at(&set, 2, 1048576);
	assert_string_equal(point->bench, "allgather");
	assert_string_equal(sample_text(point, "library"), "nccl 2.28.3");
	assert_close(sample_number(point, "devices", 0), 4, 0);
	assert_close(point->seconds[0], 79.4e-6, 1e-12);
	assert_close(point->seconds[1], 78.1e-6, 1e-12);
	assert_string_equal(point->launch->date, "2026-03-02 10:11:12");
	assert_int_equal(point->line, 21);
	paradl_arena_free(arena);
}

static void osu_conventions(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	/* an all-to-all's size is what one rank has for each other */
	assert_true(load(arena, LOGS "alps-osu_alltoall_2x8.txt", &set));
	assert_close(point_at(&set, 2, 8)->seconds[0], 12.46e-6, 1e-9);
	assert_string_equal(sample_text(&set.points[0], "buffer"), "host");
	/* a bandwidth test's time is size over rate, and no latency */
	assert_true(load(arena, LOGS "alps-osu_bw_inter.txt", &set));
	assert_string_equal(sample_text(&set.points[0], "way"), "stream");
	assert_string_equal(sample_text(&set.points[0], "distance"), "far");
	assert_string_equal(sample_text(&set.points[0], "buffer"), "device");
	assert_close(point_at(&set, 2, 1)->seconds[0], 1 / 0.90e6, 1e-9);
	assert_true(load(arena, LOGS "abci-v-osu_multi_lat_2x8.txt", &set));
	assert_string_equal(sample_text(&set.points[0], "way"), "block");
	assert_close(sample_number(&set.points[0], "devices", 0), 2, 0);
	static const char pairs[] = "# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n"
				    "# [ pairs: 4 ] [ window size: 64 ]\n# Size     MB/s      Messages/s\n"
				    "1048576   4194.304   4000.0\n";
	assert_true(read_text(arena, &reader_osu, "pairs_2x8.txt", pairs, &set));
	assert_close(sample_number(&set.points[0], "groups", 0), 4, 0);
	assert_close(set.points[0].seconds[0], 1e-3, 1e-12); /* each pair has a quarter of the rate */
	paradl_arena_free(arena);
}

static void osu_runs_and_shapes(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	static const char runs[] =
		"+ srun -N 2 -n 8 osu_allreduce\n"
		"# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_FLOAT.\n"
		"# Size       Avg Latency(us)\n4 10.0\n8 11.0\n"
		"# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n4 12.0\n8 13.0\n";
	assert_true(read_text(arena, &reader_osu, "job.out", runs, &set));
	assert_int_equal(set.launch_count, 2);
	assert_int_equal(set.count, 4);
	assert_close(sample_number(&set.points[3], "devices", 0), 8, 0);
	assert_string_equal(set.points[3].name, set.points[1].name);
	static const char bare[] =
		"# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n4 10.0\n";
	assert_false(read_text(arena, &reader_osu, "job.out", bare, &set));
	assert_non_null(strstr(failure.hint, "osu_allreduce_2x16.txt"));
	assert_true(read_text(arena, &reader_osu, "out-3x12.txt", bare, &set));
	assert_close(sample_number(&set.points[0], "nodes", 0), 3, 0);
	static const char pair[] =
		"# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n0 1.0\n1 1.5\n";
	assert_false(read_text(arena, &reader_osu, "latency.txt", pair, &set));
	assert_true(read_text(arena, &reader_osu, "latency_intra.txt", pair, &set));
	assert_int_equal(set.count, 1);
	assert_string_equal(sample_text(&set.points[0], "distance"), "node");
	/* two ranks of one test are not those of the next one */
	assert_false(read_text(
		arena, &reader_osu, "latency_intra.txt", arena_printf(arena, "%s%s", pair, bare), &set));
	paradl_arena_free(arena);
}

/* Tests of something else print tables alike; what they say is not taken for messages between two ranks. */
static void osu_other_tests(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	static const struct {
		const char *title;
		bool is_read;
	} cases[] = {{"MPI Latency Test v7.4", true}, {"MPI-CUDA Bi-Directional Bandwidth Test v7.4", true},
		{"MPI Multiple Bandwidth / Message Rate Test v5.7", true}, {"NCCL Latency Test v7.1", true},
		{"MPI Persistent Bandwidth Test v7.4", true}, {"MPI Scatterv Latency Test v7.4", false},
		{"MPI Scatter Latency Test v7.4", false}, {"MPI-CUDA Barrier Latency Test v7.4", false},
		{"MPI_Put Latency Test v7.4", false}, {"MPI_Get-CUDA Bandwidth Test v7.4", false},
		{"MPI_Get_accumulate Latency Test v5.9", false}, {"OpenSHMEM Put Latency Test v5.9", false},
		{"MPI Bandwidth Fan In Test v7.4", false}, {"MPI Init Test v7.4", false},
		{"MPI Allgather Latency Test v7.4", true},
		{"MPI Non-blocking Allgather Latency Test v7.4", false},
		{"MPI Neighborhood Allgather Latency Test v7.4", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[200];
		snprintf(
			text, sizeof text, "# OSU %s\n# Size          Latency (us)\n8 1.5\n", cases[i].title);
		assert_int_equal(read_text(arena, &reader_osu, "a_2x2.txt", text, &set), cases[i].is_read);
		if (!cases[i].is_read) {
			assert_non_null(strstr(failure.message, cases[i].title));
			assert_int_equal(failure.line, 1);
		}
	}
	paradl_arena_free(arena);
}

/* Options of all jobs hold where a job says nothing; an engine that does not wait has its depth in flight. */
static void fio_as_it_is(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	assert_true(load(arena, LOGS "two-cores.fio-3.33.json", &set));
	assert_int_equal(set.count, 3);
	assert_string_equal(set.launches[0]->date, "2026-11-22");
	for (unsigned i = 0; i < 3; ++i)
		assert_close(sample_number(&set.points[i], "direct", 0), 1, 0);
	assert_close(sample_number(&set.points[0], "clients", 0), 2, 0);
	assert_close(set.points[0].bytes / set.points[0].seconds[0], 1066392883, 1e-9);
	assert_string_equal(set.points[1].bench, "write");
	assert_close(sample_number(&set.points[1], "sync", 0), 1, 0);
	assert_close(sample_number(&set.points[2], "clients", 0), 32, 0);
	assert_close(
		set.points[2].bytes / set.points[2].seconds[0] / 4096, 68597.7, 1e-4); /* fio's own iops */
	/* an option that is there may say that it is off */
	static const struct {
		const char *options;
		double sync;
	} cases[] = {{"\"fsync\": \"0\"", 0}, {"\"end_fsync\": \"0\", \"fsync\": \"0\"", 0},
		{"\"fsync\": \"32\"", 1}, {"\"end_fsync\": \"\"", 1}, {"\"bs\": \"1M\"", 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const char *const text = arena_printf(arena,
			"{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"a\", \"job options\": "
			"{%s}, "
			"\"write\": {\"io_bytes\": 1048576, \"bw_bytes\": 1048576}}]}",
			cases[i].options);
		assert_true(read_text(arena, &reader_fio, "a.json", text, &set));
		assert_close(sample_number(&set.points[0], "sync", -1), cases[i].sync, 0);
	}
	paradl_arena_free(arena);
}

static void fio_jobs(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	assert_true(load(arena, LOGS "made-up.fio.json", &set));
	assert_int_equal(set.count, 3);
	const struct sample_point *stream = &set.points[0], *small = &set.points[1];
	assert_string_equal(stream->bench, "read");
	assert_string_equal(sample_text(stream, "kind"), "sequential");
	assert_close(sample_number(stream, "block", 0), 1 << 20, 0);
	assert_close(sample_number(stream, "clients", 0), 32, 0); /* 4 processes, 8 requests each */
	assert_close(sample_number(stream, "direct", 0), 1, 0);
	assert_close(stream->bytes / stream->seconds[0], 2147483648., 1e-12);
	/* two processes have an entry each: their rates add up */
	assert_string_equal(sample_text(small, "kind"), "random");
	assert_close(sample_number(small, "clients", 0), 2, 0);
	assert_close(small->bytes / small->seconds[0], 2 * 40960000., 1e-12);
	assert_string_equal(set.points[2].bench, "write");
	paradl_arena_free(arena);
}

static void ior_repetitions(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	assert_true(load(arena, LOGS "made-up.ior.json", &set));
	assert_int_equal(set.count, 2);
	const struct sample_point *write = &set.points[0];
	assert_string_equal(write->bench, "write");
	assert_string_equal(sample_text(write, "tier"), "shared");
	assert_close(sample_number(write, "clients", 0), 16, 0);
	assert_close(sample_number(write, "block", 0), 1 << 20, 0);
	assert_int_equal(write->count, 2);
	assert_close(write->bytes, 4294967296., 1e-12);
	assert_close(write->seconds[0], 4, 1e-12);
	assert_close(write->seconds[1], 5, 1e-12);
	paradl_arena_free(arena);
}

static void faults_have_a_place(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	static const char wrong[] =
		"# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n4 10.0\n8 nan\n";
	assert_false(read_text(arena, &reader_osu, "a_2x4.txt", wrong, &set));
	assert_int_equal(failure.line, 4);
	static const char slow[] =
		"#  Rank  0 Pid 1 on a device 0\n#  Rank  1 Pid 1 on a device 1\n"
		"#       size         count    type   redop    root     time   algbw   busbw  error\n"
		"1024 256 float sum -1 1e300 0.10 0.08 N/A\n";
	assert_false(read_text(arena, &reader_nccl_text, "allreduce.txt", slow, &set));
	assert_int_equal(failure.line, 4);
	assert_false(read_text(arena, &reader_fio, "x", "{\"fio version\": \"3\", \"jobs\": 3}", &set));
	assert_false(read_text(arena, &reader_fio, "x",
		"{\"fio version\": \"3\", \"jobs\": [{\"jobname\": \"a\", \"error\": 5}]}", &set));
	assert_non_null(strstr(failure.message, "failed"));
	assert_false(read_text(arena, &reader_ior, "x",
		"{\"tests\": [{\"Results\": [{\"bwMiB\": 1, \"access\": \"read\"}]}]}", &set));
	assert_false(read_text(arena, &reader_nccl_json, "x", "{\"results\": [3], \"a\": \"out_of_place\"}",
			     &set) &&
		     set.count);
	paradl_arena_free(arena);
}

static void library_numbers(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	assert_string_equal(nccl_library(arena, 22803), "nccl 2.28.3");
	assert_string_equal(nccl_library(arena, 2804), "nccl 2.8.4");
	assert_string_equal(nccl_library(arena, 21805), "nccl 2.18.5");
	assert_string_equal(nccl_library(arena, -1), "nccl");
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nccl_tables),
		cmocka_unit_test(nccl_operation_from_the_table),
		cmocka_unit_test(nccl_groups_and_commands),
		cmocka_unit_test(nccl_runs_of_a_log),
		cmocka_unit_test(nccl_runs_that_crashed),
		cmocka_unit_test(nccl_json),
		cmocka_unit_test(osu_conventions),
		cmocka_unit_test(osu_runs_and_shapes),
		cmocka_unit_test(osu_other_tests),
		cmocka_unit_test(fio_jobs),
		cmocka_unit_test(fio_as_it_is),
		cmocka_unit_test(ior_repetitions),
		cmocka_unit_test(faults_have_a_place),
		cmocka_unit_test(library_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
