/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flows by hand: alone, sharing a link, one after the other; and with all ranks alike, the sum of the steps. */
#include "test.h"

#include "base/arena.h"
#include "network/cost/compile.h"
#include "network/record/fluid.h"

static const double rate = 1e9, hop_s = 1e-3;

struct fixture {
	struct paradl_arena *arena;
	struct machine_network rules;
	struct network *network;
	struct group group;
	struct communicator comm;
};

static void begin(struct fixture *fixture, const char *topology)
{
	struct paradl_error error = {0};
	*fixture = (struct fixture){.arena = paradl_arena_create()};
	fixture->rules = (struct machine_network){.usable = 1, .synchronous = true};
	for (unsigned i = 0; i < LINK_BACKPLANE; ++i)
		fixture->rules.links[i] = (struct link_class){
			.bytes_per_s = rate, .sustained_bytes_per_s = rate, .latency_s = hop_s};
	fixture->network = network_on_paper(fixture->arena, topology, &fixture->rules, &error);
	if (!fixture->network)
		fail_msg("%s: %s", topology, error.message);
	const unsigned devices = fixture->network->devices;
	fixture->group =
		(struct group){.size = devices, .devices = devices, .runs = {{1, devices}}, .run_count = 1};
	fixture->comm = communicator_of(fixture->network, &fixture->group);
}

static double fluid_of(
	struct fixture *fixture, const struct collective *collective, unsigned variant, double bytes)
{
	const struct sharing equal = {0};
	struct paradl_error error = {0};
	const struct run_of run = {&fixture->group, &fixture->comm, collective, variant, bytes};
	double seconds = 0;
	struct effort effort = {FLUID_MESSAGES_MAX, HUGE_VAL};
	if (!fluid_time(fixture->arena, fixture->network, &run, &equal, &effort, &seconds, &error))
		fail_msg("%s: %s", collective->name, error.message);
	return seconds;
}

static unsigned any(const struct communicator *comm)
{
	return comm->size > 1;
}

static unsigned both(const struct communicator *comm)
{
	return comm->size > 1 ? 2 : 0;
}

/* ---- by hand ------------------------------------------------------------------------------------------------ */

static void tell_alone(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	schedule_step(schedule, 3, 0);
	schedule_flow(schedule, 0, 1, 1);
}

static void tell_shared(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 0, 2, 1);
	schedule_flow(schedule, 1, 2, 0.5);
}

/* Rank 1 has both messages of 1 one after the other; rank 2 is done with its first early, and sends on to 3. */
static void tell_ahead(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 0, 1, 1);
	schedule_flow(schedule, 3, 2, 0.25);
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 2, 3, 0.5);
	schedule_flow(schedule, 1, 0, 0.25);
	schedule_reduce(schedule, 0.25);
}

static void by_hand(void **state)
{
	static const struct collective alone = {.name = "alone", .variants = any, .emit = tell_alone};
	static const struct collective shared = {.name = "shared", .variants = any, .emit = tell_shared};
	static const struct collective ahead = {.name = "ahead", .variants = any, .emit = tell_ahead};
	struct fixture fixture;
	(void)state;
	begin(&fixture, "switch:4");
	const double bytes = 1e9, alpha = 2 * hop_s;
	assert_close(fluid_of(&fixture, &alone, 0, bytes), 3 * (alpha + 1), 1e-9);
	/* both at half rate for 1 s; then 0.5e9 bytes alone */
	assert_close(fluid_of(&fixture, &shared, 0, bytes), alpha + 1.5, 1e-9);
	/* 0 and 1: 1 s and 0.25 s; 2 and 3 are done after 0.75 s: steps one after the other would take 1.5 s */
	assert_close(fluid_of(&fixture, &ahead, 0, bytes), 2 * alpha + 1.25, 1e-9);
	fixture.rules.reduce_s_per_byte = 1e-9; /* device 3 receives the most: 0.25 s; device 0 half of it */
	assert_close(fluid_of(&fixture, &ahead, 0, bytes), 2 * alpha + 1.25 + 0.125, 1e-9);
	fixture.rules.protocol_count = 1; /* a lone flow gets a quarter of the link; two a quarter each */
	fixture.rules.protocols[0] = (struct protocol){0, 3, 0.25};
	assert_close(fluid_of(&fixture, &shared, 0, bytes), 3 * alpha + 4, 1e-9);
	paradl_arena_free(fixture.arena);
}

