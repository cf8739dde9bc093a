/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from measured curves: laws that are known, and node counts that were kept out of ABCI's measurements. */
#include "test.h"

#include "base/csv.h"
#include "network/cost/measured_curves.h"

enum { POINTS = 24, CURVES = 64 };

/* T = (10 us + 2 us log2 nodes) + 2 (P - 1) / P bytes / 10 GB/s, at 8 B to 64 MiB, P devices, 4 a node: 40 GB/s inside it. */
static double law(unsigned nodes, double bytes)
{
	const double devices = 4. * nodes;
	return 10e-6 + 2e-6 * log2(nodes) + 2 * (devices - 1) / devices * bytes / (nodes > 1 ? 10e9 : 40e9);
}

struct made {
	double bytes[POINTS], time_s[4][POINTS];
	struct measured_curve curves[4];
	struct paradl_machine machine;
};

static void made_fill(struct made *made)
{
	*made = (struct made){.machine = {.curves = made->curves, .curve_count = 4}};
	for (unsigned k = 0; k < 4; ++k) {
		for (unsigned i = 0; i < POINTS; ++i) {
			made->bytes[i] = 8 * pow(2, i);
			made->time_s[k][i] = law(1U << k, made->bytes[i]);
		}
		made->curves[k] = (struct measured_curve){
			"allreduce", "x", 1U << k, 4U << k, {made->bytes, made->time_s[k], POINTS}};
	}
}

static void gives_back_points(void **unused)
{
	(void)unused;
	struct made made;
	made_fill(&made);
	for (unsigned k = 0; k < 4; ++k)
		for (unsigned i = 0; i < POINTS; ++i) {
			struct measured_time time;
			assert_true(measured_s(
				&made.machine, ALLREDUCE, 1U << k, 4U << k, made.bytes[i], NULL, &time));
			assert_close(time.seconds, law(1U << k, made.bytes[i]), 0);
			assert_close(time.band, 0, 0);
			assert_int_equal(time.origin, MEASURED);
		}
}

static double time_of(const struct made *made, unsigned nodes, double bytes, enum measured_origin expected)
{
	struct measured_time time;
	assert_true(measured_s(&made->machine, ALLREDUCE, nodes, 4 * nodes, bytes, NULL, &time));
	assert_int_equal(time.origin, expected);
	assert_int_equal(measured_covers(&made->machine, ALLREDUCE, nodes, 4 * nodes, bytes),
		expected != EXTRAPOLATED);
	assert_true(time.band >= 0 && isfinite(time.band));
	return time.seconds;
}

static void interpolates(void **unused)
{
	(void)unused;
	struct made made;
	made_fill(&made);
	/* The law is linear in bytes, so exact between points; a point that is off it is met half-way. */
	assert_close(time_of(&made, 2, 1.3e6, INTERPOLATED), law(2, 1.3e6), 1e-12);
	made.time_s[1][18] *= 1.5; /* 2^21 bytes */
	assert_close(time_of(&made, 2, 1.5 * (1 << 20), INTERPOLATED),
		(law(2, 1 << 20) + 1.5 * law(2, 1 << 21)) / 2, 1e-12);
	made_fill(&made);
	/*
	 * 3 nodes: start-ups are linear in log2 nodes, and wires take what follows from the devices; but their rate is found by the best
	 * of times that have start-ups in them, 0.1 % of it at 64 MiB.
	 */
	assert_close(time_of(&made, 3, 4096, INTERPOLATED), law(3, 4096), 2e-3);
	assert_close(time_of(&made, 3, 1 << 26, INTERPOLATED), law(3, 1 << 26), 2e-3);
	assert_close(time_of(&made, 7, 8, INTERPOLATED), law(7, 8), 2e-3);
	/* 2 nodes were not measured at 64 bytes, where 4 were: there they are on the line, a third of the way; wires take no time. */
	const unsigned left_out = 3;
	double bytes[POINTS - 1], time_s[POINTS - 1];
	for (unsigned i = 0; i + 1 < POINTS; ++i) {
		bytes[i] = made.bytes[i < left_out ? i : i + 1];
		time_s[i] = law(2, bytes[i]) * (i < left_out ? 1 : 3);
	}
	made.curves[1].points = (struct points){bytes, time_s, POINTS - 1};
	const double two_s = (2 * time_s[left_out - 1] + time_s[left_out]) / 3,
		     four_s = law(4, made.bytes[left_out]);
	assert_close(time_of(&made, 3, made.bytes[left_out], INTERPOLATED),
		two_s + (four_s - two_s) * log2(1.5), 1e-3);
}

