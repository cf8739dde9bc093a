/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a model file says of its training and of its inference, besides the network. */
#include <stddef.h>

#include "model/description.h"

bool training_read(const struct json *node, struct paradl_model *model, struct paradl_error *error)
{
	struct training_keys {
		int precision, optimizer;
		unsigned batch_per_gpu, batch;
	} keys = {.precision = PARADL_FP32};
	const struct json_field fields[] = {
		{.key = "precision",
			.type = JSON_TO_CHOICE,
			.offset = offsetof(struct training_keys, precision),
			.choices = precision_names},
		{.key = "optimizer",
			.type = JSON_TO_CHOICE,
			.offset = offsetof(struct training_keys, optimizer),
			.choices = optimizer_names},
		{.key = "batch_per_gpu",
			.type = JSON_TO_UNSIGNED,
			.offset = offsetof(struct training_keys, batch_per_gpu),
			.min = 1,
			.max = EXTENT_MAX},
		{.key = "batch",
			.type = JSON_TO_UNSIGNED,
			.offset = offsetof(struct training_keys, batch),
			.min = 1,
			.max = EXTENT_MAX},
	};
	if (node && !json_read(node, fields, sizeof(fields) / sizeof(fields[0]), NULL, &keys, error))
		return false;
	model->precision = (enum paradl_precision)keys.precision;
	model->optimizer = optimizer_names[keys.optimizer];
	model->batch_per_gpu = keys.batch_per_gpu;
	model->batch = keys.batch;
	return true;
}

bool inference_read(const struct json *node, struct paradl_model *model, struct paradl_error *error)
{
	struct inference_keys {
		int precision;
		unsigned positions;
	} keys = {.precision = PARADL_PRECISION_COUNT};
	const struct json_field fields[] = {
		{.key = "precision",
			.type = JSON_TO_CHOICE,
			.offset = offsetof(struct inference_keys, precision),
			.choices = precision_names},
		{.key = "positions",
			.type = JSON_TO_UNSIGNED,
			.offset = offsetof(struct inference_keys, positions),
			.min = 1,
			.max = EXTENT_MAX},
	};
	if (node && !json_read(node, fields, sizeof(fields) / sizeof(fields[0]), NULL, &keys, error))
		return false;
	model->inference_precision = (enum paradl_precision)keys.precision;
	model->positions = keys.positions;
	return true;
}
