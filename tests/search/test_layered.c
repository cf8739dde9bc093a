/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best choice of a plan for each layer, against all choices; and what shipped networks give. */
#include "oracle/shipped.h"

#include <math.h>
#include <string.h>

#include "model/transformer.h"
#include "oracle/oracle.h"
#include "search/layer_plans.h"

enum { WAYS = 4, LAYERS_MOST = 8, UNITS_MOST = 10, PARTS_MOST = 64, DEVICES = 4 };

#define INPUT        "\"input\": {\"channels\": 8, \"shape\": [16, 16]}"
#define CONV(n, out) "{\"name\": \"" n "\", \"type\": \"conv\", \"out\": " #out ", \"kernel\": 3, \"pad\": 1}"
#define SKIP         "{\"type\": \"add\", \"branches\": [[" CONV("b", 16) ", " CONV("c", 16) "], []]}"
#define END          "{\"type\": \"flatten\"}, {\"name\": \"e\", \"type\": \"linear\", \"out\": 512}"

static const char *const networks[] = {
	CONV("a", 16) ", " CONV("b", 64) ", " CONV("c", 16) ", " END,
	CONV("a", 16) ", " SKIP ", " CONV("d", 64),
	CONV("a", 16) ", " SKIP ", " END,
};

static struct paradl_oracle *network_oracle(
	struct setup *setup, unsigned network, double memory_bytes, const char *latency)
{
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"%.0f B\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"1 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}",
		memory_bytes);
	const char *const level = arena_printf(setup->arena,
		"{\"name\": \"all\", \"devices\": 4, \"latency\": \"%s\", \"bandwidth\": \"10 GB/s\"}",
		latency);
	return setup_oracle(setup, setup_model(setup, INPUT, networks[network]),
		setup_machine(setup, device, level), setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
}

/* The least quiet time of all choices that fit; INFINITY: none does. */
static double all_choices_s(struct paradl_oracle *oracle, const struct paradl_layered_search *search,
	double batch, unsigned layers)
{
	double least_s = (double)INFINITY;
	unsigned choices = 1;
	for (unsigned i = 0; i < layers; ++i)
		choices *= search->layer_plan_count;
	for (unsigned choice = 0; choice < choices; ++choice) {
		struct paradl_layered_part parts[LAYERS_MOST];
		struct paradl_estimate estimate;
		for (unsigned i = 0, rest = choice; i < layers; ++i, rest /= search->layer_plan_count)
			parts[i] = (struct paradl_layered_part){
				i, i + 1, 1, search->layer_plans[rest % search->layer_plan_count]};
		const struct paradl_layered layered = {.devices = DEVICES,
			.stages = 1,
			.batch = batch,
			.parts = parts,
			.part_count = layers};
		if (paradl_estimate_layered(oracle, &layered, &estimate, NULL) && estimate.fits)
			least_s = fmin(least_s, estimate.iteration_quiet_s);
	}
	return least_s;
}

/* Returns the same over the units of a network of tokens; *usual_s: the least time with waiting, which may be another's. */
static double all_units_s(struct paradl_oracle *oracle, const struct paradl_layered_search *search,
	const struct paradl_layers_request *request, double *usual_s)
{
	const struct paradl_model *model = oracle->model;
	double least_s = (double)INFINITY;
	*usual_s = (double)INFINITY;
	unsigned choices = 1;
	assert_true(model->unit_count <= UNITS_MOST);
	for (unsigned i = 0; i < model->unit_count; ++i)
		choices *= search->layer_plan_count;
	for (unsigned choice = 0; choice < choices; ++choice) {
		struct paradl_layered_part parts[UNITS_MOST];
		struct paradl_estimate estimate;
		for (unsigned i = 0, rest = choice; i < model->unit_count;
			++i, rest /= search->layer_plan_count)
			parts[i] = (struct paradl_layered_part){model->units[i].first, model->units[i].end, 1,
				search->layer_plans[rest % search->layer_plan_count]};
		struct paradl_layered layered = search->best;
		layered.parts = parts;
		layered.part_count = model->unit_count;
		assert_int_equal(layered.devices, request->devices);
		if (!paradl_estimate_layered(oracle, &layered, &estimate, NULL) || !estimate.fits)
			continue;
		least_s = fmin(least_s, estimate.iteration_quiet_s);
		*usual_s = fmin(*usual_s, estimate.iteration_s);
	}
	return least_s;
}

