/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compiler keeps or scales instead of hearing it flow by flow: rounds of shifts, all pairs, steps again at
 * another size. Each against the same told in full, on networks with contention and unequal start-ups, for several groups.
 */
#include "network/paper.h"

static unsigned one_variant(const struct communicator *comm)
{
	return comm->size > 1;
}

static void rounds_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	assert_true(schedule_rounds(schedule, comm->size, ROUNDS_SHIFT, 0.5 / comm->size, 0.125));
}

static void shifts_tell_all(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	for (unsigned by = 1; by < comm->size; ++by) {
		schedule_step(schedule, 1, 0);
		for (unsigned from = 0; from < comm->size; ++from)
			schedule_flow(schedule, from, (from + by) % comm->size, 0.5 / comm->size);
		schedule_reduce(schedule, 0.125);
	}
}

/* Rounds of XOR; ranks beyond the power of two are left out. */
static void xor_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const unsigned power = comm->size & (comm->size - 1);
	(void)variant;
	if (power == 0)
		assert_true(schedule_rounds(schedule, comm->size, ROUNDS_XOR, 0.5 / comm->size, 0.25));
}

static void xor_tell_all(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	for (unsigned mask = 1; mask < comm->size && (comm->size & (comm->size - 1)) == 0; ++mask) {
		schedule_step(schedule, 1, 0);
		for (unsigned from = 0; from < comm->size; ++from)
			schedule_flow(schedule, from, from ^ mask, 0.5 / comm->size);
		schedule_reduce(schedule, 0.25);
	}
}

static void pairs_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_step(schedule, 2, 0);
	schedule_all_pairs(schedule, 0.7 / comm->size);
	schedule_reduce(schedule, 0.25);
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 1, 0, 1);
	schedule_all_pairs(schedule, 0.3 / comm->size);
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, 0.2 / comm->size);
	schedule_flow(schedule, 1, 0, 1);
}

static void pairs_in_turn(const struct communicator *comm, double share, struct schedule *schedule)
{
	for (unsigned i = 0; i < comm->size * comm->size; ++i)
		schedule_flow(schedule, i / comm->size, i % comm->size, share / comm->size);
}

static void pairs_tell_all(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_step(schedule, 2, 0);
	pairs_in_turn(comm, 0.7, schedule);
	schedule_reduce(schedule, 0.25);
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 1, 0, 1);
	pairs_in_turn(comm, 0.3, schedule);
	schedule_step(schedule, 1, 0);
	pairs_in_turn(comm, 0.2, schedule);
	schedule_flow(schedule, 1, 0, 1);
}

static const double scales[] = {1, 1.5, 0.25, 3};

static void ring_flows(const struct communicator *comm, double share, struct schedule *schedule)
{
	for (unsigned from = 0; from < comm->size; ++from)
		schedule_flow(schedule, from, (from + 1) % comm->size, share);
	schedule_reduce(schedule, share);
	schedule_memory(schedule, 2 * share);
	schedule_wait(schedule, 1e-6);
}

static void again_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_step(schedule, 2, comm->size);
	ring_flows(comm, 0.125, schedule);
	for (unsigned i = 0; i < 4; ++i)
		assert_true(schedule_again(schedule, scales[i], i + 1));
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 0, 1, 1);
}

static void again_tell_all(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_step(schedule, 2, comm->size);
	ring_flows(comm, 0.125, schedule);
	for (unsigned i = 0; i < 4; ++i) {
		schedule_step(schedule, i + 1, comm->size);
		ring_flows(comm, 0.125 * scales[i], schedule);
	}
	schedule_step(schedule, 1, 0);
	schedule_flow(schedule, 0, 1, 1);
}

#define COLLECTIVE(function)                                                                                 \
	{                                                                                                    \
		.name = #function, .operation = ALL_TO_ALL, .variants = one_variant, .emit = function        \
	}
static const struct collective brief[] = {
	COLLECTIVE(rounds_emit), COLLECTIVE(pairs_emit), COLLECTIVE(again_emit), COLLECTIVE(xor_emit)};
static const struct collective full[] = {COLLECTIVE(shifts_tell_all), COLLECTIVE(pairs_tell_all),
	COLLECTIVE(again_tell_all), COLLECTIVE(xor_tell_all)};

