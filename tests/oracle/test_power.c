/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power and price of estimates: closed forms by hand, sums, bounds, monotony. */
#include "oracle/shipped.h"

#define BUSY  "\"power\": {\"busy\": \"300 W\", \"idle\": \"50 W\"}"
#define LEVEL "\"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\""

/* A node has 4 devices; there are 16 nodes. `keys`: ", \"power\": {...}". */
static struct paradl_oracle *oracle_of(
	struct setup *setup, const char *device_power, const char *keys, bool ideal)
{
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"channels\": 64, \"shape\": [32, 32]}, \"dataset\": {\"name\": \"d\", "
		"\"samples\": 1000}",
		"{\"type\": \"conv\", \"out\": 128, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
		"{\"type\": \"act\", \"kind\": \"relu\"}");
	setup_write(setup, "devices/device.json",
		arena_printf(setup->arena,
			"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"d\", " SETUP_DEVICE
			", %s}",
			device_power));
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"test\", \"device\": \"device\", "
		"\"framework\": \"framework\", \"levels\": [{\"name\": \"node\", \"devices\": 4, " LEVEL
		"}, {\"name\": \"all\", \"devices\": 64, " LEVEL "}]%s}",
		keys);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "machine.json", text)}, &setup->error);
	if (!machine)
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	return setup_oracle(setup, model, machine, setup_framework(setup, ""), ideal);
}

struct expense {
	struct paradl_estimate estimate;
	struct paradl_power power;
	struct paradl_price price;
};

static struct expense expense_of(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	struct expense got = {.estimate = setup_estimate(oracle, &plan)};
	paradl_power(oracle, &got.estimate, &got.power);
	paradl_price(oracle, &got.estimate, &got.price);
	return got;
}

/* 6 devices on two nodes of 4; 2 of them idle. */
static void parts_by_hand(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, BUSY,
		", \"power\": {\"node\": \"200 W\", \"storage\": \"1.6 kW\", \"pue\": 1.25}", false);
	const struct expense got = expense_of(oracle, "data=6", 60);
	const struct paradl_estimate *const e = &got.estimate;
	const double flop = 60 * 2 * (2.0 * 128 * 64 * 9 * 1024);
	const double products_s = flop / 6 / 100e12, t = e->iteration_s;
	const double streaming_s = e->compute_s - products_s, waiting_s = t - e->compute_s;
	const double devices_watt = 8 * 50 + 6 * (250 * products_s + 200 * streaming_s + 70 * waiting_s) / t;
	assert_true(streaming_s > 0.01 * t && waiting_s > 0.01 * t);
	assert_close(got.power.share[PARADL_COMPUTING], products_s / t, 1e-12);
	assert_close(got.power.share[PARADL_EXCHANGING], waiting_s / t, 1e-9);
	assert_close(got.power.idle_watt + got.power.host_watt, 8 * 50 + 2 * 200, 1e-12);
	assert_close(got.power.storage_watt, 1600.0 / 8, 1e-12);
	assert_close(got.power.total_watt, 1.25 * (devices_watt + 2 * 200 + 200), 1e-9);
	assert_close(got.power.cooling_watt, 0.25 * (devices_watt + 2 * 200 + 200), 1e-9);
	assert_true(got.price.total_per_hour < 0 && e->cost_per_hour < 0 && e->cost_per_epoch < 0);
}

/* Ideal products run at the peak, so that all of a pass computes; one that draws as much idle as busy is all idle. */
static void all_busy_and_all_idle(void **state)
{
	struct expense got = expense_of(oracle_of(*state, BUSY, "", true), "serial", 4000);
	const double busy_s = got.estimate.phase_s[PARADL_FORWARD] + got.estimate.phase_s[PARADL_BACKWARD];
	assert_close(got.power.share[PARADL_COMPUTING], busy_s / got.estimate.iteration_s, 1e-12);
	assert_true(got.power.share[PARADL_COMPUTING] > 0.95);
	assert_close(got.power.device_watt[PARADL_COMPUTING], 300, 0);
	got = expense_of(oracle_of(*state, "\"power\": {\"busy\": \"80 W\", \"idle\": \"80 W\"}", "", false),
		"data=6", 60);
	assert_close(got.power.total_watt, 8 * 80, 1e-12);
	assert_close(got.power.idle_watt, 8 * 80, 1e-12);
}

