/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the inputs that there are: a key counts where its file has it.
 *
 * Inputs of plans are whole numbers: the nearest is taken, and `times` becomes the factor that results.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "study/studies.h"

static const struct factor rows[] = {
#define KEYS(...)                                                                                            \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}
#define FACTOR(name_, text_, keys_, ...) {.name = (name_), .text = (text_), .keys = keys_, __VA_ARGS__},
#include "study/factor.def"
#undef FACTOR
#undef KEYS
};

enum { FACTORS = sizeof rows / sizeof rows[0] };

/* The files whose keys are looked up, with the changes of the request; NULL: not read. */
struct files {
	const struct json *roots[CHANGE_SCOPES];
};

static void read_file(
	const struct study *study, enum change_scope scope, const char *path, struct files *files)
{
	struct change_tally tally = {0};
	struct paradl_error unread;
	const struct json *const file = json_load(study->arena, path, &unread);
	files->roots[scope] = file ? changes_apply(study->arena, study->request->changes, scope, file, true,
					     &tally, &unread)
				   : NULL;
}

static void read_files(const struct study *study, struct files *files)
{
	const struct loaded_inputs *const inputs = &study->inputs;
	*files = (struct files){{NULL}};
	files->roots[CHANGE_MODEL] = inputs->model->source;
	read_file(study, CHANGE_MACHINE, inputs->machine->path, files);
	read_file(study, CHANGE_DEVICE, inputs->machine->device.path, files);
}

/* Returns the node that one step of a key leads to: a member by its name, an element by its place; NULL: nothing. */
static const struct json *child_at(const struct json *node, const char *step, size_t length)
{
	for (const struct json *child = node->child; child; child = child->next) {
		char place[16];
		decimal_shortest(place, sizeof place, child->index);
		const char *const name = child->key ? child->key : place;
		if (strlen(name) == length && strncmp(name, step, length) == 0)
			return child;
	}
	return NULL;
}

/* Returns the number that a key without wildcards leads to; NULL: there is none. */
static const struct json *number_at(const struct json *node, const char *key)
{
	while (node && *key) {
		const size_t length = strcspn(key, ".");
		node = child_at(node, key, length);
		key += length + (key[length] == '.');
	}
	return node && node->kind == JSON_NUMBER ? node : NULL;
}

static bool has_key(const struct study *study, const struct files *files, const char *key, double *value)
{
	struct paradl_error error;
	struct change_tally tally = {0};
	struct variation variation;
	*value = 0;
	study_vary(study, &variation);
	variation.changes.count = 0;
	if (!study_change(study, &variation, key, NULL, &error))
		return false;
	const struct change *const change = &variation.changes.items[0];
	const struct json *const root = files->roots[change->scope];
	if (change->scope == CHANGE_FRAMEWORK)
		return paradl_framework_load(study->arena,
			&(struct paradl_source){.path = study->inputs.oracle->framework->source,
				.changes = &variation.changes},
			&error);
	if (!root ||
		!changes_apply(
			study->arena, &variation.changes, change->scope, root, false, &tally, &error) ||
		!tally.found[0])
		return false;
	const struct json *const number = number_at(root, change->key);
	*value = number ? number->number : 0;
	return true;
}

static bool is_here(const struct study *study, const struct files *files, const struct factor *factor,
	struct factor_here *here)
{
	struct variation variation;
	*here = (struct factor_here){.factor = factor};
	study_vary(study, &variation);
	if (factor->of_plan)
		return factor->of_plan(study, 1, &variation);
	for (size_t i = 0; i < FACTOR_KEYS && factor->keys[i]; i++) {
		double value;
		const bool has = has_key(study, files, factor->keys[i], &value);
		if (!has || ((factor->least > 0 || factor->whole) && !(value > factor->least)))
			continue;
		here->keys[here->count] = factor->keys[i];
		here->values[here->count++] = value;
	}
	return here->count > 0;
}

