/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "report/picture/picture.h"
#include "report/table.h"

static const struct option_row options[] = {
	{FLAG("names", names, "list"), .help = "print names only, one per line"},
};

const struct option_table arguments_list = {options, sizeof options / sizeof options[0], NULL};

struct topic {
	const char *name, *summary;
	bool (*fill)(struct session *session, struct report_listing *listing);
};

/* Returns the rows of a listing, all zero, for the caller to fill; NULL: out of memory, and the session's error is set. */
static void *list_rows(struct session *session, struct report_listing *listing, size_t rows, size_t bytes)
{
	void *const store = arena_alloc(session->arena, rows, bytes);
	if (!store) {
		out_of_memory(&session->error);
		return NULL;
	}
	memset(store, 0, rows * bytes);
	listing->rows = store;
	listing->row_bytes = bytes;
	listing->row_count = rows;
	return store;
}

/* Warns why a file cannot be read, by the session's error; the listing has only the name of that file. */
static void list_unreadable(struct session *session)
{
	char message[sizeof session->error.message + sizeof session->error.path];
	paradl_error_format(&session->error, message, sizeof message);
	session_warn(session, "%s", message);
}

static bool fill_models(struct session *session, struct report_listing *listing)
{
	const struct shipped_files list = shipped_list(session, SHIPPED_MODELS);
	struct listed_model *const rows = list_rows(session, listing, list.count, sizeof *rows);
	for (size_t i = 0; rows && i < list.count; i++) {
		const struct paradl_model *const model = paradl_model_load(
			session->arena, &(struct paradl_source){.path = list.files[i].path}, &session->error);
		rows[i].name = list.files[i].name;
		if (!model) {
			list_unreadable(session);
			continue;
		}
		rows[i].info = paradl_model_info(model);
		rows[i].path = list.files[i].path;
	}
	return rows != NULL;
}

static bool fill_hw(struct session *session, struct report_listing *listing)
{
	const struct shipped_files list = shipped_list(session, SHIPPED_HW);
	struct listed_machine *const rows = list_rows(session, listing, list.count, sizeof *rows);
	for (size_t i = 0; rows && i < list.count; i++) {
		const struct paradl_machine *const machine = paradl_machine_load(session->arena,
			&(struct paradl_source){
				.path = list.files[i].path, .directories = session->directories},
			&session->error);
		rows[i].name = list.files[i].name;
		if (!machine) {
			list_unreadable(session);
			continue;
		}
		rows[i].info = paradl_machine_info(machine);
		rows[i].path = list.files[i].path;
	}
	return rows != NULL;
}

static bool fill_devices(struct session *session, struct report_listing *listing)
{
	const struct shipped_files list = shipped_list(session, SHIPPED_DEVICES);
	struct listed_device *const rows = list_rows(session, listing, list.count, sizeof *rows);
	for (size_t i = 0; rows && i < list.count; i++) {
		rows[i].name = list.files[i].name;
		if (!paradl_device_load(session->arena,
			    &(struct paradl_source){
				    .path = list.files[i].path, .directories = session->directories},
			    &rows[i].info, &session->error)) {
			rows[i].info = (struct paradl_device_info){0};
			list_unreadable(session);
		}
	}
	return rows != NULL;
}

static bool fill_frameworks(struct session *session, struct report_listing *listing)
{
	const struct shipped_files list = shipped_list(session, SHIPPED_FRAMEWORKS);
	struct listed_framework *const rows = list_rows(session, listing, list.count, sizeof *rows);
	for (size_t i = 0; rows && i < list.count; i++) {
		const struct paradl_framework *const framework = paradl_framework_load(
			session->arena, &(struct paradl_source){.path = list.files[i].path}, &session->error);
		rows[i].name = list.files[i].name;
		if (!framework) {
			list_unreadable(session);
			continue;
		}
		rows[i].info = paradl_framework_info(framework);
		rows[i].path = list.files[i].path;
	}
	return rows != NULL;
}

static bool fill_datasets(struct session *session, struct report_listing *listing)
{
	const struct shipped_files list = shipped_list(session, SHIPPED_DATASETS);
	struct listed_dataset *const rows = list_rows(session, listing, list.count, sizeof *rows);
	for (size_t i = 0; rows && i < list.count; i++) {
		rows[i].name = list.files[i].name;
		if (!paradl_dataset_load(session->arena, &(struct paradl_source){.path = list.files[i].path},
			    &rows[i].info, &session->error)) {
			rows[i].info = (struct paradl_dataset_info){0};
			list_unreadable(session);
		}
	}
	return rows != NULL;
}

