/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where spatial pieces are gathered: before the first layer that cannot hold them, or where the plan says. Chains of layers
 * whose rows are known are followed by hand. Poolings that a program pads, window by window.
 */
#include "oracle/evaluation.h"
#include "oracle/random.h"
#include "oracle/setup.h"

#define MESSAGES_1US_1GBPS                                                                                   \
	"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\"}"

static struct paradl_oracle *oracle_of(
	struct setup *setup, const char *shape, const char *layers, const char *keys)
{
	const struct paradl_model *const model = setup_model(setup,
		arena_printf(setup->arena, "\"input\": {\"channels\": 5, \"shape\": %s}", shape), layers);
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE, MESSAGES_1US_1GBPS);
	return setup_oracle(setup, model, machine,
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", keys)), false);
}

/* How many layers of the chain the pieces go through, as the table of layers has it. */
static unsigned cut_layers(struct setup *setup, struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_layer_table table;
	unsigned cut = 0;
	bool before = true;
	if (!paradl_estimate_layers(oracle, plan, setup->arena, &table, &setup->error))
		fail_msg("%s", setup->error.message);
	for (size_t i = 0; i < table.count; ++i) {
		const bool is_cut = strcmp(table.rows[i].split, "spatial") == 0;
		assert_true(before || !is_cut || table.rows[i].count > 1);
		before = is_cut;
		cut += is_cut ? table.rows[i].count : 0;
	}
	return cut;
}

static void assert_refused(struct paradl_oracle *oracle, const char *text, enum paradl_status status,
	const char *message, const char *hint)
{
	const struct paradl_plan plan = setup_plan(text, 64);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (paradl_estimate(oracle, &plan, &estimate, &error))
		fail_msg("%s is accepted", text);
	assert_int_equal(error.status, status);
	assert_string_equal(error.message, message);
	assert_string_equal(error.hint, hint);
}

#define CONV(name)                                                                                           \
	"{\"name\": \"" name "\", \"type\": \"conv\", \"out\": 5, \"kernel\": 3, \"pad\": 1, \"bias\": "     \
	"false}"
#define HALF(name) "{\"name\": \"" name "\", \"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2}"

/* Rows 16, 8, 4, 4: a is for 16 pieces, b for 8 (its x), c and d for 4. */
static const char chain[] = CONV("a") ", " HALF("b") ", " HALF("c") ", " CONV("d");

static void pieces_go_as_far_as_layers_hold_them(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *plan;
		unsigned layers;
	} cases[] = {{"spatial=2", 4}, {"spatial=4", 4}, {"spatial=5", 2}, {"spatial=8", 2}, {"spatial=9", 1},
		{"spatial=16", 1}};
	struct paradl_oracle *const oracle = oracle_of(setup, "[16]", chain, "");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, 64);
		assert_int_equal(cut_layers(setup, oracle, &plan), cases[i].layers);
		assert_int_equal(setup_estimate(oracle, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE] > 0,
			cases[i].layers < 4);
	}
	assert_refused(oracle, "spatial=17", PARADL_INFEASIBLE,
		"needs 17 rows along dimension 1 in every layer it cuts; a (16 in, 16 out) allows 16",
		"at most 16 pieces along this dimension");
}

/* y of b: 8 rows of 5 channels, for 64 samples; an allgather each way. */
static void what_is_gathered_is_the_last_tensor_in_pieces(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "[16]", chain, "");
	const struct paradl_plan plan = setup_plan("spatial=8", 64);
	const double bytes = 64 * 5 * 8 * 4;
	assert_close(setup_estimate(oracle, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE],
		2 * 7 * (1e-6 + bytes / 8 / 1e9), 1e-12);
}

static void plans_say_where(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "[16]", chain, "");
	struct paradl_plan plan = setup_plan("spatial=4,gather=a", 64);
	assert_int_equal(cut_layers(setup, oracle, &plan), 1);
	assert_close(setup_estimate(oracle, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE],
		2 * 3 * (1e-6 + 64 * 5 * 16 * 4 / 4.0 / 1e9), 1e-12);
	plan = setup_plan("spatial=4,gather=d", 64); /* after the last: nothing needs it whole */
	assert_true(setup_estimate(oracle, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE] <= 0);
	assert_refused(oracle, "spatial=8,gather=c", PARADL_INFEASIBLE,
		"gather=c is too late: the pieces cannot go on after b",
		"gather=b, which is where they are gathered anyhow, or an earlier layer");
	assert_refused(oracle, "spatial=4,gather=conv9", PARADL_USAGE, "gather=conv9: test has no such layer",
		"\"paradl list\" of the model shows its layers");
	assert_refused(setup_oracle(setup, oracle->model, oracle->machine, NULL, true), "spatial=4,gather=a",
		PARADL_INFEASIBLE,
		"the ideal model knows data, spatial, filter, channel and pipeline (gpipe) parallelism only",
		"leave --ideal out, or these axes and options");
}

