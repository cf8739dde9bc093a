/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/list.h"
#include "report/column.h"

struct topic {
	const char *name, *summary;
	bool (*fill)(struct session *session, struct report_listing *listing);
};

struct listing_cell *list_rows(struct session *session, struct report_listing *listing, size_t rows)
{
	struct listing_cell *const cells =
		arena_alloc(session->arena, rows * listing->column_count, sizeof *cells);
	listing->cells = cells;
	listing->row_count = cells ? rows : 0;
	if (!cells)
		out_of_memory(&session->error);
	return cells;
}

void list_unreadable(struct session *session, struct listing_cell *cells, size_t columns)
{
	char message[sizeof session->error.message + sizeof session->error.path];
	paradl_error_format(&session->error, message, sizeof message);
	session_warn(session, "%s", message);
	for (size_t i = 1; i < columns; i++)
		cells[i] = number(-1);
}

static bool fill_models(struct session *session, struct report_listing *listing)
{
	static const struct listing_column columns[] = {
		{"name", "name", LISTING_TEXT, 0},
		{"model", "model", LISTING_TEXT, 4},
		{"parameters", "parameters", LISTING_COUNT, 0},
		{"forward_flop_per_sample", "flop/sample", LISTING_FLOP, 1},
		{"layers", "layers", LISTING_COUNT, 3},
		{"batch_per_gpu", "batch/GPU", LISTING_COUNT, 2},
		{"dataset", "data set", LISTING_TEXT, 5},
		{"path", "file", LISTING_TEXT, 6},
	};
	const struct shipped_files list = shipped_list(session, SHIPPED_MODELS);
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, list.count);
	for (size_t i = 0; cells && i < list.count; i++, cells += listing->column_count) {
		const struct paradl_model *const model =
			paradl_model_load(session->arena, list.files[i].path, &session->error);
		cells[0] = text(list.files[i].name);
		if (!model) {
			list_unreadable(session, cells, listing->column_count);
			continue;
		}
		const struct paradl_model_info info = paradl_model_info(model);
		cells[1] = text(info.name);
		cells[2] = number(info.parameters);
		cells[3] = number(info.forward_flop_per_sample);
		cells[4] = number((double)info.layer_count);
		cells[5] = number(info.batch_per_gpu > 0 ? info.batch_per_gpu : -1);
		cells[6] = text(info.dataset);
		cells[7] = text(list.files[i].path);
	}
	return cells != NULL;
}

static bool fill_hw(struct session *session, struct report_listing *listing)
{
	static const struct listing_column columns[] = {
		{"name", "name", LISTING_TEXT, 0},
		{"machine", "machine", LISTING_TEXT, 4},
		{"device", "device", LISTING_TEXT, 1},
		{"gpus", "GPUs", LISTING_COUNT, 0},
		{"gpus_per_node", "per node", LISTING_COUNT, 2},
		{"memory_bytes", "memory/GPU", LISTING_BYTES, 0},
		{"price_per_gpu_hour", "price/GPU h", LISTING_PRICE, 5},
		{"currency", "", LISTING_TEXT, 6},
		{"framework", "framework", LISTING_TEXT, 3},
		{"path", "file", LISTING_TEXT, 7},
	};
	const struct shipped_files list = shipped_list(session, SHIPPED_HW);
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, list.count);
	for (size_t i = 0; cells && i < list.count; i++, cells += listing->column_count) {
		const struct paradl_machine *const machine = paradl_machine_load_from(
			session->arena, list.files[i].path, session->directories, &session->error);
		cells[0] = text(list.files[i].name);
		if (!machine) {
			list_unreadable(session, cells, listing->column_count);
			continue;
		}
		const struct paradl_machine_info info = paradl_machine_info(machine);
		const bool has_price = info.price_per_device_hour > 0;
		cells[1] = text(info.name);
		cells[2] = text(info.device);
		cells[3] = number(info.devices);
		cells[4] = number(info.devices_per_node);
		cells[5] = number(info.memory_bytes);
		cells[6] = number(has_price ? info.price_per_device_hour : -1);
		cells[7] = text(has_price ? info.currency : NULL);
		cells[8] = text(info.framework);
		cells[9] = text(list.files[i].path);
	}
	return cells != NULL;
}

static bool fill_frameworks(struct session *session, struct report_listing *listing)
{
	static const struct listing_column columns[] = {
		{"name", "name", LISTING_TEXT, 0},
		{"known_error", "error", LISTING_SHARE, 1},
		{"summary", "summary", LISTING_TEXT, 0},
		{"path", "file", LISTING_TEXT, 2},
	};
	const struct shipped_files list = shipped_list(session, SHIPPED_FRAMEWORKS);
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, list.count);
	for (size_t i = 0; cells && i < list.count; i++, cells += listing->column_count) {
		const struct paradl_framework *const framework =
			paradl_framework_load(session->arena, list.files[i].path, &session->error);
		cells[0] = text(list.files[i].name);
		if (!framework) {
			list_unreadable(session, cells, listing->column_count);
			continue;
		}
		const struct paradl_framework_info info = paradl_framework_info(framework);
		cells[1] = number(info.known_error > 0 ? info.known_error : -1);
		cells[2] = text(info.summary);
		cells[3] = text(list.files[i].path);
	}
	return cells != NULL;
}

