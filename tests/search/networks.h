/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small networks and machines that searches are tested on. */
#ifndef TESTS_SEARCH_NETWORKS_H
#define TESTS_SEARCH_NETWORKS_H

#include "oracle/setup.h"

#include "model/transformer.h"

enum small { NETWORK_DENSE, NETWORK_EXPERTS, NETWORK_LONG, NETWORK_IMAGES, NETWORK_COUNT };

static inline const struct paradl_model *network_model(struct setup *setup, enum small network)
{
	const bool experts = network == NETWORK_EXPERTS || network == NETWORK_LONG;
	const struct transformer_shape shape = {.name = "small",
		.layers = 4,
		.hidden = 512,
		.heads = 8,
		.vocabulary = 8000,
		.sequence = network == NETWORK_LONG ? 32768 : 512,
		.experts = experts ? 4 : 0,
		.top_k = experts ? 2 : 0,
		.moe_ffn = experts ? 1024 : 0,
		.unfused = network == NETWORK_DENSE,
		.dataset = "d",
		.dataset_tokens = 1e9,
		.token_size = "2 B"};
	if (network == NETWORK_IMAGES)
		return setup_model(setup,
			"\"input\": {\"channels\": 3, \"shape\": [32, 32]}, \"dataset\": {\"name\": \"d\", "
			"\"samples\": 100000, \"sample_size\": \"1 kB\"}",
			"{\"type\": \"conv\", \"out\": 8, \"kernel\": 3, \"pad\": 1}, {\"type\": \"act\", "
			"\"kind\": \"relu\"}, {\"type\": \"conv\", \"out\": 64, \"kernel\": 3, \"pad\": 1}, "
			"{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 4}, {\"type\": \"linear\", "
			"\"out\": 100}");
	const struct paradl_model *model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	return model;
}

/* Nodes of two; a price, and power that computing takes more of than waiting. */
static inline const struct paradl_machine *network_machine(struct setup *setup, const char *memory)
{
	setup_write(setup, "devices/device.json",
		arena_printf(setup->arena,
			"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"d\", \"memory\": "
			"\"%s\", "
			"\"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\", \"bf16\": \"40 "
			"Tflop/s\"}, \"contraction\": {\"efficiency\": 0.5}, \"link\": {\"rate\": \"50 "
			"GB/s\", \"host_rate\": \"20 "
			"GB/s\"}, \"power\": {\"busy\": \"300 W\", \"idle\": \"60 W\"}}",
			memory));
	const char *path = setup_write(setup, "machine.json",
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"test\", \"device\": \"device\", "
		"\"framework\": \"framework\", \"library\": \"rccl\", \"price\": {\"per_node_hour\": 4, "
		"\"currency\": \"EUR\"}, "
		"\"levels\": [{\"name\": \"node\", \"devices\": 2, \"latency\": \"1 us\", \"bandwidth\": "
		"\"50 GB/s\"}, {\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": "
		"\"10 GB/s\"}]}");
	const struct paradl_machine *machine =
		paradl_machine_load(setup->arena, &(struct paradl_source){.path = path}, &setup->error);
	if (!machine)
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	return machine;
}

static inline struct paradl_oracle *model_oracle(struct setup *setup, const struct paradl_model *model,
	const char *memory, const char *keys, const struct paradl_options *options)
{
	const struct paradl_machine *machine = network_machine(setup, memory);
	struct paradl_oracle *oracle = paradl_oracle_create(
		setup->arena, model, machine, setup_framework(setup, keys), options, &setup->error);
	if (!oracle)
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	return oracle;
}

static inline struct paradl_oracle *network_oracle(struct setup *setup, enum small network,
	const char *memory, const char *keys, const struct paradl_options *options)
{
	return model_oracle(setup, network_model(setup, network), memory, keys, options);
}

#endif