static void given_powers_replace_assumed_ones(void **state)
{
	struct expense got = expense_of(oracle_of(*state, BUSY, "", false), "data=6", 60);
	assert_close(got.power.device_watt[PARADL_STREAMING], 50 + 0.8 * 250, 1e-12);
	assert_close(got.power.device_watt[PARADL_EXCHANGING], 0.4 * 300, 1e-12);
	got = expense_of(
		oracle_of(*state,
			"\"power\": {\"busy\": \"300 W\", \"idle\": \"50 W\", \"memory\": \"210 W\", "
			"\"waiting\": \"80 W\"}",
			"", false),
		"data=6", 60);
	assert_close(got.power.device_watt[PARADL_STREAMING], 210, 0);
	assert_close(got.power.device_watt[PARADL_IDLING], 80, 0);
	got = expense_of(oracle_of(*state, "\"_power\": 1", "", false), "data=6", 60);
	assert_true(got.power.total_watt < 0 && got.estimate.watt < 0);
	assert_true(got.estimate.energy_joule_per_epoch < 0);
}

/* 16 nodes on one switch; each draws power, and so do its cables, both ends of 4 W. */
static void network_by_its_inventory(void **state)
{
	const char *const network =
		", \"network\": {\"node\": \"switch:4\", \"cluster\": \"switch:16\", "
		"\"links\": {\"device\": {\"bandwidth\": \"1 GB/s\", \"idle\": \"9 W\"}, "
		"\"port\": {\"bandwidth\": \"1 GB/s\", \"idle\": \"4 W\", \"price\": 100}}, "
		"\"switch_power\": \"160 W\", \"port_power\": \"10 W\", \"switch_price\": 1600}"
		", \"price\": {\"node\": 40000, \"years\": 5, \"currency\": \"EUR\"}";
	struct expense got = expense_of(oracle_of(*state, BUSY, network, false), "data=6", 60);
	assert_close(got.power.network_watt, (160 + 16 * (4 + 10)) * 2 / 16.0, 1e-12);
	assert_close(got.price.network_per_hour, (1600 + 16 * 100) * 2 / 16.0 / (5 * 8766), 1e-12);
	assert_close(got.price.node_per_hour, 2 * 40000.0 / (5 * 8766), 1e-12);
	assert_close(expense_of(oracle_of(*state, BUSY, network, false), "data=64", 64).power.network_watt,
		160 + 16 * 14, 1e-12);
}

static void rent_by_node_and_by_device(void **state)
{
	const struct expense node = expense_of(
		oracle_of(*state, BUSY, ", \"price\": {\"per_node_hour\": 36, \"currency\": \"EUR\"}", false),
		"data=6", 60);
	const struct expense device = expense_of(
		oracle_of(*state, BUSY, ", \"price\": {\"per_gpu_hour\": 9, \"currency\": \"EUR\"}", false),
		"data=6", 60);
	assert_close(node.price.rent_per_hour, 72, 1e-12);
	assert_close(node.price.total_per_hour, 72, 1e-12);
	assert_close(device.price.total_per_hour, 72, 1e-12);
	assert_true(!node.price.owned);
}

