/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of plans are read from text: micro=1, schedule=interleaved:2, split=10:12:12:10, zero=1, shard=8, fsdp,
 * recompute=full:3, sequence=on, experts=tensor, dispatcher=deepep, offload=optimizer+weights,
 * overlap=gradients+tensor, gather=conv2, chunk=2048, seqs=64.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "plan/plan_text.h"

const char *const plan_option_names[PLAN_OPTION_COUNT] = {
	[PLAN_MICRO] = "micro",
	[PLAN_SCHEDULE] = "schedule",
	[PLAN_SPLIT] = "split",
	[PLAN_ZERO] = "zero",
	[PLAN_SHARD] = "shard",
	[PLAN_RECOMPUTE] = "recompute",
	[PLAN_SEQUENCE] = "sequence",
	[PLAN_EXPERTS] = "experts",
	[PLAN_DISPATCHER] = "dispatcher",
	[PLAN_OFFLOAD] = "offload",
	[PLAN_OVERLAP] = "overlap",
	[PLAN_GATHER] = "gather",
	[PLAN_CHUNK] = "chunk",
	[PLAN_SEQS] = "seqs",
};

const char *const plan_schedules[PARADL_SCHEDULE_COUNT] = {
	[PARADL_GPIPE] = "gpipe",
	[PARADL_1F1B] = "1f1b",
	[PARADL_INTERLEAVED] = "interleaved",
	[PARADL_ZERO_BUBBLE] = "zero-bubble",
	[PARADL_ZERO_BUBBLE_2P] = "zero-bubble-2p",
	[PARADL_ZERO_BUBBLE_V] = "zero-bubble-v",
};

const char *const plan_recomputes[PARADL_RECOMPUTE_COUNT] = {
	[PARADL_RECOMPUTE_NONE] = "none",
	[PARADL_RECOMPUTE_SELECTIVE] = "selective",
	[PARADL_RECOMPUTE_FULL] = "full",
	[PARADL_RECOMPUTE_MODULES] = "modules",
};

const char *const plan_context_ways[PARADL_CONTEXT_COUNT] = {
	[PARADL_CONTEXT_RING] = "ring",
	[PARADL_CONTEXT_GATHER] = "gather",
	[PARADL_CONTEXT_ULYSSES] = "ulysses",
};

const char *const plan_dispatchers[PARADL_DISPATCHER_COUNT] = {
	[PARADL_DISPATCHER_ALL_TO_ALL] = "alltoall",
	[PARADL_DISPATCHER_DEEPEP] = "deepep",
	[PARADL_DISPATCHER_HYBRIDEP] = "hybridep",
};

const char *const plan_offloads[PLAN_OFFLOADS] = {"optimizer", "weights", "activations"};

const char *const plan_overlaps[PLAN_OVERLAPS] = {"gradients", "tensor", "experts"};

bool plan_number_read(const char **text, unsigned least, unsigned *number)
{
	char *end;
	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	const unsigned long value = strtoul(*text, &end, 10);
	if (errno || value < least || value > UINT_MAX)
		return false;
	*number = (unsigned)value;
	*text = end;
	return true;
}

bool plan_choice_read(const char *what, const char **text, const char *const *names, unsigned count,
	unsigned *choice, struct paradl_error *error)
{
	char word[32], all[128];
	const size_t length = strcspn(*text, ":");
	snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), *text);
	const size_t found = name_index(word, names, count);
	if (found < count) {
		*choice = (unsigned)found;
		*text += length + ((*text)[length] == ':');
		return true;
	}
	const struct suggestion near = suggestion_of(word, names, count);
	names_join(names, count, all, sizeof all);
	if (*near.clause)
		error_set(error, PARADL_USAGE, "%s cannot be \"%s\"%s", what, word, near.clause);
	else
		error_set(error, PARADL_USAGE, "%s cannot be \"%s\"; it is one of %s", what, word, all);
	return false;
}

static bool number_option(const char *name, const char *value, unsigned least, unsigned most,
	unsigned *number, struct paradl_error *error)
{
	const char *rest = value;
	if (!plan_number_read(&rest, least, number) || *number > most)
		return error_set(error, PARADL_USAGE, "%s must be a whole number from %u to %u, is \"%s\"",
			name, least, most, value);
	return !*rest || error_set(error, PARADL_USAGE, "%s must be a whole number, is \"%s\"", name, value);
}

static bool micro_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	unsigned micro = 0;
	if (!number_option("micro", value, 1, UINT_MAX, &micro, error))
		return false;
	plan->micro = micro;
	return true;
}

/* Reads the number after "interleaved:" or "full:". */
static bool suffix_read(
	const char *what, const char *text, unsigned least, unsigned *number, struct paradl_error *error)
{
	const char *rest = text;
	if (plan_number_read(&rest, least, number) && !*rest)
		return true;
	return error_set(error, PARADL_USAGE, "%s:N takes a whole number of at least %u, not \"%s\"", what,
		least, text);
}