static const struct listing_column entry_columns[] = {
	{"name", "name", LISTING_TEXT, 0},
	{"summary", "summary", LISTING_TEXT, 0},
};

bool list_entries(
	struct session *session, struct report_listing *listing, struct paradl_entry (*entry)(size_t index))
{
	size_t count = 0;
	while (entry(count).name)
		count++;
	COLUMNS(listing, entry_columns);
	struct listing_cell *const cells = list_rows(session, listing, count);
	for (size_t i = 0; cells && i < count; i++) {
		cells[2 * i] = text(entry(i).name);
		cells[2 * i + 1] = text(entry(i).summary);
	}
	return cells != NULL;
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
			return (struct paradl_entry){record_result.fields[i].name, record_result.fields[i].doc};
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
	static const struct listing_column columns[] = {
		{"name", "name", LISTING_TEXT, 0},
		{"becomes", "becomes", LISTING_TEXT, 1},
		{"summary", "summary", LISTING_TEXT, 0},
	};
	size_t count = 0;
	while (paradl_format(count).name)
		count++;
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, count);
	for (size_t i = 0; cells && i < count; i++, cells += listing->column_count) {
		const struct paradl_format format = paradl_format(i);
		cells[0] = text(format.name);
		cells[1] = text(format.becomes);
		cells[2] = text(format.summary);
	}
	return cells != NULL;
}

static const struct topic topics[] = {
	{"models", "networks that ship with paradl, or that PARADL_PATH adds", fill_models},
	{"datasets", "data sets to train on", list_datasets},
	{"hw", "machines", fill_hw},
	{"frameworks", "training programs: what they split, overlap and pay for", fill_frameworks},
	{"strategies", "the axes that plans are made of", fill_strategies},
	{"layers", "layer types that a model file may hold", fill_layer_types},
	{"formats", "files of other tools that are read, too", fill_formats},
	{"pictures", "what --plot draws, and by which commands", list_pictures},
	{"columns", "what advise --columns can show", fill_columns},
	{"operations", "what 'paradl collective' is asked about", list_operations},
	{"collectives", "algorithms for operations of many devices", list_collectives},
	{"topologies", "networks: their shapes and what can be set", list_topologies},
	{"units", "units of quantities in files", fill_units},
};
enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

static struct paradl_entry topic_entry(size_t index)
{
	if (index >= TOPIC_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){topics[index].name, topics[index].summary};
}

static bool fill_layers(struct session *session, struct report_listing *listing,
	const struct paradl_model *model, const struct paradl_model_info *info)
{
	static const struct listing_column columns[] = {
		{"name", "layer", LISTING_TEXT, 0},
		{"type", "type", LISTING_TEXT, 0},
		{"kind", "kind", LISTING_TEXT, 3},
		{"x", "in", LISTING_TEXT, 1},
		{"y", "out", LISTING_TEXT, 0},
		{"parameters", "parameters", LISTING_COUNT, 0},
		{"forward_flop", "flop/sample", LISTING_FLOP, 0},
		{"kept_items", "kept items", LISTING_COUNT, 2},
	};
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, info->layer_count);
	for (size_t i = 0; cells && i < info->layer_count; i++, cells += listing->column_count) {
		const struct paradl_layer_info layer = paradl_model_layer(model, i);
		cells[0] = text(layer.name);
		cells[1] = text(layer.type);
		cells[2] = text(layer.kind);
		cells[3] = text(arena_text(session->arena, layer.x));
		cells[4] = text(arena_text(session->arena, layer.y));
		cells[5] = number(layer.weight_items);
		cells[6] = number(layer.forward_flop);
		cells[7] = number(layer.kept_items);
	}
	return cells != NULL;
}

static enum exit_status show(struct session *session, const struct report_listing *listing)
{
	struct document document;
	if (!document_begin(session, &document))
		return session_fail(session);
	if (session->arguments.names)
		for (size_t i = 0; i < listing->row_count; i++)
			fprintf(document.sink.file, "%s\n", listing->cells[i * listing->column_count].text);
	else
		session->format->listing(&document.sink, listing);
	return document_end(session, &document, EXIT_ANSWER);
}

/* What is no model may be a topic that was mistyped; the models come first. */
static void suggest_topic(struct session *session, const char *name)
{
	const char *names[TOPIC_COUNT];
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
	const char *name = session->operands.items[0];
	if (strcmp(name, "hw-profiles") == 0) /* the folder's name */
		name = "hw";
	for (size_t i = 0; i < TOPIC_COUNT; i++) {
		if (strcmp(topics[i].name, name) != 0)
			continue;
		listing.what = name;
		return topics[i].fill(session, &listing) ? show(session, &listing) : session_fail(session);
	}
	return show_model(session, name);
}

const struct command command_list = {
	.name = "list",
	.summary = "what there is: models, data sets, machines, frameworks; or a model's "
		   "layers",
	.synopsis = "[TOPIC|MODEL] [options]",
	.details = "Without an argument the topics; with the name or file of a model its layers,\n"
		   "their shapes and their work.",
	.operands = "topics",
	.most_operands = 1,
	.run = run,
};
