/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the weights of the parts of a network beside that of text, or refuses parts that are not read. */
#include <string.h>

#include "base/error.h"
#include "import/huggingface.h"

static const struct json *object_in(const struct json *node, const char *key)
{
	const struct json *const member = json_member(node, key);
	return member && member->kind == JSON_OBJECT ? member : NULL;
}

/*
 * Returns whether a member describes a part of its own: an object such as "vision_config". `flat`: the text has no
 * object of its own, so only "vision_config" and "audio_config" are parts.
 */
static bool is_part(const struct json *member, bool flat)
{
	static const char *const no_parts[] = {"text_config", "quantization_config", "generation_config",
		"img_token_compression_config", NULL};
	static const char ending[] = "_config";
	const size_t length = strlen(member->key), end = strlen(ending);
	if (member->kind != JSON_OBJECT || length <= end || strcmp(member->key + length - end, ending) != 0)
		return false;
	if (flat)
		return strcmp(member->key, "vision_config") == 0 || strcmp(member->key, "audio_config") == 0;
	for (unsigned i = 0; no_parts[i]; i++)
		if (strcmp(member->key, no_parts[i]) == 0)
			return false;
	return true;
}

/*
 * Returns the first part whose weights the family does not give; NULL: none. `flat`: the text has no object of its
 * own.
 */
static const struct json *part_unread(const struct json *root, const struct json *held, bool flat)
{
	for (const struct json *member = root->child; member; member = member->next)
		if (is_part(member, flat) && !(held && json_member(held, member->key)))
			return member;
	return NULL;
}

/* Counts weights beside the network of text, such as a vision tower, as held: tokens do not pass through them. */
bool config_parts(
	const struct json *root, struct config *config, bool only_text, struct transformer_shape *shape)
{
	const struct json *const named = json_member(root, "model_type");
	const char *const type = named && named->kind == JSON_STRING ? named->string : NULL;
	const struct config_family *const whole = type ? config_family(config, type) : NULL;
	const bool flat = config->node == root;
	const struct json *const tower = whole ? config_rule(config, whole, "tower") : NULL;
	if (!tower && flat && !object_in(root, "vision_config") && !object_in(root, "audio_config"))
		return true;
	if (only_text) {
		warn(config->warnings, "only the part of text is read, as asked for");
		return true;
	}
	const struct json *const held = whole ? config_rule(config, whole, "held") : NULL;
	const struct json *const unread = part_unread(root, held, flat);
	if (tower && !json_member(root, tower->string)) {
		json_error(root, config->error, "has no %s, which a network of type \"%s\" has",
			tower->string, type);
		error_hint(config->error, "'paradl import FILE --part text' takes that of text alone");
		return false;
	}
	if (unread) {
		json_error(unread, config->error, "%s is a part of the network that import does not read",
			unread->key);
		error_hint(config->error, "'paradl import FILE --part text' takes that of text alone");
		return false;
	}
	for (const struct json *part = held ? held->child : NULL; part; part = part->next) {
		const struct json *const node = object_in(root, part->key);
		double value;
		if (!config_sum(node ? node : root, config->node, part->string, &value, config->error))
			return false;
		shape->held += value;
		warn(config->warnings,
			"%s: its %.4g M parameters are held and frozen, as of sequences without images",
			part->key, value / 1e6);
	}
	return true;
}
