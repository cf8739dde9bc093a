/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine and a network with round numbers, for tests of input. */
#ifndef TESTS_INPUT_MADE_UP_H
#define TESTS_INPUT_MADE_UP_H

#include "oracle/input/input.h"

/* Four devices and two disks' worth of storage in each node. */
struct made_up {
	struct paradl_model model;
	struct paradl_machine machine;
	struct rules rules; /* loaders that cost nothing */
	struct storage_tier tiers[2];
	struct paradl_input_options options;
};

/* 1e6 files of 100 kB, decoded to 600 kB; 1e5 samples/s from the shared tier, 1e4 from each node's disks; nothing varies. */
static inline void made_up_fill(struct made_up *made)
{
	*made = (struct made_up){.model = {.name = "made up",
					 .input = {.channels = 3, .dimensions = 2, .extent = {224, 224, 1}},
					 .dataset = {.samples = 1e6,
						 .sample_bytes = 1e5,
						 .decoded_bytes = 6e5,
						 .classes = 1000}},
		.machine = {.name = "made up",
			.devices = 4096,
			.devices_per_node = 4,
			.devices_per_host = 4,
			.host = {.cores = 40,
				.memory_bytes = 100e9,
				.cache_share = 0.5,
				.memory_bytes_per_s = 100e9,
				.network_bytes_per_s = 10e9,
				.decode_bytes_per_s = {1e9, 20e6, 20e6, 20e6, 20e6}}},
		.tiers = {{.name = "local",
				  .scope = STORAGE_NODE,
				  .read_bytes_per_s = 1e9,
				  .capacity_bytes = 1e12},
			{.name = "shared",
				.scope = STORAGE_SYSTEM,
				.read_bytes_per_s = 10e9,
				.variation = 0}},
		.rules = {.exchange_step_s = 20e-3,
			.exchange_message_s = 5e-3,
			.exchange_bytes = 110e3,
			.exchange_store_bytes_per_s = 200e6,
			.exchange_hidden = true},
		.options = {.cache = PARADL_CACHE_NONE}};
	made->machine.device.link.host_bytes_per_s = 12e9;
	made->model.dataset.encoding = ENCODING_JPEG;
	made->machine.storage = made->tiers;
	made->machine.storage_count = 2;
}

static inline struct input_setting made_up_setting(const struct made_up *made)
{
	return input_setting_make(&made->model, &made->machine, &made->rules, &made->options);
}

/* What such a load gets of steps that take so long. */
static inline struct paradl_input made_up_input(
	const struct made_up *made, const struct input_load *load, double busy_s)
{
	const struct input_setting setting = made_up_setting(made);
	struct input_rates rates;
	struct paradl_input input;
	input_rates_choose(&setting, load, busy_s, &rates);
	input_describe(&setting, &rates, load, busy_s, &input);
	return input;
}

/* Data parallelism over whole nodes. */
static inline struct input_load made_up_load(double nodes, double per_device)
{
	return (struct input_load){.nodes = nodes,
		.devices = 4 * nodes,
		.readers = 4 * nodes,
		.batch = 4 * nodes * per_device,
		.reader_samples = per_device,
		.node_samples = 4 * per_device,
		.device_samples = per_device};
}

#endif
