/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step over more and more replicas with equal work for each device: it grows, and nothing jumps. */
#include "oracle/shipped.h"

#include <math.h>

#include "network/machine_network.h"

static const struct paradl_machine *on_paper(
	struct setup *setup, const char *device, unsigned node, unsigned devices)
{
	const struct paper_machine paper = {
		.device_path = arena_printf(setup->arena, "hw-profiles/devices/%s.json", device),
		.devices = devices,
		.devices_per_node = node,
		.port_bytes_per_s = 50e9,
		.latency_s = 5e-6};
	const struct paradl_machine *const machine = machine_on_paper(setup->arena, &paper, &setup->error);
	if (!machine)
		fail_msg("%s", setup->error.message);
	return machine;
}

static const struct paradl_machine *superpod(struct setup *setup)
{
	const struct paradl_machine *const machine = paradl_machine_load(
		setup->arena, &(struct paradl_source){.path = "hw-profiles/gb200-nvl72.json"}, &setup->error);
	if (!machine)
		fail_msg("%s", setup->error.message);
	return machine;
}

static double step_s(struct setup *setup, const struct paradl_model *model,
	const struct paradl_machine *machine, const struct paradl_framework *framework, const char *text,
	double batch)
{
	struct paradl_plan plan = setup_plan(text, batch);
	plan.micro = 1;
	return setup_estimate(setup_oracle(setup, model, machine, framework, false), &plan).iteration_s;
}

/* Racks of 72 devices, the last one not full: a replica more moves the step by no more than a small share, and never down by more. */
static void racks_make_no_jumps(void **state)
{
	struct setup *const setup = *state;
	const double jump = 0.02;
	const struct paradl_model *const model = shipped_model(setup, "llama3-405b");
	const struct paradl_framework *const framework = shipped_framework(setup, "nemo-2024");
	static const char *const devices[] = {"gb200-186gb", "gb300-288gb", NULL};
	for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i) {
		const unsigned most = devices[i] ? 40 : 9;
		double before_s = 0, slowest_s = 0;
		for (unsigned data = 1; data <= most; ++data) {
			const struct paradl_machine *const machine =
				devices[i] ? on_paper(setup, devices[i], 4, 64 * data) : superpod(setup);
			const double s = step_s(setup, model, machine, framework,
				arena_printf(setup->arena, "pipeline=8,data=%u,context=2,tensor=4", data),
				32.0 * data);
			if (data > 2 && (s < (1 - jump) * slowest_s || s > (1 + jump) * before_s))
				fail_msg("%s: %g s with %u replicas, %g s with one fewer, at most %g s with "
					 "fewer",
					devices[i] ? devices[i] : "gb200-nvl72", s, data, before_s,
					slowest_s);
			before_s = s;
			slowest_s = fmax(s, slowest_s);
		}
	}
}

/* How long gradients and weights of replicas take, of which nothing hides, or the whole step. */
static double replicas_s(struct setup *setup, const struct paradl_framework *framework,
	const struct paradl_model *model, unsigned gpus, bool whole)
{
	const struct paradl_machine *const machine = on_paper(setup, "h100-sxm5-80gb", 8, gpus);
	struct paradl_plan plan =
		setup_plan(arena_printf(setup->arena, "data=%u,zero=1,micro=1", gpus), 2.0 * gpus);
	plan.apart = whole ? 0 : PARADL_OVERLAP_GRADIENTS;
	const struct paradl_estimate estimate =
		setup_estimate(setup_oracle(setup, model, machine, framework, false), &plan);
	return whole ? estimate.iteration_s : estimate.phase_s[PARADL_GRADIENT_EXCHANGE];
}

/*
 * A trip of so many bytes around a ring, by the fastest protocol of NCCL: seven hops in a node and one between two for eight devices, at
 * half the rate of the ports (344 GB/s), at 92 % or in full; and what H100's file says of a start and a ramp.
 */
static double trip_s(double gpus, double bytes)
{
	const double wires_s = (gpus - 1) / gpus * bytes / (8 * 50e9 * 0.833);
	const double ll_s = gpus * (7 * 1e-6 + 2.7e-6) / 8 + wires_s / 0.5;
	const double ll128_s = 7.4e-6 + gpus * (7 * 1.9e-6 + 4e-6) / 8 + wires_s / 0.92;
	const double simple_s = 1.8e-6 + gpus * (7 * 3.4e-6 + 14e-6) / 8 + wires_s;
	return 4.55e-6 + 0.781e-6 * log2(gpus) + 23.2e-6 + fmin(fmin(ll_s, ll128_s), simple_s);
}

/*
 * A 7B model with ZeRO-1 from 256 to 4,096 GPUs. Of each message a trip around the ring shows, to scatter and to gather, and as large a part of
 * the bytes more as (n - 1) / n grows. Megatron's messages grow with the replicas, so that their start-ups hardly do; messages of 512 MB pay
 * them in full.
 */
static void start_ups_of_messages_grow(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *framework;
		double bucket, bucket_replica,
			least; /* bytes of a message; the step grows by at least this share */
	} programs[] = {{"nemo-2024", 80e6, 2e6, 0.0005}, {"internevo", 512e6, 0, 0.08}};
	const struct paradl_model *const model = shipped_model(setup, "llama2-7b");
	const double bytes = 2 * 6.74e9;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i) {
		const struct paradl_framework *const framework =
			shipped_framework(setup, programs[i].framework);
		double before_s = 0, first_s = 0;
		for (unsigned gpus = 256; gpus <= 4096; gpus *= 2) {
			const double bucket = fmax(programs[i].bucket, programs[i].bucket_replica * gpus);
			const double messages = ceil(bytes / bucket);
			const double s = replicas_s(setup, framework, model, gpus, true);
			first_s = first_s > 0 ? first_s : s;
			assert_true(s > 0.998 * before_s);
			assert_close(replicas_s(setup, framework, model, gpus, false),
				messages * 2 * trip_s(gpus, bytes / messages), 0.02);
			before_s = s;
		}
		assert_true(before_s > (1 + programs[i].least) * first_s);
	}
}

/* Members in the rack with the fewest of a group, and racks: as few as have room for it. */
static void groups_are_spread_over_racks(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *plan;
		unsigned devices, size, racks, inside;
	} cases[] = {
		{"pipeline=8,data=3,tensor=8", 192, 3, 1, 3},
		{"pipeline=8,data=9,tensor=8", 576, 9, 1, 9},
		{"pipeline=8,data=10,tensor=8", 640, 10, 2, 5},
		{"pipeline=8,data=11,tensor=8", 704, 11, 2, 5},
		{"pipeline=8,data=16,tensor=8", 1024, 16, 2, 8},
		{"data=2,pipeline=2,tensor=40", 160, 2, 2, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_machine *const machine =
			on_paper(setup, "gb200-186gb", 4, cases[i].devices);
		const struct paradl_plan plan = setup_plan(cases[i].plan, 1);
		const struct group group = group_of(machine, &plan, 1u << PARADL_DATA);
		const struct group wired = group_wired(&group);
		assert_int_equal(machine->devices_per_node, 72);
		assert_int_equal(group.size, cases[i].size);
		assert_int_equal(group.nodes, cases[i].racks);
		assert_int_equal(wired.size, cases[i].racks * cases[i].inside);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(racks_make_no_jumps),
		setup_test(start_ups_of_messages_grow),
		setup_test(groups_are_spread_over_racks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
