/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Halos by hand: a face has dilation * floor((K-1)/2) rows of the moved tensor, whatever the stride, times its channels
 * and the other extents of the fullest piece; x moves forward, dL/dy backward (not at the first layer). Messages of
 * 1 us + bytes / 1 GB/s, or through the host: 2 us + bytes / 4 GB/s up to 1000 bytes, 3 us + bytes / 2 GB/s above.
 */
#include "oracle/setup.h"

enum { DIRECT, CHAINED, STAGED };

static struct paradl_oracle *oracle_of(
	struct setup *setup, const char *shape, const char *layers, unsigned how)
{
	static const char *const messages[] = {"", ", \"messages\": {\"halo_chain\": true}",
		", \"messages\": {\"staged\": true, \"segments\": [{\"up_to\": \"1000 B\", \"latency\": \"2 "
		"us\", \"bandwidth\": "
		"\"4 GB/s\"}, {\"latency\": \"3 us\", \"bandwidth\": \"2 GB/s\"}]}"};
	const struct paradl_model *const model = setup_model(setup,
		arena_printf(setup->arena, "\"input\": {\"channels\": 5, \"shape\": %s}", shape), layers);
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\", "
		"\"ring\": \"1 kB/s\"}");
	return setup_oracle(setup, model, machine,
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", messages[how])),
		false);
}

static double halo_s(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan).phase_s[PARADL_HALO_EXCHANGE];
}

static double message_s(double items)
{
	return 1e-6 + items * 4 / 1e9;
}

#define FIRST "{\"type\": \"conv\", \"out\": 5, \"kernel\": 1, \"bias\": false}, "

/* One windowed layer after a first of K = 1, which sends nothing: its forward and backward faces in items of a sample. */
struct faces {
	const char *shape, *layer, *plan;
	double forward[3], backward[3]; /* by cut dimension */
	unsigned neighbours;            /* of a piece along a cut dimension */
};

static const struct faces cases[] = {
	{"[40]", "\"out\": 7, \"kernel\": 3, \"pad\": 1", "spatial=2", {1 * 5}, {1 * 7}, 1},
	{"[40]", "\"out\": 7, \"kernel\": 7, \"pad\": 3", "spatial=4", {3 * 5}, {3 * 7}, 2},
	{"[40]", "\"out\": 7, \"kernel\": 4", "spatial=4", {1 * 5}, {1 * 7}, 2},
	/* The other extent of the moved tensor: 30 of x, 15 of y. A stride changes nothing else. */
	{"[40, 30]", "\"out\": 7, \"kernel\": 3, \"pad\": 1, \"stride\": 2", "spatial=4", {5 * 30}, {7 * 15},
		2},
	{"[40, 30]", "\"out\": 7, \"kernel\": 3, \"pad\": 2, \"dilation\": 2", "spatial=4", {2 * 5 * 30},
		{2 * 7 * 30}, 2},
	{"[40, 30]", "\"out\": 7, \"kernel\": [5, 3], \"pad\": [2, 1]", "spatial=4", {2 * 5 * 30},
		{2 * 7 * 30}, 2},
	{"[40, 30]", "\"out\": 7, \"kernel\": [5, 3], \"pad\": [2, 1]", "spatial=1x4", {0, 1 * 5 * 40},
		{0, 1 * 7 * 40}, 2},
	/* Both: 4 x 3 pieces of 40 x 31 hold 10 x 11. */
	{"[40, 31]", "\"out\": 7, \"kernel\": [5, 3], \"pad\": [2, 1]", "spatial=4x3",
		{2 * 5 * 11, 1 * 5 * 10}, {2 * 7 * 11, 1 * 7 * 10}, 2},
	{"[40, 31]", "\"out\": 7, \"kernel\": [1, 3], \"pad\": [0, 1]", "spatial=4x3", {0, 1 * 5 * 10},
		{0, 1 * 7 * 10}, 2},
	{"[12, 10, 9]", "\"out\": 7, \"kernel\": 3, \"pad\": 1", "spatial=2x2x2",
		{5 * 5 * 5, 6 * 5 * 5, 6 * 5 * 5}, {7 * 5 * 5, 7 * 6 * 5, 7 * 6 * 5}, 1},
	{"[12, 10, 9]", "\"out\": 7, \"kernel\": 3, \"pad\": 1, \"stride\": [1, 2, 1]", "spatial=3x1x3",
		{5 * 10 * 3, 0, 5 * 4 * 10}, {7 * 5 * 3, 0, 7 * 4 * 5}, 2},
	/* K = 1 and 2 reach over no border. */
	{"[40, 30]", "\"out\": 7, \"kernel\": 2", "spatial=4", {0}, {0}, 2},
	{"[40, 30]", "\"out\": 7, \"kernel\": 1", "spatial=4", {0}, {0}, 2},
};

