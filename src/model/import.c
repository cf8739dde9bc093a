/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of other tools as native JSON text. */
#include "model/import.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/file.h"
#include "base/yaml.h"
#include "model/dataset.h"
#include "model/huggingface.h"
#include "model/import_workload.h"

enum target { TARGET_MODEL, TARGET_MACHINE };

struct import_job {
	struct paradl_arena *arena;
	const char *path, *layer_config_path;
	bool dataset_only;
	struct warnings warnings;
	struct paradl_error *error;
};

static bool out_of_memory(const struct import_job *job)
{
	return error_set(job->error, PARADL_NO_MEMORY, "out of memory");
}

/* By the name (VGG.net_sc, ABCI.plat), else by the first line. */
static enum target target_of(const struct import_file *file)
{
	static const char *const keys[] = {
		"MEM_PER_NODE", "NODE_SPEED", "BANDWIDTH", "LATENCY", "MAX_NODE", "GPU_PER_NODE"};
	const char *const slash = strrchr(file->path, '/'), *const name = slash ? slash + 1 : file->path;
	if (strstr(name, ".plat"))
		return TARGET_MACHINE;
	if (strstr(name, ".net"))
		return TARGET_MODEL;
	for (size_t i = 0; file->count > 0 && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcasecmp(file->lines[0].fields[0], keys[i]) == 0)
			return TARGET_MACHINE;
	return TARGET_MODEL;
}

static bool write_model(struct import_job *job, const struct import_file *file, struct json_writer *writer)
{
	struct net net;
	struct import_file config;
	if (!net_read(job->arena, file, &net))
		return false;
	if (job->layer_config_path &&
		(!import_file_read(job->arena, job->layer_config_path, &config, job->error) ||
			!layer_config_read(&config, &net, &job->warnings)))
		return false;
	return net_write(job->arena, &net, job->path, writer, &job->warnings) || out_of_memory(job);
}

/* What was written must read back: a file may hold more than a model can express. */
static bool reads_back(const struct import_job *job, const char *text, size_t length)
{
	struct paradl_error reason = {.status = PARADL_OK};
	struct paradl_arena *const scratch = paradl_arena_create();
	const struct json *const root =
		scratch ? json_parse(scratch, text, length, job->path, &reason) : NULL;
	const bool reads = root && model_build(scratch, root, NULL, &reason);
	paradl_arena_free(scratch);
	if (reads)
		return true;
	return error_at(job->error, PARADL_SCHEMA, job->path, 0, 0, "cannot be a model: %s", reason.message);
}

static const char *finish(struct import_job *job, const char *text, size_t length, bool is_model)
{
	if (is_model && !reads_back(job, text, length))
		return NULL;
	const char *const copy = arena_copy(job->arena, text, length);
	if (!copy)
		out_of_memory(job);
	return copy;
}

/* The original tool's files. */
static const char *import_lines(
	struct import_job *job, char *lines, size_t lines_length, struct paradl_findings *findings)
{
	struct import_file file;
	char *text = NULL;
	size_t length = 0;
	if (!import_file_split(job->arena, job->path, lines, lines_length, &file, job->error))
		return NULL;
	const bool is_model = target_of(&file) == TARGET_MODEL;
	struct json_writer writer = {.file = open_memstream(&text, &length)};
	if (!writer.file) {
		out_of_memory(job);
		return NULL;
	}
	const bool written =
		is_model ? write_model(job, &file, &writer) : platform_write(&file, &writer, &job->warnings);
	const bool closed = fclose(writer.file) == 0;
	const char *result = NULL;
	if (written && !closed)
		out_of_memory(job);
	if (written && closed)
		result = finish(job, text, length, is_model);
	free(text);
	const char *const format = is_model ? "paradl-model" : "paradl-hw";
	return result && warnings_finish(&job->warnings, format, findings, job->error) ? result : NULL;
}

/* What fio and IOR write. */
static bool is_measured(const struct json *root)
{
	return json_member(root, "fio version") || (json_member(root, "tests") && json_member(root, "Began"));
}

