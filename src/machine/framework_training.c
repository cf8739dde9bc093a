/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "training" of a framework file: how it runs networks of tokens; see paradl-framework(5). */
#include <stddef.h>

#include "machine/framework.h"
#include "machine/place.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct framework_training, member)
#define SECONDS(key, member)                                                                                 \
	{                                                                                                    \
		key, JSON_TO_QUANTITY, false, AT(member), 0, 10, DIMENSION_TIME, NULL                        \
	}
#define NUMBER(key, member, least, most)                                                                     \
	{                                                                                                    \
		key, JSON_TO_DOUBLE, false, AT(member), least, most, DIMENSION_NONE, NULL                    \
	}
#define SHARE(key, member) NUMBER(key, member, 0, 1)
#define BYTES(key, member, least, most)                                                                      \
	{                                                                                                    \
		key, JSON_TO_QUANTITY, false, AT(member), least, most, DIMENSION_BYTES, NULL                 \
	}
#define FLAG(key, member)                                                                                    \
	{                                                                                                    \
		key, JSON_TO_BOOL, false, AT(member), 0, 0, DIMENSION_NONE, NULL                             \
	}

static const struct json_field fields[] = {
	SECONDS("host_layer", host_layer_s),
	SECONDS("host_moe_layer", host_moe_layer_s),
	SECONDS("host_collective", host_collective_s),
	SECONDS("host_micro_batch", host_micro_batch_s),
	NUMBER("host_sharpness", host_sharpness, 1, 100),
	NUMBER("passes", passes, 0.1, 100),
	SHARE("selective_share", selective_share),
	BYTES("score_bytes", score_bytes, 0, 1000),
	NUMBER("attention", attention, 0.01, 10),
	FLAG("portable_attention", portable_attention),
	FLAG("flash", flash),
	SHARE("overlap_gradients", overlap_gradients),
	SHARE("overlap_gathers", overlap_gathers),
	SHARE("overlap_tensor", overlap_tensor),
	SHARE("overlap_experts", overlap_experts),
	SHARE("overlap_context", overlap_context),
	SHARE("overlap_shards", overlap_shards),
	SHARE("interference", interference),
	SHARE("stage_blocking", stage_blocking),
	FLAG("scatter_gather", scatter_gather),
	SECONDS("stage_start", stage_start_s),
	NUMBER("host_exposed", host_exposed, 0, 100),
	BYTES("accumulate_bytes", accumulate_bytes, 0, 1000),
	SECONDS("step", step_s),
	BYTES("step_bytes", step_bytes, 0, 1000),
	BYTES("gradient_bytes", gradient_bytes, 1, 8),
	SECONDS("collective_sync", collective_sync_s),
	BYTES("bucket", bucket_bytes, 0, 1e15),
	FLAG("balanced", balanced),
	FLAG("graphs", graphs),
	BYTES("context", context_bytes, 0, 1e15),
	BYTES("communicator", communicator_bytes, 0, 1e15),
	SHARE("fragmentation", fragmentation),
	BYTES("logits_bytes", logits_bytes, 0, 1000),
	BYTES("step_memory", step_memory_bytes, 0, 1000),
	BYTES("gradient_held", gradient_held_bytes, 0, 8),
	FLAG("stage_outputs", stage_outputs),
};
static const char *const own_keys[] = {"recompute", NULL};

void framework_training_default(struct framework_training *training)
{
	*training = (struct framework_training){.host_sharpness = 4.4,
		.passes = 1,
		.score_bytes = 10,
		.attention = 1,
		.flash = true,
		.gradient_bytes = 4,
		.logits_bytes = 6,
		.recompute = PARADL_RECOMPUTE_NONE};
}

bool framework_training_read(
	const struct json *node, struct framework_training *training, struct paradl_error *error)
{
	static const char *const names[] = {"none", "selective", "full", NULL};
	static const struct json_field choice = {
		"recompute", JSON_TO_CHOICE, false, 0, 0, 0, DIMENSION_NONE, names};
	static const enum paradl_recompute values[] = {
		PARADL_RECOMPUTE_NONE, PARADL_RECOMPUTE_SELECTIVE, PARADL_RECOMPUTE_FULL};
	if (!json_read(node, fields, COUNT(fields), own_keys, training, error))
		return false;
	const struct json *recompute = json_member(node, "recompute");
	int index = 0;
	if (recompute && !json_read_value(recompute, &choice, &index, error))
		return false;
	if (recompute)
		training->recompute = values[index];
	return true;
}

bool framework_training_place(const char *key, struct place *place)
{
	return place_find(fields, COUNT(fields), offsetof(struct paradl_framework, training), key, place);
}
