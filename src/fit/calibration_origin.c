/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the samples that a calibration rests on, in short: their hosts, and digests of their files. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "fit/calibration_write.h"
#include "machine/format.h"

enum { DIGEST_DIGITS = 16, FILES_NAMED = 4 };

const char *files_digests(
	struct paradl_arena *arena, const char *const *paths, size_t count, struct paradl_error *error)
{
	const char *text = "";
	size_t files = 0;
	for (size_t i = 0; i < count; ++i) {
		char digest[65];
		if (!strcmp(paths[i], "-") || files++ >= FILES_NAMED)
			continue;
		if (!file_sha256(arena, paths[i], digest, error))
			return NULL;
		text = arena_printf(
			arena, "%s%s %.*s", text, files > 1 ? "," : "sha256", DIGEST_DIGITS, digest);
		if (!text)
			break;
	}
	if (text && files > FILES_NAMED)
		text = arena_printf(arena, "%s and %zu more", text, files - FILES_NAMED);
	if (!text)
		out_of_memory(error);
	return text;
}

/* Returns the name of the only host, "2 hosts" for more, or "" where none is known; NULL when out of memory. */
static const char *hosts_of(struct paradl_arena *arena, const struct sample_set *set)
{
	const char *first = "";
	unsigned count = 0;
	for (size_t i = 0; i < set->launch_count; ++i) {
		const char *host = set->launches[i]->host;
		bool is_new = host && *host;
		for (size_t k = 0; k < i && is_new; ++k)
			is_new = !set->launches[k]->host || strcmp(set->launches[k]->host, host) != 0;
		if (is_new && count++ == 0)
			first = host;
	}
	return count > 1 ? arena_printf(arena, "%u hosts", count) : first;
}

const char *paradl_calibration_refused(const struct paradl_calibration *calibration)
{
	for (size_t i = 0; i < calibration->verdict_count; ++i)
		if (calibration->verdicts[i].refuses)
			return calibration->verdicts[i].judge;
	return NULL;
}

const char *calibration_origin(struct paradl_arena *arena, const struct paradl_calibration *calibration)
{
	const char *const judge = paradl_calibration_refused(calibration);
	return judge ? arena_printf(arena, ORIGIN_FORCED "%s: ", judge) : "measured: ";
}

bool calibration_describe(
	struct calibration *calibration, const char *const *paths, size_t count, struct paradl_error *error)
{
	struct paradl_calibration *result = calibration->result;
	result->samples = files_digests(calibration->arena, paths, count, error);
	if (!result->samples)
		return false;
	result->hosts = hosts_of(calibration->arena, calibration->cells->set);
	return result->hosts || out_of_memory(error);
}
