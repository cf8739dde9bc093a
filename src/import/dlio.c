/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads workloads of DLIO and MLPerf Storage; workload_write.c writes them as models and data sets. */
#include "import/workload.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/yaml.h"
#include "model/layer_type.h"

struct reading {
	const struct json *root;
	struct warnings *warnings;
	struct paradl_error *error;
};

/* A section of a workload with its keys: those that are read, and others that are known but have no meaning here. */
struct section {
	const char *name, *const *read, *const *others;
};
static const char *const dataset_read_keys[] = {"format", "num_files_train", "num_samples_per_file",
	"record_length", "record_length_bytes", "record_length_stdev", "record_length_bytes_stdev",
	"record_length_resize", "record_length_bytes_resize", "compression", NULL};
static const char *const dataset_other_keys[] = {"data_folder", "num_files_eval", "num_subfolders_train",
	"num_subfolders_eval", "file_prefix", "keep_files", "compression_level", "enable_chunking",
	"chunk_size", "generation_buffer_size", "data_type", NULL};
static const char *const reader_read_keys[] = {
	"batch_size", "read_threads", "prefetch_size", "preprocess_time", NULL};
static const char *const reader_other_keys[] = {"data_loader", "batch_size_eval", "file_shuffle",
	"sample_shuffle", "multiprocessing_context", "pin_memory", "computation_threads", "file_access",
	"read_type", "transfer_size", "shuffle_size", "seed", "seed_change_epoch", "preprocess_time_stdev",
	"dont_use_mmap", "data_loader_classname", "data_loader_sampler", "reader_classname", "odirect", NULL};
static const char *const train_read_keys[] = {"epochs", "computation_time", NULL};
static const char *const train_other_keys[] = {
	"computation_time_stdev", "total_training_steps", "seed", "seed_change_epoch", NULL};
static const struct section sections[] = {{"dataset", dataset_read_keys, dataset_other_keys},
	{"reader", reader_read_keys, reader_other_keys}, {"train", train_read_keys, train_other_keys}};

static bool is_in(const char *const *keys, const char *key)
{
	while (*keys && strcmp(*keys, key) != 0)
		keys++;
	return *keys != NULL;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), tail = strlen(end);
	return length >= tail && strcasecmp(text + length - tail, end) == 0;
}

/*
 * Returns whether a file is such a workload, or YAML at least: by its extension, or by a line that begins a section.
 */
static bool workload_is(const char *path, const char *text)
{
	static const char *const keys[] = {"dataset:", "workload:"};
	if (ends_with(path, ".yaml") || ends_with(path, ".yml"))
		return true;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
			if (strncmp(line, keys[i], strlen(keys[i])) == 0)
				return true;
	}
	return false;
}

/* Returns the value of a key in a section; NULL: it is not there, or null. */
static const struct json *find(const struct reading *reading, const char *section, const char *key)
{
	const struct json *const object = json_member(reading->root, section);
	const struct json *const node = object ? json_member(object, key) : NULL;
	return node && node->kind != JSON_NULL ? node : NULL;
}

/* Reads a number; a time may also be a distribution {mean: 0.3, stdev: 0.1}. Leaves *number where node is NULL. */
static bool number_read(const struct reading *reading, const struct json *node, double least, double *number)
{
	const struct json_field field = {.key = "number", .type = JSON_TO_DOUBLE, .min = least, .max = 1e15};
	if (!node)
		return true;
	if (node->kind == JSON_OBJECT) {
		const struct json *const mean = json_member(node, "mean");
		if (!mean)
			return json_error(node, reading->error, "must be a number, or have a \"mean\"");
		warn_at(reading->warnings, node, "varies in the benchmark; here its mean is taken");
		node = mean;
	}
	return json_read_value(node, &field, number, reading->error);
}

static bool number_in(
	const struct reading *reading, const char *section, const char *key, double least, double *number)
{
	return number_read(reading, find(reading, section, key), least, number);
}

static bool count_in(
	const struct reading *reading, const char *section, const char *key, double least, double *count)
{
	const struct json *const node = find(reading, section, key);
	if (!number_read(reading, node, least, count))
		return false;
	return !node || !(floor(*count) < *count) ||
	       json_error(node, reading->error, "must be a whole number");
}

static bool text_in(const struct reading *reading, const char *section, const char *key, const char **text)
{
	static const struct json_field field = {.key = "text", .type = JSON_TO_TEXT};
	const struct json *const node = find(reading, section, key);
	return !node || json_read_value(node, &field, text, reading->error);
}

/* Reads a number of bytes under either spelling of its key: "record_length_bytes" overrides "record_length". */
static bool bytes_in(const struct reading *reading, const char *suffix, double least, double *bytes)
{
	static const char *const starts[] = {"record_length", "record_length_bytes"};
	char key[64];
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		(void)snprintf(key, sizeof key, "%s%s", starts[i], suffix);
		if (!number_in(reading, "dataset", key, least, bytes))
			return false;
	}
	return true;
}