/* Devices that take no part cost nothing: the last four of a large switch are followed as four alone are, bit for bit. */
static void apart_of_a_machine(void **state)
{
	static const char *const topologies[] = {"switch:4", "switch:900"};
	static const struct collective ahead = {.name = "ahead", .variants = any, .emit = tell_ahead};
	static unsigned last[900];
	double seconds[2], looks[2];
	(void)state;
	for (unsigned i = 0; i < 4; ++i)
		last[i] = 896 + i;
	for (unsigned i = 0; i < 2; ++i) {
		const struct sharing equal = {0};
		struct effort effort = {FLUID_MESSAGES_MAX, 1e6};
		struct paradl_error error = {0};
		struct fixture fixture;
		begin(&fixture, topologies[i]);
		fixture.group = (struct group){.size = 4,
			.devices = 4,
			.runs = {{1, 4}},
			.run_count = 1,
			.placement = i ? last : NULL};
		fixture.comm = communicator_of(fixture.network, &fixture.group);
		const struct run_of run = {&fixture.group, &fixture.comm, &ahead, 0, 1e9};
		assert_true(fluid_time(
			fixture.arena, fixture.network, &run, &equal, &effort, &seconds[i], &error));
		looks[i] = effort.looks;
		paradl_arena_free(fixture.arena);
	}
	assert_close(seconds[1], seconds[0], 0);
	assert_close(looks[1], looks[0], 0);
	assert_true(looks[0] < 1e6);
}

/* A route of three links and one of one meet on the last; then the sender of the short one goes on. */
static void tell_unlike(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 0, 3, 0.5);
	schedule_flow(schedule, 2, 3, 0.75);
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 2, 1, 1);
}

static void unlike_routes(void **state)
{
	static const struct collective unlike = {.name = "unlike", .variants = any, .emit = tell_unlike};
	const struct sharing tcp = {.by_route = true};
	struct fixture fixture;
	double seconds = 0;
	(void)state;
	begin(&fixture, "mesh:4");
	const struct run_of run = {&fixture.group, &fixture.comm, &unlike, 0, 1e9};
	/* 2 ms alone, then half of the link until the long one is done after 1 s, then alone again */
	assert_close(fluid_of(&fixture, &unlike, 0, 1e9), 3 * hop_s + 1 + 0.248 + hop_s + 1, 1e-9);
	/* by TCP three quarters of it, as its route is a third as long */
	struct effort effort = {8, HUGE_VAL}, few = {2, HUGE_VAL}, short_of = {8, 3};
	assert_true(fluid_time(fixture.arena, fixture.network, &run, &tcp, &effort, &seconds, NULL));
	assert_close(seconds, 3 * hop_s + 0.748 / 0.75 + hop_s + 1, 1e-9);
	assert_false(fluid_time(fixture.arena, fixture.network, &run, &tcp, &few, &seconds, NULL));
	assert_false(fluid_time(fixture.arena, fixture.network, &run, &tcp, &short_of, &seconds, NULL));
	paradl_arena_free(fixture.arena);
}

/*
 * Rank 1 sends on what it gets, half as much again, and combines: two flows of unlike sizes that begin together and end apart, in turns
 * that all begin at once.
 */
static void turn_of(struct schedule *schedule)
{
	schedule_flow(schedule, 0, 1, 0.5);
	schedule_flow(schedule, 1, 0, 0.75);
	schedule_flow(schedule, 2, 1, 0.25);
	schedule_flow(schedule, 0, 2, 0.5);
}

static void tell_turns(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	if (variant == 0) {
		schedule_step(schedule, 40, 0);
		turn_of(schedule);
	}
	for (unsigned turn = 0; variant == 1 && turn < 40; ++turn) {
		schedule_step(schedule, 1, 0);
		turn_of(schedule);
	}
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 3, 0, 1);
}

static void tell_late(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 0, 1, 1);
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 1, 0, 1e-14);
}

/* A message that takes less than the last digit of the time at which it is sent is done, and soon. */
static void small_messages_end(void **state)
{
	static const struct collective late = {.name = "late", .variants = any, .emit = tell_late};
	const struct sharing equal = {0};
	struct effort effort = {FLUID_MESSAGES_MAX, 1000};
	struct fixture fixture;
	double seconds = 0;
	(void)state;
	begin(&fixture, "switch:2");
	const struct run_of run = {&fixture.group, &fixture.comm, &late, 0, 1e9};
	assert_true(fluid_time(fixture.arena, fixture.network, &run, &equal, &effort, &seconds, NULL));
	assert_close(seconds, 1e9 / rate + 4 * hop_s, 1e-9);
	paradl_arena_free(fixture.arena);
}