static void branches_stay_together(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "[16]",
		CONV("a") ", {\"name\": \"sum\", \"type\": \"add\", \"branches\": [[" CONV(
			"b") "], []]}, " CONV("c"),
		"");
	const struct paradl_plan plan = setup_plan("spatial=4,gather=sum", 64);
	assert_int_equal(cut_layers(setup, oracle, &plan), 3);
	assert_refused(oracle, "spatial=4,gather=sum/b", PARADL_INFEASIBLE,
		"gather=sum/b: there are several tensors to gather after it (branches stay together)",
		"gather=sum, where its branches have met");
}

/* b and d are alike; only b is in pieces, and has half their time. */
static void equal_layers_before_and_after_differ(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle =
		oracle_of(setup, "[16]", CONV("a") ", " CONV("b") ", " CONV("c") ", " CONV("d"), "");
	struct paradl_layer_table table;
	const struct paradl_plan plan = setup_plan("spatial=4,gather=b", 64);
	assert_true(paradl_estimate_layers(oracle, &plan, setup->arena, &table, &setup->error));
	double rows[2] = {0, 0};
	for (size_t i = 0; i < table.count; ++i)
		rows[strcmp(table.rows[i].split, "spatial") == 0] += table.rows[i].count;
	assert_close(rows[0], 2, 0);
	assert_close(rows[1], 2, 0);
	assert_string_equal(table.rows[0].name, "a");
	assert_string_equal(table.rows[table.count - 1].split, "");
}

/* -- random chains ------------------------------------------------------------------------------------------------- */

enum { LENGTH = 7 };
struct random_chain {
	unsigned x[LENGTH], y[LENGTH], halo[LENGTH]; /* rows in and out, of a neighbour */
	const char *layers;
};

static struct random_chain chain_draw(struct setup *setup, struct random *random, unsigned rows)
{
	struct random_chain drawn = {.layers = ""};
	for (unsigned i = 0; i < LENGTH; ++i) {
		const unsigned kernel = random_between(random, 0, 2) * 2 + 1;
		const unsigned stride = rows > 4 && random_true(random) ? 2 : 1;
		drawn.x[i] = rows;
		rows = (rows - 1) / stride + 1; /* padded by half a window */
		drawn.y[i] = rows;
		drawn.halo[i] = kernel / 2;
		drawn.layers = arena_printf(setup->arena,
			"%s%s{\"name\": \"l%u\", \"type\": \"conv\", \"out\": %u, \"kernel\": %u, "
			"\"stride\": %u, "
			"\"pad\": %u}",
			drawn.layers, i ? ", " : "", i, random_between(random, 1, 3), kernel, stride,
			kernel / 2);
	}
	return drawn;
}

/* A piece has a row of x and of y at least, and as many as a neighbour wants. */
static unsigned reach(const struct random_chain *chain_, unsigned pieces)
{
	unsigned i = 0;
	while (i < LENGTH && chain_->x[i] >= pieces && chain_->y[i] >= pieces &&
		chain_->x[i] >= pieces * chain_->halo[i])
		++i;
	return i;
}

static void assert_same_bits(const struct paradl_estimate *a, const struct paradl_estimate *b)
{
	assert_memory_equal(a->phase_s, b->phase_s, sizeof a->phase_s);
	assert_memory_equal(&a->iteration_s, &b->iteration_s, sizeof a->iteration_s);
	assert_memory_equal(&a->memory, &b->memory, sizeof a->memory);
}

static void random_chains_gather_where_rows_end(void **state)
{
	struct setup *const setup = *state;
	struct random random = {77};
	unsigned early = 0;
	for (unsigned i = 0; i < 300; ++i) {
		setup_renew(setup);
		const struct random_chain drawn = chain_draw(setup, &random, random_between(&random, 8, 40));
		struct paradl_oracle *const oracle =
			oracle_of(setup, arena_printf(setup->arena, "[%u]", drawn.x[0]), drawn.layers, "");
		for (unsigned pieces = 2; pieces <= drawn.x[0]; ++pieces) {
			struct paradl_plan plan =
				setup_plan(arena_printf(setup->arena, "spatial=%u", pieces), 8);
			struct paradl_estimate free_, said;
			const unsigned end = reach(&drawn, pieces);
			const bool runs = paradl_estimate(oracle, &plan, &free_, NULL);
			assert_int_equal(runs, end > 0);
			if (!runs)
				continue;
			assert_int_equal(cut_layers(setup, oracle, &plan), end);
			assert_int_equal(free_.phase_s[PARADL_ACTIVATION_EXCHANGE] > 0, end < LENGTH);
			early += end < LENGTH;
			for (unsigned l = 0; l < LENGTH; ++l) {
				snprintf(plan.gather, sizeof plan.gather, "l%u", l);
				assert_int_equal(paradl_estimate(oracle, &plan, &said, NULL), l < end);
				if (l + 1 == end)
					assert_same_bits(&said, &free_);
				else if (l < end)
					assert_int_equal(cut_layers(setup, oracle, &plan), l + 1);
			}
		}
	}
	assert_in_range(early, 1000, 10000);
}

