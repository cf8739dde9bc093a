/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table III of ParaDL (HPDC'21), per iteration, written out over random chains and machines. Corrected where the
 * printed table is wrong: backward collectives move |x|, the weight update is outside the pipeline's factor, every
 * message has its delta, and halos exist where floor((K-1)/2) > 0 only.
 */
#ifndef TESTS_ORACLE_TABLE3_H
#define TESTS_ORACLE_TABLE3_H

#include "oracle/chain.h"

#define DELTA 4.0 /* bytes of an item */

enum { TABLE3_LEVELS = 3 };

struct table3 {
	struct chain chain;
	const struct paradl_machine *machine;
	struct paradl_oracle *oracle;
	double peak, memory_rate, update_bytes; /* of the device; of the optimizer, per weight */
	double batch;                           /* B */
};

struct row {
	double compute_s, communication_s, memory_bytes; /* compute: with the pipeline's bubble */
};

static const struct {
	const char *name;
	double bytes;
} table3_optimizers[] = {{"sgd", 12}, {"sgd-momentum", 20}, {"adam", 28}};

/* Rings, ports, oversubscription, tiles and all costs of the framework are there to be ignored. */
static inline const char *table3_levels(struct setup *setup, struct random *random)
{
	unsigned devices = 1u << random_between(random, 1, 3);
	const char *text = "";
	for (unsigned l = 0; l < TABLE3_LEVELS; ++l) {
		text = arena_printf(setup->arena,
			"%s%s{\"name\": \"l%u\", \"devices\": %u, \"latency\": \"%.15g us\", \"bandwidth\": "
			"\"%.15g GB/s\", "
			"\"ring\": \"1 kB/s\", \"ports\": %u, \"oversubscription\": %u}",
			text, l ? ", " : "", l, devices, random_real(random, 0.1, 100),
			random_real(random, 0.1, 500), random_between(random, 1, 8),
			random_between(random, 1, 4));
		devices *= random_between(random, 2, 16);
	}
	return text;
}

static inline void table3_begin(
	struct table3 *table, struct setup *setup, struct random *random, bool spatial)
{
	setup_renew(setup);
	const unsigned optimizer = random_between(random, 0, 2);
	table->chain = chain_random(random, spatial);
	table->peak = random_between(random, 1, 100) * 1e12;
	table->memory_rate = random_between(random, 100, 3000) * 1e9;
	table->update_bytes = table3_optimizers[optimizer].bytes;
	table->batch = random_between(random, 1, 4096);
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"16 GB\", \"memory_rate\": \"%.0f B/s\", \"peak\": {\"fp32\": \"%.0f "
		"flop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5, \"tile\": 128, \"depth_tile\": 32, \"winograd\": 2, "
		"\"launch\": \"1 ms\"}",
		table->memory_rate, table->peak);
	table->machine = setup_machine(setup, device, table3_levels(setup, random));
	const struct paradl_framework *const framework = setup_framework(setup,
		", \"execution\": {\"host_call\": \"1 ms\", \"sync\": \"1 ms\", \"overlap\": 0.5, "
		"\"blocking\": [\"filter\"]}, "
		"\"gradients\": {\"passes\": 6, \"per_tensor\": \"1 ms\", \"spatial_leader\": true}, "
		"\"activations\": {\"rings\": 5, \"per_call\": \"1 ms\", \"per_piece\": \"1 ms\", "
		"\"filter_passes\": 6, "
		"\"channel_passes\": 2, \"spatial_passes\": 4, \"filter_backward_partial\": true}, "
		"\"messages\": {\"staged\": true, \"halo_chain\": true, \"segments\": [{\"latency\": \"1 "
		"ms\", "
		"\"bandwidth\": \"1 MB/s\"}]}, \"waiting\": {\"jitter\": \"1 ms\"}, "
		"\"pipeline\": {\"micro_batches\": 7, \"staged\": true, \"recompute\": true}, "
		"\"memory\": {\"workspace\": \"1 GiB\", \"gradient_buffers\": 1}");
	table->oracle =
		setup_oracle(setup, chain_model(setup, &table->chain, table3_optimizers[optimizer].name),
			table->machine, framework, true);
}

/* alpha and beta of a group of ranks first, first + stride, ...: of the lowest level that joins every such group. */
static inline unsigned table3_level(
	const struct table3 *table, unsigned stride, unsigned degree, unsigned devices)
{
	for (unsigned l = 0; l + 1 < TABLE3_LEVELS; ++l) {
		const unsigned domain = table->machine->levels[l].devices;
		bool joins = true;
		for (unsigned rank = 0; rank < devices; ++rank)
			if (rank / stride % degree == 0 &&
				rank / domain != (rank + stride * (degree - 1)) / domain)
				joins = false;
		if (joins)
			return l;
	}
	return TABLE3_LEVELS - 1;
}

static inline double alpha_of(const struct table3 *table, unsigned level)
{
	return table->machine->levels[level].latency_s;
}

static inline double beta_of(const struct table3 *table, unsigned level)
{
	return 1 / table->machine->levels[level].bandwidth_bytes_per_s;
}

/* sum(FW + BW) of one sample. */
static inline double table3_work_s(const struct table3 *table)
{
	double flop = 0;
	for (unsigned i = 0; i < table->chain.count; ++i)
		flop += table->chain.layers[i].forward_flop + table->chain.layers[i].backward_flop;
	return flop / table->peak;
}

static inline double table3_weights(const struct table3 *table)
{
	double items = 0;
	for (unsigned i = 0; i < table->chain.count; ++i)
		items += table->chain.layers[i].w_items;
	return items;
}

static inline double table3_update_s(const struct table3 *table, double weight_items)
{
	return weight_items * table->update_bytes / table->memory_rate;
}

/* sum(|x| + |y|) of one sample. */
static inline double table3_activations(const struct table3 *table)
{
	double items = 0;
	for (unsigned i = 0; i < table->chain.count; ++i)
		items += table->chain.layers[i].x_items + table->chain.layers[i].y_items;
	return items;
}

/* Tar with the whole vector in bytes. */
static inline double table3_allreduce_s(double p, double alpha, double bytes, double beta)
{
	return 2 * (p - 1) * (alpha + bytes / p * beta);
}

static inline double table3_allgather_s(double p, double alpha, double bytes, double beta)
{
	return (p - 1) * (alpha + bytes / p * beta);
}

static inline void table3_check(struct table3 *table, const char *text, const struct row *row)
{
	const struct paradl_plan plan = setup_plan(text, table->batch);
	const struct paradl_estimate estimate = setup_estimate(table->oracle, &plan);
	const double compute = estimate.compute_s + estimate.phase_s[PARADL_BUBBLE];
	assert_close(compute, row->compute_s, 1e-12);
	assert_close(estimate.communication_s, row->communication_s, 1e-12);
	assert_close(estimate.exposed_communication_s, row->communication_s, 1e-12);
	assert_close(estimate.memory_bytes, row->memory_bytes, 1e-12);
	assert_close(estimate.iteration_s, row->compute_s + row->communication_s, 1e-12);
	assert_close(estimate.epoch_s,
		table->chain.samples / table->batch * (row->compute_s + row->communication_s), 1e-12);
	assert_close(estimate.iteration_quiet_s, estimate.iteration_s, 0);
}

/* The plan cannot run, whatever the memory. */
static inline void table3_refuses(struct table3 *table, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, table->batch);
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (paradl_estimate(table->oracle, &plan, &estimate, &error))
		fail_msg("%s ran", text);
	assert_int_equal(error.status, PARADL_INFEASIBLE);
	assert_true(*error.message && *error.hint);
}

#endif
