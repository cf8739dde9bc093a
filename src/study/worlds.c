/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file loads models, machines, frameworks, and oracles of them, when points need them, in several threads, and
 * keeps them until others are needed more. An oracle here is at rest; each worker asks a clone of its own.
 */
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "study/sweep.h"

static struct sweep_item *find_item(
	const struct paradl_sweep *sweep, enum sweep_part part, unsigned long long key)
{
	for (size_t i = 0; i < sweep->item_count; ++i)
		if (sweep->items[i]->key == key && sweep->items[i]->part == part)
			return sweep->items[i];
	return NULL;
}

static bool make_room(struct paradl_sweep *sweep)
{
	if (sweep->item_count < sweep->item_room)
		return true;
	const size_t room = sweep->item_room ? 2 * sweep->item_room : 64;
	struct sweep_item **const items =
		list_moved(sweep->arena, sweep->items, sweep->item_count, room, sizeof(struct sweep_item *));
	if (!items)
		return false;
	sweep->items = items;
	sweep->item_room = room;
	return true;
}

/*
 * Returns the item of a part at these places, found or new. It lives in an arena of its own, which is freed with it.
 * NULL: out of memory.
 */
static struct sweep_item *need_item(struct paradl_sweep *sweep, enum sweep_part part, const size_t *places)
{
	const unsigned long long key = sweep_part_key(sweep, places, part);
	struct sweep_item *item = find_item(sweep, part, key);
	if (!item) {
		struct paradl_arena *const arena =
			make_room(sweep) ? arena_create_beside(sweep->arena) : NULL;
		item = arena ? arena_alloc(arena, 1, sizeof *item) : NULL;
		if (!item)
			return NULL;
		item->part = part;
		item->key = key;
		item->arena = arena;
		memcpy(item->places, places, sizeof item->places);
		sweep->items[sweep->item_count++] = item;
	}
	item->used = ++sweep->clock;
	return item;
}

bool sweep_has_framework(const struct paradl_sweep *sweep)
{
	return sweep->request->framework || sweep_dimension_of(sweep, SWEEP_FRAMEWORK);
}

struct sweep_item *sweep_world_find(struct paradl_sweep *sweep, const size_t *places)
{
	struct sweep_item *const world = need_item(sweep, PART_ORACLE, places);
	if (!world || world->clones)
		return world;
	world->clones = arena_alloc(world->arena, sweep->workers, sizeof(struct paradl_oracle *));
	world->arenas = arena_alloc(world->arena, sweep->workers, sizeof(struct paradl_arena *));
	for (int part = PART_MODEL; part < PART_ORACLE; ++part) {
		if (part == PART_FRAMEWORK && !sweep_has_framework(sweep))
			continue;
		world->parts[part] = need_item(sweep, (enum sweep_part)part, places);
		if (!world->parts[part])
			return NULL;
		++world->parts[part]->holders;
	}
	return world->clones && world->arenas ? world : NULL;
}

/* Returns the changes of all points and those of these places; NULL: error is set. */
static const struct paradl_changes *changes_at(const struct paradl_sweep *sweep, const size_t *places,
	struct paradl_arena *arena, struct paradl_error *error)
{
	const struct paradl_sweep_request *const request = sweep->request;
	const char *texts[SWEEP_CHANGES + SWEEP_MOST_DIMENSIONS];
	size_t count = 0;
	if (request->change_count > SWEEP_CHANGES) {
		error_set(error, PARADL_USAGE, "more than %d changes", (int)SWEEP_CHANGES);
		return NULL;
	}
	for (; count < request->change_count; ++count)
		texts[count] = request->changes[count];
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep->dimensions[i].changes)
			texts[count++] = sweep->dimensions[i].changes[places[i]];
	return paradl_changes_parse(arena, texts, count, error);
}

/* Returns the network with a data set that is for such a network; NULL: error is set. */
static const struct paradl_model *model_fed(const struct paradl_sweep *sweep, struct paradl_arena *arena,
	const struct paradl_model *model, const struct paradl_source *dataset, struct paradl_error *error)
{
	char reason[192];
	const struct paradl_model *const fed = paradl_model_with_dataset(arena, model, dataset, error);
	if (!fed || sweep->request->any_dataset || paradl_dataset_fits(fed, reason, sizeof reason))
		return fed;
	error_set(error, PARADL_USAGE, "%s is not for %s: %s",
		fed->dataset.name ? fed->dataset.name : "the data set", model->name, reason);
	error_hint(error, "--force goes on as if it were");
	return NULL;
}

