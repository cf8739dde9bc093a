/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the doubles in memory that follow each constant, and the rows whose times depend on them. */
#include <string.h>

#include "base/error.h"
#include "fit/fitting.h"

/* Returns whether the path is that of the file "devices/NAME" or "frameworks/NAME", whatever folder it is in. */
static bool file_is(const char *path, const char *file)
{
	const char *name = strrchr(file, '/'), *base = path ? strrchr(path, '/') : NULL;
	const size_t length = strlen(name);
	return base && strncmp(base, name, length) == 0 && strcmp(base + length, ".json") == 0;
}

/*
 * Returns the value at a dotted name such as "rules.host_layer.tokens", or the number on the way that stands for all
 * its members; NULL when the file leaves it to the file that it extends.
 */
static const struct json *value_at(const struct json *root, const char *name)
{
	char key[64];
	while (root && *name) {
		const size_t length = strcspn(name, ".");
		if (length >= sizeof key)
			return NULL;
		memcpy(key, name, length);
		key[length] = '\0';
		root = root->kind == JSON_OBJECT ? json_member(root, key) : root;
		name += length + (name[length] == '.');
	}
	return root;
}

/* Returns the rule that a name is about: "rules.host_layer", also for "options.graphs.rules.host_layer". */
static const char *rule_of(const char *name)
{
	const char *const inside = place_inside(name, "options"), *const dot =
									  inside ? strchr(inside, '.') : NULL;
	return dot ? dot + 1 : name;
}

/*
 * Returns the name that decides the rule in one file: in the last option in use that has it, else in the file's own
 * rules; "" when the file has none, NULL when out of memory.
 */
static const char *decider(struct paradl_arena *arena, const struct framework_choice *choice,
	const struct json *root, const char *rule)
{
	for (unsigned i = choice->count; i-- > 0;) {
		const char *const name = arena_printf(arena, "options.%s.%s", choice->names[i], rule);
		if (!name || value_at(root, name))
			return name;
	}
	return value_at(root, rule) ? rule : "";
}

/*
 * Sets *takes to whether a framework takes its number from that place: whether it is in the nearest file that has the
 * rule, along the chain of files that extend each other. Returns false with an error.
 */
static bool framework_takes(struct paradl_arena *arena, const struct paradl_framework *framework,
	const struct fit_place *place, bool *takes, struct paradl_error *error)
{
	const char *path = framework->path, *const rule = rule_of(place->name);
	*takes = false;
	while (path) {
		const struct json *root = json_load(arena, path, error);
		if (!root)
			return false;
		const struct json *base = json_member(root, "extends");
		const char *slash = strrchr(path, '/'),
			   *decides = decider(arena, &framework->choice, root, rule);
		if (!decides)
			break;
		*takes = file_is(path, place->file) && strcmp(*decides ? decides : rule, place->name) == 0;
		if (*takes || *decides || !base || base->kind != JSON_STRING || !slash)
			return true;
		path = arena_printf(arena, "%.*s%s.json", (int)(slash - path + 1), path, base->string);
	}
	return out_of_memory(error);
}

/*
 * Sets *takes to whether a device takes its number from that file, which is its own or the one that it is tied to,
 * and *factor to the number over the constant. Returns false with an error.
 */
static bool device_takes(struct paradl_arena *arena, const struct device *device,
	const struct fit_place *place, double *factor, bool *takes, struct paradl_error *error)
{
	*factor = place->factor;
	*takes = file_is(device->path, place->file);
	const struct json *root =
		*takes || !device->tied_to.device ? NULL : json_load(arena, device->path, error);
	if (!root)
		return *takes || !device->tied_to.device;
	const char *other = arena_printf(arena, "/%s.json", device->tied_to.device);
	if (!other)
		return out_of_memory(error);
	*takes = file_is(other, place->file) && !value_at(root, place->name) &&
		 device_tie_factor(root, place->name, factor);
	return true;
}

static void target_add(
	struct fit_constant *constant, void *base, const struct fit_place *place, double factor)
{
	for (unsigned i = 0; i < place->where.count; ++i)
		constant->targets[constant->target_count++] = (struct fit_target){
			(double *)(void *)((char *)base + place->where.offsets[i]), factor};
}

struct binding {
	struct paradl_arena *arena;
	const struct fit_data *data;
	bool *machine, *framework; /* for each machine and framework, whether the constant is in it */
};

static bool place_bind(const struct binding *binding, const struct fit_place *place,
	struct fit_constant *constant, struct paradl_error *error)
{
	const struct fit_data *data = binding->data;
	if (strncmp(place->file, "devices/", 8) == 0) {
		for (size_t i = 0; i < data->machine_count; ++i) {
			struct device *device = &data->machines[i]->device;
			double factor;
			bool takes;
			if (!device_takes(binding->arena, device, place, &factor, &takes, error))
				return false;
			if (takes) {
				target_add(constant, device, place, factor);
				binding->machine[i] = true;
			}
		}
		return true;
	}
	for (size_t i = 0; i < data->framework_count; ++i) {
		bool takes;
		if (!framework_takes(binding->arena, data->frameworks[i], place, &takes, error))
			return false;
		if (takes) {
			target_add(constant, data->frameworks[i], place, place->factor);
			binding->framework[i] = true;
		}
	}
	return true;
}

static bool constant_bind(
	const struct binding *binding, struct fit_constant *constant, struct paradl_error *error)
{
	const struct fit_data *data = binding->data;
	const size_t most = constant->place_count * (data->machine_count + data->framework_count);
	memset(binding->machine, 0, data->machine_count * sizeof *binding->machine);
	memset(binding->framework, 0, data->framework_count * sizeof *binding->framework);
	constant->targets = arena_alloc(binding->arena, most * PLACES_MAX, sizeof *constant->targets);
	constant->rows = arena_alloc(binding->arena, data->count, sizeof *constant->rows);
	if (!constant->targets || !constant->rows)
		return out_of_memory(error);
	for (size_t i = 0; i < constant->place_count; ++i)
		if (!place_bind(binding, &constant->places[i], constant, error))
			return false;
	for (size_t i = 0; i < data->count; ++i)
		if (binding->machine[data->rows[i].machine] || binding->framework[data->rows[i].framework])
			constant->rows[constant->row_count++] = i;
	return true;
}

bool constants_bind(struct paradl_arena *arena, const struct fit_data *data, struct fit_constants *constants,
	struct paradl_error *error)
{
	const struct binding binding = {arena, data,
		arena_alloc(arena, data->machine_count + 1, sizeof(bool)),
		arena_alloc(arena, data->framework_count + 1, sizeof(bool))};
	if (!binding.machine || !binding.framework)
		return out_of_memory(error);
	for (size_t i = 0; i < constants->count; ++i)
		if (!constant_bind(&binding, &constants->items[i], error))
			return false;
	return true;
}
