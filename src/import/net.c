/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads .net files of the original ParaDL, and finds the strides and paddings that they do not give. */
#include "base/error.h"
#include "import/original.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

/* Reads .net files of the original ParaDL, and the configurations that say which of their layers are cut. */

/* The kinds as they appear in the names of layers; NULL-terminated. */
static const char *const net_kind_names[] = {
	"CONV", "MPOOL", "APOOL", "RELU", "FC", "BNORM", "ADD", "DROPOUT", "", NULL};

double net_dims_items(const struct net_dims *dims)
{
	double items = 1;
	for (unsigned i = 0; i < dims->count; i++)
		items *= dims->value[i];
	return items;
}

/* Parses dimensions such as "3x226x226". False: the text has another form, or a number is too large. */
static bool dims_parse(const char *text, struct net_dims *dims)
{
	dims->count = 0;
	for (;;) {
		const size_t digits = strspn(text, "0123456789");
		double value = 0;
		if (digits == 0 || digits > 10 || dims->count == DIMS_MAX)
			return false;
		for (size_t i = 0; i < digits; i++)
			value = 10 * value + (text[i] - '0');
		if (value > EXTENT_MAX)
			return false;
		dims->value[dims->count++] = (unsigned)value;
		text += digits;
		if (*text == '\0')
			return true;
		if (*text != 'x' && *text != 'X')
			return false;
		text++;
	}
}

static bool dims_read(
	const struct import_file *file, const struct import_line *line, unsigned field, struct net_dims *dims)
{
	char quoted[64];
	if (dims_parse(line->fields[field], dims))
		return true;
	return import_error(file, line, field, "%s is not dimensions such as 64x56x56 (up to %d numbers)",
		error_quote(quoted, sizeof(quoted), line->fields[field]), DIMS_MAX);
}

/* Reads the tensor of one sample: channels and up to three extents, none of them 0. */
static bool tensor_read(
	const struct import_file *file, const struct import_line *line, unsigned field, struct net_dims *dims)
{
	if (!dims_read(file, line, field, dims))
		return false;
	if (dims->count > DIMENSIONS_MAX + 1)
		return import_error(file, line, field,
			"a tensor has channels and up to 3 extents, but this has %u", dims->count);
	for (unsigned i = 0; i < dims->count; i++)
		if (dims->value[i] == 0)
			return import_error(file, line, field, "a tensor has an extent of 0");
	if (net_dims_items(dims) > LAYER_ITEMS_MAX)
		return import_error(file, line, field, "a tensor has more than 2^53 items");
	return true;
}

static bool header_read_line(const struct import_file *file, unsigned index, const char *key,
	const char *example, const char **value)
{
	if (index >= file->count)
		return error_at(file->error, PARADL_SYNTAX, file->path, 0, 0,
			"ends before its line \"%s|%s\"", key, example);
	const struct import_line *const line = &file->lines[index];
	if (line->count < 2 || strcasecmp(line->fields[0], key) != 0)
		return import_error(file, line, 0, "must be \"%s|%s\"", key, example);
	*value = line->fields[1];
	return true;
}

static bool header_read_all(const struct import_file *file, struct net *net)
{
	const char *input;
	struct net_dims dims;
	if (!header_read_line(file, 0, "Dataset", "NAME", &net->dataset) ||
		!header_read_line(file, 1, "Input", "SAMPLESxCHANNELSxWIDTHxHEIGHT", &input) ||
		!header_read_line(file, 2, "Model", "NAME", &net->name) ||
		!dims_read(file, &file->lines[1], 1, &dims))
		return false;
	if (dims.count < 3)
		return import_error(
			file, &file->lines[1], 1, "must be SAMPLESxCHANNELSxWIDTH[xHEIGHT[xDEPTH]]");
	net->samples = dims.value[0];
	net->input =
		(struct tensor){.channels = dims.value[1], .dimensions = dims.count - 2, .extent = {1, 1, 1}};
	for (unsigned i = 0; i < dims.count; i++) {
		if (dims.value[i] == 0)
			return import_error(file, &file->lines[1], 1, "none of its numbers may be 0");
		if (i >= 2)
			net->input.extent[i - 2] = dims.value[i];
	}
	return true;
}