/* A config.json of Hugging Face transformers. */
static const char *import_config(
	struct import_job *job, const char *text, size_t length, struct paradl_findings *findings)
{
	struct transformer_shape shape;
	const struct json *const root = json_parse(job->arena, text, length, job->path, job->error);
	if (root && is_measured(root)) {
		error_at(job->error, PARADL_USAGE, job->path, 0, 0,
			"has measurements, which are not imported");
		error_hint(job->error, "'paradl fit %s --into HW.json' puts them into a machine's profile",
			job->path);
		return NULL;
	}
	if (!root || !huggingface_read(job->arena, root, &shape, &job->warnings, job->error))
		return NULL;
	if (job->layer_config_path) {
		error_set(job->error, PARADL_USAGE, "a layer configuration goes with a .net file only");
		return NULL;
	}
	const char *const result = transformer_write(job->arena, &shape, job->error);
	if (!result || !reads_back(job, result, strlen(result)))
		return NULL;
	return warnings_finish(&job->warnings, "paradl-model", findings, job->error) ? result : NULL;
}

static bool dataset_reads_back(const struct import_job *job, const char *text, size_t length)
{
	static const char *const others[] = {"format", "version", NULL};
	struct paradl_error reason = {.status = PARADL_OK};
	struct dataset dataset;
	const struct json *const root = json_parse(job->arena, text, length, job->path, &reason);
	if (root && dataset_read(root, others, 0, &dataset, &reason))
		return true;
	return error_at(
		job->error, PARADL_SCHEMA, job->path, 0, 0, "cannot be a data set: %s", reason.message);
}

static const char *workload_text(struct import_job *job, const struct workload *workload)
{
	char *text = NULL;
	size_t length = 0;
	const char *result = NULL;
	struct json_writer writer = {.file = open_memstream(&text, &length)};
	const bool written = writer.file && workload_write(job->arena, workload, job->dataset_only, &writer);
	if (!writer.file || fclose(writer.file) != 0 || !written)
		out_of_memory(job);
	else if (!job->dataset_only || dataset_reads_back(job, text, length))
		result = finish(job, text, length, !job->dataset_only);
	free(text);
	return result;
}

/* A workload of DLIO. */
static const char *import_workload(
	struct import_job *job, const char *text, size_t length, struct paradl_findings *findings)
{
	struct workload workload;
	const struct json *const root = yaml_parse(job->arena, text, length, job->path, job->error);
	if (!root || !workload_read(root, &workload, &job->warnings, job->error))
		return NULL;
	if (!(workload.compute_s > 0) && !job->dataset_only) {
		error_at(job->error, PARADL_SCHEMA, job->path, 0, 0,
			"has no computation_time: nothing says how fast samples are wanted");
		error_hint(job->error, "--as dataset writes its data set alone");
		return NULL;
	}
	const char *const result = workload_text(job, &workload);
	const char *const format = job->dataset_only ? "paradl-dataset" : "paradl-model";
	if (!result || !warnings_finish(&job->warnings, format, findings, job->error))
		return NULL;
	findings->note = workload.compute_s > 0 ? workload_note(job->arena, &workload) : NULL;
	return result;
}

static const char *import(struct import_job *job, struct paradl_findings *findings)
{
	size_t length = 0;
	char *const text = file_read(job->arena, job->path, IMPORT_SIZE_LIMIT, &length, job->error);
	if (!text)
		return NULL;
	const bool is_object = text[strspn(text, " \t\r\n")] == '{';
	if (!is_object && workload_is(job->path, text)) {
		if (!job->layer_config_path)
			return import_workload(job, text, length, findings);
		error_set(job->error, PARADL_USAGE, "a layer configuration goes with a .net file only");
		return NULL;
	}
	if (job->dataset_only) {
		error_at(job->error, PARADL_USAGE, job->path, 0, 0,
			"is no workload of DLIO: only of those a data set is imported");
		return NULL;
	}
	return is_object ? import_config(job, text, length, findings)
			 : import_lines(job, text, length, findings);
}

const char *paradl_import(struct paradl_arena *arena, const char *path, const char *layer_config_path,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct import_job job = {.arena = arena,
		.path = path,
		.layer_config_path = layer_config_path,
		.warnings = {.arena = arena},
		.error = error};
	return import(&job, findings);
}

const char *paradl_import_dataset(struct paradl_arena *arena, const char *path,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct import_job job = {.arena = arena,
		.path = path,
		.dataset_only = true,
		.warnings = {.arena = arena},
		.error = error};
	return import(&job, findings);
}
