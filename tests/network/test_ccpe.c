/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every simulated allreduce of the study of hierarchical algorithms (CCPE 2021), time and energy, from routes, link loads
 * and start-ups alone: nothing here is fitted. Steps are barriers (`upper`), which is exact where the flows of a step have the
 * same start-up; flat rings over several groups of leaves are up to 12 % off. With ranks that run ahead of one another (fluid.h)
 * these are right too.
 */
#include "test.h"

#include "base/arena.h"
#include "base/csv.h"
#include "network/platforms.h"
#include "network/record/fluid.h"

enum { ROWS_MAX = 256 };

static const struct {
	const char *label, *name, *variant;
	double energy; /* tolerance, given the time; 0: not to be held */
} algorithms[] = {
	{"lr", "allreduce-ring", "", 0.008},
	{"rdb", "allreduce-doubling", "", 0},
	{"rab", "allreduce-rabenseifner", "order=near", 0},
	{"ntt_lr_lr", "allreduce-leaders-ring", "leaders=%u", 0.003},
	{"ntt_lr_rab", "allreduce-leaders-rabenseifner", "leaders=%u", 0.001},
	{"ntt_lr_rdb", "allreduce-leaders-doubling", "leaders=%u", 0.001},
	{"ntt_binominal_lr", "allreduce-leader", "leaders-by=ring", 0.002},
	/* its start-up touches links that the algorithm never uses, and those are billed too: 44 to 50 % more */
	{"ntt_smp_binominal", "allreduce-leader", "leaders-by=tree", 0},
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

struct row {
	const char *platform;
	unsigned algorithm, ranks;
	double bytes, time_s, joule; /* simulated; joule 0: not given */
	double upper_s, lower_s, ahead_s, used_watt, moved_joule;
};

static struct row rows[ROWS_MAX];
static size_t row_count;

static double number(const struct csv *csv, size_t row, const char *column)
{
	return strtod(csv_cell(csv, row, column), NULL);
}

static enum platform_id platform_id_of(const char *label)
{
	for (unsigned id = 0; id < PLATFORM_COUNT; ++id) {
		const char *const name = platform_names[id];
		const size_t length = strlen(name);
		if (strncmp(label, name, length) == 0 && (!label[length] || label[length] == '_'))
			return (enum platform_id)id;
	}
	fail_msg("no platform %s", label);
	return PLATFORM_COUNT;
}

static unsigned algorithm_of(const char *label)
{
	for (unsigned i = 0; i < ALGORITHMS; ++i)
		if (strcmp(algorithms[i].label, label) == 0)
			return i;
	fail_msg("no algorithm %s", label);
	return ALGORITHMS;
}

/* As the simulator shares links: SMPI's network/weight-S is 8775 bytes. */
static double ahead(const struct platform *platform, const struct communicator *comm, const char *name,
	const char *variant, double bytes)
{
	const struct sharing sharing = {true, 8775};
	const struct group group = platform_group(platform, comm->size);
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	unsigned index = 0;
	double seconds = 0;
	const struct collective *collective = algorithm_find(comm, name, variant, &index);
	const struct run_of run = {&group, comm, collective, index, bytes};
	struct effort effort = {FLUID_MESSAGES_MAX, HUGE_VAL};
	if (!fluid_time(arena, &platform->network, &run, &sharing, &effort, &seconds, &error))
		fail_msg("%s: %s", name, error.message);
	paradl_arena_free(arena);
	return seconds;
}

static struct row row_read(const struct csv *csv, size_t i, struct platform *const *platforms)
{
	const unsigned per_node = (unsigned)number(csv, i, "gpus_per_node");
	struct row row = {.platform = csv_cell(csv, i, "platform"),
		.algorithm = algorithm_of(csv_cell(csv, i, "algorithm")),
		.ranks = (unsigned)number(csv, i, "ranks"),
		.bytes = number(csv, i, "bytes"),
		.time_s = number(csv, i, "sim_ms") / 1e3,
		.joule = number(csv, i, "sim_energy_J_per_1000") / 1e3};
	const struct platform *platform = platforms[platform_id_of(row.platform)];
	const struct communicator comm = platform_party(platform, row.ranks, per_node);
	char variant[32];
	assert_int_equal(comm.per_node, per_node);
	snprintf(variant, sizeof variant, "%s", algorithms[row.algorithm].variant);
	if (strcmp(variant, "leaders=%u") == 0)
		snprintf(variant, sizeof variant, "leaders=%u", per_node);
	const struct compiled compiled =
		platform_compile(platform, &comm, algorithms[row.algorithm].name, variant, row.bytes);
	row.ahead_s = ahead(platform, &comm, algorithms[row.algorithm].name, variant, row.bytes);
	row.upper_s = hull_s(&compiled.upper, row.bytes);
	row.lower_s = hull_s(&compiled.lower, row.bytes);
	row.used_watt = compiled.used_watt;
	row.moved_joule = compiled.joule_per_byte * row.bytes;
	return row;
}

static int read_all(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct platform *platforms[PLATFORM_COUNT];
	struct paradl_error error = {0};
	struct csv csv;
	*state = arena;
	if (!csv_load(arena, "tests/data/simulated/ccpe_allreduce.csv", &csv, &error))
		fail_msg("%s", error.message);
	assert_true(csv.rows > 0 && csv.rows <= ROWS_MAX);
	for (unsigned id = 0; id < PLATFORM_COUNT; ++id)
		platforms[id] = platform_create(arena, (enum platform_id)id, 0);
	for (size_t i = 0; i < csv.rows; ++i)
		rows[row_count++] = row_read(&csv, i, platforms);
	return 0;
}

static int forget_all(void **state)
{
	paradl_arena_free(*state);
	return 0;
}

static void table_print(void)
{
	for (size_t i = 0; i < row_count; ++i) {
		const struct row *row = &rows[i];
		const double energy = row->used_watt * row->time_s + row->moved_joule;
		print_message("%-14s %-18s %3u ranks %4.0f MiB: %9.5f ms, %+7.3f %% (%+7.3f %% at least, "
			      "%+7.3f %% ahead), energy %+7.3f %%\n",
			row->platform, algorithms[row->algorithm].label, row->ranks, row->bytes / 1048576,
			row->time_s * 1e3, 100 * (row->upper_s / row->time_s - 1),
			100 * (row->lower_s / row->time_s - 1), 100 * (row->ahead_s / row->time_s - 1),
			row->joule > 0 ? 100 * (energy / row->joule - 1) : (double)NAN);
	}
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void time_errors(void **state)
{
	double errors[ROWS_MAX], sum = 0;
	(void)state;
	for (size_t i = 0; i < row_count; ++i) {
		errors[i] = fabs(rows[i].upper_s / rows[i].time_s - 1);
		sum += errors[i];
	}
	qsort(errors, row_count, sizeof *errors, ascending);
	const double median = (errors[(row_count - 1) / 2] + errors[row_count / 2]) / 2;
	const double mean = sum / (double)row_count;
	if (median <= 0.001 && mean <= 0.012 && errors[row_count - 1] <= 0.125)
		return;
	table_print();
	fail_msg("median error %.3f %%, mean %.3f %%, largest %.3f %%", 100 * median, 100 * mean,
		100 * errors[row_count - 1]);
}

/* All algorithms but those with rings between nodes: their steps have flows of one start-up each. */
static void exact_where_start_ups_are_equal(void **state)
{
	unsigned held = 0;
	(void)state;
	for (size_t i = 0; i < row_count; ++i) {
		const struct row *row = &rows[i];
		const double tolerance = strncmp(row->platform, "Tsubame3", 8) == 0    ? 0.0013
					 : strncmp(row->platform, "NVCluster", 9) == 0 ? 0.0023
										       : 0;
		const char *const label = algorithms[row->algorithm].label;
		const size_t length = strlen(label);
		if (!(tolerance > 0) || strcmp(label + length - 2, "lr") == 0)
			continue;
		assert_close(row->upper_s, row->time_s, tolerance);
		++held;
	}
	assert_true(held >= 25);
}

/* What the simulator says lies between the two rules, but for its own rounding, where messages are not eager. */
static void between_the_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < row_count; ++i) {
		const struct row *row = &rows[i];
		if (strcmp(algorithms[row->algorithm].label, "lr") != 0)
			continue;
		assert_true(row->time_s >= row->lower_s * (1 - 0.001));
		assert_true(row->time_s <= row->upper_s * (1 + 0.001));
	}
}

