/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells whether a data set fits a network, by the kind of samples (tokens or points), their size as the device gets
 * them, colours, and classes. A decoded sample has 1 to 4 bytes for each item of the network's input, plus labels of
 * up to 4 bytes for each of its points; pictures are cut to whatever the network takes, but have one to four colours
 * in two dimensions. A classifier whose outputs differ from the classes is often replaced, and costs next to nothing:
 * this is only mentioned.
 */
#include <stdio.h>

#include "base/quantity.h"
#include "model/model.h"

static const double least_item_bytes = 1, most_item_bytes = 4, label_bytes = 4;
enum { COLOURS_MOST = 4, TEXT_BYTES = 32 };

static bool of_pictures(const struct dataset *dataset)
{
	return dataset->encoding == ENCODING_JPEG || dataset->encoding == ENCODING_PNG;
}

static bool pictures_fit(const struct tensor *input, char *text, size_t size)
{
	if (input->dimensions == 2 && input->channels <= COLOURS_MOST)
		return true;
	snprintf(text, size,
		"it has pictures of up to four colours, the network takes %u channels in %u dimension%s",
		input->channels, input->dimensions, input->dimensions == 1 ? "" : "s");
	return false;
}

static bool size_fits(const struct tensor *input, double decoded_bytes, char *text, size_t size)
{
	const double items = tensor_items(input), points = items / input->channels;
	const double least = items * least_item_bytes, most = items * most_item_bytes + points * label_bytes;
	char has[TEXT_BYTES], takes[TEXT_BYTES];
	if (!(decoded_bytes > 0) || (decoded_bytes >= least && decoded_bytes <= most))
		return true;
	quantity_format(has, sizeof has, decoded_bytes, DIMENSION_BYTES);
	quantity_format(takes, sizeof takes, items * most_item_bytes, DIMENSION_BYTES);
	snprintf(text, size,
		"a decoded sample has %s, the network takes %u channel%s of %g points, %s in fp32", has,
		input->channels, input->channels == 1 ? "" : "s", points, takes);
	return false;
}

bool paradl_dataset_fits(const struct paradl_model *model, char *text, size_t size)
{
	const struct dataset *const dataset = &model->dataset;
	const struct tensor *const input = &model->input;
	if (input->tokens)
		return true; /* data sets of points have been refused by the reader */
	return of_pictures(dataset) ? pictures_fit(input, text, size)
				    : size_fits(input, dataset->decoded_bytes, text, size);
}

/* Returns the outputs of the last product, if it makes one vector of a sample; else 0. */
static double outputs_of(const struct paradl_model *model)
{
	double outputs = 0;
	for (unsigned i = 0; i < model->order_count && !model->tokens; i++) {
		const struct layer *const layer = &model->layers[model->order[i]];
		if (layer->kernel_volume > 0)
			outputs = layer->positions <= 1 ? layer->filters : 0;
	}
	return outputs;
}

bool paradl_dataset_classes_fit(const struct paradl_model *model, char *text, size_t size)
{
	const double classes = model->dataset.classes, outputs = outputs_of(model);
	if (!(classes > 0) || !(outputs > 0) || (classes <= outputs && classes >= outputs - 1))
		return true;
	snprintf(text, size, "it has %.0f classes, the network tells %.0f apart", classes, outputs);
	return false;
}
