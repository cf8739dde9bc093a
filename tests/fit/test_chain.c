/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From files of samples with a known truth to the numbers and curves of a machine. */
#include "fit/synthetic.h"

#include <limits.h>

#include "machine/machine.h"

enum { SIZES = 25, SEEDS = 25, COVERED_SEEDS = 300, COVERED_SOME = 100 };

/* Messages between two devices of a node: three protocols, as jumps and rates. */
static double pair_s(double bytes)
{
	return bytes <= 4096     ? 2e-6 + bytes * 4e-10
	       : bytes <= 524288 ? 6e-6 + bytes * 2e-10
				 : 40e-6 + bytes * 1e-10;
}

/* An allreduce of 4: 2 3 / 4 bytes over 8 GB/s, 12 us. */
static double allreduce_s(double bytes)
{
	return 12e-6 + 1.5 * bytes / 8e9;
}

struct list {
	struct synthetic_point points[4 * SIZES];
	char text[4 * SIZES][2][160];
	size_t count;
};

static void add(struct list *list, const char *bench, unsigned devices, double bytes, const char *more,
	double seconds)
{
	char(*text)[160] = list->text[list->count];
	snprintf(text[0], 160, "%s/1x%u/%.0f%s", bench, devices, bytes, *more ? "x" : "");
	snprintf(text[1], 160,
		"\"library\":\"open mpi "
		"4.1.4\",\"buffer\":\"host\",\"nodes\":1,\"devices\":%u,\"bytes\":%.0f%s",
		devices, bytes, more);
	list->points[list->count++] = (struct synthetic_point){text[0], bench, text[1], seconds};
}

static void list_fill(struct list *list)
{
	list->count = 0;
	for (unsigned i = 0; i < SIZES; ++i) {
		const double bytes = 4 * pow(2, i);
		add(list, "point-to-point", 2, bytes, ",\"groups\":1,\"distance\":\"node\"", pair_s(bytes));
		add(list, "allreduce", 4, bytes, ",\"groups\":1", allreduce_s(bytes));
	}
}

static struct synthetic usual(unsigned seed)
{
	return (struct synthetic){.noise = 0.05,
		.wild_share = 0.05,
		.bimodal_launch = seed % 5,
		.launches = 5,
		.samples = 50,
		.seed = seed};
}

static void fit_list(struct paradl_arena *arena, const struct list *list, const struct synthetic *how,
	struct paradl_calibration *calibration)
{
	char paths[64][64];
	const unsigned files = synthetic_write(how, list->points, list->count, false, paths);
	synthetic_fit(arena, paths, files, false, NULL, calibration);
}

static const struct paradl_fitted_curve *curve_of(
	const struct paradl_calibration *calibration, const char *operation)
{
	for (size_t i = 0; i < calibration->curve_count; ++i)
		if (strcmp(calibration->curves[i].operation, operation) == 0)
			return &calibration->curves[i];
	fail_msg("no curve of %s", operation);
	abort();
}

static void known_numbers_come_back(void **unused)
{
	(void)unused;
	double off[4][SEEDS], curve_off[SEEDS];
	static const struct {
		const char *path;
		double truth;
	} numbers[] = {{"levels/0/latency", 2e-6}, {"levels/0/bandwidth", 1e10}, {"levels/0/ring", 8e9}};
	struct list list;
	list_fill(&list);
	for (unsigned seed = 0; seed < SEEDS; ++seed) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_calibration calibration;
		const struct synthetic how = usual(seed);
		fit_list(arena, &list, &how, &calibration);
		for (unsigned i = 0; i < 3; ++i) {
			const struct paradl_fitted_number *number = number_of(&calibration, numbers[i].path);
			if (!number)
				abort();
			off[i][seed] = fabs(number->value / numbers[i].truth - 1);
			assert_close(number->value, numbers[i].truth, 0.02);
			assert_true(number->low > 0 && number->low <= number->value);
			assert_true(number->high >= number->value);
			assert_int_equal(number->launches, 5);
			assert_false(number->is_range);
			assert_string_equal(number->from, "calibrate mpi, 5 launches, 2026-11-22");
		}
		const struct paradl_fitted_curve *curve = curve_of(&calibration, "point-to-point");
		assert_int_equal(curve->segment_count, 3);
		assert_close(curve->segments[1].from_bytes, 8192, 0);
		assert_close(curve->segments[2].from_bytes, 1048576, 0);
		assert_close(curve->segments[1].s_per_byte, 2e-10, 0.02);
		assert_close(curve->segments[2].s_per_byte, 1e-10, 0.02);
		assert_close(curve->segments[0].a_s, 2e-6, 0.02);
		double errors[SIZES];
		assert_int_equal(curve->point_count, SIZES);
		for (unsigned i = 0; i < SIZES; ++i) {
			errors[i] = fabs(curve->time_s[i] / pair_s(curve->bytes[i]) - 1);
			assert_close(curve->time_s[i], pair_s(curve->bytes[i]), 0.03);
		}
		curve_off[seed] = robust_median(errors, SIZES);
		assert_true(curve_off[seed] < 0.02);
		assert_true(curve->held_out_error < 0.03);
		paradl_arena_free(arena);
	}
	print_message("# latency %.2f %%, bandwidth %.2f %%, ring %.2f %%, curve %.2f %% off in the median\n",
		100 * robust_median(off[0], SEEDS), 100 * robust_median(off[1], SEEDS),
		100 * robust_median(off[2], SEEDS), 100 * robust_median(curve_off, SEEDS));
}

