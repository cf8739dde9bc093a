/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "base/quantity.h"

enum { MESSAGE_SIZE = 400, LIST_LIMIT = 64 };

/* Writes the value of a node as messages show it, for "must be ..., is ..."; returns `text`. */
static const char *describe(char *text, size_t size, const struct json *node)
{
	switch (node->kind) {
	case JSON_NULL:
		snprintf(text, size, "null");
		break;
	case JSON_BOOL:
		snprintf(text, size, "%s", node->boolean ? "true" : "false");
		break;
	case JSON_NUMBER:
		decimal_shortest(text, size, node->number);
		break;
	case JSON_STRING:
		error_quote(text, size, node->string);
		break;
	case JSON_ARRAY:
		snprintf(text, size, node->count > 0 ? "an array" : "an empty array");
		break;
	case JSON_OBJECT:
		snprintf(text, size, "an object");
		break;
	}
	return text;
}

static bool refuse(const struct json *node, const char *wanted, struct paradl_error *error)
{
	char text[80];
	return json_error(node, error, "must be %s, is %s", wanted, describe(text, sizeof text, node));
}

struct range {
	double min, max;
	bool has_min, has_max;
};

/* Returns the range of a field by the convention of json_field: both 0 is any, a max below min is no upper bound. */
static struct range range_of(const struct json_field *field)
{
	const bool is_any = !(field->min < 0 || field->min > 0 || field->max < 0 || field->max > 0);
	return (struct range){field->min, field->max, !is_any && isfinite(field->min),
		!is_any && field->max >= field->min && isfinite(field->max)};
}

static bool is_within(const struct range *range, double value)
{
	return (!range->has_min || value >= range->min) && (!range->has_max || value <= range->max);
}

/* Writes a range for a message, such as "a number from 0 to 1"; returns `text`. */
static const char *describe_range(char *text, size_t size, const char *what, const struct range *range)
{
	char min[DECIMAL_LENGTH], max[DECIMAL_LENGTH];
	decimal_shortest(min, sizeof min, range->min);
	decimal_shortest(max, sizeof max, range->max);
	if (range->has_min && range->has_max)
		snprintf(text, size, "%s from %s to %s", what, min, max);
	else if (range->has_min)
		snprintf(text, size, "%s of at least %s", what, min);
	else if (range->has_max)
		snprintf(text, size, "%s of at most %s", what, max);
	else
		snprintf(text, size, "%s", what);
	return text;
}

static bool read_unsigned(
	const struct json *node, const struct json_field *field, unsigned *out, struct paradl_error *error)
{
	struct range range = range_of(field);
	range.min = range.has_min && range.min > 0 ? range.min : 0;
	range.max = range.has_max && range.max < UINT_MAX ? range.max : UINT_MAX;
	range.has_min = range.has_max = true;
	const double value = node->number;
	if (node->kind != JSON_NUMBER || !is_within(&range, value) || floor(value) < value) {
		char wanted[160];
		return refuse(node, describe_range(wanted, sizeof wanted, "a whole number", &range), error);
	}
	*out = (unsigned)value;
	return true;
}

static bool read_double(
	const struct json *node, const struct json_field *field, double *out, struct paradl_error *error)
{
	const struct range range = range_of(field);
	if (node->kind != JSON_NUMBER || !is_within(&range, node->number)) {
		char wanted[160];
		return refuse(node, describe_range(wanted, sizeof wanted, "a number", &range), error);
	}
	*out = node->number;
	return true;
}

/* Writes names as `"a", "b" or "c"` (`last` is " or "), with "..." for those that do not fit; returns `text`. */
static const char *list(char *text, size_t size, const char *const *names, size_t count, const char *last)
{
	size_t length = 0;
	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const char *const separator = i == 0 ? "" : i + 1 == count ? last : ", ";
		const size_t needed = strlen(separator) + strlen(names[i]) + 2;
		if (length + needed + sizeof ", ..." > size) {
			snprintf(text + length, size - length, ", ...");
			break;
		}
		length += (size_t)snprintf(text + length, size - length, "%s\"%s\"", separator, names[i]);
	}
	return text;
}

static bool read_choice(
	const struct json *node, const struct json_field *field, int *out, struct paradl_error *error)
{
	char wanted[MESSAGE_SIZE];
	size_t count = 0;
	while (field->choices[count])
		count++;
	const size_t found =
		node->kind == JSON_STRING ? name_index(node->string, field->choices, count) : count;
	if (found < count) {
		*out = (int)found;
		return true;
	}
	refuse(node, list(wanted, sizeof wanted, field->choices, count, " or "), error);
	return node->kind == JSON_STRING && name_hint(error, node->string, field->choices, count, NULL);
}

static bool parse_quantity(
	const struct json *node, const struct json_field *field, double *value, struct paradl_error *error)
{
	char text[DECIMAL_LENGTH];
	struct paradl_error reason = {.status = PARADL_OK};
	if (node->kind != JSON_STRING && node->kind != JSON_NUMBER)
		return json_error(node, error, "must be a string with a number and its unit, is %s",
			describe(text, sizeof text, node));
	if (node->kind == JSON_NUMBER && field->dimension == DIMENSION_NONE && node->number >= 0) {
		*value = node->number;
		return true;
	}
	const char *const quantity =
		node->kind == JSON_STRING ? node->string : describe(text, sizeof text, node);
	if (quantity_parse(quantity, field->dimension, field->key, value, &reason))
		return true;
	json_error(node, error, "%s", reason.message);
	if (*reason.hint)
		error_hint(error, "%s", reason.hint);
	return false;
}