/* A step that is repeated is followed for some turns only; told turn by turn, all of them are. */
static void turns_are_left_out(void **state)
{
	static const struct collective turns = {.name = "turns", .variants = both, .emit = tell_turns};
	static const char *const topologies[] = {"switch:4", "mesh:4", "ring:4"};
	(void)state;
	for (unsigned i = 0; i < sizeof topologies / sizeof *topologies; ++i) {
		struct fixture fixture;
		begin(&fixture, topologies[i]);
		const double all_s = fluid_of(&fixture, &turns, 1, 1e9);
		assert_close(fluid_of(&fixture, &turns, 0, 1e9), all_s, 1e-9);
		assert_true(all_s > 30);
		paradl_arena_free(fixture.arena);
	}
}

/* The ring of 1,000 turns takes a few looks, not those of all its turns. */
static void rings_are_short(void **state)
{
	const struct sharing equal = {0};
	struct effort effort = {1024, 40000};
	struct fixture fixture;
	double seconds = 0;
	(void)state;
	begin(&fixture, "switch:500");
	const struct run_of run = {&fixture.group, &fixture.comm, collective_find(ALLREDUCE, "ring"), 0, 1e9};
	assert_true(fluid_time(fixture.arena, fixture.network, &run, &equal, &effort, &seconds, NULL));
	assert_close(seconds, 2 * 499 * (2 * hop_s + 1 / 500.0), 1e-9);
	struct effort too_little = {1024, 100};
	assert_false(fluid_time(fixture.arena, fixture.network, &run, &equal, &too_little, &seconds, NULL));
	paradl_arena_free(fixture.arena);
}

/* ---- against compile() ------------------------------------------------------------------------------------------ */

static const struct collective *named(const char *name)
{
	for (unsigned c = 0; collectives[c]; ++c)
		if (strcmp(collectives[c]->name, name) == 0)
			return collectives[c];
	fail_msg("there is no %s", name);
	return NULL;
}

/* On one switch all ranks of these are alike, so that none is ever ahead. */
static void sums_of_steps(void **state)
{
	static const char *const names[] = {"allreduce-ring", "allreduce-doubling", "allreduce-rabenseifner",
		"allgather-bruck", "all-to-all-shift", "all-to-all-direct", "reduce-scatter-halving"};
	static const char *const networks[] = {"switch:4", "switch:8", "switch:16", "switch:32"};
	(void)state;
	for (unsigned n = 0; n < sizeof networks / sizeof *networks; ++n) {
		struct fixture fixture;
		begin(&fixture, networks[n]);
		struct compiler *compiler = compiler_create(fixture.arena, fixture.network);
		for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
			const struct collective *collective = named(names[i]);
			struct compiled compiled;
			assert_true(compile(
				compiler, &fixture.group, &fixture.comm, collective, 0, 1e7, &compiled));
			assert_close(
				fluid_of(&fixture, collective, 0, 1e7), hull_s(&compiled.upper, 1e7), 1e-9);
		}
		paradl_arena_free(fixture.arena);
	}
}

/* What SimGrid 3.32 says of 32 MiB over links of 12.5 GB/s and 500 ns, where the sum of the steps is 4 to 35 % off. */
static void simulated(void **state)
{
	static const struct {
		const char *topology, *name;
		double time_s;
	} rows[] = {
		{"kautz:7x2", "broadcast-binomial", 0.0187955},
		{"kautz:7x2", "all-to-all-shift", 0.00345847},
		{"dragonfly:8x8:hosts=1", "allreduce-doubling", 0.06175},
		{"dragonfly:8x8:hosts=1", "all-to-all-bruck", 0.0308815},
	};
	const struct sharing tcp = {.by_route = true};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
		struct fixture fixture;
		struct paradl_error error = {0};
		double seconds = 0;
		begin(&fixture, rows[i].topology);
		for (unsigned k = 0; k < LINK_BACKPLANE; ++k)
			fixture.rules.links[k] = (struct link_class){
				.bytes_per_s = 12.5e9, .sustained_bytes_per_s = 12.5e9, .latency_s = 500e-9};
		fixture.network = network_on_paper(fixture.arena, rows[i].topology, &fixture.rules, &error);
		const struct run_of run = {&fixture.group, &fixture.comm, named(rows[i].name), 0, 33554432};
		struct effort effort = {FLUID_MESSAGES_MAX, HUGE_VAL};
		if (!fluid_time(fixture.arena, fixture.network, &run, &tcp, &effort, &seconds, &error))
			fail_msg("%s: %s", rows[i].name, error.message);
		assert_close(seconds, rows[i].time_s, 0.0001);
		paradl_arena_free(fixture.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(apart_of_a_machine),
		cmocka_unit_test(small_messages_end),
		cmocka_unit_test(turns_are_left_out),
		cmocka_unit_test(rings_are_short),
		cmocka_unit_test(unlike_routes),
		cmocka_unit_test(sums_of_steps),
		cmocka_unit_test(simulated),
	};
	return cmocka_run_group_tests_name("network/fluid", tests, NULL, NULL);
}