bool factors_here(
	const struct study *study, const struct factor_here **here, size_t *count, struct paradl_error *error)
{
	struct files files;
	struct factor_here *const list = arena_alloc(study->arena, FACTORS, sizeof *list);
	*count = 0;
	*here = list;
	if (!list)
		return out_of_memory(error);
	read_files(study, &files);
	for (size_t i = 0; i < FACTORS; i++)
		*count += is_here(study, &files, &rows[i], &list[*count]);
	return true;
}

static bool apply_number(const struct study *study, const struct factor_here *here, size_t index,
	double times, struct variation *variation, struct paradl_error *error)
{
	char text[DECIMAL_LENGTH];
	double value = fmax(here->factor->least, here->values[index] * times);
	if (here->factor->whole) {
		value = round(value);
		variation->count = value;
		variation->times = value / here->values[index];
	}
	decimal_shortest(text, sizeof text, value);
	return study_change(study, variation, here->keys[index], text, error);
}

bool factor_apply(const struct study *study, const struct factor_here *here, double times,
	struct variation *variation, struct paradl_error *error)
{
	const struct factor *const factor = here->factor;
	study_vary(study, variation);
	variation->times = times;
	if (factor->of_plan)
		return factor->of_plan(study, times, variation);
	for (size_t i = 0; i < here->count; i++)
		if (factor->least > 0 || factor->whole
				? !apply_number(study, here, i, times, variation, error)
				: !study_change(study, variation, here->keys[i], NULL, error))
			return false;
	return true;
}

struct paradl_whatif_input factor_input(struct paradl_arena *arena, const struct factor_here *here)
{
	const char **const keys = arena_alloc(arena, here->count + 1, sizeof *keys);
	for (size_t i = 0; keys && i < here->count; i++)
		keys[i] = here->keys[i];
	return (struct paradl_whatif_input){
		here->factor->name, here->factor->text, keys, keys ? here->count : 0};
}

static double replicas_of(const struct paradl_plan *plan)
{
	return (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
}

static double nearest(double value)
{
	return fmax(1, round(value));
}

/* Multiplies the samples of each replica; of a best plan, those of each device. */
bool factor_batch(const struct study *study, double times, struct variation *variation)
{
	struct paradl_plan *const plan = &variation->plan;
	if (!study->request->plan) {
		const double devices = variation->best.devices, old = variation->best.batch;
		variation->count = nearest(old / devices * times);
		variation->best.batch = variation->count * devices;
		variation->times = variation->best.batch / old;
		return old > 0;
	}
	const double replicas = replicas_of(plan), old = plan->batch;
	variation->count = nearest(old / replicas * times);
	plan->batch = variation->count * replicas;
	variation->times = plan->batch / old;
	return true;
}

/*
 * Multiplies the replicas of a plan; of a best plan its devices, in whole hosts once there is one. The batch grows
 * with them, unless it is fixed.
 */
bool factor_gpus(const struct study *study, double times, struct variation *variation)
{
	struct paradl_plan *const plan = &variation->plan;
	const bool fixed = study->request->fixed_batch;
	const double host = study->inputs.machine->devices_per_host;
	if (!study->request->plan) {
		const double old = variation->best.devices, unit = old >= host ? host : 1;
		variation->best.devices =
			(unsigned)fmin(nearest(old / unit * times) * unit, study->inputs.machine->devices);
		variation->count = variation->best.devices / unit;
		variation->times = variation->best.devices / old;
		variation->best.batch *= fixed ? 1 : variation->times;
		return true;
	}
	const double old = plan->degree[PARADL_DATA], most = study->inputs.machine->devices;
	const double replica = paradl_plan_devices(plan) / old;
	plan->degree[PARADL_DATA] = (unsigned)fmax(1, fmin(nearest(old * times), floor(most / replica)));
	variation->count = plan->degree[PARADL_DATA];
	variation->times = variation->count / old;
	plan->batch *= fixed ? 1 : variation->times;
	return true;
}

bool factor_micro(const struct study *study, double times, struct variation *variation)
{
	struct paradl_plan *const plan = &variation->plan;
	const double old = plan->micro, most = plan->batch / replicas_of(plan);
	if (!study->request->plan || !(old > 0))
		return false;
	plan->micro = fmin(nearest(old * times), most);
	variation->count = plan->micro;
	variation->times = plan->micro / old;
	return true;
}
