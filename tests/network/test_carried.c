/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines with --set: what was measured of links goes with them. */
#include "test.h"

#include "machine/machine.h"
#include "paradl/network.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const profiles[] = {
	"abci", "abci-routed", "dgx-h100-superpod", "aws-p5", "gb200-nvl72", "tsubame3", "frontier"};
static const double sizes[] = {4, 1000, 65536, 3e6, 1e8, 3e9};

static const struct paradl_machine *load(
	struct paradl_arena *arena, const char *profile, const char *const *texts, size_t count)
{
	struct paradl_error error = {0};
	const struct paradl_changes *const changes = paradl_changes_parse(arena, texts, count, &error);
	const char *const path = arena_printf(arena, "hw-profiles/%s.json", profile);
	const struct paradl_machine *const machine =
		changes ? paradl_machine_load(
				  arena, &(struct paradl_source){.path = path, .changes = changes}, &error)
			: NULL;
	if (!machine)
		fail_msg("%s: %s: %s", profile, error.path, error.message);
	return machine;
}

/* An allreduce of some devices at each of the sizes, on the wires alone: what a library adds is no cable's. */
static void ask(
	struct paradl_arena *arena, const struct paradl_machine *machine, unsigned ranks, double *time_s)
{
	struct paradl_error error = {0};
	struct paradl_machine wires = *machine;
	wires.device.link.library = NULL;
	struct paradl_network *const network = paradl_network_create(arena, &wires, &error);
	const struct paradl_collective_request request = {.operation = PARADL_ALLREDUCE,
		.ranks = ranks,
		.bytes = sizes,
		.count = COUNT(sizes),
		.steps = true};
	struct paradl_collective_table table;
	if (!network || !paradl_collective(network, &request, arena, &table, &error))
		fail_msg("%s: %s", paradl_machine_info(machine).name, error.message);
	for (size_t i = 0; i < COUNT(sizes); i++)
		time_s[i] = table.rows[i].time_s;
}

static void for_all(const char *const *texts, size_t count,
	void (*hold)(const double *was_s, const double *now_s, const char *profile))
{
	for (size_t i = 0; i < COUNT(profiles); i++)
		for (unsigned ranks = 2; ranks <= 64; ranks *= 2) {
			struct paradl_arena *const arena = paradl_arena_create();
			double was_s[COUNT(sizes)], now_s[COUNT(sizes)];
			ask(arena, load(arena, profiles[i], NULL, 0), ranks, was_s);
			ask(arena, load(arena, profiles[i], texts, count), ranks, now_s);
			hold(was_s, now_s, profiles[i]);
			paradl_arena_free(arena);
		}
}

static void is_same(const double *was_s, const double *now_s, const char *profile)
{
	(void)profile;
	assert_memory_equal(was_s, now_s, COUNT(sizes) * sizeof *was_s);
}

static void is_half(const double *was_s, const double *now_s, const char *profile)
{
	for (size_t i = 0; i < COUNT(sizes); i++)
		if (!(fabs(2 * now_s[i] - was_s[i]) <= 1e-9 * was_s[i]))
			fail_msg("%s: %g bytes: %.12g, not half of %.12g", profile, sizes[i], now_s[i],
				was_s[i]);
}

/* Beyond the largest size measured a curve goes on as fitted, and is fitted anew: to some thousandths. */
static void is_less(const double *was_s, const double *now_s, const char *profile)
{
	for (size_t i = 0; i < COUNT(sizes); i++)
		if (!(now_s[i] <= was_s[i] * (sizes[i] > 32e6 ? 1.01 : 1)))
			fail_msg("%s: %g bytes: %.12g is more than %.12g", profile, sizes[i], now_s[i],
				was_s[i]);
	if (!(now_s[COUNT(sizes) - 1] < was_s[COUNT(sizes) - 1] || now_s[0] < was_s[0]))
		fail_msg("%s: nothing is faster", profile);
}

static void times_one_is_the_same(void **state)
{
	static const char *const texts[] = {"hw.levels.*.bandwidth=x1", "hw.levels.*.latency=+0%"};
	(void)state;
	for_all(texts, COUNT(texts), is_same);
}

