/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates sums of products of numbers in a file, named by their keys. An array stands for its number of items. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "import/huggingface.h"

#define LARGEST 9007199254740992.0 /* 2^53: a double counts no further */

struct sum {
	const struct json *node, *text_node;
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
	const struct json *const node =
		own || strncmp(key, "text_", 5) != 0 ? own : json_member(sum->text_node, key + 5);
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
			value /= factor_read(sum);
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

bool config_sum(const struct json *node, const struct json *text_node, const char *text, double *value,
	struct paradl_error *error)
{
	struct sum sum = {.node = node, .text_node = text_node, .at = text, .error = error};
	*value = sum_read(&sum);
	if (sum.failed)
		return false;
	return (*value >= 0 && *value < LARGEST) ||
	       json_error(node, error, "has dimensions that give no number of weights");
}