static bool read_quantity(
	const struct json *node, const struct json_field *field, double *out, struct paradl_error *error)
{
	double value = 0;
	if (!parse_quantity(node, field, &value, error))
		return false;
	const struct range range = range_of(field);
	if (!is_within(&range, value)) {
		char text[80], bound[32];
		const bool is_low = range.has_min && value < range.min;
		quantity_format(bound, sizeof bound, is_low ? range.min : range.max, field->dimension);
		return json_error(node, error, "must be at %s %s, is %s", is_low ? "least" : "most", bound,
			describe(text, sizeof text, node));
	}
	*out = value;
	return true;
}

static bool read_bool(const struct json *node, bool *out, struct paradl_error *error)
{
	if (node->kind != JSON_BOOL)
		return refuse(node, "true or false", error);
	*out = node->boolean;
	return true;
}

static bool read_text(const struct json *node, const char **out, struct paradl_error *error)
{
	if (node->kind != JSON_STRING)
		return refuse(node, "a string", error);
	*out = node->string;
	return true;
}

static bool read_node(const struct json *node, const struct json_field *field, const struct json **out,
	struct paradl_error *error)
{
	if (field->type == JSON_TO_OBJECT && node->kind != JSON_OBJECT)
		return refuse(node, "an object", error);
	if (field->type == JSON_TO_ARRAY && node->kind != JSON_ARRAY)
		return refuse(node, "an array", error);
	*out = node;
	return true;
}

bool json_read_value(
	const struct json *node, const struct json_field *field, void *out, struct paradl_error *error)
{
	void *const target = (char *)out + field->offset;
	switch (field->type) {
	case JSON_TO_BOOL:
		return read_bool(node, target, error);
	case JSON_TO_UNSIGNED:
		return read_unsigned(node, field, target, error);
	case JSON_TO_DOUBLE:
		return read_double(node, field, target, error);
	case JSON_TO_TEXT:
		return read_text(node, target, error);
	case JSON_TO_CHOICE:
		return read_choice(node, field, target, error);
	case JSON_TO_QUANTITY:
		return read_quantity(node, field, target, error);
	case JSON_TO_NODE:
	case JSON_TO_OBJECT:
	case JSON_TO_ARRAY:
		return read_node(node, field, target, error);
	}
	return false;
}

static bool refuse_key(const struct json *member, const struct json_field *fields, size_t field_count,
	const char *const *allowed, struct paradl_error *error)
{
	const char *known[LIST_LIMIT];
	char key[80], names[MESSAGE_SIZE];
	size_t count = 0;
	for (size_t i = 0; i < field_count && count < LIST_LIMIT; i++)
		known[count++] = fields[i].key;
	for (; allowed && *allowed && count < LIST_LIMIT; allowed++)
		known[count++] = *allowed;
	error_quote(key, sizeof key, member->key);
	const char *const near = suggest(member->key, known, count);
	if (near)
		return json_error(member, error, "unknown key %s; did you mean \"%s\"?", key, near);
	if (count == 0)
		return json_error(member, error, "unknown key %s; no key belongs here", key);
	return json_error(member, error, "unknown key %s; known are %s", key,
		list(names, sizeof names, known, count, " and "));
}

static bool is_allowed(const char *key, const char *const *allowed)
{
	for (; allowed && *allowed; allowed++)
		if (strcmp(key, *allowed) == 0)
			return true;
	return *key == '_' || *key == '$';
}

static const struct json_field *find_field(
	const char *key, const struct json_field *fields, size_t field_count)
{
	for (size_t i = 0; i < field_count; i++)
		if (strcmp(key, fields[i].key) == 0)
			return &fields[i];
	return NULL;
}

static bool refuse_missing(
	const struct json *object, const struct json_field *field, struct paradl_error *error)
{
	char names[sizeof error->hint - 16];
	size_t count = 0;
	json_error(object, error, "needs a \"%s\"", field->key);
	while (field->type == JSON_TO_CHOICE && field->choices[count])
		count++;
	return count > 0 && error_hint(error, "%s: %s", field->key,
				    list(names, sizeof names, field->choices, count, " or "));
}

bool json_read(const struct json *object, const struct json_field *fields, size_t field_count,
	const char *const *allowed, void *out, struct paradl_error *error)
{
	if (object->kind != JSON_OBJECT)
		return refuse(object, "an object", error);
	for (const struct json *member = object->child; member; member = member->next) {
		const struct json_field *const field = find_field(member->key, fields, field_count);
		if (field && !json_read_value(member, field, out, error))
			return false;
		if (!field && !is_allowed(member->key, allowed))
			return refuse_key(member, fields, field_count, allowed, error);
	}
	for (size_t i = 0; i < field_count; i++)
		if (fields[i].required && !json_member(object, fields[i].key))
			return refuse_missing(object, &fields[i], error);
	return true;
}
