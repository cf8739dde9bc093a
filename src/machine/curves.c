/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "curves" of a machine's profile: times of collectives measured there. */
#include <stddef.h>

#include "base/error.h"
#include "machine/blocks.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { CURVES_MAX = 256, POINTS_MAX = 512 };

static const char *const operations[] = {"allreduce", "allgather", "reduce-scatter", "broadcast", "reduce",
	"all-to-all", "point-to-point", NULL}; /* as in network/collective.h, which is above this layer */

struct row {
	int operation;
	const char *library;
	unsigned nodes, devices;
	const struct json *bytes, *us;
};

#define ROW(member) offsetof(struct row, member)
static const struct json_field fields[] = {
	{"operation", JSON_TO_CHOICE, true, ROW(operation), 0, 0, DIMENSION_NONE, operations},
	{"library", JSON_TO_TEXT, true, ROW(library), 0, 0, DIMENSION_NONE, NULL},
	{"nodes", JSON_TO_UNSIGNED, true, ROW(nodes), 1, 1e9, DIMENSION_NONE, NULL},
	{"devices", JSON_TO_UNSIGNED, true, ROW(devices), 2, 1e9, DIMENSION_NONE, NULL},
	{"bytes", JSON_TO_ARRAY, true, ROW(bytes), 0, 0, DIMENSION_NONE, NULL},
	{"us", JSON_TO_ARRAY, true, ROW(us), 0, 0, DIMENSION_NONE, NULL},
};

/* Numbers within [least, most], over `unit`. */
static bool numbers_read(const struct json *list, double least, double most, double unit, double *out,
	struct paradl_error *error)
{
	const struct json_field field = {NULL, JSON_TO_DOUBLE, true, 0, least, most, DIMENSION_NONE, NULL};
	for (const struct json *node = list->child; node; node = node->next) {
		if (!json_read_value(node, &field, &out[node->index], error))
			return false;
		out[node->index] /= unit;
	}
	return true;
}

static bool points_read(struct paradl_arena *arena, const struct row *row, struct measured_curve *curve,
	struct paradl_error *error)
{
	const unsigned count = row->bytes->count;
	if (count < 2 || count > POINTS_MAX)
		return json_error(row->bytes, error, "must have 2 to %d points, has %u", POINTS_MAX, count);
	if (row->us->count != count)
		return json_error(
			row->us, error, "has %u times for %u sizes in \"bytes\"", row->us->count, count);
	double *bytes = arena_alloc(arena, count, sizeof *bytes);
	double *time_s = arena_alloc(arena, count, sizeof *time_s);
	if (!bytes || !time_s)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!numbers_read(row->bytes, 1, 1e15, 1, bytes, error) ||
		!numbers_read(row->us, 1e-3, 1e12, 1e6, time_s, error))
		return false;
	for (const struct json *node = row->bytes->child->next; node; node = node->next)
		if (!(bytes[node->index] > bytes[node->index - 1]))
			return json_error(node, error, "must be more than the size before");
	curve->points = count;
	curve->bytes = bytes;
	curve->time_s = time_s;
	return true;
}

bool curves_read(struct paradl_arena *arena, const struct json *list, struct paradl_machine *machine,
	struct paradl_error *error)
{
	if (list->count > CURVES_MAX)
		return json_error(
			list, error, "must have at most %d curves, has %u", CURVES_MAX, list->count);
	struct measured_curve *curves = arena_alloc(arena, list->count + 1, sizeof *curves);
	if (!curves)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (const struct json *node = list->child; node; node = node->next) {
		struct row row = {0};
		if (!json_read(node, fields, COUNT(fields), NULL, &row, error))
			return false;
		if (row.devices % row.nodes)
			return json_error(json_member(node, "devices"), error,
				"must be a multiple of the %u nodes, is %u", row.nodes, row.devices);
		struct measured_curve *curve = &curves[node->index];
		*curve = (struct measured_curve){.operation = operations[row.operation],
			.library = row.library,
			.nodes = row.nodes,
			.devices = row.devices};
		if (!points_read(arena, &row, curve, error))
			return false;
	}
	machine->curves = curves;
	machine->curve_count = list->count;
	return true;
}
