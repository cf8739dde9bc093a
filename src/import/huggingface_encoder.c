/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads networks of two stacks of layers: an encoder and a decoder, or two towers. The rules of the first stack are a
 * family of their own, which "encoder" names; they are read from the same keys, or from the object "encoder_in".
 */
#include "base/error.h"
#include "import/huggingface.h"

bool config_has_towers(struct config *config, const char *type)
{
	const struct config_family *const family = type ? config_family(config, type) : NULL;
	return family && config_rule(config, family, "encoder_in");
}

/* Says how long the sequences of a sample are taken to be. */
static void lengths_note(struct config *config, const struct transformer_shape *shape)
{
	const struct transformer_shape *const first = shape->encoder;
	if (first->patch > 0)
		warn(config->warnings,
			"a sample is an image and %u tokens of text; the exchange of vectors between "
			"replicas, "
			"which compares each image with all texts, is not counted",
			shape->sequence);
	else if (first->audio > 0)
		warn(config->warnings,
			"a sample is %u frames of sound, which become %u tokens, and %u tokens of text: the "
			"most that the network takes",
			2 * first->sequence, first->sequence, shape->sequence);
	else
		warn(config->warnings,
			"a sample is %u tokens of source and %u of target: the file does not say how long "
			"they "
			"are in training. --seq changes the source, --set model.dims.target=N the target",
			first->sequence, shape->sequence);
}

bool config_encoder(const struct json *root, struct config *config, const struct config_family *family,
	struct config_dims *dims)
{
	const struct json *const rule = config_rule(config, family, "encoder");
	const struct json *const in = config_rule(config, family, "encoder_in");
	struct config own = *config;
	if (!rule)
		return true;
	struct config_dims *const first = arena_alloc(config->arena, 1, sizeof *first);
	if (!first)
		return out_of_memory(config->error);
	*first = (struct config_dims){.padding = 0};
	if (in)
		own.node = json_member(root, in->string);
	if (!own.node || own.node->kind != JSON_OBJECT)
		return json_error(root, config->error, "a config of type \"%s\" needs %s", config->type,
			in ? in->string : "an object");
	const struct config_family *const rules = config_family(&own, rule->string);
	if (!rules || !config_read(&own, rules, first))
		return false;
	dims_finish(&own, first);
	if (first->shape.patch == 0)
		sequence_choose(&own, &first->shape);
	if (!config_pattern(&own, rules, first))
		return false;
	dims->shape.encoder = &first->shape;
	lengths_note(config, &dims->shape);
	return true;
}
