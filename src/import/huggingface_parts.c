/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the weights of the parts of a network beside that of text, or refuses parts that are not read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "import/huggingface.h"

/*
 * Evaluates sums of products of numbers in a file, named by their keys. An array stands for its number of items;
 * quotients are whole.
 */

#define LARGEST 9007199254740992.0 /* 2^53: a double counts no further */

struct sum {
	const struct json *node, *text_node, *root;
	const char *at;
	struct paradl_error *error;
	bool failed;
};

static double sum_read(struct sum *sum);

static double number_read(struct sum *sum)
{
	double value = 0;
	const char *end = sum->at;
	if (decimal_read(sum->at, 0, &value, &end))
		sum->at = end;
	return value;
}

static void skip(struct sum *sum)
{
	sum->at += strspn(sum->at, " ");
}

static bool is_next(struct sum *sum, char wanted)
{
	skip(sum);
	if (*sum->at != wanted)
		return false;
	sum->at++;
	return true;
}

/* Returns the number under a key. After a colon follows its value where the file leaves it out: "num_channels:3". */
static double key_read(struct sum *sum)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	char key[64];
	const size_t length = strspn(sum->at, letters);
	(void)snprintf(key, sizeof key, "%.*s", (int)length, sum->at);
	sum->at += length;
	double value = 0;
	const bool has_usual = is_next(sum, ':');
	if (has_usual)
		value = number_read(sum);
	const struct json *const own = json_member(sum->node, key);
	const struct json *const node = own                             ? own
					: strncmp(key, "text_", 5) == 0 ? json_member(sum->text_node, key + 5)
					: strncmp(key, "file_", 5) == 0 ? json_member(sum->root, key + 5)
									: NULL;
	if (node && node->kind == JSON_ARRAY)
		return node->count;
	if (node && node->kind == JSON_NUMBER && node->number >= 0 && node->number <= 1e9)
		return node->number;
	if (node && node->kind == JSON_BOOL)
		return node->boolean;
	if (!has_usual && !sum->failed) {
		sum->failed = true;
		json_error(node ? node : sum->node, sum->error, "needs the number %s", key);
	}
	return value;
}

static double factor_read(struct sum *sum)
{
	skip(sum);
	if (is_next(sum, '(')) {
		const double value = sum_read(sum);
		is_next(sum, ')');
		return value;
	}
	if (*sum->at >= '0' && *sum->at <= '9')
		return number_read(sum);
	return key_read(sum);
}

static double product_read(struct sum *sum)
{
	double value = factor_read(sum);
	for (;;) {
		if (is_next(sum, '*'))
			value *= factor_read(sum);
		else if (is_next(sum, '/'))
			value = floor(value / factor_read(sum));
		else
			return value;
	}
}

/* NOLINTNEXTLINE(misc-no-recursion): recurses into parentheses of texts in huggingface.def only */
static double sum_read(struct sum *sum)
{
	double value = product_read(sum);
	while (is_next(sum, '+'))
		value += product_read(sum);
	return value;
}

/*
 * Evaluates a sum of products such as "2*w + depth*(w*w + 1)" of numbers in `node`. Where `node` has no "text_w", it
 * stands for "w" of the text's object; "file_w" is that of the whole file. False: error is set.
 */
static bool config_sum(const struct config *config, const struct json *node, const char *text, double *value)
{
	struct sum sum = {.node = node,
		.text_node = config->node,
		.root = config->root,
		.at = text,
		.error = config->error};
	*value = sum_read(&sum);
	if (sum.failed)
		return false;
	return (*value >= 0 && *value < LARGEST) ||
	       json_error(node, config->error, "has dimensions that give no number of weights");
}

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
 * Returns the first part whose weights the family does not give, and which is not the `tower` that it reads; NULL:
 * none. `flat`: the text has no object of its own.
 */
static const struct json *part_unread(
	const struct json *root, const struct json *held, const struct json *tower, bool flat)
{
	for (const struct json *member = root->child; member; member = member->next)
		if (is_part(member, flat) && !(held && json_member(held, member->key)) &&
			!(tower && strcmp(tower->string, member->key) == 0))
			return member;
	return NULL;
}

/* Counts the weights of parts that are held. */
static bool held_read(const struct json *root, struct config *config, const struct json *held,
	struct transformer_shape *shape)
{
	for (const struct json *part = held ? held->child : NULL; part; part = part->next) {
		const struct json *const node = object_in(root, part->key);
		double value;
		if (!config_sum(config, node ? node : root, part->string, &value))
			return false;
		shape->held += value;
		warn(config->warnings,
			node ? "%s: its %.4g M parameters are held and frozen, as of sequences without images"
			     : "%s is not in the file: the %.4g M parameters that the class has then are "
			       "held "
			       "and frozen, as of sequences without images",
			part->key, value / 1e6);
	}
	return true;
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
	if (only_text && shape->encoder) {
		json_error(root, config->error, "is of two towers: text alone is no part of them");
		return false;
	}
	if (only_text) {
		warn(config->warnings, "only the part of text is read, as asked for");
		return true;
	}
	const struct json *const encoder = whole ? config_rule(config, whole, "encoder_in") : NULL;
	const struct json *const held = whole ? config_rule(config, whole, "held") : NULL;
	const struct json *const unread = part_unread(root, held, encoder, flat);
	if (tower && !json_member(root, tower->string))
		json_error(root, config->error, "has no %s, which a network of type \"%s\" has",
			tower->string, type);
	else if (unread)
		json_error(unread, config->error, "%s is a part of the network that import does not read",
			unread->key);
	else
		return held_read(root, config, held, shape);
	return error_hint(config->error, "'paradl import FILE --part text' takes that of text alone");
}