/* 4 pairs of two nodes: twice the time of the bytes of one; 2 pairs: a quarter more. Start-ups are 5 us. */
static void slowdowns_come_back(void **unused)
{
	(void)unused;
	static const struct {
		unsigned groups;
		double phi;
	} truth[] = {{1, 1}, {2, 1.25}, {4, 2}};
	struct list list = {.count = 0};
	for (unsigned k = 0; k < 3; ++k)
		for (unsigned i = 0; i < SIZES; ++i) {
			const double bytes = 4 * pow(2, i);
			char more[80];
			snprintf(more, sizeof more, ",\"groups\":%u,\"distance\":\"far\"", truth[k].groups);
			add(&list, "point-to-point", 2, bytes, more, 5e-6 + truth[k].phi * bytes / 1e10);
			/* Two nodes, and a name of its own. */
			char(*text)[160] = list.text[list.count - 1];
			memcpy(strstr(text[1], "\"nodes\":1"), "\"nodes\":2", 9);
			snprintf(text[0], 160, "point-to-point/far/2x2x%u/%.0f", truth[k].groups, bytes);
		}
	for (unsigned seed = 0; seed < SEEDS / 5; ++seed) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_calibration calibration;
		const struct synthetic how = usual(seed);
		fit_list(arena, &list, &how, &calibration);
		for (unsigned k = 1; k < 3; ++k) {
			char path[80];
			snprintf(path, sizeof path, "levels/1/contention/%u/groups", k - 1);
			const struct paradl_fitted_number *groups = number_of(&calibration, path);
			snprintf(path, sizeof path, "levels/1/contention/%u/slowdown", k - 1);
			const struct paradl_fitted_number *slowdown = number_of(&calibration, path);
			if (!groups || !slowdown)
				abort();
			assert_close(groups->value, truth[k].groups, 0);
			assert_close(slowdown->value, truth[k].phi, 0.02);
			assert_true(slowdown->low <= slowdown->value && slowdown->value <= slowdown->high);
		}
		assert_null(number_of(&calibration, "levels/1/contention/2/groups"));
		assert_close(value_of(&calibration, "levels/1/bandwidth"), 1e10, 0.02);
		assert_close(value_of(&calibration, "levels/1/latency"), 5e-6, 0.02);
		paradl_arena_free(arena);
	}
}

/* Intervals of a number hold the truth in 95 of 100 cases, of a library whose launches differ by 3 % at every size. */
static void intervals_cover(void **unused)
{
	(void)unused;
	const unsigned seeds = takes_all() ? COVERED_SEEDS : COVERED_SOME;
	unsigned covered[2] = {0};
	struct list list = {.count = 0};
	for (unsigned i = 0; i < SIZES; i += 2) {
		const double bytes = 4 * pow(2, i);
		add(&list, "point-to-point", 2, bytes, ",\"groups\":1,\"distance\":\"node\"",
			3e-6 + bytes / 1e10);
	}
	for (unsigned seed = 0; seed < seeds; ++seed) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_calibration calibration;
		struct synthetic how = usual(seed);
		how.bimodal_launch = UINT_MAX;
		how.launch_noise = 0.03;
		how.samples = 15;
		fit_list(arena, &list, &how, &calibration);
		const struct paradl_fitted_number *latency = number_of(&calibration, "levels/0/latency"),
						  *rate = number_of(&calibration, "levels/0/bandwidth");
		if (!latency || !rate)
			abort();
		assert_true(latency->value > 0);
		covered[0] += latency->low <= 3e-6 && 3e-6 <= latency->high;
		covered[1] += rate->low <= 1e10 && 1e10 <= rate->high;
		paradl_arena_free(arena);
	}
	print_message("# latency %.1f %%, bandwidth %.1f %% covered\n", 100.0 * covered[0] / seeds,
		100.0 * covered[1] / seeds);
	for (unsigned i = 0; i < 2; ++i)
		assert_true(covered[i] >= 0.90 * seeds);
}