/* Fills a listing with the names and summaries of `entry` from index 0 until a name is NULL; false: out of memory. */
static bool list_entries(
	struct session *session, struct report_listing *listing, struct paradl_entry (*entry)(size_t index))
{
	size_t count = 0;
	while (entry(count).name)
		count++;
	struct paradl_entry *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++)
		rows[i] = entry(i);
	return rows != NULL;
}

static struct paradl_entry unit_entry(size_t index)
{
	size_t count = 0;
	const struct paradl_entry *const units = paradl_units(&count);
	return index < count ? units[index] : (struct paradl_entry){NULL, NULL};
}

static struct paradl_entry column_entry(size_t index)
{
	for (size_t i = 0; i < record_result.count; i++)
		if (ranking_is_column(&record_result.fields[i]) && index-- == 0)
			return (struct paradl_entry){
				record_result.fields[i].name, record_result.fields[i].doc};
	return (struct paradl_entry){NULL, NULL};
}

static bool fill_strategies(struct session *session, struct report_listing *listing)
{
	return list_entries(session, listing, paradl_strategy);
}

static bool fill_layer_types(struct session *session, struct report_listing *listing)
{
	return list_entries(session, listing, paradl_layer_type);
}

static bool fill_units(struct session *session, struct report_listing *listing)
{
	return list_entries(session, listing, unit_entry);
}

static bool fill_columns(struct session *session, struct report_listing *listing)
{
	return list_entries(session, listing, column_entry);
}

static bool fill_formats(struct session *session, struct report_listing *listing)
{
	size_t count = 0;
	while (paradl_format(count).name)
		count++;
	struct paradl_format *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++)
		rows[i] = paradl_format(i);
	return rows != NULL;
}

static bool fill_pictures(struct session *session, struct report_listing *listing)
{
	size_t count = 0;
	while (pictures[count])
		count++;
	struct listed_picture *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++)
		rows[i] = (struct listed_picture){
			pictures[i]->name, pictures[i]->commands, pictures[i]->summary};
	return rows != NULL;
}

static struct paradl_entry operation_entry(size_t index)
{
	static const char *const summaries[PARADL_OPERATION_COUNT] = {
		[PARADL_ALLREDUCE] = "everybody gets the sum of all vectors",
		[PARADL_ALLGATHER] = "everybody gets all parts",
		[PARADL_REDUCE_SCATTER] = "everybody gets a part of the sum",
		[PARADL_BROADCAST] = "one rank's vector to everybody",
		[PARADL_REDUCE] = "the sum to one rank",
		[PARADL_ALL_TO_ALL] = "a part from everybody to everybody",
		[PARADL_POINT_TO_POINT] = "from each rank to the next",
	};
	if (index >= PARADL_OPERATION_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){paradl_operation_name((enum paradl_operation)index), summaries[index]};
}

static bool fill_operations(struct session *session, struct report_listing *listing)
{
	return list_entries(session, listing, operation_entry);
}

static bool fill_collectives(struct session *session, struct report_listing *listing)
{
	size_t count = 0;
	while (paradl_algorithm(count).name)
		count++;
	struct paradl_algorithm_info *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++)
		rows[i] = paradl_algorithm(i);
	return rows != NULL;
}

/* Returns what can be set of a topology, with the default values: "up=0 width=1"; NULL: out of memory. */
static const char *keys_text(struct session *session, const struct paradl_topology_info *info)
{
	const char *keys = "";
	for (size_t i = 0; keys && i < sizeof info->keys / sizeof info->keys[0] && info->keys[i].name; i++)
		keys = arena_printf(session->arena, "%s%s%s=%.0f", keys, i > 0 ? " " : "", info->keys[i].name,
			info->keys[i].initial);
	return keys;
}

/* Returns the length of a shape without its remark in parentheses, which only the manual shows. */
static size_t shape_length(const char *shape)
{
	const char *const remark = strstr(shape, " (");
	return remark ? (size_t)(remark - shape) : strlen(shape);
}

static bool fill_topologies(struct session *session, struct report_listing *listing)
{
	size_t count = 0;
	while (paradl_topology(count).name)
		count++;
	struct listed_topology *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++) {
		const struct paradl_topology_info info = paradl_topology(i);
		rows[i] = (struct listed_topology){info.name,
			arena_copy(session->arena, info.shape, shape_length(info.shape)),
			keys_text(session, &info), info.summary, info.source};
	}
	return rows != NULL;
}

