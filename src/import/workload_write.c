/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a workload as a model or a data set:
 *     demand    of a device = batch * record length / computation time
 *     layer     takes computation time / batch for each sample; a third is said to be forward, as in most layers
 */
#include "import/workload.h"

#include <string.h>

#include "base/quantity.h"

/* Returns the bytes per second that each device reads while it computes without pause. 0: unknown */
static double workload_demand(const struct workload *workload)
{
	return workload->compute_s > 0 ? workload->batch * workload->record_bytes / workload->compute_s : 0;
}

const char *workload_note(struct paradl_arena *arena, const struct workload *workload)
{
	enum { DIGITS = 4 };
	char rate[DECIMAL_LENGTH], record[DECIMAL_LENGTH], time[DECIMAL_LENGTH];
	decimal_general(rate, sizeof rate, workload_demand(workload) / (1 << 20), DIGITS);
	const bool is_small = workload->record_bytes < 1e6;
	decimal_general(record, sizeof record, workload->record_bytes / (is_small ? 1e3 : 1e6), DIGITS);
	decimal_general(time, sizeof time, workload->compute_s * 1e3, DIGITS);
	return arena_printf(arena, "each device reads %s MiB/s: %.0f %s of %s %s every %s ms", rate,
		workload->batch, workload->batch > 1 ? "samples" : "sample", record, is_small ? "kB" : "MB",
		time);
}

/*
 * Returns the options of `paradl io` that say how the workload's loader reads; "" if it says nothing. NULL: out of
 * memory.
 */
static const char *workload_options(struct paradl_arena *arena, const struct workload *workload)
{
	const char *text = "";
	if (workload->readers >= 1)
		text = arena_printf(arena, "--workers %.0f", workload->readers);
	else if (workload->readers >= 0)
		text = "--no-prefetch";
	if (text && workload->prefetch >= 1)
		text = arena_printf(arena, "%s%s--prefetch %.0f", text, *text ? " " : "", workload->prefetch);
	return text;
}

struct format_way {
	const char *name, *layout, *encoding;
};

/*
 * Returns layout and encoding of the data set. Where a file holds several samples, all are read before the next file,
 * except in formats in which each sample has its own place.
 */
static struct format_way format_way(const struct workload *workload)
{
	static const struct format_way ways[] = {
		{"tfrecord", "shards", "none"},
		{"csv", "shards", "none"},
		{"parquet", "shards", "none"},
		{"hdf5", "hdf5", "none"},
		{"indexed_binary", "hdf5", "none"},
		{"mmap_indexed_binary", "hdf5", "none"},
		{"jpeg", NULL, "jpeg"},
		{"png", NULL, "png"},
	};
	struct format_way way = {workload->format, NULL, "none"};
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(workload->format, ways[i].name) == 0)
			way = ways[i];
	if (!way.layout)
		way.layout = workload->samples_per_file > 1 ? "shards" : "files";
	if (workload->compressed && strcmp(way.encoding, "none") == 0)
		way.encoding = "gzip";
	return way;
}

static void write_dataset(struct json_writer *writer, const struct workload *workload)
{
	const struct format_way way = format_way(workload);
	json_write_text(writer, "name", workload->name);
	json_write_number(writer, "samples", workload->files * workload->samples_per_file);
	import_quantity(writer, "sample_size", workload->record_bytes, " B");
	json_write_number(writer, "files", workload->files);
	import_quantity(writer, "decoded_size",
		workload->resized_bytes > 0 ? workload->resized_bytes : workload->record_bytes, " B");
	if (workload->preparation_s > 0)
		import_quantity(writer, "preparation", workload->preparation_s, " s");
	json_write_text(writer, "layout", way.layout);
	json_write_text(writer, "encoding", way.encoding);
}

static bool write_comments(
	struct paradl_arena *arena, const struct workload *workload, struct json_writer *writer)
{
	const char *const note = workload_note(arena, workload), *const how =
									 workload_options(arena, workload);
	if (!note || !how)
		return false;
	if (workload->compute_s > 0)
		json_write_text(writer, "_demand", note);
	if (*how)
		json_write_text(writer, "_reader", how);
	if (workload->epochs >= 1)
		json_write_number(writer, "_epochs", workload->epochs);
	if (workload->target_utilisation > 0)
		json_write_number(writer, "_target_utilisation", workload->target_utilisation);
	return true;
}

static void write_layers(struct json_writer *writer, const struct workload *workload)
{
	const double sample_s = workload->compute_s / workload->batch;
	json_begin_array(writer, "layers");
	json_begin_object(writer, NULL);
	writer->compact = true;
	json_write_text(writer, "name", "computation");
	json_write_text(writer, "type", "custom");
	json_write_number(writer, "flops", 0);
	json_begin_array(writer, "out_shape");
	json_write_number(writer, NULL, 1);
	json_end_array(writer);
	import_quantity(writer, "time", sample_s / 3, " s");
	import_quantity(writer, "time_bw", sample_s - sample_s / 3, " s");
	json_end_object(writer);
	writer->compact = false;
	json_end_array(writer);
}

bool workload_write(struct paradl_arena *arena, const struct workload *workload, bool dataset_only,
	struct json_writer *writer)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "format", dataset_only ? "paradl-dataset" : "paradl-model");
	json_write_number(writer, "version", 1);
	if (!dataset_only)
		json_write_text(writer, "name", workload->name);
	json_write_text(writer, "_source", workload->source);
	if (!write_comments(arena, workload, writer))
		return false;
	if (dataset_only) {
		write_dataset(writer, workload);
		json_end_object(writer);
		return true;
	}
	json_begin_object(writer, "input");
	json_write_number(writer, "channels", 1);
	json_begin_array(writer, "shape");
	json_write_number(writer, NULL, 1);
	json_end_array(writer);
	json_end_object(writer);
	json_begin_object(writer, "training");
	json_write_text(writer, "precision", "fp32");
	json_write_number(writer, "batch_per_gpu", workload->batch);
	json_end_object(writer);
	json_begin_object(writer, "dataset");
	write_dataset(writer, workload);
	json_end_object(writer);
	write_layers(writer, workload);
	json_end_object(writer);
	return true;
}