static enum net_kind kind_of(const char *name)
{
	for (unsigned kind = NET_CONV; kind < NET_OTHER; kind++)
		if (strstr(name, net_kind_names[kind]))
			return (enum net_kind)kind;
	return NET_OTHER;
}

static bool layer_read(const struct import_file *file, const struct import_line *line, struct net *net)
{
	struct net_layer *const layer = &net->layers[net->count];
	double seconds = 0;
	if (line->count < 4)
		return import_error(
			file, line, line->count, "a layer is NAME|x dims|w dims|y dims[|seconds]");
	layer->line = line->number;
	layer->name = line->fields[0];
	layer->kind = kind_of(layer->name);
	if (!tensor_read(file, line, 1, &layer->x) || !dims_read(file, line, 2, &layer->w) ||
		!tensor_read(file, line, 3, &layer->y))
		return false;
	if (line->count > 4 && line->fields[4][0] != '\0' && !import_number(file, line, 4, &seconds))
		return false;
	net->seconds += seconds;
	net->timed += seconds > 0;
	net->count++;
	return true;
}

static bool net_read(struct paradl_arena *arena, const struct import_file *file, struct net *net)
{
	enum { HEADER_LINES = 3 };
	*net = (struct net){0};
	if (!header_read_all(file, net))
		return false;
	if (file->count == HEADER_LINES)
		return error_at(file->error, PARADL_SYNTAX, file->path, 0, 0, "has no layers");
	if (file->count - HEADER_LINES > NET_LAYERS_MAX)
		return error_at(file->error, PARADL_SYNTAX, file->path, 0, 0, "has more than %d layers",
			NET_LAYERS_MAX);
	net->layers = arena_alloc(arena, file->count, sizeof(*net->layers));
	if (!net->layers)
		return out_of_memory(file->error);
	for (unsigned i = HEADER_LINES; i < file->count; i++)
		if (!layer_read(file, &file->lines[i], net))
			return false;
	return true;
}

/*
 * Warns of the kinds of layers that the configuration cuts. False with an error unless it has as many lines as there
 * are layers.
 */
static bool layer_config_read(
	const struct import_file *file, const struct net *net, struct warnings *warnings)
{
	unsigned all[NET_OTHER + 1] = {0}, cut[NET_OTHER + 1] = {0};
	if (file->count != net->count)
		return error_at(file->error, PARADL_SYNTAX, file->path, 0, 0,
			"has %u lines, but the network has %u layers", file->count, net->count);
	for (unsigned i = 0; i < file->count; i++) {
		const struct import_line *const line = &file->lines[i];
		const enum net_kind kind = net->layers[i].kind;
		double flag = 0;
		if (line->count < 2)
			return import_error(file, line, 1, "a line is NAME|0 or NAME|1");
		if (line->fields[1][0] != '\0' && !import_number(file, line, 1, &flag))
			return false;
		all[kind]++;
		cut[kind] += flag > 0;
	}
	for (unsigned kind = 0; kind <= NET_OTHER; kind++)
		if (all[kind] > 0)
			warn(warnings,
				"%s: cuts %u of %u %s layers; a model does not say this, a framework profile "
				"does",
				file->path, cut[kind], all[kind],
				kind == NET_OTHER ? "other" : net_kind_names[kind]);
	return true;
}

/* Recognises a file by its name, or because its first line that is no comment has fields. */
static bool knows(const struct import_source *source)
{
	const char *line = source->head.text;
	if (import_is_named(source, ".net"))
		return true;
	while (*line == '#' || (*line != '\0' && line[strspn(line, " \t\r")] == '\n')) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return !source->root && line[strcspn(line, "|\n")] == '|';
}

static bool convert(struct importing *importing, struct json_writer *writer)
{
	struct net net;
	struct import_file file, config;
	const char *const config_path = importing->options->layer_config;
	if (!import_lines(importing, &file) || !net_read(importing->arena, &file, &net))
		return false;
	if (config_path && (!import_file_read(importing->arena, config_path, &config, importing->error) ||
				   !layer_config_read(&config, &net, &importing->warnings)))
		return false;
	return net_write(importing->arena, &net, file.path, writer, &importing->warnings) ||
	       out_of_memory(importing->error);
}