static const struct topic topics[] = {
	{"models", "networks that ship with paradl, or that PARADL_PATH adds", fill_models},
	{"datasets", "data sets to train on", fill_datasets},
	{"hw", "machines", fill_hw},
	{"devices", "GPUs and the like, which a machine file names", fill_devices},
	{"frameworks", "training programs: what they split, overlap and pay for", fill_frameworks},
	{"strategies", "the axes that plans are made of", fill_strategies},
	{"layers", "layer types that a model file may hold", fill_layer_types},
	{"formats", "files of other tools that are read, too", fill_formats},
	{"pictures", "what --plot draws, and by which commands", fill_pictures},
	{"columns", "what advise --columns can show", fill_columns},
	{"operations", "what 'paradl collective' is asked about", fill_operations},
	{"collectives", "algorithms for operations of many devices", fill_collectives},
	{"topologies", "networks: their shapes and what can be set", fill_topologies},
	{"units", "units of quantities in files", fill_units},
};
enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

static const struct topic *topic_find(const char *word)
{
	const char *const name = list_topic(word);
	for (size_t i = 0; name && i < TOPIC_COUNT; i++)
		if (strcmp(topics[i].name, name) == 0)
			return &topics[i];
	return NULL;
}

static struct paradl_entry topic_entry(size_t index)
{
	if (index >= TOPIC_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){topics[index].name, topics[index].summary};
}

static bool fill_layers(struct session *session, struct report_listing *listing,
	const struct paradl_model *model, const struct paradl_model_info *info)
{
	struct paradl_layer_info *const rows = list_rows(session, listing, info->layer_count, sizeof *rows);
	for (size_t i = 0; rows && i < info->layer_count; i++)
		rows[i] = paradl_model_layer(model, i);
	return rows != NULL;
}

static enum exit_status show(struct session *session, const struct report_listing *listing)
{
	struct document document;
	if (!document_begin(session, &document))
		return session_fail(session);
	if (session->arguments.names)
		for (size_t i = 0; i < listing->row_count; i++)
			fprintf(document.sink.file, "%s\n",
				listing_value(listing, &listing_record(listing)->fields[0], i).text);
	else
		session->format->listing(&document.sink, listing);
	return document_end(session, &document, EXIT_ANSWER);
}

/*
 * Says what a name that is no model is: a shipped file of another kind, or like that of a topic. A model that it is like
 * has priority over topics.
 */
static void suggest_topic(struct session *session, const char *name)
{
	static const struct {
		enum shipped kind;
		const char *noun, *topic;
	} kinds[] = {{SHIPPED_HW, "machine", "hw"}, {SHIPPED_DEVICES, "device", "devices"},
		{SHIPPED_DATASETS, "data set", "datasets"},
		{SHIPPED_FRAMEWORKS, "training program", "frameworks"}};
	const char *names[TOPIC_COUNT];
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!shipped_has(session, kinds[i].kind, name))
			continue;
		session_usage(session, "%s is a %s, not a model", name, kinds[i].noun);
		error_hint(&session->error, "'paradl list %s' shows all; 'paradl check %s' names its file",
			kinds[i].topic, name);
		return;
	}
	for (size_t i = 0; i < TOPIC_COUNT; i++)
		names[i] = topics[i].name;
	const char *const near = suggest(name, names, TOPIC_COUNT);
	if (near && session->error.status == PARADL_IO && !strstr(session->error.message, "did you mean"))
		error_set(&session->error, PARADL_IO, "there is no topic or model '%s'; did you mean '%s'?",
			name, near);
}

static enum exit_status show_model(struct session *session, const char *name)
{
	struct report_listing listing = {.what = "layers"};
	const struct paradl_model *const model = session_model(session, name, NULL);
	if (!model) {
		suggest_topic(session, name);
		return session_fail(session);
	}
	const struct paradl_model_info info = paradl_model_info(model);
	listing.model = &info;
	return fill_layers(session, &listing, model, &info) ? show(session, &listing) : session_fail(session);
}

static enum exit_status run(struct session *session)
{
	struct report_listing listing = {.what = "topics"};
	if (session->operands.count == 0)
		return list_entries(session, &listing, topic_entry) ? show(session, &listing)
								    : session_fail(session);
	const char *const name = session->operands.items[0];
	const struct topic *const topic = topic_find(name);
	if (!topic)
		return show_model(session, name);
	listing.what = topic->name;
	return topic->fill(session, &listing) ? show(session, &listing) : session_fail(session);
}

const struct command command_list = {
	.name = "list",
	.summary = "list models, data sets, machines, frameworks, or a model's layers",
	.synopsis = "[TOPIC|MODEL] [options]",
	.details = "Without an argument the topics; with the name or file of a model its layers,\n"
		   "their shapes and their work.",
	.operands = "topics",
	.operand = "TOPIC|MODEL",
	.operand_help = "models, hw, frameworks, ... or a model (default the topics)",
	.usual = "names json csv output",
	.examples = {"paradl list models", "paradl list resnet50"},
	.first = true,
	.most_operands = 1,
	.run = run,
};
