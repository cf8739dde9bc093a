/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of the original tool are read line by line. Fields are separated by '|' with blanks around them, '#' begins a
 * comment, lines end with LF or CRLF, and the final newline may be missing.
 *     .net      Dataset|NAME   Input|SAMPLESxCxWxH[xD]   Model|NAME   then   NAME|x dims|w dims|y dims[|seconds]
 *     .lc       one line for each layer: anything|0 (runs replicated) or 1 (is cut)
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
/* Reads the lines of the file that is being imported. */
bool import_lines(struct importing *importing, struct import_file *file);
/* Returns whether the file's name contains the extension: x.net, x.net_sc, x.plat_old. A JSON object's never does. */
bool import_is_named(const struct import_source *source, const char *extension);
/* Sets an error at a field of a line, at the last field where `field` is beyond it. Returns false. */
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
	double seconds;        /* time of all layers for one sample */
};

bool net_write(struct paradl_arena *arena, const struct net *net, const char *path,
	struct json_writer *writer, struct warnings *warnings);

/* Window of a layer: its kernel, and the stride and padding that turn x into y. Usual ones are tried first. */
struct net_window {
	unsigned dimensions;
	unsigned kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX];
	unsigned pad;
	bool same, ceil;
};
bool net_window_find(const struct net_layer *layer, struct net_window *window);

#endif
