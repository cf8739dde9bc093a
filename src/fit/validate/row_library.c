/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/validate/measurements.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "fit/validate/published.h"
#include "machine/framework.h"
#include "machine/machine.h"
#include "model/model.h"
#include "oracle/oracle.h"

bool library_create(struct library *library, size_t rows, struct paradl_error *error)
{
	library->models = arena_alloc(library->arena, rows, sizeof *library->models);
	library->machines = arena_alloc(library->arena, rows, sizeof *library->machines);
	library->oracles = arena_alloc(library->arena, rows, sizeof *library->oracles);
	library->frameworks = arena_alloc(library->arena, rows, sizeof *library->frameworks);
	if (!library->frameworks || !library->models || !library->machines || !library->oracles)
		return out_of_memory(error);
	if (!library->lookup->options.layer_times)
		return true;
	const struct layer_times *times =
		layer_times_load(library->arena, library->lookup->options.layer_times, error);
	library->times_model = times ? layer_times_model(times) : NULL;
	return times;
}

const char *error_line(struct paradl_arena *arena, const struct paradl_error *error)
{
	char text[sizeof error->path + sizeof error->pointer + sizeof error->message + 64];
	paradl_error_format(error, text, sizeof text);
	return arena_printf(arena, "%s%s%s", text, *error->hint ? "; " : "", error->hint);
}

/* Returns the reason for a skip; NULL with *error set where the failure is that memory ran out. */
static const char *reason(
	struct library *library, const struct paradl_error *failure, struct paradl_error *error)
{
	const char *line = failure->status == PARADL_NO_MEMORY ? NULL : error_line(library->arena, failure);
	if (!line)
		out_of_memory(error);
	return line;
}

