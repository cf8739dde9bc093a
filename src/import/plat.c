/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports a .plat file as a machine profile. The original tool reads BANDWIDTH and LATENCY but computes with
 * constants of its own. Here they describe the network between nodes, and the tool's NVLink constants the links
 * inside a node. MAX_NODE limits the number of devices in that tool, whatever its name says.
 */
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/quantity.h"
#include "import/original.h"

#define NVLINK_BYTES_PER_S 50e9
#define NVLINK_LATENCY_S   9e-6

enum { TEXT_SIZE = 80 };

enum key { MEMORY, SPEED, BANDWIDTH, LATENCY, DEVICES, DEVICES_PER_NODE, KEY_COUNT };
static const char *const key_names[KEY_COUNT] = {
	"MEM_PER_NODE", "NODE_SPEED", "BANDWIDTH", "LATENCY", "MAX_NODE", "GPU_PER_NODE"};

struct platform {
	double value[KEY_COUNT];
	const struct import_line *line[KEY_COUNT];
};

static bool line_read(
	const struct import_file *file, const struct import_line *line, struct platform *platform)
{
	unsigned key = 0;
	while (key < KEY_COUNT && strcasecmp(line->fields[0], key_names[key]) != 0)
		key++;
	if (key == KEY_COUNT) {
		char quoted[64];
		return import_error(file, line, 0,
			"%s is not a key; known are MEM_PER_NODE, NODE_SPEED, BANDWIDTH, LATENCY, MAX_NODE, "
			"GPU_PER_NODE",
			error_quote(quoted, sizeof(quoted), line->fields[0]));
	}
	if (platform->line[key])
		return import_error(file, line, 0, "%s is given twice", key_names[key]);
	if (line->count < 2)
		return import_error(file, line, 1, "a line is KEY|value|unit");
	platform->line[key] = line;
	return import_number(file, line, 1, &platform->value[key]);
}

static bool is_count(const struct import_file *file, const struct platform *platform, enum key key)
{
	const double value = platform->value[key], most = 1e9;
	if (value >= 1 && value <= most && (double)(unsigned)value >= value)
		return true;
	return import_error(file, platform->line[key], 1, "must be a whole number from 1 to %.0f", most);
}

static bool platform_read(const struct import_file *file, struct platform *platform)
{
	for (unsigned i = 0; i < file->count; i++)
		if (!line_read(file, &file->lines[i], platform))
			return false;
	for (unsigned key = 0; key < KEY_COUNT; key++)
		if (!platform->line[key])
			return error_at(
				file->error, PARADL_SYNTAX, file->path, 0, 0, "has no %s", key_names[key]);
	if (!is_count(file, platform, DEVICES) || !is_count(file, platform, DEVICES_PER_NODE))
		return false;
	if (!(platform->value[BANDWIDTH] >= 1 && platform->value[BANDWIDTH] <= 1e18))
		return import_error(
			file, platform->line[BANDWIDTH], 1, "must be from 1 to 1e18 bytes per second");
	if (!(platform->value[LATENCY] <= 1))
		return import_error(file, platform->line[LATENCY], 1, "must be at most 1 second");
	return true;
}

static void write_quantity(struct json_writer *writer, const char *key, double value, const char *unit)
{
	enum { DIGITS = 12 };
	char text[TEXT_SIZE];
	decimal_general(text, sizeof(text) - 8, value, DIGITS);
	(void)strncat(text, unit, sizeof(text) - strlen(text) - 1);
	json_write_text(writer, key, text);
}

static void write_level(
	struct json_writer *writer, const char *name, double devices, double latency_s, double bytes_per_s)
{
	json_begin_object(writer, NULL);
	writer->compact = true;
	json_write_text(writer, "name", name);
	json_write_number(writer, "devices", devices);
	write_quantity(writer, "latency", latency_s * 1e6, " us");
	write_quantity(writer, "bandwidth", bytes_per_s / 1e9, " GB/s");
	json_end_object(writer);
	writer->compact = false;
}

