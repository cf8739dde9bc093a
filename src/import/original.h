/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The original tool's files, line by line: fields separated by '|', blanks around them, '#' comments, LF or CRLF,
 * perhaps no final newline.
 *     .net      Dataset|NAME   Input|SAMPLESxCxWxH[xD]   Model|NAME   then   NAME|x dims|w dims|y dims[|seconds]
 *     .lc       one line per layer: anything|0 (runs replicated) or 1 (is cut)
 *     .plat     KEY|value[|unit]
 */
#ifndef IMPORT_ORIGINAL_H
#define IMPORT_ORIGINAL_H

#include "import/importer.h"
#include "model/layer_type.h"

enum { FIELDS_MAX = 5, DIMS_MAX = 5, NET_LAYERS_MAX = 5000 };

struct import_line {
	int number;
	unsigned count;
	const char *fields[FIELDS_MAX];
	int columns[FIELDS_MAX];
};

struct import_file {
	const char *path;
	const struct import_line *lines; /* without comments and empty lines */
	unsigned count;
	struct paradl_error *error;
};

bool import_file_read(
	struct paradl_arena *arena, const char *path, struct import_file *file, struct paradl_error *error);
/* The same of the file that is imported. */
bool import_lines(struct importing *importing, struct import_file *file);
/* Is it named x.net, x.net_sc, or x.plat_old? */
bool import_is_named(const struct import_source *source, const char *extension);
/* An error at a field (beyond the last: at the last) of a line. Returns false. */
bool import_error(const struct import_file *file, const struct import_line *line, unsigned field,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
bool import_number(
	const struct import_file *file, const struct import_line *line, unsigned field, double *value);

struct net_dims {
	unsigned value[DIMS_MAX], count;
};
double net_dims_items(const struct net_dims *dims);

enum net_kind {
	NET_CONV,
	NET_MAX_POOL,
	NET_AVERAGE_POOL,
	NET_RELU,
	NET_LINEAR,
	NET_NORM,
	NET_ADD,
	NET_DROPOUT,
	NET_OTHER
};
extern const char *const net_kind_names[]; /* as they appear in the names of layers; NULL-terminated */

struct net_layer {
	int line;
	const char *name;
	enum net_kind kind;
	struct net_dims x, w, y;
};

struct net {
	const char *dataset, *name;
	double samples;
	struct tensor input;
	struct net_layer *layers;
	unsigned count, timed; /* timed: layers with a time that is not 0 */
	double seconds;        /* of all layers */
};

bool net_read(struct paradl_arena *arena, const struct import_file *file, struct net *net);
/* Says which kinds of layers the configuration cuts; its lines must be as many as the layers. */
bool layer_config_read(const struct import_file *file, const struct net *net, struct warnings *warnings);
/* Names of the layers in the model: unique. */
const char *const *net_names(struct paradl_arena *arena, const struct net *net);
bool net_write(struct paradl_arena *arena, const struct net *net, const char *path,
	struct json_writer *writer, struct warnings *warnings);

/* Stride and padding that turn x into y with this kernel, the usual ones first. */
struct net_window {
	unsigned dimensions;
	unsigned kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX];
	unsigned pad;
	bool same, ceil;
};
bool net_window_find(const struct net_layer *layer, struct net_window *window);

#endif