static void extrapolates(void **unused)
{
	(void)unused;
	struct made made;
	made_fill(&made);
	/* Sizes: the first segment is the start-up, the last the rate; the true law is one segment. */
	assert_close(time_of(&made, 4, 1, EXTRAPOLATED), law(4, 1), 1e-6);
	assert_close(time_of(&made, 4, 0, EXTRAPOLATED), law(4, 0), 1e-6);
	assert_close(time_of(&made, 4, 1e9, EXTRAPOLATED), law(4, 1e9), 1e-6);
	/* Nodes: exact at the ends of the smoothing window up to the change of relative growth inside it. */
	assert_close(time_of(&made, 16, 64, EXTRAPOLATED), law(16, 64), 1e-3);
	assert_close(time_of(&made, 64, 1 << 20, EXTRAPOLATED), law(64, 1 << 20), 2e-2);
	assert_close(time_of(&made, 1024, 1 << 25, EXTRAPOLATED), law(1024, 1 << 25), 2e-2);
}

/* A time that falls with the nodes is noise: it is kept, not carried on, but for what wires take to more devices. */
static void never_falls_beyond(void **unused)
{
	(void)unused;
	struct made made;
	made_fill(&made);
	for (unsigned i = 0; i < POINTS; ++i)
		made.time_s[3][i] = 0.5 * made.time_s[0][i];
	const double most = made.bytes[POINTS - 1], rate = 2 * 31 / 32. * most / made.time_s[3][POINTS - 1];
	assert_close(time_of(&made, 64, 4096, EXTRAPOLATED),
		made.time_s[3][9] + 2 * (255 / 256. - 31 / 32.) * 4096 / rate, 1e-12);
}

/* A run that was slow as a whole: no times between or beyond are made of it where it can be told, and it is found. */
static void slow_counts_spoil_nothing(void **unused)
{
	(void)unused;
	static const double times = 2.5;
	static const unsigned nodes[] = {2, 4, 8};
	for (unsigned slow = 1; slow < 4; ++slow) {
		struct made made;
		struct measured_slow found;
		made_fill(&made);
		for (unsigned i = 0; i < POINTS; ++i)
			made.time_s[slow][i] *= times;
		for (unsigned k = 0; k < 4; ++k)
			assert_int_equal(measured_slow(&made.machine, k, &found), k == slow);
		assert_true(measured_slow(&made.machine, slow, &found));
		assert_close(found.times, times, 0.1);
		assert_int_equal(found.sizes, 5); /* 4 to 64 MiB */
		assert_int_equal(found.slow_sizes, 5);
		for (double bytes = 1 << 22; bytes <= 1 << 26; bytes *= 2) {
			assert_close(time_of(&made, 3, bytes, INTERPOLATED), law(3, bytes), 0.05);
			assert_close(time_of(&made, 6, bytes, INTERPOLATED), law(6, bytes), 0.05);
			assert_close(time_of(&made, 16, bytes, EXTRAPOLATED), law(16, bytes), 0.05);
			/* It was measured so. */
			assert_close(time_of(&made, nodes[slow - 1], bytes, MEASURED),
				times * law(nodes[slow - 1], bytes), 1e-12);
		}
	}
}