static void write_levels(struct json_writer *writer, const struct platform *platform)
{
	const double per_node = platform->value[DEVICES_PER_NODE], devices = platform->value[DEVICES];
	const double latency_s = platform->value[LATENCY], bytes_per_s = platform->value[BANDWIDTH];
	json_begin_array(writer, "levels");
	if (per_node > 1 && devices > per_node)
		write_level(writer, "node", per_node, NVLINK_LATENCY_S, NVLINK_BYTES_PER_S);
	write_level(writer, "network", devices, latency_s, bytes_per_s);
	json_end_array(writer);
}

static void write_origins(struct json_writer *writer, bool has_node)
{
	json_begin_object(writer, "from");
	if (has_node) {
		json_write_text(writer, "levels/0/devices", "datasheet: GPU_PER_NODE of the file");
		json_write_text(writer, "levels/0", "paper: NVLink constants of the original tool");
	}
	json_write_text(writer, has_node ? "levels/1" : "levels/0",
		"datasheet: MAX_NODE, LATENCY, BANDWIDTH of the file");
	json_end_object(writer);
}

static bool platform_write(
	const struct import_file *file, struct json_writer *writer, struct warnings *warnings)
{
	struct platform platform = {{0}, {NULL}};
	const char *const slash = strrchr(file->path, '/');
	if (!platform_read(file, &platform))
		return false;
	double *const devices = &platform.value[DEVICES];
	const double per_node = platform.value[DEVICES_PER_NODE];
	const double nodes = (double)(unsigned)(*devices / per_node);
	if (nodes >= 1 && nodes * per_node < *devices) {
		warn(warnings, "MAX_NODE %.0f is no multiple of GPU_PER_NODE %.0f: %.0f devices are taken",
			*devices, per_node, nodes * per_node);
		*devices = nodes * per_node;
	}
	warn(warnings,
		"MEM_PER_NODE %g and NODE_SPEED %g (a peak in double precision) do not describe a device: "
		"v100-sxm2-16gb, the one the original tool was measured on, is named",
		platform.value[MEMORY], platform.value[SPEED]);
	warn(warnings, "the original tool does not compute with BANDWIDTH and LATENCY but with constants of "
		       "its own");
	json_begin_object(writer, NULL);
	json_write_text(writer, "format", "paradl-hw");
	json_write_number(writer, "version", 1);
	json_write_text(writer, "name", slash ? slash + 1 : file->path);
	json_write_text(writer, "device", "v100-sxm2-16gb");
	json_write_text(writer, "framework", "chainermn");
	write_levels(writer, &platform);
	write_origins(writer, per_node > 1 && *devices > per_node);
	json_end_object(writer);
	return true;
}

static bool begins_with_key(const char *line)
{
	line += strspn(line, " \t");
	for (unsigned key = 0; key < KEY_COUNT; key++)
		if (strncasecmp(line, key_names[key], strlen(key_names[key])) == 0)
			return true;
	return false;
}

/* Recognises a file by its name, or, unless it is JSON or named .net, by a line that begins with a key. */
static bool knows(const struct import_source *source)
{
	if (source->root || import_is_named(source, ".plat") || import_is_named(source, ".net"))
		return import_is_named(source, ".plat");
	for (const char *line = source->head.text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (begins_with_key(line))
			return true;
	}
	return false;
}

static const char *read(struct importing *importing)
{
	struct import_file file;
	struct import_writing writing;
	if (!import_lines(importing, &file) || !import_writing_begin(importing, &writing))
		return NULL;
	return import_writing_end(
		importing, &writing, platform_write(&file, &writing.writer, &importing->warnings));
}

const struct importer importer_plat = {
	.name = "plat",
	.summary = "platform of the original ParaDL: .plat",
	.becomes = "paradl-hw",
	.knows = knows,
	.read = read,
};
