/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lint of any file of ours: its "format" says what it is. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/suggest.h"
#include "fit/check_samples.h"
#include "machine/format.h"
#include "machine/machine.h"
#include "model/dataset.h"
#include "model/measured.h"
#include "model/model.h"
#include "network/network.h"
#include "strategy/layered.h"

/* A machine whose network is built, too: the topologies are texts to the machine's reader. */
static bool machine_and_network_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct paradl_machine machine;
	if (!machine_check(arena, root, findings, error) || !machine_read(arena, root, &machine, error))
		return false;
	struct paradl_error reason = {.status = PARADL_OK};
	if (!machine.network || network_create(arena, &machine, &reason))
		return true;
	if (reason.status == PARADL_NO_MEMORY)
		return error_set(error, PARADL_NO_MEMORY, "%s", reason.message);
	json_error(json_member(root, "network"), error, "%s", reason.message);
	if (*reason.hint)
		error_hint(error, "%s", reason.hint);
	return false;
}

static bool dataset_check(struct paradl_arena *arena, const struct json *root,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct dataset dataset;
	return dataset_file_read(root, 1, &dataset, error) && origins_check(arena, root, findings, error);
}

static const struct format {
	const char *name;
	bool (*check)(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
		struct paradl_error *error);
} formats[] = {
	{"paradl-model", model_check},
	{"paradl-dataset", dataset_check},
	{"paradl-hw", machine_and_network_check},
	{"paradl-device", device_check},
	{"paradl-framework", framework_check},
	{"paradl-profile", measured_layers_check},
	{"paradl-plan", layered_check},
	{"paradl-clients", clients_check},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };
enum { SIZE_LIMIT = 1 << 30, LEAST_BYTES = 16 };

#define KNOWN_FORMATS                                                                                        \
	"paradl-model, paradl-dataset, paradl-hw, paradl-device, paradl-framework, paradl-profile, "         \
	"paradl-plan, paradl-clients and paradl-samples"

static bool unknown_format(const struct json *node, struct paradl_error *error)
{
	const char *names[FORMAT_COUNT];
	char quoted[80];
	for (size_t i = 0; i < FORMAT_COUNT; ++i)
		names[i] = formats[i].name;
	const char *near = suggest(node->string, names, FORMAT_COUNT);
	error_quote(quoted, sizeof quoted, node->string);
	if (near)
		json_error(node, error, "unknown format %s; did you mean \"%s\"?", quoted, near);
	else
		json_error(node, error, "unknown format %s", quoted);
	error_hint(error, "the formats are " KNOWN_FORMATS);
	return false;
}

bool paradl_check(struct paradl_arena *arena, const char *path, struct paradl_findings *findings,
	struct paradl_error *error)
{
	size_t length = 0;
	const char *const text = file_read(arena, path, SIZE_LIMIT, &length, error);
	*findings = (struct paradl_findings){0};
	if (text && length >= LEAST_BYTES && reader_samples.knows(text, length)) { /* lines, no document */
		const bool fine = samples_check(arena, text, length, path, findings, error);
		findings->format = "paradl-samples";
		return fine;
	}
	const struct json *root = text ? json_parse(arena, text, length, path, error) : NULL;
	if (!root)
		return false;
	const struct json *node = json_member(root, "format");
	if (root->kind != JSON_OBJECT || !node || node->kind != JSON_STRING) {
		json_error(node ? node : root, error,
			root->kind == JSON_OBJECT ? "needs \"format\", which says what the file is"
						  : "must be an object with a \"format\"");
		error_hint(error, "the formats are " KNOWN_FORMATS);
		return false;
	}
	for (size_t i = 0; i < FORMAT_COUNT; ++i)
		if (strcmp(formats[i].name, node->string) == 0) {
			const bool fine = formats[i].check(arena, root, findings, error);
			findings->format = formats[i].name;
			return fine;
		}
	return unknown_format(node, error);
}