static void same(const struct compiled *got, const struct compiled *want)
{
	for (double bytes = 1; bytes < 1e10; bytes *= 3) {
		assert_close(hull_s(&got->upper, bytes), hull_s(&want->upper, bytes), 1e-12);
		assert_close(hull_s(&got->lower, bytes), hull_s(&want->lower, bytes), 1e-12);
	}
	assert_close(got->steps, want->steps, 1e-12);
	assert_close(got->used_watt, want->used_watt, 1e-12);
	assert_close(got->joule_per_byte, want->joule_per_byte, 1e-12);
	assert_close(got->vector_copies, want->vector_copies, 1e-12);
	assert_close(got->hottest_s_per_byte, want->hottest_s_per_byte, 1e-12);
}

/* Copies `stride` apart of groups of the right size for all devices. */
static void group_set(struct paper *paper, unsigned stride, const unsigned *placement)
{
	const unsigned size = paper->network->devices / stride;
	paper->group = (struct group){.size = size,
		.nodes = size,
		.devices = size * stride,
		.runs = {{stride, size}},
		.run_count = 1,
		.placement = placement};
	paper->comm = communicator_of(paper->network, &paper->group);
}

static void as_if_told_in_full(void **state)
{
	static const char *const topologies[] = {"switch:16", "fat-tree:4x6:up=2", "torus:4x6",
		"dragonfly:4x4:split=1", "kautz:3x2", "hyperx:4x5:split=1"};
	static unsigned backwards[64];
	(void)state;
	for (unsigned i = 0; i < 48; ++i) {
		struct paper paper;
		struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		rules.synchronous = i / 6 % 2;
		rules.reduce_s_per_byte = 1e-11;
		rules.return_share = i / 12 % 2 ? 0.05 : 0;
		rules.half_duplex = i / 24;
		for (unsigned kind = 0; kind < LINK_KINDS; ++kind) {
			rules.links[kind].idle_watt = 1 + kind;
			rules.links[kind].peak_watt = 3 + 2 * kind;
		}
		paper_open(&paper, topologies[i % 6], &rules, 0);
		paper.network->memory_s_per_byte = 1e-12;
		for (unsigned d = 0; d < paper.network->devices; ++d)
			backwards[d] = paper.network->devices - 1 - d;
		/* one compiler for groups in turn: what it kept of one must not be taken for another's */
		for (unsigned turn = 0; turn < 16; ++turn) {
			const unsigned c = turn % 4;
			group_set(&paper, turn / 4 % 2 + 1, turn / 8 ? backwards : NULL);
			const struct compiled got = paper_compile(&paper, &brief[c], 0, 0);
			const struct compiled want = paper_compile(&paper, &full[c], 0, 0);
			same(&got, &want);
		}
		paper_close(&paper);
	}
}

/* To the last bit, whatever was compiled before. */
static void nothing_depends_on_the_past(void **state)
{
	(void)state;
	for (unsigned first = 0; first < 3; ++first) {
		struct paper fresh, used;
		const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		for (unsigned second = 0; second < 3; ++second) {
			paper_open(&fresh, "fat-tree:4x6:up=2", &rules, 0);
			paper_open(&used, "fat-tree:4x6:up=2", &rules, 0);
			(void)paper_compile(&used, &brief[first], 0, 0);
			const struct compiled want = paper_compile(&fresh, &brief[second], 0, 0);
			const struct compiled got = paper_compile(&used, &brief[second], 0, 0);
			assert_int_equal(got.upper.count, want.upper.count);
			assert_memory_equal(got.upper.lines, want.upper.lines,
				want.upper.count * sizeof *want.upper.lines);
			assert_memory_equal(got.lower.lines, want.lower.lines,
				want.lower.count * sizeof *want.lower.lines);
			assert_close(got.vector_copies, want.vector_copies, 0);
			assert_close(got.hottest_s_per_byte, want.hottest_s_per_byte, 0);
			paper_close(&fresh);
			paper_close(&used);
		}
	}
}

static void one_step_emit(double share, struct schedule *schedule)
{
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank < 20; ++rank)
		schedule_flow(schedule, rank, 7 * rank % 20, share * (1 + rank % 3));
}

static void third_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	one_step_emit(1.0 / 3, schedule);
}

static void tenth_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	one_step_emit(0.1, schedule);
}