static const char *path_at(
	const struct paradl_sweep *sweep, const size_t *places, enum sweep_kind kind, const char *fixed)
{
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep->dimensions[i].kind == kind)
			return sweep->dimensions[i].paths[places[i]];
	return fixed;
}

static const char *text_at(
	const struct paradl_sweep *sweep, const size_t *places, enum sweep_kind kind, const char *fixed)
{
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep->dimensions[i].kind == kind)
			return sweep->dimensions[i].values.items[places[i]];
	return fixed;
}

const void *sweep_part_load(const struct paradl_sweep *sweep, enum sweep_part part, const size_t *places,
	struct paradl_arena *arena, struct paradl_error *error)
{
	const struct paradl_sweep_request *const request = sweep->request;
	const struct paradl_changes *const changes = changes_at(sweep, places, arena, error);
	if (!changes)
		return NULL;
	struct paradl_source source = {.changes = changes};
	if (part == PART_MACHINE) {
		source.path = path_at(sweep, places, SWEEP_HW, request->hw);
		source.directories = request->directories;
		return paradl_machine_load(arena, &source, error);
	}
	if (part == PART_FRAMEWORK) {
		source.path = path_at(sweep, places, SWEEP_FRAMEWORK, request->framework);
		return paradl_framework_load(arena, &source, error);
	}
	source.path = path_at(sweep, places, SWEEP_MODEL, request->model);
	const struct paradl_model *const model = paradl_model_load(arena, &source, error);
	source.path = path_at(sweep, places, SWEEP_DATASET, request->dataset);
	return model && source.path ? model_fed(sweep, arena, model, &source, error) : model;
}

static struct paradl_options options_at(const struct paradl_sweep *sweep, const size_t *places)
{
	struct paradl_options options = sweep->request->options;
	const double prompt = sweep_number(sweep, places, SWEEP_INPUT_TOKENS),
		     answer = sweep_number(sweep, places, SWEEP_OUTPUT_TOKENS);
	const double rate = sweep_number(sweep, places, SWEEP_RATE);
	const char *const precision = text_at(sweep, places, SWEEP_PRECISION, NULL);
	options.prompt_tokens = prompt > 0 ? prompt : options.prompt_tokens;
	options.output_tokens = answer > 0 ? answer : options.output_tokens;
	options.rate_per_s = rate > 0 ? rate : options.rate_per_s;
	options.optimizer = text_at(sweep, places, SWEEP_OPTIMIZER, options.optimizer);
	options.algorithm = text_at(sweep, places, SWEEP_ALGORITHM, options.algorithm);
	options.compress = text_at(sweep, places, SWEEP_COMPRESS, options.compress);
	for (unsigned i = 0; precision && i < PARADL_PRECISION_COUNT; ++i)
		if (strcmp(paradl_precision_name((enum paradl_precision)i), precision) == 0) {
			options.override_precision = true;
			options.precision = (enum paradl_precision)i;
		}
	return options;
}

/* Fills in what is said of a world's model and machine, which rows have also where both do not go together. */
static void name_parts(struct sweep_item *world)
{
	const struct sweep_item *const model = world->parts[PART_MODEL], *const machine =
										 world->parts[PART_MACHINE];
	if (model && model->thing)
		world->model = paradl_model_info(model->thing);
	if (machine && machine->thing)
		world->machine = paradl_machine_info(machine->thing);
}

/*
 * Makes the oracle of a world, or passes on the error of a part. Its network is prepared before it is cloned, so that
 * clones share its curves.
 */
static void make_oracle(const struct paradl_sweep *sweep, struct sweep_item *world)
{
	name_parts(world);
	for (int part = PART_MODEL; part < PART_ORACLE; ++part)
		if (world->parts[part] && !world->parts[part]->thing) {
			world->error = world->parts[part]->error;
			return;
		}
	const struct paradl_options options = options_at(sweep, world->places);
	struct sweep_item *const *const parts = world->parts;
	if (!parts[PART_MODEL] || !parts[PART_MACHINE])
		return;
	const struct paradl_machine *const machine = parts[PART_MACHINE]->thing;
	struct paradl_oracle *const oracle =
		paradl_oracle_create(world->arena, parts[PART_MODEL]->thing, machine,
			parts[PART_FRAMEWORK] ? parts[PART_FRAMEWORK]->thing : NULL, &options, &world->error);
	if (!oracle)
		return;
	const double devices =
		sweep->most_devices < machine->devices ? sweep->most_devices : machine->devices;
	if (devices > 1 && !network_prepare(oracle, devices, &world->error))
		return;
	world->model = paradl_model_info(oracle->model);
	world->thing = oracle;
}

