/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes ONNX files, from the specification of the format and without the code that reads them. */
#ifndef TESTS_IMPORT_ONNX_WRITER_H
#define TESTS_IMPORT_ONNX_WRITER_H

#include "test.h"

#include <unistd.h>

#include "base/json.h"
#include "model/model.h"

struct out {
	uint8_t *data;
	size_t used, size;
};

static inline void out_byte(struct out *out, unsigned byte)
{
	if (out->used == out->size) {
		out->size = out->size > 0 ? 2 * out->size : 1024;
		out->data = realloc(out->data, out->size);
		assert_non_null(out->data);
	}
	out->data[out->used++] = (uint8_t)byte;
}

static inline void out_number(struct out *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		out_byte(out, (unsigned)(value & 0x7f) | 0x80U);
	out_byte(out, (unsigned)value);
}

static inline void out_integer(struct out *out, unsigned field, long long value)
{
	out_number(out, (uint64_t)field << 3);
	out_number(out, (uint64_t)value);
}

static inline void out_bytes(struct out *out, unsigned field, const void *data, size_t length)
{
	out_number(out, (uint64_t)field << 3 | 2);
	out_number(out, length);
	for (size_t i = 0; i < length; i++)
		out_byte(out, ((const uint8_t *)data)[i]);
}

static inline void out_text(struct out *out, unsigned field, const char *text)
{
	out_bytes(out, field, text, strlen(text));
}

/* A message made apart, as a field; it is freed. */
static inline void out_message(struct out *out, unsigned field, struct out *message)
{
	out_bytes(out, field, message->data, message->used);
	free(message->data);
	*message = (struct out){NULL, 0, 0};
}

static inline void out_float(struct out *out, unsigned field, float value)
{
	uint8_t bytes[4];
	memcpy(bytes, &value, sizeof bytes);
	out_number(out, (uint64_t)field << 3 | 5);
	for (unsigned i = 0; i < 4; i++)
		out_byte(out, bytes[i]);
}

/* "3,-1,2" as a field for each number. */
static inline void out_list(struct out *out, unsigned field, const char *list)
{
	char *end;
	for (; *list != '\0'; list = *end == ',' ? end + 1 : end) {
		out_integer(out, field, strtoll(list, &end, 10));
		assert_true(end > list);
	}
}

/* "x,w,b" as a text for each name. */
static inline void out_names(struct out *out, unsigned field, const char *names)
{
	for (;;) {
		const size_t length = strcspn(names, ",");
		out_bytes(out, field, names, length);
		if (names[length] == '\0')
			return;
		names += length + 1;
	}
}

/* NAME=1,2 (whole numbers), NAME:1 (one), NAME~0.5 (a float), NAME"text, with ';' between. */
static inline void put_attributes(struct out *node, const char *attributes)
{
	while (*attributes != '\0') {
		char one[128];
		const size_t length = strcspn(attributes, ";");
		struct out message = {NULL, 0, 0};
		assert_true(length < sizeof one);
		memcpy(one, attributes, length);
		one[length] = '\0';
		const size_t name = strcspn(one, "=:~\"");
		const char sign = one[name];
		out_bytes(&message, 1, one, name);
		if (sign == '=')
			out_list(&message, 8, one + name + 1);
		else if (sign == ':')
			out_integer(&message, 3, strtoll(one + name + 1, NULL, 10));
		else if (sign == '~')
			out_float(&message, 2, strtof(one + name + 1, NULL));
		else
			out_text(&message, 4, one + name + 1);
		out_message(node, 5, &message);
		attributes += length + (attributes[length] == ';');
	}
}

static inline void put_node(struct out *graph, const char *operation, const char *inputs, const char *outputs,
	const char *attributes)
{
	struct out node = {NULL, 0, 0};
	if (*inputs != '\0')
		out_names(&node, 1, inputs);
	out_names(&node, 2, outputs);
	out_text(&node, 4, operation);
	put_attributes(&node, attributes);
	out_message(graph, 1, &node);
}

/* Of floats without its data, which nothing may look at; of whole numbers with them. */
static inline void put_tensor(struct out *graph, const char *name, const char *dims, const char *numbers)
{
	struct out tensor = {NULL, 0, 0};
	out_list(&tensor, 1, dims);
	out_integer(&tensor, 2, numbers ? 7 : 1);
	if (numbers)
		out_list(&tensor, 7, numbers);
	out_text(&tensor, 8, name);
	out_message(graph, 5, &tensor);
}

/* An input (11), an output (12) or a value (13); dimensions below 1 are symbols. */
static inline void put_value(struct out *graph, unsigned field, const char *name, const char *dims)
{
	struct out shape = {NULL, 0, 0}, tensor = {NULL, 0, 0}, type = {NULL, 0, 0}, value = {NULL, 0, 0};
	char *end;
	for (; *dims != '\0'; dims = *end == ',' ? end + 1 : end) {
		struct out dim = {NULL, 0, 0};
		const long long extent = strtoll(dims, &end, 10);
		if (extent > 0)
			out_integer(&dim, 1, extent);
		else
			out_text(&dim, 2, "n");
		out_message(&shape, 1, &dim);
	}
	out_integer(&tensor, 1, 1);
	out_message(&tensor, 2, &shape);
	out_message(&type, 1, &tensor);
	out_text(&value, 1, name);
	out_message(&value, 2, &type);
	out_message(graph, field, &value);
}

/* What import makes of it. */
struct imported {
	struct paradl_arena *arena;
	const char *text;
	const struct paradl_model *model;
	struct paradl_findings findings;
	struct paradl_error error;
};

static inline void imported_free(struct imported *imported)
{
	paradl_arena_free(imported->arena);
	*imported = (struct imported){.arena = NULL};
}

static inline struct imported import_path(const char *path, const struct paradl_import_options *options)
{
	struct imported imported = {.arena = paradl_arena_create()};
	assert_non_null(imported.arena);
	imported.text = paradl_import(imported.arena, path, options, &imported.findings, &imported.error);
	if (imported.text) {
		struct paradl_error error;
		const struct json *const root =
			json_parse(imported.arena, imported.text, strlen(imported.text), "imported", &error);
		assert_non_null(root);
		imported.model = model_build(imported.arena, root, NULL, &error);
		assert_non_null(imported.model);
	}
	return imported;
}

static inline struct imported import_bytes(
	const void *data, size_t length, const struct paradl_import_options *options)
{
	char path[] = "/tmp/paradl-test-XXXXXX";
	const int file = mkstemp(path);
	assert_true(file >= 0 && write(file, data, length) == (ssize_t)length);
	close(file);
	struct imported imported = import_path(path, options);
	unlink(path);
	return imported;
}

/* The graph as a model; it is freed. */
static inline struct imported import_graph_with(
	struct out *graph, const struct paradl_import_options *options)
{
	struct out model = {NULL, 0, 0}, opset = {NULL, 0, 0};
	out_integer(&model, 1, 8);
	out_message(&model, 7, graph);
	out_integer(&opset, 2, 13);
	out_message(&model, 8, &opset);
	struct imported imported = import_bytes(model.data, model.used, options);
	free(model.data);
	return imported;
}

static inline struct imported import_graph(struct out *graph)
{
	return import_graph_with(graph, NULL);
}

static inline void assert_counts(const struct imported *imported, double params, double flop)
{
	if (!imported->model)
		fail_msg("refused: %s", imported->error.message);
	assert_close(imported->model->weight_items, params, 0);
	assert_close(imported->model->forward_flop, flop, 1e-12);
}

#endif