/* 3 nodes of 16 for 100000 each in 4 years, half of them used; by hand in the currency of each year. */
static void purchase_by_hand(void **state)
{
	const struct expense got = expense_of(oracle_of(*state, BUSY,
						      ", \"power\": {\"pue\": 1.5}, \"price\": {\"node\": "
						      "100000, \"years\": 4, \"utilisation\": "
						      "0.5, \"maintenance\": 0.1, \"network\": 320000, "
						      "\"staff\": 80000, \"energy_per_kwh\": 0.2, "
						      "\"currency\": \"EUR\"}",
						      false),
		"data=12", 60);
	const double hours = 365.25 * 24 * 0.5;
	assert_close(got.price.node_per_hour, 3 * 25000 / hours, 1e-12);
	assert_close(got.price.network_per_hour, 3 * 5000 / hours, 1e-12);
	assert_close(got.price.maintenance_per_hour, 3 * (10000 + 2000) / hours, 1e-12);
	assert_close(got.price.staff_per_hour, 3 * 5000 / hours, 1e-12);
	assert_close(got.price.total_per_hour,
		3 * 47000 / hours +
			got.estimate.energy_joule_per_epoch / got.estimate.epoch_s * 3600 / 3.6e6 * 0.2,
		1e-12);
	assert_close(
		got.estimate.cost_per_epoch, got.price.total_per_hour * got.estimate.epoch_s / 3600, 1e-12);
}

/* Half of the hours, twice the price of each; longer use is cheaper, whatever the plan. */
static void utilisation_and_years(void **state)
{
	struct expense got[3];
	static const char *const terms[] = {"4, \"utilisation\": 1", "4, \"utilisation\": 0.5", "8"};
	for (unsigned i = 0; i < 3; i++)
		got[i] = expense_of(
			oracle_of(*state, BUSY,
				arena_printf(((struct setup *)*state)->arena,
					", \"price\": {\"node\": 1000, \"years\": %s, \"currency\": \"EUR\"}",
					terms[i]),
				false),
			"data=4", 60);
	assert_close(got[1].price.total_per_hour, 2 * got[0].price.total_per_hour, 1e-12);
	assert_close(got[2].price.total_per_hour, got[0].price.total_per_hour / 2, 1e-12);
}

/* False: the plan does not run. */
static bool sums_hold(struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate;
	struct paradl_power power;
	if (!paradl_estimate(oracle, plan, &estimate, NULL))
		return false;
	paradl_power(oracle, &estimate, &power);
	double shares = 0, watt = power.idle_watt + power.host_watt + power.network_watt;
	for (unsigned a = 0; a < PARADL_ACTIVITY_COUNT; ++a) {
		shares += power.share[a];
		watt += power.dynamic_watt[a];
		assert_true(power.share[a] >= -1e-9 && power.dynamic_watt[a] >= -1e-6);
	}
	assert_close(shares, 1, 1e-9);
	assert_close(power.total_watt, watt, 1e-9);
	assert_true(power.total_watt <= power.nodes * 4 * 50 + estimate.devices * 250.001);
	return true;
}

static void sums_and_bounds_of_random_plans(void **state)
{
	struct setup *const setup = *state;
	struct random random = {7};
	unsigned evaluated = 0;
	for (unsigned i = 0; i < 40; ++i) {
		const struct paradl_model *const model =
			shipped_model(setup, shipped_models[i % SHIPPED_MODELS]);
		struct paradl_oracle *const oracle = setup_oracle(setup, model, shipped_machine(setup, 1, 1),
			shipped_framework(setup, "nccl"), i % 5 == 0);
		for (unsigned k = 0; k < 20; ++k) {
			const struct paradl_plan plan = shipped_plan(&random, 256);
			evaluated += sums_hold(oracle, &plan);
		}
		setup_renew(setup);
	}
	assert_true(evaluated > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(parts_by_hand),
		setup_test(all_busy_and_all_idle),
		setup_test(given_powers_replace_assumed_ones),
		setup_test(network_by_its_inventory),
		setup_test(rent_by_node_and_by_device),
		setup_test(purchase_by_hand),
		setup_test(utilisation_and_years),
		setup_test(sums_and_bounds_of_random_plans),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
