/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of all plans, against an estimate of each of them. */
#include "oracle/shipped.h"
#include "search/proof.h"

#define OVERLAPS                                                                                             \
	", \"training\": {\"overlap_gradients\": 0.5, \"overlap_gathers\": 0.5, \"overlap_tensor\": 0.5, "   \
	"\"overlap_experts\": 0.5, \"host_layer\": \"0.1 ms\", \"host_exposed\": 0.5, \"interference\": "    \
	"0.1}"
#define PLAIN ", \"training\": {\"overlap_gradients\": 0, \"overlap_gathers\": 0, \"overlap_shards\": 0}"

static void check_network(struct setup *setup, enum small network, unsigned devices, double batch,
	const char *keys, unsigned vary)
{
	const struct proof proof = {network_model(setup, network), devices, batch, keys, vary};
	check_proof(setup, &proof);
}

static void dense_networks(void **state)
{
	check_network(*state, NETWORK_DENSE, 4, 8, OVERLAPS, BRUTE_USUAL);
	check_network(*state, NETWORK_DENSE, 6, 12, PLAIN, BRUTE_USUAL);
}

static void with_offload(void **state)
{
	check_network(*state, NETWORK_DENSE, 2, 2, OVERLAPS, BRUTE_USUAL | 1u << PARADL_VARY_OFFLOAD);
}

static void networks_with_experts(void **state)
{
	check_network(*state, NETWORK_EXPERTS, 4, 4, OVERLAPS, BRUTE_USUAL);
}

static void long_sequences(void **state)
{
	check_network(*state, NETWORK_LONG, 4, 2, PLAIN, BRUTE_USUAL);
}

/* Each choice alone, and none. */
static void one_choice(void **state)
{
	check_network(*state, NETWORK_EXPERTS, 8, 8, OVERLAPS, 0);
	for (unsigned i = 0; i < PARADL_VARY_COUNT; ++i)
		check_network(*state, NETWORK_EXPERTS, 8, 8, OVERLAPS, 1u << i);
}

/* Stages in shapes that a small network does not have, and of all plans those that a program offers. */
static void check_shipped(struct setup *setup, const char *name)
{
	struct paradl_options options = {.ideal = false};
	const unsigned vary = 1u << PARADL_VARY_MICRO | 1u << PARADL_VARY_SCHEDULE | 1u << PARADL_VARY_ZERO |
			      1u << PARADL_VARY_RECOMPUTE | 1u << PARADL_VARY_SHARD |
			      1u << PARADL_VARY_SEQUENCE;
	const struct paradl_machine *machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"}, &setup->error);
	const struct paradl_model *model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/llama2-7b.json"}, &setup->error);
	struct brute brute = {NULL, 0, 0};
	assert_true(machine && model);
	struct paradl_oracle *oracle = paradl_oracle_create(
		setup->arena, model, machine, shipped_framework(setup, name), &options, &setup->error);
	assert_non_null(oracle);
	brute_add(oracle, 16, 16, vary, &brute);
	check_questions(setup, oracle, 16, 16, vary_text(setup, vary), &brute);
	brute_free(&brute);
}

static void shipped_networks(void **state)
{
	check_shipped(*state, "nccl");
	check_shipped(*state, "megatron-core");
	check_shipped(*state, "megatron-deepspeed");
	check_shipped(*state, "torchtitan");
}

/* What real programs offer, whose plans without options are always in the space. */
#define OFFERS                                                                                               \
	", \"offers\": {\"axes\": [\"data\"], \"schedules\": [\"1f1b\"], \"zero\": [1, 3], "                 \
	"\"zero_with_pipeline\": "                                                                           \
	"[1], \"recomputes\": [\"full\"], \"offload\": [\"optimizer\"], \"shard\": false, \"contexts\": []}"
#define EXECUTION                                                                                            \
	", \"execution\": {\"overlap\": 0.5, \"host_call\": \"20 us\"}, \"pipeline\": {\"recompute\": "      \
	"true, "                                                                                             \
	"\"micro_batches\": 4}"

static void images(void **state)
{
	check_network(*state, NETWORK_IMAGES, 12, 48, "", BRUTE_USUAL);
	check_network(*state, NETWORK_IMAGES, 16, 64, ", " SETUP_SPLIT_ALL, BRUTE_USUAL);
}

static void images_with_offers(void **state)
{
	const unsigned all = BRUTE_USUAL | 1u << PARADL_VARY_OFFLOAD;
	check_network(*state, NETWORK_IMAGES, 8, 32, OFFERS, all);
	check_network(*state, NETWORK_IMAGES, 6, 24, OFFERS EXECUTION, all);
	check_network(*state, NETWORK_IMAGES, 8, 16, EXECUTION, BRUTE_USUAL);
	check_network(*state, NETWORK_IMAGES, 4, 8, EXECUTION PLAIN, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(dense_networks),
		setup_test(with_offload),
		setup_test(networks_with_experts),
		setup_test(long_sequences),
		setup_test(one_choice),
		setup_test(shipped_networks),
		setup_test(images),
		setup_test(images_with_offers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