/*
 * Checks that what takes usual_s is not given up where it is asked for, that nothing is found far below, and that nothing is
 * solved for what the layers alone take more than.
 */
static void check_below(struct setup *setup, struct paradl_oracle *oracle,
	const struct paradl_layers_request *request, double usual_s)
{
	struct paradl_layers_request below = *request;
	struct paradl_layered_search search;
	below.one_stage = true;
	below.below_s = usual_s * (1 + 1e-9);
	if (!paradl_search_layers(oracle, &below, setup->arena, &search, &setup->error))
		fail_msg("%s", setup->error.message);
	below.below_s = usual_s / 2;
	assert_false(paradl_search_layers(oracle, &below, setup->arena, &search, &setup->error));
	assert_int_equal(setup->error.status, PARADL_INFEASIBLE);
	below.below_s = usual_s / 1000;
	assert_false(paradl_search_layers(oracle, &below, setup->arena, &search, &setup->error));
	assert_int_equal(setup->error.status, PARADL_INFEASIBLE);
	assert_int_equal(search.layer_plan_count, 0);
}

/* Checks that a first look tells where nothing fits, however long an answer may take. */
static void check_nothing_below(
	struct setup *setup, struct paradl_oracle *oracle, struct paradl_layers_request request)
{
	struct paradl_layered_search search;
	request.one_stage = true;
	request.below_s = 1e9;
	setup->error.status = PARADL_OK;
	assert_false(paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error));
	assert_int_equal(setup->error.status, PARADL_INFEASIBLE);
	assert_int_equal(search.layer_plan_count, 0);
}

/* How many bytes the answer takes; 0: there is none. */
static double check_network(struct setup *setup, unsigned network, double batch, double memory_bytes,
	const char *latency, double tolerance)
{
	setup_renew(setup);
	struct paradl_oracle *oracle = network_oracle(setup, network, memory_bytes, latency);
	const unsigned layers = (unsigned)paradl_model_info(oracle->model).layer_count;
	const struct paradl_layers_request request = {
		.devices = DEVICES, .batch = batch, .layer_plans = WAYS, .gap = 1e-9};
	struct paradl_layered_search search;
	const bool found = paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error);
	const double least_s = all_choices_s(oracle, &search, batch, layers);
	if (!found) {
		assert_int_equal(setup->error.status, PARADL_INFEASIBLE);
		assert_true(least_s >= (double)INFINITY);
		check_nothing_below(setup, oracle, request);
		return 0;
	}
	assert_true(search.lower_bound_s <= least_s * (1 + 1e-9));
	assert_true(search.objective_s >= least_s * (1 - 1e-9));
	assert_true(search.objective_s <= least_s * (1 + tolerance));
	assert_true(search.estimate.fits);
	struct paradl_estimate again;
	assert_true(paradl_estimate_layered(oracle, &search.best, &again, &setup->error));
	assert_close(again.iteration_quiet_s, search.objective_s, 1e-12 * search.objective_s);
	if (search.uniform.devices) {
		assert_true(search.objective_s <= search.uniform.iteration_quiet_s);
		assert_true(search.estimate.iteration_s <= search.uniform.iteration_s);
	}
	return search.estimate.memory_bytes;
}

/* Without latency all costs add up, and the search finds the optimum of all choices. */
static void it_is_the_best_of_all_choices(void **state)
{
	static const double batches[] = {4, 32, 256};
	for (unsigned n = 0; n < sizeof networks / sizeof *networks; ++n)
		for (unsigned b = 0; b < 3; ++b)
			check_network(*state, n, batches[b], 16e9, "0 s", 1e-6);
}

/* With it, and with memory that the fastest choice does not fit in, the bound holds all the same. */
static void its_bound_is_never_above_the_best(void **state)
{
	static const double shares[] = {0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3};
	unsigned found = 0, none = 0;
	for (unsigned n = 0; n < sizeof networks / sizeof *networks; ++n) {
		const double free_bytes = check_network(*state, n, 64, 16e9, "1 ms", 0.5);
		for (unsigned i = 0; i < sizeof shares / sizeof *shares; ++i) {
			const double bytes =
				check_network(*state, n, 64, shares[i] * free_bytes, "1 ms", 0.5);
			assert_true(bytes <= shares[i] * free_bytes);
			found += bytes > 0;
			none += !(bytes > 0);
		}
	}
	assert_true(found > 5);
	assert_true(none > 2);
}