static bool is_path(const char *name)
{
	const size_t length = strlen(name);
	return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

const char *library_find(
	struct library *library, const char *name, const char *kind, bool is_cell, struct paradl_error *error)
{
	const char *slash = strrchr(library->csv_path, '/');
	if (is_cell && slash && is_path(name) && *name != '/')
		name = arena_printf(
			library->arena, "%.*s/%s", (int)(slash - library->csv_path), library->csv_path, name);
	if (name)
		return paradl_find(library->arena, name, kind, library->lookup->directories, error);
	return out_of_memory_null(error);
}

/* Reads a network by name; where `tokens` is above 1, samples have that length instead of the file's. */
static const struct paradl_model *load_model(
	struct library *library, const char *name, double tokens, struct paradl_error *failure)
{
	const char *path = library_find(library, name, "models", true, failure);
	const struct paradl_model *model =
		path ? paradl_model_load(library->arena, &(struct paradl_source){.path = path}, failure)
		     : NULL;
	if (!model || !(tokens > 1))
		return model;
	const struct model_variant variant = {.sequence = tokens < UINT_MAX ? (unsigned)tokens : UINT_MAX};
	return model_build(library->arena, model->source, &variant, failure);
}

static struct library_model *model_entry(
	struct library *library, const struct measurement *measurement, struct paradl_error *error)
{
	struct library_model *entry = library->models;
	for (; entry < library->models + library->model_count; ++entry)
		if (strcmp(entry->key, measurement->model_key) == 0 &&
			!(entry->tokens < measurement->tokens || entry->tokens > measurement->tokens))
			return entry;
	struct paradl_error failure = {0};
	*entry = (struct library_model){.key = measurement->model_key, .tokens = measurement->tokens};
	entry->model = measurement->published
			       ? library_published_model(library, measurement->published, &failure)
			       : load_model(library, measurement->row.model, measurement->tokens, &failure);
	if (!entry->model && !(entry->why = reason(library, &failure, error)))
		return NULL;
	++library->model_count;
	return entry;
}

static const struct paradl_machine *load_machine(
	struct library *library, const char *name, struct paradl_error *failure)
{
	const char *path = library_find(library, name, "hw-profiles", !library->lookup->hw, failure);
	return path ? paradl_machine_load(library->arena,
			      &(struct paradl_source){
				      .path = path, .directories = library->lookup->directories},
			      failure)
		    : NULL;
}

static struct library_machine *machine_entry(
	struct library *library, const struct measurement *measurement, struct paradl_error *error)
{
	struct library_machine *entry = library->machines;
	for (; entry < library->machines + library->machine_count; ++entry)
		if (strcmp(entry->key, measurement->hw_key) == 0)
			return entry;
	struct paradl_error failure = {0};
	*entry = (struct library_machine){.key = measurement->hw_key};
	entry->machine = measurement->published && !library->lookup->hw
				 ? library_published_machine(library, measurement->published, &failure)
				 : load_machine(library, measurement->row.hw, &failure);
	if (!entry->machine && !(entry->why = reason(library, &failure, error)))
		return NULL;
	++library->machine_count;
	return entry;
}

/*
 * Reads the framework profile that a row names: beside the machine's own profile if it is there, else from where
 * names are looked up. Stores NULL, for the machine's default, where the row names none. Returns false with
 * *failure otherwise.
 */
static bool load_framework(struct library *library, const struct measurement *measurement,
	const struct paradl_machine *machine, const struct paradl_framework **framework,
	struct paradl_error *failure)
{
	const char *name = measurement->row.framework;
	*framework = NULL;
	if (!*name)
		return true;
	if (!is_path(name)) {
		const char *wanted, *path = beside(library->arena, machine->path, "frameworks", name);
		const char *const file = path ? framework_file(library->arena, path, &wanted) : NULL;
		if (!file)
			return out_of_memory(failure);
		*framework =
			paradl_framework_load(library->arena, &(struct paradl_source){.path = path}, failure);
		if (*framework || failure->status != PARADL_IO || strcmp(failure->path, file) != 0)
			return *framework;
	}
	const char *path =
		library_find(library, name, "hw-profiles/frameworks", !library->lookup->framework, failure);
	*framework =
		path ? paradl_framework_load(library->arena, &(struct paradl_source){.path = path}, failure)
		     : NULL;
	return *framework;
}

static bool read_precision(const char *name, struct paradl_options *options, struct paradl_error *error)
{
	size_t count = 0;
	if (!*name || options->override_precision)
		return true;
	for (; precision_names[count]; ++count)
		if (strcmp(precision_names[count], name) == 0) {
			options->override_precision = true;
			options->precision = (enum paradl_precision)count;
			return true;
		}
	return error_set(error, PARADL_SCHEMA, "unknown precision \"%s\"%s", name,
		suggestion_of(name, precision_names, count).clause);
}

/*
 * Reports whether a row's times include input. Programs that are measured for their compute are fed from memory,
 * with nothing to prepare.
 */
static bool has_input(const struct measurement *measurement)
{
	return strcmp(measurement->row.includes, "everything") == 0;
}

static struct paradl_oracle *create(struct library *library, const struct measurement *measurement,
	const struct paradl_model *model, const struct paradl_machine *machine, struct paradl_error *failure)
{
	struct paradl_options options = library->lookup->options;
	const struct paradl_framework *framework;
	if (library->times_model && strcmp(library->times_model, model->name) != 0)
		options.layer_times = NULL; /* of another network */
	struct paradl_input_options input = {0};
	if (options.input)
		input = *options.input;
	input.off = input.off || !has_input(measurement);
	options.input = &input;
	if (measurement->load.serves) {
		const struct measured_load *const load = &measurement->load;
		options.inference = true;
		options.prompt_tokens = load->prompt_tokens;
		options.output_tokens = load->output_tokens;
		options.requests = load->requests;
		options.spread = load->spread;
		options.cached_prefix = load->cached_prefix;
		options.prefill = load->prefill;
	}
	if (!read_precision(measurement->precision, &options, failure) ||
		!load_framework(library, measurement, machine, &framework, failure))
		return NULL;
	return paradl_oracle_create(library->arena, model, machine, framework, &options, failure);
}

const struct paradl_model *library_model(struct library *library, const struct measurement *measurement,
	const char **why, struct paradl_error *error)
{
	const struct library_model *entry = model_entry(library, measurement, error);
	*why = entry ? entry->why : NULL;
	return entry ? entry->model : NULL;
}

struct paradl_oracle *library_oracle(struct library *library, const struct measurement *measurement,
	const char **why, struct paradl_error *error)
{
	const struct paradl_measured_row *row = &measurement->row;
	struct library_oracle *entry = library->oracles;
	const char *const load_key = measurement->load_key ? measurement->load_key : "";
	const struct paradl_model *model = library_model(library, measurement, why, error);
	const struct library_machine *machine = model ? machine_entry(library, measurement, error) : NULL;
	if (!machine)
		return NULL;
	*why = machine->why;
	if (*why)
		return NULL;
	for (; entry < library->oracles + library->oracle_count; ++entry)
		if (entry->model == model && strcmp(entry->hw, measurement->hw_key) == 0 &&
			strcmp(entry->framework, row->framework) == 0 &&
			strcmp(entry->precision, measurement->precision) == 0 &&
			entry->input == has_input(measurement) && strcmp(entry->load, load_key) == 0) {
			*why = entry->why;
			return entry->oracle;
		}
	struct paradl_error failure = {0};
	*entry = (struct library_oracle){model, measurement->hw_key, row->framework, measurement->precision,
		NULL, NULL, has_input(measurement), load_key};
	entry->oracle = create(library, measurement, model, machine->machine, &failure);
	if (!entry->oracle && !(entry->why = reason(library, &failure, error)))
		return NULL;
	++library->oracle_count;
	*why = entry->why;
	return entry->oracle;
}
