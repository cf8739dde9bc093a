/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate_shards.h"

#include <string.h>

#include "base/error.h"

enum { TEXT_BYTES = 48, DEGREE_MAX = 65536 };

static bool wrong(const char *text, size_t length, struct paradl_error *error)
{
	char part[TEXT_BYTES], quoted[TEXT_BYTES];
	const size_t kept = length < sizeof part ? length : sizeof part - 1;
	memcpy(part, text, kept);
	part[kept] = '\0';
	error_set(
		error, PARADL_USAGE, "--shards: %s cuts no layer", error_quote(quoted, sizeof quoted, part));
	error_hint(
		error, "write AXIS=DEGREE, AXIS one of filter, channel, spatial, tensor: filter=2,spatial=4");
	return false;
}

static unsigned *degree_of(struct shard *shard, const char *axis, size_t length)
{
	static const char *const names[] = {"filter", "channel", "spatial", "tensor"};
	/* cppcheck-suppress constVariable */
	unsigned *const degrees[] = {&shard->filter, &shard->channel, &shard->spatial, &shard->tensor};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i]) == length && strncmp(axis, names[i], length) == 0)
			return degrees[i];
	return NULL;
}

bool shards_parse(
	const char *text, struct shard shards[SHARDS_MAX], size_t *count, struct paradl_error *error)
{
	static const struct shard whole = {1, 1, 1, 1};
	shards[0] = whole;
	*count = 1;
	while (text && *text) {
		const size_t length = strcspn(text, ","), axis = strcspn(text, "=,");
		double degree = 0;
		if (*count == SHARDS_MAX)
			return error_set(
				error, PARADL_USAGE, "--shards: at most %d are possible", SHARDS_MAX - 1);
		struct shard *const shard = &shards[(*count)++];
		*shard = whole;
		unsigned *const place = degree_of(shard, text, axis);
		if (!place || axis == length ||
			!option_count_parse(text + axis + 1, length - axis - 1, &degree) || degree < 2 ||
			degree > DEGREE_MAX)
			return wrong(text, length, error);
		*place = (unsigned)degree;
		text += length + (text[length] == ',');
	}
	return true;
}
