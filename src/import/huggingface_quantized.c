/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number format of the weights that a config.json comes with. "quantization_config" names it in the words of the
 * program that wrote them; those of 8-bit floating point, for weights and inputs of products, are read here.
 */
#include <string.h>

#include "import/huggingface.h"

static const char *text_of(const struct json *node, const char *key)
{
	const struct json *const member = node && node->kind == JSON_OBJECT ? json_member(node, key) : NULL;
	return member && member->kind == JSON_STRING ? member->string : "";
}

/* Returns whether a description of compressed-tensors is of floating point with 8 bits. */
static bool is_eight(const struct json *group, const char *key)
{
	const struct json *const node = group->kind == JSON_OBJECT ? json_member(group, key) : NULL;
	const struct json *const bits =
		node && node->kind == JSON_OBJECT ? json_member(node, "num_bits") : NULL;
	return bits && bits->kind == JSON_NUMBER && bits->number >= 8 && bits->number <= 8 &&
	       strcmp(text_of(node, "type"), "float") == 0;
}

/* Returns whether all groups of layers that compressed-tensors lists have weights and inputs of 8 bits. */
static bool groups_are_eight(const struct json *groups)
{
	if (!groups || groups->kind != JSON_OBJECT || !groups->child)
		return false;
	for (const struct json *group = groups->child; group; group = group->next)
		if (!is_eight(group, "weights") || !is_eight(group, "input_activations"))
			return false;
	return true;
}

const char *config_quantized(const struct json *root)
{
	const struct json *const node = json_member(root, "quantization_config");
	const char *const method = text_of(node, "quant_method");
	const bool is_fp8 =
		strcmp(method, "fp8") == 0 || strcmp(method, "fbgemm_fp8") == 0 ||
		(strcmp(method, "modelopt") == 0 && strcmp(text_of(node, "quant_algo"), "FP8") == 0) ||
		(strcmp(method, "compressed-tensors") == 0 &&
			groups_are_eight(json_member(node, "config_groups")));
	return is_fp8 ? "fp8-mixed" : NULL;
}