/*
 * Given the time. What a run does besides its allreduces costs the same joules at every size, so it shows in messages
 * below 32 MiB: there all algorithms are held to 0.9 %.
 */
static void energy(void **state)
{
	unsigned held = 0;
	(void)state;
	for (size_t i = 0; i < row_count; ++i) {
		const struct row *row = &rows[i];
		const double tolerance = algorithms[row->algorithm].energy;
		if (!(tolerance > 0) || !(row->joule > 0) || strncmp(row->platform, "Tsubame3", 8) != 0)
			continue;
		assert_close(row->used_watt * row->time_s + row->moved_joule, row->joule,
			row->bytes < 33554432 ? 0.009 : tolerance);
		++held;
	}
	assert_true(held >= 40);
}

/*
 * Sends below 65536 bytes do not wait for their receivers there, so ranks run ahead further than ours. The flat ring of just
 * that size is 9 % off, and why is not known.
 */
static void ranks_ahead(void **state)
{
	double sum = 0;
	unsigned exact = 0;
	(void)state;
	for (size_t i = 0; i < row_count; ++i) {
		const struct row *row = &rows[i];
		const double error = fabs(row->ahead_s / row->time_s - 1), message = row->bytes / row->ranks;
		sum += error;
		if (strncmp(row->platform, "Tsubame3", 8) != 0 || message <= 65536)
			continue;
		if (error > 0.0003)
			table_print();
		assert_close(row->ahead_s, row->time_s, 0.0003);
		++exact;
	}
	if (sum / (double)row_count > 0.0025)
		table_print();
	assert_true(exact >= 36 && sum / (double)row_count <= 0.0025);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_errors),
		cmocka_unit_test(exact_where_start_ups_are_equal),
		cmocka_unit_test(between_the_rules),
		cmocka_unit_test(ranks_ahead),
		cmocka_unit_test(energy),
	};
	return cmocka_run_group_tests_name("network/ccpe", tests, read_all, forget_all);
}