/* -- padded poolings ----------------------------------------------------------------------------------------------- */

/* Windows of a pooling over so many rows, one after the other. */
static unsigned windows_count(unsigned rows, unsigned kernel, unsigned stride)
{
	unsigned count = 0;
	for (unsigned first = 0; first + kernel <= rows; first += stride)
		++count;
	return count;
}

/* Every piece pools its own rows and one of each neighbour. */
static unsigned padded_rows(unsigned rows, unsigned pieces, unsigned kernel)
{
	const unsigned fullest = (rows + pieces - 1) / pieces;
	unsigned sum = 0;
	for (unsigned piece = 0; piece < pieces; ++piece)
		sum += windows_count(1 + fullest + 1, kernel, kernel);
	return sum;
}

/* Rows of the last tensor, which a convolution over all of them after the gather shows by its work. */
static unsigned rows_after(struct paradl_oracle *oracle, const char *plan_text)
{
	const struct paradl_plan plan = setup_plan(plan_text, 64);
	const struct prepared *const net = oracle_prepare(oracle, &plan, NULL);
	assert_non_null(net);
	return net->model->layers[net->model->order[net->model->order_count - 1]].y.extent[0];
}

#define POOL(kind, kernel, stride)                                                                           \
	"{\"type\": \"pool\", \"kind\": \"" kind "\", \"kernel\": " kernel ", \"stride\": " stride "}"

static void poolings_that_tile_are_padded(void **state)
{
	struct setup *const setup = *state;
	const char *const pads = ", \"quirks\": {\"pool_messages\": false, \"pool_padding\": [\"max\"]}";
	struct paradl_oracle *oracle =
		oracle_of(setup, "[36, 36]", CONV("a") ", " POOL("max", "3", "3"), pads);
	assert_int_equal(rows_after(oracle, "data=4"), windows_count(36, 3, 3));
	assert_int_equal(rows_after(oracle, "spatial=1x4"), windows_count(36, 3, 3));
	for (unsigned pieces = 2; pieces <= 9; ++pieces)
		assert_int_equal(rows_after(oracle, arena_printf(setup->arena, "spatial=%u", pieces)),
			padded_rows(36, pieces, 3));
	/* One row of 36 columns and 5 channels, once for 2 pieces; convolutions of K = 3 send as much. */
	struct paradl_plan plan = setup_plan("spatial=2", 64);
	const double message_s = 1e-6 + 64 * 5 * 36 * 4 / 1e9;
	assert_close(setup_estimate(oracle, &plan).phase_s[PARADL_HALO_EXCHANGE],
		message_s + message_s + 1e-6 + 64 * 5 * 12 * 4 / 1e9, 1e-12);
	/* Neither where windows overlap nor of another kind, and those exchange nothing. */
	static const char *const others[] = {
		CONV("a") ", " POOL("max", "3", "2"), CONV("a") ", " POOL("avg", "3", "3")};
	for (unsigned i = 0; i < 2; ++i) {
		oracle = oracle_of(setup, "[36, 36]", others[i], pads);
		assert_int_equal(rows_after(oracle, "spatial=4"), windows_count(36, 3, i ? 3 : 2));
		assert_close(setup_estimate(oracle, &plan).phase_s[PARADL_HALO_EXCHANGE], message_s, 1e-12);
	}
}

/* What comes after the gather is whole, and nobody pads it. */
static void poolings_after_the_gather_are_not_padded(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "[36, 36]",
		"{\"name\": \"b\", \"type\": \"pool\", \"kind\": \"max\", \"kernel\": 3}, " HALF("c"),
		", \"quirks\": {\"pool_padding\": [\"max\"]}");
	const unsigned first = padded_rows(36, 4, 3);
	assert_int_equal(rows_after(oracle, "spatial=4"), padded_rows(first, 4, 2));
	assert_int_equal(rows_after(oracle, "spatial=4,gather=b"), windows_count(first, 2, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(pieces_go_as_far_as_layers_hold_them),
		setup_test(what_is_gathered_is_the_last_tensor_in_pieces),
		setup_test(plans_say_where),
		setup_test(branches_stay_together),
		setup_test(equal_layers_before_and_after_differ),
		setup_test(random_chains_gather_where_rows_end),
		setup_test(poolings_that_tile_are_padded),
		setup_test(poolings_after_the_gather_are_not_padded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
