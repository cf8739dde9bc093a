/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No exchange takes less than the lower bound that is found without its routes: random plans on every shipped machine. */
#include "oracle/shipped.h"

#include <dirent.h>

#include "oracle/oracle.h"
#include "oracle/replicas.h"

enum { MACHINES_MOST = 64, PLANS = 60, DEVICES_MOST = 512 };

/* How many exchanges were compared, and how many of these bounds are at least half of the time. */
struct tally {
	unsigned compared, near;
};

static int is_profile(const struct dirent *entry)
{
	return strstr(entry->d_name, ".json") != NULL;
}

static void compare(const struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct exchange *floor, const struct exchange *exchange, struct tally *tally)
{
	for (double bytes = 1; exchange->curve && bytes < 1e11; bytes *= 8) {
		const double least_s = exchange_s(floor, bytes), s = exchange_s(exchange, bytes);
		char text[PARADL_PLAN_TEXT];
		paradl_plan_format(plan, text, sizeof text);
		if (least_s > s * (1 + 1e-9))
			fail_msg("%s, %s: %g bytes take %.9g s, bound %.9g s", oracle->machine->name, text,
				bytes, s, least_s);
		++tally->compared;
		tally->near += least_s > s / 2;
	}
}

static struct paradl_plan random_plan(struct random *random, unsigned devices)
{
	struct paradl_plan plan = setup_plan("serial", 1);
	unsigned left = devices;
	static const enum paradl_axis axes[] = {
		PARADL_TENSOR, PARADL_EXPERT, PARADL_CONTEXT, PARADL_PIPELINE};
	for (unsigned i = 0; i < sizeof axes / sizeof *axes; ++i) {
		const unsigned degree =
			(1u << random_between(random, 0, 4)) * (random_between(random, 0, 2) ? 1 : 3);
		if (left % degree || random_true(random))
			continue;
		plan.degree[axes[i]] = degree;
		left /= degree;
	}
	plan.degree[PARADL_DATA] = left;
	plan.batch = devices;
	plan.zero = left > 1 ? random_between(random, 0, 3) : 0;
	plan.sequence = plan.degree[PARADL_TENSOR] > 1;
	for (unsigned i = PARADL_AXIS_COUNT - 1; i > 0; --i) {
		const unsigned j = random_between(random, 0, i);
		const unsigned char swapped = plan.order[i];
		plan.order[i] = plan.order[j];
		plan.order[j] = swapped;
	}
	return plan;
}

static bool begin(struct evaluation *evaluation, struct paradl_oracle *oracle, const struct paradl_plan *plan,
	bool floors)
{
	if (!evaluation_cut(evaluation, oracle, plan, 0, NULL))
		return false;
	oracle->floors = floors;
	return evaluation_connect(evaluation, oracle, NULL) && replicas_compile(evaluation, NULL);
}

static void exchanges_check(struct random *random, struct paradl_oracle *oracle, struct tally *tally)
{
	const unsigned most = oracle->machine->devices;
	for (unsigned i = 0; i < PLANS; ++i) {
		const unsigned devices = (1u << random_between(random, 1, 8)) * (random_true(random) ? 1 : 3);
		const struct paradl_plan plan = random_plan(random, devices);
		struct evaluation real = {.oracle = oracle}, floor = {.oracle = oracle};
		if (devices > most || !begin(&real, oracle, &plan, false) ||
			!begin(&floor, oracle, &plan, true))
			continue;
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			for (unsigned kind = 0; kind < TRAFFIC_KINDS; ++kind)
				compare(oracle, &plan, &floor.exchange[axis][kind],
					&real.exchange[axis][kind], tally);
		for (unsigned r = 0; r < real.dense.route_count; ++r)
			for (unsigned k = 0; k < real.dense.routes[r].stage_count; ++k)
				compare(oracle, &plan, &floor.dense.routes[r].stages[k],
					&real.dense.routes[r].stages[k], tally);
		compare(oracle, &plan, &floor.dense.gather, &real.dense.gather, tally);
	}
}

/* The ports of a node have together the rate that the machine's levels say, less what is not sustained. */
static void node_check(struct setup *setup, const struct paradl_machine *machine)
{
	const struct level *level = &machine->levels[machine->level_count > 1];
	const struct network *network = network_create(setup->arena, machine, &setup->error);
	assert_non_null(network);
	const double rate = level->bandwidth_bytes_per_s * level->ports;
	if (machine->level_count > 1 &&
		!strstr(machine->name, "FPGA")) /* whose levels are not those of cables */
		assert_true(network->node_bytes_per_s > rate / 3 &&
			    network->node_bytes_per_s < rate * (1 + 1e-9));
}

static void floors_hold(void **state)
{
	struct setup *setup = *state;
	struct random random = {20261129};
	struct dirent **entries = NULL;
	struct tally tally = {0};
	const struct paradl_options options = {.override_precision = true, .precision = PARADL_FP32};
	const int count = scandir("hw-profiles", &entries, is_profile, alphasort);
	assert_in_range(count, 20, MACHINES_MOST);
	for (int i = 0; i < count; ++i) {
		setup_renew(setup);
		const struct paradl_model *model = shipped_model(setup, "mixtral-8x7b");
		const struct paradl_framework *framework =
			shipped_framework(setup, i % 2 ? "nccl" : "megatron-core");
		const struct paradl_machine *machine = paradl_machine_load(setup->arena,
			&(struct paradl_source){
				.path = arena_printf(setup->arena, "hw-profiles/%s", entries[i]->d_name)},
			&setup->error);
		if (!machine)
			fail_msg("%s: %s", entries[i]->d_name, setup->error.message);
		struct paradl_oracle *oracle = paradl_oracle_create(
			setup->arena, model, machine, framework, &options, &setup->error);
		if (!oracle)
			fail_msg("%s: %s", entries[i]->d_name, setup->error.message);
		exchanges_check(&random, oracle, &tally);
		node_check(setup, machine);
		free(entries[i]);
	}
	free(entries);
	assert_in_range(tally.compared, 10000, 1000000);
	assert_true(tally.near * 4 > tally.compared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(floors_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