/* Steps of another size that were kept: not one digit is of the size that came first. */
static void kept_steps_have_no_size(void **state)
{
	static const struct collective steps[] = {COLLECTIVE(third_emit), COLLECTIVE(tenth_emit)};
	(void)state;
	for (unsigned first = 0; first < 2; ++first) {
		const struct machine_network rules = paper_rules(12.3e9, PAPER_LATENCY_S);
		struct paper fresh, used;
		paper_open(&fresh, "fat-tree:4x6:up=3", &rules, 20);
		paper_open(&used, "fat-tree:4x6:up=3", &rules, 20);
		assert_true(compiler_times_only(fresh.arena, fresh.compiler));
		assert_true(compiler_times_only(used.arena, used.compiler));
		paper_compile(&used, &steps[first], 0, 0);
		const struct compiled want = paper_compile(&fresh, &steps[!first], 0, 0);
		const struct compiled got = paper_compile(&used, &steps[!first], 0, 0);
		assert_true(want.upper.count > 0 && want.upper.count == got.upper.count);
		assert_memory_equal(
			got.upper.lines, want.upper.lines, want.upper.count * sizeof *want.upper.lines);
		paper_close(&fresh);
		paper_close(&used);
	}
}

enum { KINDS = 2000 };

static void kinds_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	for (unsigned i = 0; i < 2 * KINDS; ++i) {
		schedule_step(schedule, 1, 0);
		schedule_flow(schedule, 0, 1, 1);
		schedule_flow(schedule, 2, 3, 1 + (i % KINDS) / (double)KINDS);
	}
}

/* More kinds of steps than are kept: what is forgotten comes out the same once more. */
static void many_kinds_of_steps(void **state)
{
	static const struct collective steps = COLLECTIVE(kinds_emit);
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	struct paper paper;
	double vectors = 0;
	(void)state;
	for (unsigned i = 0; i < KINDS; ++i)
		vectors += 2 * (1 + i / (double)KINDS);
	paper_open(&paper, "switch:8", &rules, 0);
	assert_true(compiler_times_only(paper.arena, paper.compiler));
	for (unsigned turn = 0; turn < 2; ++turn)
		assert_close(paper_s(&paper, &steps, 0, 1e6),
			2 * KINDS * 2 * PAPER_LATENCY_S + vectors * 1e6 / PAPER_BYTES_PER_S, 1e-9);
	paper_close(&paper);
}

/* More rounds than are routed: some stand for all, which is exact where rounds are alike. */
static void many_rounds(void **state)
{
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	struct paper paper;
	(void)state;
	paper_open(&paper, "switch:4096", &rules, 0);
	const double want = 4095 * (2 * PAPER_LATENCY_S + 1e9 / 4096 / PAPER_BYTES_PER_S);
	assert_close(paper_s(&paper, &collective_all_to_all_shift, 0, 1e9), want, 1e-12);
	const struct compiled compiled = paper_compile(&paper, &collective_all_to_all_xor, 0, 0);
	assert_close(compiled.steps, 4095, 1e-12);
	assert_close(hull_s(&compiled.upper, 1e9), want, 1e-12);
	paper_close(&paper);
}

/* Start-ups that depend on bytes cannot be scaled. */
static void protocols_hear_everything(void **state)
{
	struct paper paper;
	struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	(void)state;
	rules.protocol_count = 2;
	rules.protocols[0] = (struct protocol){0, 1, 0.9};
	rules.protocols[1] = (struct protocol){4096, 3, 0.5};
	paper_open(&paper, "fat-tree:4x6:up=2", &rules, 0);
	const struct collective plain = COLLECTIVE(pairs_emit);
	for (double bytes = 1e3; bytes < 1e7; bytes *= 10) {
		const struct compiled got = paper_compile(&paper, &plain, 0, bytes);
		const struct compiled want = paper_compile(&paper, &full[1], 0, bytes);
		same(&got, &want);
		assert_true(paper_s(&paper, &collective_all_to_all_shift, 0, bytes) > 0);
	}
	const double once = paper_s(&paper, &collective_all_to_all_shift, 0, 24 * 4095.0);
	assert_true(paper_s(&paper, &collective_all_to_all_shift, 0, 24 * 4096.0) > 1.5 * once);
	paper_close(&paper);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_if_told_in_full),
		cmocka_unit_test(nothing_depends_on_the_past),
		cmocka_unit_test(kept_steps_have_no_size),
		cmocka_unit_test(many_kinds_of_steps),
		cmocka_unit_test(many_rounds),
		cmocka_unit_test(protocols_hear_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
