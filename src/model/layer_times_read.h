/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured times of a network's layers on one device: format "paradl-profile", paradl-layer-times(5). Layers are
 * known by their full name ("res2/0/a"); times are of a whole batch.
 */
#ifndef MODEL_LAYER_TIMES_READ_H
#define MODEL_LAYER_TIMES_READ_H

#include "base/arena.h"
#include "base/json.h"

struct measured_layer {
	const char *name;
	double forward_s, backward_s, update_s; /* update_s 0: not given */
};

struct measured_batch {
	double batch;
	const struct measured_layer *layers; /* sorted by name */
	unsigned count;
};

struct measured_layers {
	const char *model, *device; /* device NULL: not given */
	enum paradl_precision precision;
	const struct measured_batch *batches; /* ascending by batch, each batch once */
	unsigned count;
};

bool measured_layers_read(struct paradl_arena *arena, const struct json *root,
	struct measured_layers *measured, struct paradl_error *error);
const struct measured_layer *measured_layer_find(const struct measured_batch *batch, const char *name);

/* Checks a file of layer times for likely mistakes (lint); false with an error where it cannot be read. */
bool measured_layers_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error);

#endif