/* The same numbers to the last bit, in whatever order files are given. */
static void order_does_not_matter(void **unused)
{
	(void)unused;
	struct list list;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_calibration calibrations[2];
	list_fill(&list);
	for (unsigned backwards = 0; backwards < 2; ++backwards) {
		char paths[64][64];
		const struct synthetic how = usual(3);
		const unsigned files = synthetic_write(&how, list.points, list.count, true, paths);
		assert_int_equal(files, 5);
		synthetic_fit(arena, paths, files, backwards, NULL, &calibrations[backwards]);
	}
	const struct paradl_calibration *a = &calibrations[0], *b = &calibrations[1];
	assert_int_equal(a->launches, 5);
	assert_int_equal(a->points, 5 * list.count);
	assert_int_equal(a->number_count, b->number_count);
	assert_int_equal(a->curve_count, b->curve_count);
	assert_true(a->number_count >= 3 && a->curve_count == 2);
	for (size_t i = 0; i < a->number_count; ++i) {
		assert_string_equal(a->numbers[i].path, b->numbers[i].path);
		assert_close(a->numbers[i].value, b->numbers[i].value, 0);
		assert_close(a->numbers[i].low, b->numbers[i].low, 0);
		assert_close(a->numbers[i].high, b->numbers[i].high, 0);
	}
	for (size_t i = 0; i < a->curve_count; ++i) {
		const struct paradl_fitted_curve *left = &a->curves[i], *right = &b->curves[i];
		assert_string_equal(left->operation, right->operation);
		assert_int_equal(left->point_count, right->point_count);
		assert_memory_equal(left->time_s, right->time_s, left->point_count * sizeof(double));
		assert_memory_equal(left->low_s, right->low_s, left->point_count * sizeof(double));
		assert_memory_equal(left->segments, right->segments, sizeof left->segments);
	}
	assert_int_equal(a->outlier_count, b->outlier_count);
	paradl_arena_free(arena);
}

/* Accelerators are not linked by the memory of their host; what the profile said before is told. */
static void hosts_are_not_devices(void **unused)
{
	(void)unused;
	struct list list;
	const struct synthetic how = usual(2);
	list_fill(&list);
	for (unsigned accelerated = 0; accelerated < 2; ++accelerated) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct paradl_calibration calibration;
		char paths[64][64];
		const struct paradl_machine *abci = paradl_machine_load(
			arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
		if (!abci)
			abort();
		struct paradl_machine machine = *abci;
		assert_true(machine.device.link.host_bytes_per_s > 0);
		if (!accelerated)
			machine.device.link.host_bytes_per_s = 0;
		const unsigned files = synthetic_write(&how, list.points, list.count, false, paths);
		synthetic_fit(arena, paths, files, false, &machine, &calibration);
		const struct paradl_fitted_number *ring = number_of(&calibration, "levels/0/ring");
		assert_int_equal(ring == NULL, accelerated);
		if (ring)
			assert_close(ring->was, abci->levels[0].ring_bytes_per_s, 0);
		assert_int_equal(calibration.curve_count, 2);
		paradl_arena_free(arena);
	}
}

/* A file twice would make intervals too narrow. */
static void files_once(void **unused)
{
	(void)unused;
	struct list list;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_calibration calibration;
	char paths[64][64];
	const struct synthetic how = usual(1);
	list_fill(&list);
	assert_int_equal(synthetic_write(&how, list.points, 2, false, paths), 1);
	const char *const twice[] = {paths[0], paths[0]};
	assert_false(paradl_calibration_fit(arena, twice, 2, NULL, &calibration, &error));
	assert_int_equal(error.status, PARADL_SCHEMA);
	assert_non_null(strstr(error.hint, "once"));
	remove(paths[0]);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_numbers_come_back),
		cmocka_unit_test(slowdowns_come_back),
		cmocka_unit_test(intervals_cover),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(hosts_are_not_devices),
		cmocka_unit_test(files_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