static void load_item(const struct paradl_sweep *sweep, struct sweep_item *item)
{
	if (item->part == PART_ORACLE)
		make_oracle(sweep, item);
	else
		item->thing = sweep_part_load(sweep, item->part, item->places, item->arena, &item->error);
	if (!item->thing && item->error.status == PARADL_OK)
		out_of_memory(&item->error);
}

/*
 * Returns whether an error is an answer: something that a question may ask for and a world does not have. All else
 * ends the sweep.
 */
static bool is_answer(const struct paradl_error *error)
{
	return error->status == PARADL_OK || error->status == PARADL_USAGE ||
	       error->status == PARADL_INFEASIBLE;
}

struct load {
	const struct paradl_sweep *sweep;
	struct sweep_item **items;
};

static void load_turn(void *context, unsigned member, size_t index)
{
	const struct load *const load = context;
	(void)member;
	load_item(load->sweep, load->items[index]);
}

static bool load_all(
	const struct paradl_sweep *sweep, struct sweep_item **items, size_t count, struct paradl_error *error)
{
	struct load load = {sweep, items};
	pool_run(sweep->pool, count, 1, load_turn, &load);
	for (size_t i = 0; i < count; ++i)
		if (!is_answer(&items[i]->error)) {
			if (error)
				*error = items[i]->error;
			return false;
		}
	return true;
}

static bool is_new(const struct sweep_item *item)
{
	return !item->thing && item->error.status == PARADL_OK;
}

bool sweep_worlds_load(struct paradl_sweep *sweep, struct sweep_item *const *worlds, size_t count,
	struct paradl_error *error)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct sweep_item **const items =
		arena ? arena_alloc(arena, count * SWEEP_PARTS + 1, sizeof(struct sweep_item *)) : NULL;
	size_t parts = 0, oracles = 0;
	bool fine = items || out_of_memory(error);
	for (size_t i = 0; fine && i < count; ++i)
		for (int part = PART_MODEL; part < PART_ORACLE; ++part) {
			struct sweep_item *const item = worlds[i]->parts[part];
			if (item && is_new(item) && !item->listed) {
				item->listed = true;
				items[parts++] = item;
			}
		}
	fine = fine && load_all(sweep, items, parts, error);
	for (size_t i = 0; fine && i < count; ++i)
		if (is_new(worlds[i]))
			items[oracles++] = worlds[i];
	fine = fine && load_all(sweep, items, oracles, error);
	paradl_arena_free(arena);
	return fine;
}

static void free_item(const struct paradl_sweep *sweep, struct sweep_item *item)
{
	for (unsigned i = 0; item->arenas && i < sweep->workers; ++i)
		paradl_arena_free(item->arenas[i]);
	for (int part = PART_MODEL; part < PART_ORACLE; ++part)
		if (item->parts[part])
			--item->parts[part]->holders;
	paradl_arena_free(item->arena);
}

/*
 * Returns the place of the item that was not needed for longest, of those that nobody holds; item_count: there is
 * none.
 */
static size_t oldest_item(const struct paradl_sweep *sweep)
{
	size_t oldest = sweep->item_count;
	for (size_t i = 0; i < sweep->item_count; ++i)
		if (sweep->items[i]->holders == 0 &&
			(oldest == sweep->item_count || sweep->items[i]->used < sweep->items[oldest]->used))
			oldest = i;
	return oldest;
}

static void drop(struct paradl_sweep *sweep, size_t place)
{
	free_item(sweep, sweep->items[place]);
	sweep->items[place] = sweep->items[--sweep->item_count];
}

void sweep_worlds_trim(struct paradl_sweep *sweep, size_t most)
{
	for (size_t oldest; sweep->item_count > most; drop(sweep, oldest))
		if ((oldest = oldest_item(sweep)) == sweep->item_count)
			return;
}
