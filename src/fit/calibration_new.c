/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes new profiles, into which fitted numbers are put afterwards. A number that a profile must have and that was
 * not measured gets a value whose origin says that it is assumed. Where such a value would be a lie, the profile is
 * refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/profile_edit.h"
#include "machine/machine.h"

static const char assumed[] = "assumed: not measured";

static const struct paradl_fitted_number *find(
	const struct paradl_calibration *calibration, enum paradl_fitted_file file, const char *path)
{
	for (size_t i = 0; i < calibration->number_count; ++i)
		if (calibration->numbers[i].file == file && strcmp(calibration->numbers[i].path, path) == 0)
			return &calibration->numbers[i];
	return NULL;
}

/* Sets the text of the edit; returns false with an error when `text` is NULL, for which memory ran out. */
static bool text_set(struct edit *edit, const char *text, struct paradl_error *error)
{
	edit->text = text;
	edit->length = text ? strlen(text) : 0;
	return text || out_of_memory(error);
}

static bool assume(
	struct edit *edit, const char *key, const char *value, const char *why, struct paradl_error *error)
{
	const char *pointer = arena_printf(edit->arena, "/%s", key);
	if (!pointer)
		return out_of_memory(error);
	return edit_put(edit, pointer, value, error) && edit_put_origin(edit, key, why, error);
}

bool calibration_new_device(struct edit *edit, const struct paradl_calibration *calibration, const char *name,
	struct paradl_error *error)
{
	static const struct {
		const char *path, *measure;
	} needed[] = {
		{"peak/fp32", "products (gemm)"},
		{"memory_rate", "memory"},
	};
	const char *quoted = edit_quote(edit->arena, name);
	for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
		if (find(calibration, PARADL_FITTED_DEVICE, needed[i].path))
			continue;
		error_at(error, PARADL_USAGE, edit->path, 0, 0,
			"a new device needs its %s, and no samples of %s were given", needed[i].path,
			needed[i].measure);
		error_hint(error,
			"measure it with 'paradl calibrate --cpu' or --gpu, or start from a profile that "
			"knows the device: --base HW");
		return false;
	}
	if (!quoted ||
		!text_set(edit,
			arena_printf(edit->arena,
				"{\n  \"format\": \"paradl-device\",\n  \"version\": 1,\n  \"name\": %s,\n"
				"  \"memory\": \"1 GiB\",\n  \"memory_rate\": \"1 GB/s\",\n"
				"  \"peak\": { \"fp32\": \"1 Gflop/s\" },\n  \"contraction\": { "
				"\"efficiency\": 1 },\n"
				"  \"from\": {\n  }\n}\n",
				quoted),
			error))
		return false;
	if (!find(calibration, PARADL_FITTED_DEVICE, "memory") &&
		!assume(edit, "memory", "\"16 GiB\"", assumed, error))
		return false;
	return find(calibration, PARADL_FITTED_DEVICE, "contraction/efficiency") ||
	       assume(edit, "contraction/efficiency", "1", "derived: the peak is what products reach", error);
}

/* Returns the number of levels that fitted numbers name; at least one, and two where curves cross nodes. */
static unsigned level_count(const struct paradl_calibration *calibration)
{
	unsigned count = 1;
	for (size_t i = 0; i < calibration->number_count; ++i) {
		const struct paradl_fitted_number *number = &calibration->numbers[i];
		if (number->file != PARADL_FITTED_MACHINE || strncmp(number->path, "levels/", 7) != 0)
			continue;
		const unsigned long index = strtoul(number->path + 7, NULL, 10);
		if (index < LEVELS_MAX && index + 1 > count)
			count = (unsigned)index + 1;
	}
	for (size_t i = 0; i < calibration->curve_count; ++i)
		count = count < 2 && calibration->curves[i].nodes > 1 ? 2 : count;
	return count;
}

/* Finds the most devices of one node, and the most nodes, that any curve was measured on. */
static void shape(const struct paradl_calibration *calibration, unsigned *devices, unsigned *nodes)
{
	*devices = *nodes = 1;
	for (size_t i = 0; i < calibration->curve_count; ++i) {
		const struct paradl_fitted_curve *curve = &calibration->curves[i];
		const unsigned groups = curve->groups > 1 ? curve->groups : 1;
		const unsigned here = curve->nodes ? curve->devices / curve->nodes * groups : 0;
		*devices = here > *devices ? here : *devices;
		*nodes = curve->nodes > *nodes ? curve->nodes : *nodes;
	}
}

static bool level_add(struct edit *edit, const struct paradl_calibration *calibration, unsigned index,
	unsigned devices, struct paradl_error *error)
{
	static const char *const names[] = {
		"node", "network", "far", "farther", "fifth", "sixth", "seventh", "eighth"};
	static const char *const keys[] = {"latency", "bandwidth"}, *const values[] = {
									    "\"5 us\"", "\"10 GB/s\""};
	const char *why = devices == 1 ? "assumed: one device, nothing to talk to" : assumed;
	const char *key = arena_printf(edit->arena, "levels/%u", index);
	const char *value = arena_printf(edit->arena,
		"{ \"name\": \"%s\", \"devices\": %u, \"latency\": %s, \"bandwidth\": %s }",
		devices == 1 ? "device" : names[index], devices, values[0], values[1]);
	const char *count = arena_printf(edit->arena, "%s/devices", key);
	const char *pointer = arena_printf(edit->arena, "/%s", key);
	if (!value || !count || !pointer)
		return out_of_memory(error);
	if (!edit_put(edit, pointer, value, error))
		return false;
	if (!find(calibration, PARADL_FITTED_MACHINE, count) &&
		!edit_put_origin(edit, count, "measured: as many as took part", error))
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
		const char *path = arena_printf(edit->arena, "%s/%s", key, keys[i]);
		if (!path)
			return out_of_memory(error);
		if (!find(calibration, PARADL_FITTED_MACHINE, path) &&
			!edit_put_origin(edit, path, why, error))
			return false;
	}
	return true;
}

bool calibration_new_machine(struct edit *edit, const struct paradl_calibration *calibration,
	const char *name, struct paradl_error *error)
{
	const char *quoted = edit_quote(edit->arena, name);
	const unsigned count = level_count(calibration);
	unsigned devices, nodes;
	shape(calibration, &devices, &nodes);
	if (!quoted ||
		!text_set(edit,
			arena_printf(edit->arena,
				"{\n  \"format\": \"paradl-hw\",\n  \"version\": 1,\n  \"name\": %s,\n"
				"  \"device\": %s,\n  \"framework\": \"nccl\",\n  \"levels\": [\n  ],\n"
				"  \"from\": {\n  }\n}\n",
				quoted, quoted),
			error))
		return false;
	for (unsigned i = 0; i < count; ++i) {
		if (i > 0)
			devices *= i == 1 && nodes > 1 ? nodes : 2;
		if (!level_add(edit, calibration, i, devices, error))
			return false;
	}
	return true;
}