/* Nodes, edges, and the branches of the first fork. */
static void graphs_follow_the_branches(void **state)
{
	struct setup *setup = *state;
	struct layer_graph graph;
	const struct paradl_model *model = setup_model(setup, INPUT, networks[1]); /* a b c add d */
	assert_true(layer_graph_make(model, setup->arena, &graph, &setup->error));
	assert_int_equal(graph.node_count, 5);
	assert_int_equal(graph.chain.count, 4); /* a, branches, add, d */
	assert_int_equal(graph.chain.items[1].branch_count, 2);
	assert_int_equal(graph.chain.items[1].branches[0].count, 2);
	assert_int_equal(graph.chain.items[1].branches[1].count, 0);
	/* A read from one branch into the other makes them one node. */
	model = setup_model(setup, INPUT,
		CONV("a", 16) ", " CONV(
			"b", 16) ", {\"name\": \"c\", \"type\": \"conv\", \"out\": 16, \"kernel\": 1, "
				 "\"from\": [\"a\"]}, {\"name\": \"d\", \"type\": \"add\", \"from\": [\"b\", "
				 "\"c\"]}, "
				 "{\"name\": \"e\", \"type\": \"add\", \"from\": [\"c\", \"d\"]}");
	assert_true(layer_graph_make(model, setup->arena, &graph, &setup->error));
	assert_int_equal(graph.node_count, 3); /* a, b to d, e */
	model = shipped_model(setup, "resnet152");
	assert_true(layer_graph_make(model, setup->arena, &graph, &setup->error));
	assert_int_equal(graph.node_count, model->order_count);
	model = shipped_model(setup, "gpt3-175b");
	assert_true(layer_graph_make(model, setup->arena, &graph, &setup->error));
	assert_int_equal(graph.node_count, model->unit_count);
}

/* Units of a small transformer: all choices of three ways. */
static void blocks_of_tokens_too(void **state)
{
	static const struct transformer_shape shape = {.name = "t",
		.precision = "bf16-mixed",
		.optimizer = "adam",
		.layers = 3,
		.hidden = 1024,
		.heads = 16,
		.ffn = 4096,
		.vocabulary = 8192,
		.sequence = 1024};
	static const char *const frameworks[] = {"megatron-core", "nccl", "torchtitan"};
	struct setup *setup = *state;
	unsigned compared = 0;
	for (unsigned f = 0; f < 3; ++f)
		for (unsigned batch = 16; batch <= 256; batch *= 4) {
			setup_renew(setup);
			const struct paradl_machine *machine = paradl_machine_load(setup->arena,
				&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"},
				&setup->error);
			const struct paradl_model *model =
				transformer_build(setup->arena, &shape, &setup->error);
			assert_non_null(machine);
			assert_non_null(model);
			struct paradl_oracle *oracle = setup_oracle(
				setup, model, machine, shipped_framework(setup, frameworks[f]), false);
			const struct paradl_layers_request request = {
				.devices = 16, .batch = batch, .layer_plans = 3, .gap = 1e-9};
			struct paradl_layered_search search;
			if (!paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error))
				fail_msg("%s", setup->error.message);
			double usual_s;
			const double least_s = all_units_s(oracle, &search, &request, &usual_s);
			assert_true(search.lower_bound_s <= least_s * (1 + 1e-9));
			assert_true(search.objective_s >= least_s * (1 - 1e-9));
			assert_true(search.objective_s <= 1.05 * least_s);
			check_below(setup, oracle, &request, usual_s);
			++compared;
		}
	assert_int_equal(compared, 9);
}

static struct paradl_layered_search search_shipped(struct setup *setup, const char *name, const char *program,
	const struct paradl_layers_request *request)
{
	const struct paradl_machine *machine = paradl_machine_load(
		setup->arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &setup->error);
	assert_non_null(machine);
	struct paradl_oracle *oracle = setup_oracle(
		setup, shipped_model(setup, name), machine, shipped_framework(setup, program), false);
	struct paradl_layered_search search;
	if (!paradl_search_layers(oracle, request, setup->arena, &search, &setup->error))
		fail_msg("%s: %s", name, setup->error.message);
	return search;
}

/* A small batch of vgg16: samples early, channels of the large classifier late (Krizhevsky, 2014). */
static void vgg_cuts_its_classifier_otherwise(void **state)
{
	const struct paradl_layers_request request = {.devices = 64, .per_device = 8};
	const struct paradl_layered_search search = search_shipped(*state, "vgg16", "chainermn", &request);
	const struct paradl_layered_part *parts = search.best.parts;
	assert_true(search.best.part_count > 1);
	assert_int_equal(parts[0].plan.degree[PARADL_DATA], 64);
	bool is_cut = false;
	for (unsigned i = 0; i < search.best.part_count; ++i)
		is_cut |= parts[i].plan.degree[PARADL_DATA] == 1;
	assert_true(is_cut);
	assert_true(search.objective_s < 0.7 * search.uniform.iteration_quiet_s);
	assert_true(search.gap < 0.01);
}

