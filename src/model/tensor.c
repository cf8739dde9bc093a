/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "model/layer_type.h"

double tensor_items(const struct tensor *tensor)
{
	double items = tensor->channels;
	for (unsigned d = 0; d < tensor->dimensions; d++)
		items *= tensor->extent[d];
	return items;
}

bool tensor_equal(const struct tensor *a, const struct tensor *b)
{
	if (a->channels != b->channels || a->dimensions != b->dimensions || a->tokens != b->tokens)
		return false;
	for (unsigned d = 0; d < a->dimensions; d++)
		if (a->extent[d] != b->extent[d])
			return false;
	return true;
}

const char *tensor_format(const struct tensor *tensor, char *text, size_t size)
{
	int used = snprintf(text, size, "%u", tensor->channels);
	for (unsigned d = 0; d < tensor->dimensions && used > 0 && (size_t)used < size; d++)
		used += snprintf(text + used, size - (size_t)used, "x%u", tensor->extent[d]);
	return text;
}
