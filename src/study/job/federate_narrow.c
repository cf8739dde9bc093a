/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Narrower networks for S parts, as FedDCT's programs build them:
 *
 *     wide residual networks (WRN-DEPTH-K)   K becomes int(max(K / sqrt(S) + 0.4, 1)); the first layer stays
 *     residual networks                      base 16: 12, 8, 6, 4, 3 for S = 2 to 32; base 64: 44, 32, 24
 *
 * For other widths w a rule is derived from those eight: w / sqrt(S), rounded to a multiple of the largest power of
 * two that is neither above 4 nor above half of that quotient. All widths shrink by the share of the first; the last
 * layer keeps its outputs.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/quantity.h"
#include "study/job/federated.h"

/* Returns K of "WRN-DEPTH-K"; 0: another name. */
static double widen_factor(const char *name)
{
	static const char prefix[] = "wrn-";
	for (size_t i = 0; i < sizeof prefix - 1; i++)
		if (tolower((unsigned char)name[i]) != prefix[i])
			return 0;
	const char *end;
	double factor;
	return decimal_read(strrchr(name, '-') + 1, 0, &factor, &end) ? factor : 0;
}

static double rounded_width(double width)
{
	double multiple = 1;
	while (multiple < 4 && 4 * multiple <= width)
		multiple *= 2;
	return fmax(1, multiple * round(width / multiple));
}

double narrow_share(const char *name, double first_width, double parts)
{
	const double widen = widen_factor(name);
	if (!(parts > 1))
		return 1;
	if (widen > 0)
		return floor(fmax(widen / sqrt(parts) + 0.4, 1)) / widen;
	return rounded_width(first_width / sqrt(parts)) / first_width;
}

/* ---- the file of a network, with other widths ------------------------------------------------------------------ */

struct narrowing {
	struct paradl_arena *arena;
	const struct json *dims, *first, *last; /* first, last: convolutions and linear layers */
	const struct json *other;               /* a layer of a type whose width is not known to shrink */
	double share;
	bool keeps_first, failed;
};

static const char *type_of(const struct json *node)
{
	const struct json *const type = node->kind == JSON_OBJECT ? json_member(node, "type") : NULL;
	return type && type->kind == JSON_STRING ? type->string : "";
}

static bool is_one_of(const char *type, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(type, *names) == 0)
			return true;
	return false;
}

static bool is_product(const struct json *node)
{
	static const char *const products[] = {"conv", "linear", NULL};
	return is_one_of(type_of(node), products);
}

/*
 * Finds first and last layer, and any other, depth first in the order of the file; trees are at most JSON_DEPTH deep.
 */
static void survey(struct narrowing *narrowing, const struct json *node)
{
	static const char *const follow[] = {
		"norm", "act", "pool", "add", "concat", "flatten", "dropout", "loss", NULL};
	const char *const type = type_of(node);
	if (is_product(node)) {
		narrowing->first = narrowing->first ? narrowing->first : node;
		narrowing->last = node;
	} else if (*type && !is_one_of(type, follow)) {
		narrowing->other = node;
	}
	for (const struct json *child = node->child; child; child = child->next)
		survey(narrowing, child);
}

/* Returns a number, or that of a "$name" in dims; 0: neither. */
static double number_of(const struct narrowing *narrowing, const struct json *node)
{
	if (node && node->kind == JSON_STRING && *node->string == '$' && narrowing->dims)
		node = json_member(narrowing->dims, node->string + 1);
	return node && node->kind == JSON_NUMBER ? node->number : 0;
}

static bool is_layer_to_narrow(const struct narrowing *narrowing, const struct json *node)
{
	return is_product(node) && node != narrowing->last &&
	       !(narrowing->keeps_first && node == narrowing->first);
}

/* Returns whether a member is a width to shrink: "out" of a layer, or "groups" where there are as many (depthwise). */
static bool is_width(const struct narrowing *narrowing, const struct json *node)
{
	const struct json *const layer = node->parent;
	if (!node->key || !layer || !is_layer_to_narrow(narrowing, layer))
		return false;
	if (strcmp(node->key, "out") == 0)
		return true;
	const double out = number_of(narrowing, json_member(layer, "out"));
	const double groups = number_of(narrowing, node);
	return strcmp(node->key, "groups") == 0 && groups >= out && groups <= out;
}

static struct json *copy(struct narrowing *narrowing, const struct json *node, const struct json *parent)
{
	struct json *const made = arena_alloc(narrowing->arena, 1, sizeof *made);
	const struct json **end = NULL;
	if (!made) {
		narrowing->failed = true;
		return NULL;
	}
	*made = *node;
	made->parent = parent;
	made->next = NULL;
	if (is_width(narrowing, node)) {
		made->kind = JSON_NUMBER;
		made->number = fmax(1, round(narrowing->share * number_of(narrowing, node)));
		return made;
	}
	end = &made->child;
	for (const struct json *child = node->child; child && !narrowing->failed; child = child->next) {
		struct json *const next = copy(narrowing, child, made);
		*end = next;
		end = next ? &next->next : end;
	}
	return made;
}

const struct paradl_model *narrow_build(struct paradl_arena *arena, const struct paradl_model *model,
	double parts, struct paradl_error *error)
{
	struct narrowing narrowing = {.arena = arena, .dims = json_member(model->source, "dims")};
	if (!(parts > 1))
		return model;
	survey(&narrowing, json_member(model->source, "layers"));
	if (model->tokens || narrowing.other || !narrowing.first || narrowing.first == narrowing.last) {
		error_set(error, PARADL_INFEASIBLE,
			"only networks of convolutions and linear layers are divided, and %s has %s",
			model->name, narrowing.other ? type_of(narrowing.other) : "too few of them");
		return NULL;
	}
	narrowing.keeps_first = widen_factor(model->name) > 0;
	narrowing.share =
		narrow_share(model->name, number_of(&narrowing, json_member(narrowing.first, "out")), parts);
	const struct json *const source = copy(&narrowing, model->source, NULL);
	if (narrowing.failed)
		return out_of_memory_null(error);
	return model_build(arena, source, NULL, error);
}