/* The cut after part i, so many units later. */
static bool cut_moved(
	const struct paradl_model *model, struct paradl_layered_part *parts, size_t i, int units)
{
	unsigned u = 0;
	while (model->units[u].end != parts[i].end)
		++u;
	const int unit = (int)u + units;
	const unsigned end = unit >= 0 ? model->units[unit].end : 0;
	if (end <= parts[i].first || end >= parts[i + 1].end)
		return false;
	parts[i].end = parts[i + 1].first = end;
	return true;
}

/* Too large for one stage: the first stages, which hold more micro-batches, are cut more finely than the last ones. */
static void stages_have_plans_of_their_own(void **state)
{
	const struct paradl_layers_request request = {.devices = 128, .batch = 1024, .options = "zero=0"};
	struct setup *setup = *state;
	const struct paradl_machine *machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"}, &setup->error);
	struct paradl_oracle *oracle = setup_oracle(
		setup, shipped_model(setup, "gpt3-175b"), machine, shipped_framework(setup, "nccl"), false);
	struct paradl_layered_search search;
	if (!paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error))
		fail_msg("%s", setup->error.message);
	const struct paradl_layered *best = &search.best;
	assert_true(best->stages > 1 && best->part_count == best->stages && best->stages <= PARTS_MOST);
	assert_true(best->parts[0].plan.degree[PARADL_TENSOR] >
		    best->parts[best->stages - 1].plan.degree[PARADL_TENSOR]);
	assert_true(search.estimate.fits);
	assert_true(search.estimate.iteration_s < 0.999 * search.single.iteration_s);
	assert_true(search.estimate.iteration_s < search.uniform.iteration_s);
	assert_true(search.lower_bound_s <= search.objective_s);
	struct paradl_estimate again;
	assert_true(paradl_estimate_layered(oracle, best, &again, &setup->error));
	assert_close(again.iteration_s, search.estimate.iteration_s, 1e-12 * again.iteration_s);
	/* No cut elsewhere is better by more than the search looks for. */
	unsigned compared = 0;
	for (size_t i = 0; i + 1 < best->part_count; ++i)
		for (int units = -1; units <= 1; units += 2) {
			struct paradl_layered_part parts[PARTS_MOST];
			struct paradl_layered other = *best;
			memcpy(parts, best->parts, best->part_count * sizeof *parts);
			other.parts = parts;
			if (!cut_moved(oracle->model, parts, i, units) ||
				!paradl_estimate_layered(oracle, &other, &again, NULL))
				continue;
			assert_true(!again.fits || again.iteration_s > 0.997 * search.estimate.iteration_s);
			++compared;
		}
	assert_true(compared >= best->part_count);
}

/* Exchanges in each layer wait for slow nodes: what is best on a quiet network need not be so on a usual one. */
static void waiting_outweighs_a_small_gain(void **state)
{
	const struct paradl_layers_request request = {.devices = 512, .batch = 512};
	const struct paradl_layered_search search = search_shipped(*state, "vgg16", "chainermn", &request);
	assert_true(search.objective_s < 0.9 * search.uniform.iteration_quiet_s);
	assert_true(search.objective_usual_s > 1.1 * search.uniform.iteration_s);
	assert_int_equal(search.best.part_count, 1);
	assert_close(search.estimate.iteration_s, search.uniform.iteration_s, 0);
}

static void a_deep_network_on_a_thousand_devices(void **state)
{
	const struct paradl_layers_request request = {.devices = 1024};
	const struct paradl_layered_search search =
		search_shipped(*state, "resnet152", "chainermn", &request);
	assert_true(search.gap <= 0.01);
	assert_true(search.objective_s <= search.uniform.iteration_quiet_s);
}