static void twice_the_network_halves_times(void **state)
{
	static const char *const texts[] = {"hw.levels.*.bandwidth=x2", "hw.levels.*.latency=x0.5"};
	(void)state;
	for_all(texts, COUNT(texts), is_half);
}

static void better_links_are_never_slower(void **state)
{
	static const char *const bandwidth[] = {"hw.levels.*.bandwidth=x1.5"};
	static const char *const latency[] = {"hw.levels.*.latency=x0.7"};
	(void)state;
	for_all(bandwidth, 1, is_less);
	for_all(latency, 1, is_less);
}

static bool equal(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(b);
}

static void what_is_changed_itself_stays(void **state)
{
	static const char *const ring[] = {"hw.levels.1.bandwidth=x2", "hw.levels.1.ring=x1"};
	static const char *const curves[] = {"hw.levels.*.bandwidth=x2", "hw.curves.*.us=x1"};
	static const char *const port[] = {
		"hw.levels.*.bandwidth=x2", "hw.network.links.port.bandwidth=x0.5"};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *const abci = load(arena, "abci", NULL, 0);
	const struct paradl_machine *now = load(arena, "abci", ring, 2);
	(void)state;
	assert_true(equal(now->levels[1].ring_bytes_per_s, abci->levels[1].ring_bytes_per_s));
	now = load(arena, "abci", curves, 2);
	assert_memory_equal(now->curves[1].points.y, abci->curves[1].points.y, 24 * sizeof(double));
	assert_true(equal(now->levels[1].ring_bytes_per_s, 2 * abci->levels[1].ring_bytes_per_s));
	/* A slower port sustains less, and the other cables follow their levels. */
	const struct link_class *const links = load(arena, "dgx-h100-superpod", port, 2)->network->links;
	assert_true(equal(links[LINK_PORT].bytes_per_s, 25e9));
	assert_true(equal(links[LINK_PORT].sustained_bytes_per_s, 23.5e9));
	assert_true(equal(links[LINK_SWITCH].bytes_per_s, 100e9));
	assert_true(equal(links[LINK_DEVICE].sustained_bytes_per_s, 740e9));
	paradl_arena_free(arena);
}

/* Only the level that changes: curves of one node go with the node's links, those of several with the network. */
static void curves_follow_their_level(void **state)
{
	static const char *const texts[] = {"hw.levels.1.bandwidth=x4"};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *const was = load(arena, "abci", NULL, 0);
	const struct paradl_machine *const now = load(arena, "abci", texts, 1);
	(void)state;
	for (unsigned c = 0; c < was->curve_count; c++) {
		const struct measured_curve *const curve = &was->curves[c];
		double least_s = curve->points.y[0];
		for (unsigned i = 0; i < curve->points.count; i++)
			least_s = fmin(least_s, curve->points.y[i]);
		for (unsigned i = 0; i < curve->points.count; i++) {
			const double rest_s = curve->points.y[i] - least_s;
			assert_true(equal(now->curves[c].points.y[i],
				least_s + (curve->nodes > 1 ? rest_s / 4 : rest_s)));
		}
	}
	paradl_arena_free(arena);
}

static void storage_and_host_follow(void **state)
{
	static const char *const texts[] = {"hw.storage.shared.read=x3", "hw.levels.1.bandwidth=x2"};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *const was = load(arena, "abci", NULL, 0);
	const struct paradl_machine *const now = load(arena, "abci", texts, 2);
	(void)state;
	assert_int_equal(was->storage[1].by_clients.count, 4);
	for (unsigned i = 0; i < was->storage[1].by_clients.count; i++)
		assert_true(equal(now->storage[1].by_clients.y[i], 3 * was->storage[1].by_clients.y[i]));
	assert_true(equal(now->host.network_bytes_per_s, 2 * was->host.network_bytes_per_s));
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_one_is_the_same),
		cmocka_unit_test(twice_the_network_halves_times),
		cmocka_unit_test(better_links_are_never_slower),
		cmocka_unit_test(what_is_changed_itself_stays),
		cmocka_unit_test(curves_follow_their_level),
		cmocka_unit_test(storage_and_host_follow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