static bool schedule_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	const char *rest = value;
	unsigned schedule = 0;
	if (!plan_choice_read("schedule", &rest, plan_schedules, PARADL_SCHEDULE_COUNT, &schedule, error))
		return false;
	plan->schedule = (enum paradl_pipeline_schedule)schedule;
	if (plan->schedule == PARADL_INTERLEAVED)
		return suffix_read("schedule=interleaved", rest, 2, &plan->chunks, error);
	return rest == value + strlen(plan_schedules[schedule]) ||
	       error_set(error, PARADL_USAGE,
		       "schedule=%s takes no number; interleaved does: schedule=interleaved:2",
		       plan_schedules[schedule]);
}

static bool split_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	const char *rest = value;
	for (bool more = true; more; rest += more) {
		unsigned blocks;
		if (plan->split_count == PARADL_SPLIT_MAX)
			return error_set(error, PARADL_USAGE, "split names at most %u stages",
				(unsigned)PARADL_SPLIT_MAX);
		if (!plan_number_read(&rest, 0, &blocks) || blocks > USHRT_MAX || (*rest && *rest != ':'))
			return error_set(error, PARADL_USAGE,
				"split takes the blocks of each stage, as in 10:12:12:10, not \"%s\"", value);
		plan->split[plan->split_count++] = (unsigned short)blocks;
		more = *rest == ':';
	}
	return true;
}

static bool zero_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	return number_option("zero", value, 0, 3, &plan->zero, error);
}

static bool shard_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	return number_option("shard", value, 1, UINT_MAX, &plan->shard, error);
}

static bool recompute_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	const char *rest = value;
	unsigned recompute = 0;
	if (!plan_choice_read("recompute", &rest, plan_recomputes, PARADL_RECOMPUTE_COUNT, &recompute, error))
		return false;
	plan->recompute = (enum paradl_recompute)recompute;
	if (rest == value + strlen(plan_recomputes[recompute]))
		return true;
	if (plan->recompute == PARADL_RECOMPUTE_FULL)
		return suffix_read("recompute=full", rest, 1, &plan->recompute_blocks, error);
	return error_set(error, PARADL_USAGE, "recompute=%s takes no number; full does: recompute=full:4",
		plan_recomputes[recompute]);
}

static bool sequence_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	static const char *const names[] = {"off", "on"};
	unsigned on = 0;
	const char *rest = value;
	if (!plan_choice_read("sequence", &rest, names, 2, &on, error))
		return false;
	plan->sequence = on == 1;
	return rest == value + strlen(names[on]) ||
	       error_set(error, PARADL_USAGE, "sequence is on or off, not \"%s\"", value);
}

static bool experts_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	static const char *const names[] = {"whole", "tensor"};
	unsigned cut = 0;
	const char *rest = value;
	if (!plan_choice_read("experts", &rest, names, 2, &cut, error))
		return false;
	plan->expert_tensor = cut == 1;
	return rest == value + strlen(names[cut]) ||
	       error_set(error, PARADL_USAGE, "experts is tensor or whole, not \"%s\"", value);
}

static bool dispatcher_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	const char *rest = value;
	unsigned dispatcher = 0;
	if (!plan_choice_read(
		    "dispatcher", &rest, plan_dispatchers, PARADL_DISPATCHER_COUNT, &dispatcher, error))
		return false;
	plan->dispatcher = (enum paradl_dispatcher)dispatcher;
	return rest == value + strlen(plan_dispatchers[dispatcher]) ||
	       error_set(error, PARADL_USAGE, "dispatcher=%s takes no number", plan_dispatchers[dispatcher]);
}

/* Reads a set of names such as "optimizer+weights": sets a bit for each name. */
static bool set_read(const char *what, const char *value, const char *const *names, unsigned count,
	unsigned *set, struct paradl_error *error)
{
	if (strchr(value, ':'))
		return error_set(error, PARADL_USAGE, "%s takes names joined by +, not \"%s\"", what, value);
	for (const char *rest = value; rest; rest = strchr(rest, '+') ? strchr(rest, '+') + 1 : NULL) {
		char word[32];
		const char *name = word;
		const size_t length = strcspn(rest, "+");
		unsigned bit = 0;
		snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
			rest);
		if (!plan_choice_read(what, &name, names, count, &bit, error))
			return false;
		if (*set & 1u << bit)
			return error_set(error, PARADL_USAGE, "%s names %s twice", what, names[bit]);
		*set |= 1u << bit;
	}
	return true;
}

static bool offload_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	return set_read("offload", value, plan_offloads, PLAN_OFFLOADS, &plan->offload, error);
}