/* What is no slower than wires and start-ups of more nodes leave room for is in line. */
static void growth_is_in_line(void **unused)
{
	(void)unused;
	struct made made;
	struct measured_slow found;
	made_fill(&made);
	for (unsigned k = 0; k < 4; ++k)
		for (unsigned i = 0; i < POINTS; ++i)
			made.time_s[k][i] *= 1 + 0.2 * k;
	for (unsigned k = 0; k < 4; ++k)
		assert_false(measured_slow(&made.machine, k, &found));
}

/* Measurements off the line at every fifth size do not change the growth at the others. */
static void outliers_do_not_spread(void **unused)
{
	(void)unused;
	struct made made;
	made_fill(&made);
	for (unsigned i = 2; i < POINTS; i += 5)
		made.time_s[2][i] *= 8;
	for (unsigned i = 0; i < 10; ++i)
		if (i % 5 != 2)
			assert_close(time_of(&made, 16, made.bytes[i], EXTRAPOLATED), law(16, made.bytes[i]),
				1e-2);
}

static void says_when_it_cannot(void **unused)
{
	(void)unused;
	struct made made;
	struct measured_time time;
	made_fill(&made);
	const struct paradl_machine *machine = &made.machine;
	assert_false(measured_s(machine, BROADCAST, 2, 8, 64, NULL, &time)); /* another operation */
	assert_false(measured_s(machine, ALLREDUCE, 2, 4, 64, NULL, &time)); /* another layout */
	assert_false(measured_s(machine, ALLREDUCE, 2, 7, 64, NULL, &time));
	assert_false(measured_s(machine, ALLREDUCE, 0, 0, 64, NULL, &time));
	assert_false(measured_s(machine, ALLREDUCE, 2, 8, (double)NAN, NULL, &time));
	made.machine.curve_count = 1; /* one node only */
	assert_true(measured_s(machine, ALLREDUCE, 1, 4, 64, NULL, &time));
	assert_false(measured_s(machine, ALLREDUCE, 2, 8, 64, NULL, &time));
	made.machine.curves = &made.curves[3];
	assert_false(measured_s(machine, ALLREDUCE, 4, 16, 64, NULL, &time)); /* fewer than any */
	made.curves[1].library = "y"; /* other libraries do not help out */
	made.machine.curves = made.curves;
	made.machine.curve_count = 2;
	assert_false(measured_s(machine, ALLREDUCE, 2, 8, 64, NULL, &time));
}

/* A library is found by its name, in any version; blanks do not count. Versions of one are one library. */
static void libraries_have_names(void **unused)
{
	(void)unused;
	static const char *const names[] = {"open mpi 4.0.5", "nccl 2.8.4", "nccl 2.27.3", "nccl"};
	struct made made;
	struct measured_time time;
	made_fill(&made);
	for (unsigned k = 0; k < 4; ++k)
		made.curves[k].library = names[k];
	for (unsigned k = 0; k < 4; ++k) {
		const char *const name = k ? "nccl" : "openmpi";
		assert_true(measured_s(&made.machine, ALLREDUCE, 1U << k, 4U << k, 64, name, &time));
		assert_close(time.seconds, law(1U << k, 64), 0);
	}
	assert_false(measured_s(&made.machine, ALLREDUCE, 1, 4, 64, "mpi", &time));
	assert_false(measured_s(&made.machine, ALLREDUCE, 2, 8, 64, "ncc", &time));
}

/* The curve is the function at the knots, and near it elsewhere. */
static void curve_follows(void **unused)
{
	(void)unused;
	struct made made;
	made_fill(&made);
	static const unsigned counts[] = {1, 3, 8, 32};
	for (unsigned k = 0; k < 4; ++k) {
		struct curve curve;
		assert_true(measured_curve(&made.machine, ALLREDUCE, counts[k], 4 * counts[k], &curve));
		assert_true(curve.count > 2 && curve.count <= CURVE_MAX);
		for (double bytes = 0.5; bytes < 4e9; bytes *= 1.5) {
			struct measured_time time;
			assert_true(measured_s(
				&made.machine, ALLREDUCE, counts[k], 4 * counts[k], bytes, NULL, &time));
			assert_close(curve_s(&curve, bytes), time.seconds, 0.04);
		}
	}
}