static const char *read(struct importing *importing)
{
	struct import_writing writing;
	if (!import_writing_begin(importing, &writing))
		return NULL;
	return import_writing_end(importing, &writing, convert(importing, &writing.writer));
}

const struct importer importer_net = {
	.name = "net",
	.summary = "network of the original ParaDL: .net, .net_sc",
	.becomes = "paradl-model",
	.options = IMPORT_LAYER_CONFIG,
	.knows = knows,
	.read = read,
};

/*
 * A .net file gives x, y and kernel of a layer, but no stride and padding, so candidates are tried. The first match
 * wins. The padding is the same in every dimension, and the stride of each is the smallest one:
 *     convolution   "half" padding floor((K-1)/2), none, "same" (y = ceil(x / s)), then 1 .. K-1
 *     pooling       none, none with ceil, half, half with ceil
 * The smallest stride s with floor(room / s) = y - 1, where room = x + 2p - K, is floor(room / y) + 1. The smallest
 * with ceil(room / s) = y - 1 is ceil(room / (y - 1)). A pooling with one place has its kernel as stride.
 */

static long long divide_up(long long a, long long b)
{
	return a <= 0 ? 0 : (a + b - 1) / b;
}

static long long stride_candidate(long long x, long long y, long long room, const struct net_window *window)
{
	if (window->same)
		return divide_up(x, y);
	if (window->ceil)
		return room > y - 1 && y > 1 ? divide_up(room, y - 1) : 1;
	return room / y + 1;
}

/* Returns the smallest stride with which x gives y places, or 0. */
static unsigned stride_find(
	long long x, long long y, unsigned kernel, const struct net_window *window, bool pools)
{
	const long long room = x + 2LL * window->pad - kernel;
	if (room < 0 && !window->same && !(window->ceil && room + kernel > 0))
		return 0;
	const long long stride = pools && y == 1 ? kernel : stride_candidate(x, y, room, window);
	if (stride > WINDOW_MAX)
		return 0;
	const long long made = window->same   ? divide_up(x, stride)
			       : window->ceil ? divide_up(room, stride) + 1
					      : room / stride + 1;
	return made == y ? (unsigned)stride : 0;
}

static bool fits(const struct net_layer *layer, struct net_window *window, unsigned pad, bool same, bool ceil)
{
	const bool pools = layer->kind != NET_CONV;
	window->pad = pad;
	window->same = same;
	window->ceil = ceil;
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->stride[d] = stride_find(
			layer->x.value[d + 1], layer->y.value[d + 1], window->kernel[d], window, pools);
		if (window->stride[d] == 0)
			return false;
	}
	return true;
}

static bool conv_fits(const struct net_layer *layer, struct net_window *window, unsigned half, unsigned most)
{
	enum { PADS_TRIED = 64 };
	if (fits(layer, window, half, false, false) || fits(layer, window, 0, false, false) ||
		fits(layer, window, 0, true, false))
		return true;
	for (unsigned pad = 1; pad <= most && pad < PADS_TRIED; pad++)
		if (fits(layer, window, pad, false, false))
			return true;
	return false;
}

bool net_window_find(const struct net_layer *layer, struct net_window *window)
{
	unsigned least = UINT_MAX;
	*window = (struct net_window){.dimensions = layer->x.count - 1};
	if (window->dimensions == 0 || layer->y.count != layer->x.count ||
		layer->w.count != window->dimensions + 2)
		return false;
	for (unsigned d = 0; d < window->dimensions; d++) {
		window->kernel[d] = layer->w.value[d + 2];
		if (window->kernel[d] == 0 || window->kernel[d] > WINDOW_MAX)
			return false;
		least = window->kernel[d] < least ? window->kernel[d] : least;
	}
	const unsigned half = (least - 1) / 2;
	if (layer->kind == NET_CONV)
		return conv_fits(layer, window, half, least - 1);
	return fits(layer, window, 0, false, false) || fits(layer, window, 0, false, true) ||
	       fits(layer, window, half, false, false) || fits(layer, window, half, false, true);
}
