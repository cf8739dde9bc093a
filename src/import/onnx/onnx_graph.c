/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/onnx/onnx_graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

bool span_is(struct span span, const char *text)
{
	return strlen(text) == span.length && memcmp(span.text, text, span.length) == 0;
}

bool span_equal(struct span a, struct span b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

/* Replaces by '?' what could steer a terminal or is no ASCII: names come from files of others. */
const char *span_format(struct span span, char *text, size_t size)
{
	size_t used = 0;
	for (; used < span.length && used + 1 < size; used++) {
		const char c = span.text[used];
		text[used] = '?';
		if (c >= ' ' && c <= '~')
			text[used] = c;
	}
	text[used] = '\0';
	if (used < span.length && used > 3)
		memcpy(text + used - 3, "...", 3);
	return text;
}

const char *node_format(const struct onnx_graph *graph, const struct onnx_node *node, char *text, size_t size)
{
	char operation[48], name[96];
	const bool has_output = node->output_count > 0 && node->outputs[0] != NOTHING;
	struct span shown = node->name;
	if (shown.length == 0 && has_output)
		shown = graph->values[node->outputs[0]].name;
	(void)snprintf(text, size, "%s \"%s\"", span_format(node->operation, operation, sizeof operation),
		span_format(shown, name, sizeof name));
	return text;
}

double shape_items(const struct onnx_shape *shape)
{
	double items = 1;
	for (unsigned i = 0; i < shape->rank; i++)
		items *= shape->dims[i];
	return items;
}

bool graph_error(const struct onnx_graph *graph, const char *format, ...)
{
	char text[256];
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return error_at(graph->error, PARADL_SCHEMA, graph->path, 0, 0, "%s", text);
}

bool graph_walked(const struct onnx_graph *graph, const struct wire *wire)
{
	if (!wire->broken)
		return true;
	return graph_error(graph, "is no ONNX file, or a part of one: at byte %zu %s",
		(size_t)(wire->at - graph->start), wire->broken);
}

const struct onnx_attribute *attribute_find(const struct onnx_node *node, const char *name)
{
	for (unsigned i = 0; i < node->attribute_count; i++)
		if (span_is(node->attributes[i].name, name))
			return &node->attributes[i];
	return NULL;
}

double attribute_number(const struct onnx_node *node, const char *name, double otherwise)
{
	const struct onnx_attribute *const attribute = attribute_find(node, name);
	return attribute ? attribute->number : otherwise;
}

/* ---- names ------------------------------------------------------------------------------------- */

static uint64_t hash(struct span name)
{
	uint64_t value = 14695981039346656037U; /* FNV-1a */
	for (size_t i = 0; i < name.length; i++)
		value = (value ^ (unsigned char)name.text[i]) * 1099511628211U;
	return value ^ (value >> 32);
}

bool names_create(struct onnx_graph *graph, struct onnx_names *names, size_t most)
{
	names->slot_count = 16;
	while (names->slot_count < 2 * most)
		names->slot_count *= 2;
	names->slots = arena_alloc(graph->arena, names->slot_count, sizeof(*names->slots));
	graph->values = arena_alloc(graph->arena, most > 0 ? most : 1, sizeof(*graph->values));
	return (names->slots && graph->values) || out_of_memory(graph->error);
}

static unsigned *slot(const struct onnx_graph *graph, const struct onnx_names *names, struct span name)
{
	size_t i = hash(name) & (names->slot_count - 1);
	while (names->slots[i] != 0 && !span_equal(graph->values[names->slots[i] - 1].name, name))
		i = (i + 1) & (names->slot_count - 1);
	return &names->slots[i];
}

int names_find(const struct onnx_graph *graph, const struct onnx_names *names, struct span name)
{
	return name.length == 0 ? NOTHING : (int)*slot(graph, names, name) - 1;
}

int names_value(struct onnx_graph *graph, struct onnx_names *names, struct span name)
{
	if (name.length == 0)
		return NOTHING;
	unsigned *const found = slot(graph, names, name);
	if (*found == 0) {
		graph->values[graph->value_count] = (struct onnx_value){
			.name = name, .producer = NOTHING, .origin = graph->value_count, .layer = NOTHING};
		*found = ++graph->value_count;
	}
	return (int)*found - 1;
}