static bool overlap_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	enum { ALL = PLAN_OVERLAPS, NONE, COUNT };
	const char *names[COUNT] = {[ALL] = "all", [NONE] = "none"};
	unsigned set = 0;
	memcpy(names, plan_overlaps, sizeof plan_overlaps);
	if (!set_read("overlap", value, names, COUNT, &set, error))
		return false;
	const bool alone = set == 1u << ALL || set == 1u << NONE;
	if (set >= 1u << ALL && !alone)
		return error_set(
			error, PARADL_USAGE, "overlap is all, none or names joined by +, not \"%s\"", value);
	const unsigned named = set == 1u << ALL ? ~0u : set;
	plan->apart = ~named & ((1u << PLAN_OVERLAPS) - 1);
	return true;
}

static bool gather_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	if (!*value)
		return error_set(error, PARADL_USAGE, "gather needs the name of a layer");
	if (strlen(value) >= sizeof plan->gather)
		return error_set(error, PARADL_USAGE,
			"gather takes the name of a layer, with fewer than %zu characters",
			sizeof plan->gather);
	memcpy(plan->gather, value, strlen(value) + 1);
	return true;
}

static bool chunk_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	return number_option("chunk", value, 1, PLAN_CHUNK_MOST, &plan->chunk, error);
}

static bool seqs_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	return number_option("seqs", value, 1, PLAN_SEQS_MOST, &plan->seqs, error);
}

static bool fsdp_read(const char *value, struct paradl_plan *plan, struct paradl_error *error)
{
	plan->zero = 3;
	return !*value || number_option("fsdp", value, 1, UINT_MAX, &plan->shard, error);
}

static const struct row {
	const char *name;
	unsigned gives;    /* options that it gives: bit set of enum plan_option */
	const char *alone; /* value that the name alone stands for; NULL: it needs one */
	bool (*read)(const char *value, struct paradl_plan *plan, struct paradl_error *error);
} rows[] = {
	{"micro", 1u << PLAN_MICRO, NULL, micro_read},
	{"schedule", 1u << PLAN_SCHEDULE, NULL, schedule_read},
	{"split", 1u << PLAN_SPLIT, NULL, split_read},
	{"zero", 1u << PLAN_ZERO, NULL, zero_read},
	{"fsdp", 1u << PLAN_ZERO, "", fsdp_read},
	{"shard", 1u << PLAN_SHARD, NULL, shard_read},
	{"recompute", 1u << PLAN_RECOMPUTE, NULL, recompute_read},
	{"sequence", 1u << PLAN_SEQUENCE, "on", sequence_read},
	{"sp", 1u << PLAN_SEQUENCE, "on", sequence_read},
	{"experts", 1u << PLAN_EXPERTS, NULL, experts_read},
	{"dispatcher", 1u << PLAN_DISPATCHER, NULL, dispatcher_read},
	{"offload", 1u << PLAN_OFFLOAD, NULL, offload_read},
	{"overlap", 1u << PLAN_OVERLAP, NULL, overlap_read},
	{"gather", 1u << PLAN_GATHER, NULL, gather_read},
	{"chunk", 1u << PLAN_CHUNK, NULL, chunk_read},
	{"seqs", 1u << PLAN_SEQS, NULL, seqs_read},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

const char *plan_option_word(unsigned index)
{
	return index < ROW_COUNT ? rows[index].name : NULL;
}

static const struct row *row_find(const char *name)
{
	for (unsigned i = 0; i < ROW_COUNT; ++i)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

bool plan_option_known(const char *name)
{
	return row_find(name) != NULL;
}

bool plan_option_read(const char *name, const char *value, struct paradl_plan *plan, unsigned *given,
	struct paradl_error *error)
{
	const struct row *row = row_find(name);
	if (!value && !row->alone)
		return error_set(error, PARADL_USAGE, "%s needs a value: %s=...", name, name);
	if (value && !*value && row->alone)
		return error_set(error, PARADL_USAGE, "%s= has nothing after the '='", name);
	const bool shards = row->read == fsdp_read && value && *value;
	const unsigned gives = row->gives | (shards ? 1u << PLAN_SHARD : 0);
	for (unsigned option = 0; option < PLAN_OPTION_COUNT; ++option)
		if (*given & gives & 1u << option)
			return error_set(error, PARADL_USAGE, "%s is given twice", plan_option_names[option]);
	*given |= gives;
	return row->read(value ? value : row->alone, plan, error);
}

void paradl_plan_nest(struct paradl_plan *plan)
{
	static const unsigned char nested[PARADL_AXIS_COUNT] = {PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT,
		PARADL_CONTEXT, PARADL_TENSOR, PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};
	memcpy(plan->order, nested, sizeof nested);
}
