/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "host" of a machine's profile: what a node has besides its devices; see paradl-hw(5). */
#include <stddef.h>

#include "base/error.h"
#include "machine/blocks.h"

#define HOST(member) offsetof(struct host, member)

/* Of memory, so that programs and the system keep the rest. */
static const double usual_cache_share = 0.7;

static const struct json_field fields[] = {
	{"cores", JSON_TO_DOUBLE, false, HOST(cores), 1, 1e5, DIMENSION_NONE, NULL},
	{"input_cores", JSON_TO_DOUBLE, false, HOST(input_cores), 1, 1e5, DIMENSION_NONE, NULL},
	{"memory", JSON_TO_QUANTITY, false, HOST(memory_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"memory_rate", JSON_TO_QUANTITY, false, HOST(memory_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"cache_share", JSON_TO_DOUBLE, false, HOST(cache_share), 0, 1, DIMENSION_NONE, NULL},
	{"network", JSON_TO_QUANTITY, false, HOST(network_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};
static const char *const keys[] = {"decode", NULL};

/* In the order of enum dataset_encoding. */
#define DECODE(text, index)                                                                                  \
	{                                                                                                    \
		(text), JSON_TO_QUANTITY, false, (index) * sizeof(double), 1, 1e18, DIMENSION_BYTES_PER_S,   \
			NULL                                                                                 \
	}
static const struct json_field decode_fields[HOST_ENCODINGS] = {
	DECODE("none", 0), DECODE("jpeg", 1), DECODE("png", 2), DECODE("gzip", 3), DECODE("tokens", 4)};

bool host_read(const struct json *node, struct paradl_machine *machine, struct paradl_error *error)
{
	struct host *host = &machine->host;
	const struct json *decode = json_member(node, "decode");
	*host = (struct host){.cache_share = usual_cache_share};
	if (!json_read(node, fields, sizeof fields / sizeof fields[0], keys, host, error))
		return false;
	if (host->input_cores > host->cores)
		return json_error(json_member(node, "input_cores"), error, "must be at most the %.15g cores",
			host->cores);
	if (!decode)
		return true;
	if (decode->kind != JSON_OBJECT)
		return json_error(decode, error, "must be an object");
	return json_read(decode, decode_fields, HOST_ENCODINGS, NULL, host->decode_bytes_per_s, error);
}
