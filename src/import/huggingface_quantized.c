/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number format of the weights that a config.json comes with. "quantization_config" names it in the words of the
 * program that wrote them; those of floating point with 8 or 4 bits, for weights and inputs of products, are read here.
 */
#include <string.h>

#include "import/huggingface.h"

static const char *text_of(const struct json *node, const char *key)
{
	const struct json *const member = node && node->kind == JSON_OBJECT ? json_member(node, key) : NULL;
	return member && member->kind == JSON_STRING ? member->string : "";
}

/* Returns whether a description of compressed-tensors is of floating point with so many bits. */
static bool has_bits(const struct json *group, const char *key, double count)
{
	const struct json *const node = group->kind == JSON_OBJECT ? json_member(group, key) : NULL;
	const struct json *const bits =
		node && node->kind == JSON_OBJECT ? json_member(node, "num_bits") : NULL;
	return bits && bits->kind == JSON_NUMBER && bits->number >= count && bits->number <= count &&
	       strcmp(text_of(node, "type"), "float") == 0;
}

/* Returns whether all groups of layers that compressed-tensors lists have weights and inputs of so many bits. */
static bool groups_have_bits(const struct json *groups, double count)
{
	if (!groups || groups->kind != JSON_OBJECT || !groups->child)
		return false;
	for (const struct json *group = groups->child; group; group = group->next)
		if (!has_bits(group, "weights", count) || !has_bits(group, "input_activations", count))
			return false;
	return true;
}

/* Returns the format that stands for a description: of OCP MX with 4 bits that of NVFP4; NULL: none does. */
static const char *format_of(const struct json *node)
{
	const char *const method = text_of(node, "quant_method"), *const algorithm =
									  text_of(node, "quant_algo");
	const bool is_modelopt = strcmp(method, "modelopt") == 0;
	const struct json *const groups =
		strcmp(method, "compressed-tensors") == 0 ? json_member(node, "config_groups") : NULL;
	if (strcmp(method, "fp8") == 0 || strcmp(method, "fbgemm_fp8") == 0 ||
		(is_modelopt && strcmp(algorithm, "FP8") == 0) || groups_have_bits(groups, 8))
		return "fp8-mixed";
	if ((is_modelopt && strcmp(algorithm, "NVFP4") == 0) || groups_have_bits(groups, 4))
		return "fp4-mixed";
	return strcmp(method, "mxfp4") == 0 ? "fp4-mixed" : NULL;
}

const char *config_quantized(const struct config *config)
{
	const struct json *const node = json_member(config->root, "quantization_config");
	const char *const format = format_of(node);
	if (node && !format)
		warn(config->warnings,
			"quantization_config: narrow weights with wide products are not "
			"modelled; weights have the format of --precision, and take up to four "
			"times the memory of this file's");
	if (strcmp(text_of(node, "quant_method"), "mxfp4") == 0)
		warn(config->warnings,
			"quantization_config: mxfp4, of 4.25 bits a weight, is taken as fp4-mixed of "
			"4.5, and its products as those of NVFP4");
	return format;
}
