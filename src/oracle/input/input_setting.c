/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers everything that input depends on, once: sizes of samples, how they lie in files, and the tiers that have
 * them. It also has the names of the choices.
 *
 *     opens of a sample     files: one, or files / samples; shards: files / samples; HDF5: none, the file stays open
 *     small reads           files and HDF5: one; shards: none, they are read from the start
 *     decoded size          as given; else the network's input in fp32, or 4 bytes for each token
 */
#include <string.h>

#include "base/names.h"
#include "oracle/input/input.h"
#include "paradl/oracle.h"

static const double decoded_item_bytes = 4, weight_bytes = 4;

static const struct storage_tier *tier_find(
	const struct paradl_machine *machine, int scope, const char *name, const char *other)
{
	const struct storage_tier *first = NULL;
	for (unsigned i = 0; i < machine->storage_count; i++) {
		const struct storage_tier *const tier = &machine->storage[i];
		if (tier->scope != scope)
			continue;
		if (strcmp(tier->name, name) == 0 || strcmp(tier->name, other) == 0)
			return tier;
		if (!first)
			first = tier;
	}
	return first;
}

static double files_per_sample(const struct dataset *dataset)
{
	const double given =
		dataset->files > 0 && dataset->samples > 0 ? dataset->files / dataset->samples : 0;
	switch (dataset->layout) {
	case LAYOUT_SHARDS:
		return given;
	case LAYOUT_HDF5:
		return 0;
	default: /* token files stay open too, unless there are files to count */
		return given > 0 || dataset->encoding == ENCODING_TOKENS ? given : 1;
	}
}

static double decoded_bytes(const struct paradl_model *model)
{
	if (model->dataset.decoded_bytes > 0)
		return model->dataset.decoded_bytes;
	if (model->input.tokens)
		return model->input.extent[0] * decoded_item_bytes;
	return tensor_items(&model->input) * decoded_item_bytes;
}

static const char *lacking(const struct input_setting *setting)
{
	if (setting->options.off)
		return "input is left out";
	if (!(setting->sample_bytes > 0))
		return "the data set has no sample_size";
	if (!setting->machine->storage_count && !(setting->machine->host.cores > 0))
		return "the profile of the machine has neither storage nor host cores";
	return NULL;
}

static const char *costs_nothing(const struct input_setting *setting)
{
	if (!setting->machine->storage_count)
		return "the profile has no storage: reading takes no time";
	if (!(setting->machine->host.cores > 0) && !(setting->options.workers > 0))
		return "the profile has no host cores: preparation takes no time";
	if ((setting->options.exchanged > 0 || setting->options.hops > 0) &&
		!(setting->rules->exchange_message_s > 0))
		return "the program's profile has no times of exchanges: messages start at no cost";
	return NULL;
}

/*
 * Returns 90 for samples, as ResNet-50 on ImageNet is trained (Goyal et al., 2017), and 1 for texts, mostly read once.
 */
double input_usual_epochs(const struct paradl_model *model)
{
	enum { OF_SAMPLES = 90 };
	return model->tokens ? 1 : OF_SAMPLES;
}

struct input_setting input_setting_make(const struct paradl_model *model,
	const struct paradl_machine *machine, const struct rules *rules,
	const struct paradl_input_options *options)
{
	const struct dataset *const dataset = &model->dataset;
	struct input_setting setting = {
		.dataset = dataset,
		.sample_bytes = dataset->sample_bytes,
		.decoded_bytes = decoded_bytes(model),
		.total_bytes = dataset->samples > 0 ? dataset->sample_bytes *
							      (dataset->samples + dataset->validation_samples)
						    : 0,
		.model_bytes = model->weight_items * weight_bytes,
		.files_per_sample = files_per_sample(dataset),
		.reads_per_sample = dataset->layout == LAYOUT_SHARDS ? 0 : 1,
		.machine = machine,
		.rules = rules,
		.shared = tier_find(machine, STORAGE_SYSTEM, "shared", "pfs"),
		.local = tier_find(machine, STORAGE_NODE, "local", "local"),
		.options = *options,
	};
	if (!(options->epochs > 0))
		setting.options.epochs = input_usual_epochs(model);
	if (options->shuffle != PARADL_SHUFFLE_PARTIAL && options->shuffle != PARADL_SHUFFLE_PAIRWISE)
		setting.options.exchanged = 0;
	if (options->shuffle != PARADL_SHUFFLE_MODELS)
		setting.options.hops = 0;
	setting.lacking = lacking(&setting);
	setting.free = setting.lacking ? NULL : costs_nothing(&setting);
	return setting;
}

NAME_FUNCTION(paradl_store_name, enum paradl_store, "auto", "shared", "copy", "pooled", "shard")

NAME_FUNCTION(paradl_shuffle_name, enum paradl_shuffle, "global", "local", "partial", "pairwise", "models")

NAME_FUNCTION(paradl_cache_name, enum paradl_cache, "auto", "page", "pinned", "lru", "none")

NAME_FUNCTION(paradl_risk_name, enum paradl_risk, "none", "low", "medium", "high")

static const struct {
	const char *name, *text;
} resources[PARADL_RESOURCE_COUNT] = {
	[PARADL_RESOURCE_SHARED] = {"shared", "the shared file system"},
	[PARADL_RESOURCE_REQUESTS] = {"requests", "small reads of the shared file system"},
	[PARADL_RESOURCE_METADATA] = {"metadata", "opening files"},
	[PARADL_RESOURCE_CLIENT] = {"client", "what one node reads of the shared file system"},
	[PARADL_RESOURCE_LOCAL] = {"local", "the disks of a node"},
	[PARADL_RESOURCE_PEERS] = {"peers", "reading from other nodes"},
	[PARADL_RESOURCE_MEMORY] = {"memory", "the memory of a node"},
	[PARADL_RESOURCE_CORES] = {"cores", "preparation by the cores of a node"},
	[PARADL_RESOURCE_HOST_LINK] = {"host_link", "copies from host to device"},
	[PARADL_RESOURCE_EXCHANGE] = {"exchange", "the exchange of samples"},
	[PARADL_RESOURCE_DEVICES] = {"devices", "compute and its communication"},
};

const char *paradl_resource_name(enum paradl_resource resource)
{
	return (unsigned)resource < PARADL_RESOURCE_COUNT ? resources[resource].name : "";
}

const char *paradl_resource_text(enum paradl_resource resource)
{
	return (unsigned)resource < PARADL_RESOURCE_COUNT ? resources[resource].text : "";
}
