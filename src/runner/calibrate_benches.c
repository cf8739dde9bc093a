/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benches run if --only names them, or without it, and until they have hung or crashed their program too often. */
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "runner/calibrate.h"

enum { NAMES_MAX = PARTS_MAX * BENCHES_MAX };

static bool is_in_list(const char *list, const char *name)
{
	const size_t length = strlen(name);
	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
			return true;
	return false;
}

static bool is_known(const struct campaign *campaign, const char *name)
{
	for (size_t i = 0; i < campaign->part_count; i++)
		for (size_t j = 0; j < campaign->parts[i].bench_count; j++)
			if (strcmp(campaign->parts[i].benches[j].name, name) == 0)
				return true;
	return false;
}

static bool unknown(struct campaign *campaign, const char *name)
{
	struct runner *const runner = campaign->runner;
	const char *names[NAMES_MAX] = {NULL}, *all = NULL;
	size_t count = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		for (size_t j = 0; j < campaign->parts[i].bench_count; j++)
			names[count++] = campaign->parts[i].benches[j].name;
	const char *const near = suggest(name, names, count);
	if (near)
		return error_set(runner->error, PARADL_USAGE,
			"--only: no program has a bench \"%s\"; did you mean \"%s\"?", name, near);
	error_set(runner->error, PARADL_USAGE, "--only: no program has a bench \"%s\"", name);
	for (size_t i = 0; i < count; i++) {
		all = all ? arena_printf(runner->arena, "%s, %s", all, names[i]) : names[i];
		if (!all)
			return out_of_memory(runner->error);
	}
	if (all)
		error_hint(runner->error, "there are %s", all);
	return false;
}

static void leave_out_others(struct campaign *campaign, const char *only)
{
	for (size_t i = 0; i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[i];
		size_t kept = 0;
		for (size_t j = 0; j < part->bench_count; j++)
			if (is_in_list(only, part->benches[j].name))
				part->benches[kept++] = part->benches[j];
		part->is_limited = part->is_limited || kept < part->bench_count;
		part->bench_count = kept;
		if (kept == 0 && !part->is_out)
			part_leave_out(campaign, part, "none of its benches is in --only");
	}
}

bool benches_choose(struct campaign *campaign)
{
	const char *const only = campaign->options->only;
	if (!only)
		return true;
	for (const char *at = only; *at; at += strcspn(at, ","), at += *at == ',') {
		const char *const name = arena_copy(campaign->runner->arena, at, strcspn(at, ","));
		if (!name)
			return out_of_memory(campaign->runner->error);
		if (!is_known(campaign, name))
			return unknown(campaign, name);
	}
	leave_out_others(campaign, only);
	return true;
}

struct part_bench *bench_of_point(struct part *part, const char *point)
{
	const size_t length = strcspn(point, "/");
	for (size_t i = 0; i < part->bench_count; i++)
		if (strlen(part->benches[i].name) == length &&
			strncmp(part->benches[i].name, point, length) == 0)
			return &part->benches[i];
	return NULL;
}

const char *benches_wanted(struct campaign *campaign, const struct part *part)
{
	const char *list = "";
	for (size_t i = 0; list && i < part->bench_count; i++)
		if (!part->benches[i].is_dropped)
			list = arena_printf(campaign->runner->arena, "%s%s%s", list, *list ? "," : "",
				part->benches[i].name);
	return list ? list : "";
}