/* Three segments made of lines, told apart from their points. */
static void finds_three_segments(void **unused)
{
	(void)unused;
	static const struct {
		double from, to, a_s, b_s_per_byte;
	} truth[] = {{8, 2048, 5e-6, 1e-9}, {4096, 262144, 20e-6, 4e-10}, {524288, 67108864, 80e-6, 1e-10}};
	double bytes[POINTS], time_s[POINTS];
	struct points points = {bytes, time_s, POINTS};
	struct segments fit;
	for (unsigned i = 0; i < POINTS; ++i) {
		bytes[i] = 8 * pow(2, i);
		const unsigned part = bytes[i] > truth[1].to ? 2 : bytes[i] > truth[0].to;
		time_s[i] = truth[part].a_s + bytes[i] * truth[part].b_s_per_byte;
	}
	segments_fit(&points, SEGMENTS_USUAL, &fit);
	assert_int_equal(fit.count, 3);
	for (unsigned part = 0; part < fit.count; ++part) {
		const struct fitted_segment *const segment = &fit.segments[part];
		assert_close(bytes[segment->first], truth[part].from, 0);
		assert_close(bytes[segment->last], truth[part].to, 0);
		assert_close(segment->line.a_s, truth[part].a_s, 1e-5);
		assert_close(segment->line.b_s_per_byte, truth[part].b_s_per_byte, 1e-5);
		assert_true(segment->residual < 1e-6);
		assert_close(segments_s(&fit, &points, truth[part].to),
			truth[part].a_s + truth[part].to * truth[part].b_s_per_byte, 1e-5);
	}
	assert_close(segments_s(&fit, &points, 3072), (time_s[8] + time_s[9]) / 2, 1e-5); /* between two */
	assert_close(segments_s(&fit, &points, 1e9), truth[2].a_s + 1e9 * truth[2].b_s_per_byte, 1e-5);
	points.count = 2;
	segments_fit(&points, SEGMENTS_USUAL, &fit); /* two points are one line */
	assert_int_equal(fit.count, 1);
	assert_close(fit.segments[0].line.a_s, truth[0].a_s, 1e-9);
	time_s[1] = time_s[0] / 2; /* a falling time is taken as constant, between the two */
	segments_fit(&points, SEGMENTS_USUAL, &fit);
	assert_close(fit.segments[0].line.b_s_per_byte, 0, 0);
	assert_true(fit.segments[0].line.a_s > time_s[1] && fit.segments[0].line.a_s < time_s[0]);
}

/* ---- ABCI ------------------------------------------------------------------------------------------- */

static const char *const abci_machines[] = {"abci-v", "abci-a"};
static const char *const abci_libraries[] = {"nccl", "mpi", "mpi-cpu"};
static const enum operation abci_operations[] = {ALLREDUCE, BROADCAST};

static double number(const struct csv *csv, size_t row, const char *column)
{
	return strtod(csv_cell(csv, row, column), NULL);
}

