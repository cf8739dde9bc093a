/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models from text, for tests. */
#ifndef TESTS_MODEL_BUILD_H
#define TESTS_MODEL_BUILD_H

#include "test.h"

#include "model/model.h"

struct built {
	struct paradl_arena *arena;
	const struct paradl_model *model; /* NULL: refused, see error */
	struct paradl_error error;
};

static inline struct built build_variant(const char *text, const struct model_variant *variant)
{
	struct built built = {.arena = paradl_arena_create()};
	assert_non_null(built.arena);
	const struct json *const root =
		json_parse(built.arena, text, strlen(text), "model.json", &built.error);
	if (root)
		built.model = model_build(built.arena, root, variant, &built.error);
	return built;
}

/* A model of these layers; `input` is "channels, [extents]". */
static inline struct built build_at(const char *channels, const char *shape, const char *layers)
{
	char text[4096];
	const int length = snprintf(text, sizeof text,
		"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"test\", \"dims\": { \"width\": "
		"5, \"times\": 3 }, "
		"\"input\": { \"channels\": %s, \"shape\": %s }, \"layers\": [ %s ] }",
		channels, shape, layers);
	assert_true(length > 0 && (size_t)length < sizeof text);
	struct built built = build_variant(text, NULL);
	if (!built.model)
		fail_msg("refused at %s: %s", built.error.pointer, built.error.message);
	return built;
}

/* A model of these layers, of sequences of so many tokens. */
static inline struct built build_tokens(const char *layers, unsigned tokens)
{
	char text[4096];
	const int length = snprintf(text, sizeof text,
		"{ \"format\": \"paradl-model\", \"version\": 1, \"name\": \"test\", \"input\": { "
		"\"tokens\": %u }, "
		"\"layers\": [ %s ] }",
		tokens, layers);
	assert_true(length > 0 && (size_t)length < sizeof text);
	struct built built = build_variant(text, NULL);
	if (!built.model)
		fail_msg("refused at %s: %s", built.error.pointer, built.error.message);
	return built;
}

static inline const struct layer *layer_at(const struct built *built, unsigned position)
{
	assert_true(position < built->model->order_count);
	return &built->model->layers[built->model->order[position]];
}

static inline void assert_shape(const struct built *built, unsigned position, const char *y)
{
	assert_string_equal(paradl_model_layer(built->model, position).y, y);
}

#endif