static bool sections_check(const struct reading *reading)
{
	if (reading->root->kind != JSON_OBJECT || !json_member(reading->root, "dataset")) {
		json_error(reading->root, reading->error,
			"has no section \"dataset\": it is no workload of DLIO");
		error_hint(reading->error, "YAML is read of workloads of DLIO and MLPerf Storage");
		return false;
	}
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		const struct section *const section = &sections[i];
		const struct json *const object = json_member(reading->root, section->name);
		if (object && object->kind != JSON_OBJECT)
			return json_error(object, reading->error, "must be a section with keys");
		for (const struct json *key = object ? object->child : NULL; key; key = key->next)
			if (!is_in(section->read, key->key) && !is_in(section->others, key->key))
				warn_at(reading->warnings, key, "is not known and not read");
	}
	return true;
}

static bool dataset_section(const struct reading *reading, struct workload *workload)
{
	const struct json *const section = json_member(reading->root, "dataset");
	const char *compression = "none";
	if (!text_in(reading, "dataset", "format", &workload->format) ||
		!text_in(reading, "dataset", "compression", &compression) ||
		!count_in(reading, "dataset", "num_files_train", 1, &workload->files) ||
		!count_in(reading, "dataset", "num_samples_per_file", 1, &workload->samples_per_file) ||
		!bytes_in(reading, "", 1, &workload->record_bytes) ||
		!bytes_in(reading, "_stdev", 0, &workload->record_deviation_bytes) ||
		!bytes_in(reading, "_resize", 0, &workload->resized_bytes))
		return false;
	workload->compressed = strcmp(compression, "none") != 0;
	if (strcmp(workload->format, "synthetic") == 0)
		return json_error(find(reading, "dataset", "format"), reading->error,
			"a synthetic data set is not read from files");
	if (!(workload->files >= 1))
		return json_error(section, reading->error, "has no num_files_train");
	if (!(workload->record_bytes >= 1))
		return json_error(section, reading->error, "has no record_length_bytes");
	if (workload->files * workload->samples_per_file > LAYER_ITEMS_MAX)
		return json_error(section, reading->error, "has more than 2^53 samples");
	if (workload->record_deviation_bytes > 0)
		warn_at(reading->warnings, section, "samples differ in size; here all have the mean");
	return true;
}

static bool reader_section(const struct reading *reading, struct workload *workload)
{
	return count_in(reading, "reader", "batch_size", 1, &workload->batch) &&
	       count_in(reading, "reader", "read_threads", 0, &workload->readers) &&
	       count_in(reading, "reader", "prefetch_size", 0, &workload->prefetch) &&
	       number_in(reading, "reader", "preprocess_time", 0, &workload->preparation_s) &&
	       count_in(reading, "train", "epochs", 1, &workload->epochs) &&
	       number_in(reading, "train", "computation_time", 0, &workload->compute_s) &&
	       number_in(reading, "metric", "au", 0, &workload->target_utilisation);
}

static bool workload_read(const struct json *root, struct workload *workload, struct warnings *warnings,
	struct paradl_error *error)
{
	const struct json *const inner = json_member(root, "workload"); /* where Hydra wrote it */
	const struct reading reading = {inner && inner->kind == JSON_OBJECT ? inner : root, warnings, error};
	const char *const path = json_path(root), *const slash = strrchr(path, '/');
	*workload = (struct workload){.name = "workload",
		.source = slash ? slash + 1 : path,
		.format = "npz",
		.samples_per_file = 1,
		.batch = 1,
		.epochs = -1,
		.readers = -1,
		.prefetch = -1,
		.target_utilisation = -1};
	if (!sections_check(&reading) || !text_in(&reading, "model", "name", &workload->name) ||
		!dataset_section(&reading, workload) || !reader_section(&reading, workload))
		return false;
	if (workload->compute_s > 1e6 || workload->preparation_s > 1e6)
		return json_error(root, error, "computes for more than 1e6 s");
	if (json_member(reading.root, "checkpoint"))
		warn(warnings, "its checkpoints are not read: say --checkpoint '30 min' (and --epochs) to "
			       "'paradl estimate' or 'advise'");
	return true;
}

static bool knows(const struct import_source *source)
{
	return !source->root && workload_is(source->path, source->head.text);
}

static const char *write(struct importing *importing, const struct workload *workload)
{
	struct import_writing writing;
	if (!import_writing_begin(importing, &writing))
		return NULL;
	const bool written =
		workload_write(importing->arena, workload, importing->options->dataset, &writing.writer);
	if (!written)
		out_of_memory(importing->error);
	return import_writing_end(importing, &writing, written);
}

static const char *read(struct importing *importing)
{
	struct workload workload;
	size_t length = 0;
	const char *const path = importing->source.path, *const text = import_text(importing, &length);
	const struct json *const root =
		text ? yaml_parse(importing->arena, text, length, path, importing->error) : NULL;
	if (!root || !workload_read(root, &workload, &importing->warnings, importing->error))
		return NULL;
	if (workload.compute_s > 0)
		importing->note = workload_note(importing->arena, &workload);
	if (workload.compute_s > 0 || importing->options->dataset)
		return write(importing, &workload);
	error_at(importing->error, PARADL_SCHEMA, path, 0, 0,
		"has no computation_time: nothing says how fast samples are wanted");
	error_hint(importing->error, "--as dataset writes its data set alone");
	return NULL;
}

const struct importer importer_dlio = {
	.name = "dlio",
	.summary = "workload of DLIO or MLPerf Storage, YAML",
	.becomes = "paradl-model",
	.options = IMPORT_DATASET,
	.knows = knows,
	.read = read,
};