/* The curve of one machine, operation, library and number of nodes; all devices of each node. */
static bool curve_of(struct paradl_arena *arena, const struct csv *csv, const char *machine,
	const char *operation, const char *library, unsigned nodes, struct measured_curve *curve)
{
	double *bytes = arena_alloc(arena, csv->rows, sizeof *bytes);
	double *time_s = arena_alloc(arena, csv->rows, sizeof *time_s);
	assert_true(bytes && time_s);
	const unsigned devices = nodes * (strcmp(machine, "abci-a") == 0 ? 8 : 4);
	*curve = (struct measured_curve){operation, library, nodes, devices, {bytes, time_s, 0}};
	for (size_t row = 0; row < csv->rows; ++row) {
		if (strcmp(csv_cell(csv, row, "machine"), machine) != 0 ||
			strcmp(csv_cell(csv, row, "operation"), operation) != 0 ||
			strcmp(csv_cell(csv, row, "library"), library) != 0 ||
			(unsigned)number(csv, row, "nodes") != nodes ||
			(unsigned)number(csv, row, "devices") != devices)
			continue;
		bytes[curve->points.count] = number(csv, row, "bytes");
		time_s[curve->points.count++] = number(csv, row, "time_us") / 1e6;
	}
	return curve->points.count > 1;
}

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, compare);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

struct score {
	double errors[1000];
	size_t count, covered;
};

/* Times at `largest` nodes from the curves of fewer, 1 node included. */
static void score_add(struct paradl_arena *arena, const struct csv *csv, const char *machine,
	enum operation operation, const char *library, unsigned largest, struct score *score)
{
	struct measured_curve curves[4], truth;
	struct paradl_machine made = {.curves = curves};
	const char *const name = operation_names[operation];
	for (unsigned nodes = 1; nodes < largest; nodes *= 2)
		assert_true(curve_of(arena, csv, machine, name, library, nodes, &curves[made.curve_count++]));
	assert_true(curve_of(arena, csv, machine, name, library, largest, &truth));
	for (unsigned i = 0; i < truth.points.count; ++i) {
		struct measured_time time;
		assert_true(
			measured_s(&made, operation, largest, truth.devices, truth.points.x[i], NULL, &time));
		assert_int_equal(time.origin, EXTRAPOLATED);
		const double error = fabs(time.seconds - truth.points.y[i]) / truth.points.y[i];
		score->errors[score->count++] = error;
		score->covered += error <= time.band;
	}
}

static void predicts_more_nodes(void **unused)
{
	(void)unused;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct csv csv;
	struct score all = {0};
	assert_true(csv_load(arena, "tests/data/network/abci_collectives.csv", &csv, &error));
	for (unsigned m = 0; m < 2; ++m) {
		struct score score = {0};
		for (unsigned l = 0; l < 3; ++l)
			for (unsigned o = 0; o < 2; ++o) {
				struct score one = {0};
				score_add(arena, &csv, abci_machines[m], abci_operations[o],
					abci_libraries[l], 8, &one);
				score_add(arena, &csv, abci_machines[m], abci_operations[o],
					abci_libraries[l], 8, &score);
				score_add(arena, &csv, abci_machines[m], abci_operations[o],
					abci_libraries[l], 8, &all);
				print_message("# %s %s %s: %.1f %%\n", abci_machines[m], abci_libraries[l],
					operation_names[abci_operations[o]],
					100 * median(one.errors, one.count));
				assert_true(median(one.errors, one.count) <= 0.10);
			}
		print_message("# %s: %.1f %%\n", abci_machines[m], 100 * median(score.errors, score.count));
		assert_true(median(score.errors, score.count) <= 0.08);
	}
	print_message("# all: %.1f %%, %zu of %zu within the band\n", 100 * median(all.errors, all.count),
		all.covered, all.count);
	assert_int_equal(all.count, 12 * 24 + 4 * 2);
	assert_true(2 * all.covered >= all.count);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_back_points),
		cmocka_unit_test(interpolates),
		cmocka_unit_test(extrapolates),
		cmocka_unit_test(never_falls_beyond),
		cmocka_unit_test(outliers_do_not_spread),
		cmocka_unit_test(slow_counts_spoil_nothing),
		cmocka_unit_test(growth_is_in_line),
		cmocka_unit_test(says_when_it_cannot),
		cmocka_unit_test(libraries_have_names),
		cmocka_unit_test(curve_follows),
		cmocka_unit_test(finds_three_segments),
		cmocka_unit_test(predicts_more_nodes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
