/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "cli/validate_run.h"

enum { DIMENSIONS = 3 };

static const char *extents(struct session *session, const char *name, const unsigned values[DIMENSIONS])
{
	return arena_printf(session->arena, " %s=%u,%u,%u", name, values[0] ? values[0] : 1,
		values[1] ? values[1] : 1, values[2] ? values[2] : 1);
}

static const char *window(struct session *session, const struct paradl_layer_shape *shape)
{
	unsigned pad[DIMENSIONS];
	memcpy(pad, shape->pad, sizeof pad);
	const char *const parts[] = {
		extents(session, "kernel", shape->kernel),
		extents(session, "stride", shape->stride),
		arena_printf(session->arena, " pad=%u,%u,%u", pad[0], pad[1], pad[2]),
		extents(session, "dilation", shape->dilation),
		extents(session, "x", shape->x),
		extents(session, "y", shape->y),
	};
	const char *text = "";
	for (size_t i = 0; text && i < sizeof parts / sizeof parts[0]; i++)
		text = parts[i] ? arena_printf(session->arena, "%s%s", text, parts[i]) : NULL;
	return text ? text : "";
}

/* Returns the line of a layer; "" for one that does nothing, NULL for one that the program does not have. */
static const char *layer_line(struct session *session, const struct paradl_layer_shape *shape)
{
	struct paradl_arena *const arena = session->arena;
	unsigned items = shape->x_channels;
	for (unsigned i = 0; i < DIMENSIONS; i++)
		items *= shape->x[i] ? shape->x[i] : 1;
	if (shape->tokens)
		return NULL;
	if (strcmp(shape->type, "conv") == 0 && shape->groups == 1)
		return arena_printf(arena, "convolution channels=%u filters=%u bias=%d%s\n",
			shape->x_channels, shape->y_channels, shape->bias, window(session, shape));
	if (strcmp(shape->type, "linear") == 0)
		return arena_printf(arena, "linear channels=%u filters=%u bias=%d\n", items,
			shape->y_channels, shape->bias);
	if (strcmp(shape->type, "act") == 0 && strcmp(shape->kind, "relu") == 0)
		return "relu\n";
	if (strcmp(shape->type, "pool") == 0 && strcmp(shape->kind, "max") == 0)
		return arena_printf(arena, "max-pool%s\n", window(session, shape));
	if (strcmp(shape->type, "pool") == 0 && strcmp(shape->kind, "avg") == 0)
		return arena_printf(arena, "mean-pool%s\n", window(session, shape));
	if (strcmp(shape->type, "loss") == 0 && strcmp(shape->kind, "cross-entropy") == 0)
		return "softmax-loss\n";
	return strcmp(shape->type, "flatten") == 0 ? "" : NULL;
}

const char *run_network_text(struct session *session, const struct paradl_model *model)
{
	const struct paradl_model_info info = paradl_model_info(model);
	const char *text = "";
	for (size_t i = 0; text && i < info.layer_count; i++) {
		const struct paradl_layer_shape shape = paradl_model_shape(model, i);
		const char *const line = layer_line(session, &shape);
		if (!line) {
			session_usage(session, "%s cannot be run here: layer %s is of type %s%s%s", info.name,
				paradl_model_layer(model, i).name, shape.type, *shape.kind ? " " : "",
				shape.kind);
			error_hint(&session->error, "the program has conv (one group), linear, relu, max and "
						    "avg pool, and a cross-entropy loss, each layer after "
						    "the other; tiny-cnn is such a network");
			return NULL;
		}
		text = arena_printf(session->arena, "%s%s", text, line);
	}
	if (!text)
		out_of_memory(&session->error);
	return text;
}