/* Of networks of images a look at a few plans goes before: it may miss a per cent or two, but not a twentieth. */
static void a_first_look_sees_what_layers_gain(void **state)
{
	static const struct {
		const char *model, *hw;
		unsigned devices, per_device;
	} questions[] = {{"vgg16", "abci", 64, 8}, {"alexnet", "abci", 16, 16},
		{"vgg16", "dgx-a100-superpod", 64, 1}, {"alexnet", "dgx-a100-superpod", 64, 8}};
	struct setup *setup = *state;
	unsigned gained = 0;
	for (unsigned i = 0; i < sizeof questions / sizeof *questions; ++i) {
		setup_renew(setup);
		const struct paradl_machine *machine = paradl_machine_load(setup->arena,
			&(struct paradl_source){
				.path = arena_printf(setup->arena, "hw-profiles/%s.json", questions[i].hw)},
			&setup->error);
		assert_non_null(machine);
		struct paradl_oracle *oracle = setup_oracle(setup, shipped_model(setup, questions[i].model),
			machine, shipped_framework(setup, "chainermn"), false);
		const struct paradl_layers_request request = {.devices = questions[i].devices,
			.per_device = questions[i].per_device,
			.one_stage = true};
		struct paradl_layered_search search;
		assert_true(paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error));
		if (search.estimate.iteration_s >= 0.95 * search.uniform.iteration_s)
			continue;
		check_below(setup, oracle, &request, search.estimate.iteration_s);
		++gained;
	}
	assert_true(gained >= 3);
}

static bool has_extreme(
	const struct layer_plan_choice *choice, enum paradl_axis axis, unsigned degree, unsigned devices)
{
	unsigned found = 0;
	for (unsigned i = 0; i < choice->count; ++i) {
		const unsigned *const degrees = choice->plans[i].degree;
		found += degrees[axis] == degree &&
			 (axis == PARADL_DATA || degrees[PARADL_DATA] == devices / degree);
	}
	assert_true(found <= 1);
	return found == 1;
}

/* Data alone, and each axis of images over a node, over all and over halves, quarters and eighths, each plan once. */
static void extremes_differ_most(void **state)
{
	struct setup *const setup = *state;
	static const enum paradl_axis axes[] = {PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};
	for (unsigned devices = 2; devices <= 128; ++devices) {
		const unsigned node = devices % 3 + 2;
		const struct paradl_machine machine = {.devices = 128, .devices_per_node = node};
		struct layer_plan_choice choice = {.batch = 256};
		assert_true(extremes_choose(&machine, devices, setup->arena, &choice));
		for (unsigned i = 0; i < choice.count; ++i) {
			assert_close(paradl_plan_devices(&choice.plans[i]), devices, 0);
			assert_close(choice.plans[i].batch, 256, 0);
			assert_int_equal(choice.plans[i].spatial[0], choice.plans[i].degree[PARADL_SPATIAL]);
		}
		assert_true(has_extreme(&choice, PARADL_DATA, devices, devices));
		for (unsigned axis = 0; axis < 3; ++axis)
			for (unsigned degree = 2; degree <= devices; ++degree) {
				const bool large = degree == devices || degree == devices / 2 ||
						   degree == devices / 4 || degree == devices / 8;
				const bool wanted = devices % degree == 0 &&
						    (large || degree == common_divisor(devices, node));
				assert_int_equal(has_extreme(&choice, axes[axis], degree, devices), wanted);
			}
	}
}

/* Where all layers have one plan, nothing is to be chosen. */
static void what_has_one_plan_says_so(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_layers_request request = {.devices = 8, .batch = 64};
	static const struct paradl_options options[] = {{.ideal = true}, {.inference = true}};
	for (unsigned i = 0; i < 2; ++i) {
		struct paradl_layered_search search;
		struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena,
			shipped_model(setup, "alexnet"), shipped_machine(setup, 1, 1),
			shipped_framework(setup, "nccl"), &options[i], &setup->error);
		assert_non_null(oracle);
		assert_false(paradl_search_layers(oracle, &request, setup->arena, &search, &setup->error));
		assert_int_equal(setup->error.status, PARADL_USAGE);
		assert_non_null(strstr(setup->error.message, "has one plan for all layers"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(it_is_the_best_of_all_choices),
		setup_test(its_bound_is_never_above_the_best),
		setup_test(graphs_follow_the_branches),
		setup_test(blocks_of_tokens_too),
		setup_test(vgg_cuts_its_classifier_otherwise),
		setup_test(stages_have_plans_of_their_own),
		setup_test(waiting_outweighs_a_small_gain),
		setup_test(what_has_one_plan_says_so),
		setup_test(a_deep_network_on_a_thousand_devices),
		setup_test(a_first_look_sees_what_layers_gain),
		setup_test(extremes_differ_most),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