static double expected_s(const struct faces *faces, double samples, unsigned messages)
{
	double s = 0;
	for (unsigned d = 0; d < 3; ++d) {
		if (faces->forward[d] > 0)
			s += messages * message_s(samples * faces->forward[d]);
		if (faces->backward[d] > 0)
			s += messages * message_s(samples * faces->backward[d]);
	}
	return s;
}

/* Each piece sends to both neighbours; of two pieces each has one. */
static void faces_of_every_kind_of_window(void **state)
{
	struct setup *const setup = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const char *const layers = arena_printf(
			setup->arena, FIRST "{\"type\": \"conv\", %s, \"bias\": false}", cases[i].layer);
		struct paradl_oracle *const oracle = oracle_of(setup, cases[i].shape, layers, DIRECT);
		const double got = halo_s(oracle, cases[i].plan, 6),
			     want = expected_s(&cases[i], 6, cases[i].neighbours);
		if (fabs(got - want) > 1e-12 * want)
			fail_msg("%s of %s, %s: %.15g s, expected %.15g", cases[i].layer, cases[i].shape,
				cases[i].plan, got, want);
	}
}

/* One after the other along s pieces: 2 (s - 1). */
static void chains_of_messages(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "[40, 30]",
		FIRST "{\"type\": \"conv\", \"out\": 7, \"kernel\": 3, \"pad\": 1, \"bias\": false}",
		CHAINED);
	for (unsigned pieces = 2; pieces <= 10; ++pieces)
		assert_close(halo_s(oracle, arena_printf(setup->arena, "spatial=%u", pieces), 3),
			2 * (pieces - 1) * (message_s(3 * 5 * 30) + message_s(3 * 7 * 30)), 1e-12);
}

static void the_first_layer_sends_forward_only(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, "[40, 30]",
		"{\"type\": \"conv\", \"out\": 7, \"kernel\": 3, \"pad\": 1, \"bias\": false}", DIRECT);
	assert_close(halo_s(oracle, "spatial=4", 3), 2 * message_s(3 * 5 * 30), 1e-12);
}

/* 5 * 4 bytes * samples: segments end with the message of 1000 bytes, 50 samples. */
static void messages_through_the_host_have_segments(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, "[40]",
		"{\"type\": \"conv\", \"out\": 7, \"kernel\": 3, \"pad\": 1, \"bias\": false}", STAGED);
	assert_close(halo_s(oracle, "spatial=2", 1), 2e-6 + 20 / 4e9, 1e-12);
	assert_close(halo_s(oracle, "spatial=2", 50), 2e-6 + 1000 / 4e9, 1e-12);
	assert_close(halo_s(oracle, "spatial=2", 51), 3e-6 + 1020 / 2e9, 1e-12);
	assert_close(halo_s(oracle, "data=2,spatial=2", 99), 2e-6 + 1000 / 4e9, 1e-12);
}

/* Poolings whose windows overlap exchange like convolutions; those that tile do not (K = 2, or the stride's own). */
static void poolings_exchange_where_windows_overlap(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *oracle = oracle_of(setup, "[40, 30]",
		FIRST "{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 3, \"stride\": 2, \"pad\": 1}",
		DIRECT);
	assert_close(
		halo_s(oracle, "spatial=4", 3), 2 * (message_s(3 * 5 * 30) + message_s(3 * 5 * 15)), 1e-12);
	oracle = oracle_of(
		setup, "[40, 30]", FIRST "{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2}", DIRECT);
	assert_true(halo_s(oracle, "spatial=4", 3) <= 0);
}

/* Before the first layer that is not cut (here linear) y is gathered, and dL/dy the other way: a ring, or copies. */
static void pieces_are_gathered_before_the_classifier(void **state)
{
	struct setup *const setup = *state;
	const char *const layers = "{\"type\": \"conv\", \"out\": 7, \"kernel\": 1, \"bias\": false}, "
				   "{\"type\": \"linear\", \"out\": 3, \"bias\": false}";
	const struct paradl_plan plan = setup_plan("spatial=4", 6);
	const double bytes = 6 * 7 * 40 * 30 * 4;
	struct paradl_estimate got = setup_estimate(oracle_of(setup, "[40, 30]", layers, DIRECT), &plan);
	assert_close(got.phase_s[PARADL_ACTIVATION_EXCHANGE], 2 * 3 * (1e-6 + bytes / 4 / 1e3), 1e-12);
	got = setup_estimate(oracle_of(setup, "[40, 30]", layers, STAGED), &plan);
	assert_close(got.phase_s[PARADL_ACTIVATION_EXCHANGE], 2 * 3 * bytes / 4e9, 1e-12);
	assert_true(got.phase_s[PARADL_HALO_EXCHANGE] <= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(faces_of_every_kind_of_window),
		setup_test(chains_of_messages),
		setup_test(the_first_layer_sends_forward_only),
		setup_test(messages_through_the_host_have_segments),
		setup_test(poolings_exchange_where_windows_overlap),
		setup_test(pieces_are_gathered_before_the_classifier),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
