/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/question.h"

#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/arguments_rows.h"
#include "paradl/oracle.h"

#define INPUT(...) ROW(FEEDS, __VA_ARGS__), .group = "Input"

static const char *store_name(size_t index)
{
	return index < PARADL_STORE_COUNT ? paradl_store_name((enum paradl_store)index) : NULL;
}

static const struct option_row rows[] = {
	{INPUT("dataset", OPTION_TEXT, dataset, "DATA"), .completes = "datasets",
		.help = "data set, by name ('paradl list datasets') or file; instead of the model's"},
	{INPUT("force", OPTION_FLAG, force, NULL),
		.help = "go on with a data set that is not for such a network"},
	{INPUT("shuffle", OPTION_TEXT, shuffle, "HOW"),
		.help = "shuffling: global (default), local, partial:10%; what a batch is drawn from: all "
			"samples (global), the worker's own part (local), that with a share Q exchanged "
			"every epoch (partial:Q, pairwise:Q), or that with models that go to another worker "
			"H times an epoch (models:H)"},
	{INPUT("store", OPTION_CHOICE, store, "WHERE"), .choice = store_name, .initial = "auto",
		.help = "where samples are kept; the shared file system, a copy on each node, the pooled "
			"disks of all, or a shard on each; auto: the fastest that has room"},
	{INPUT("cache", OPTION_TEXT, cache, "HOW"),
		.help = "samples in host memory: auto, page, pinned, lru, none; auto (without it) is page, "
			"but nothing of a global shuffle from the shared file system; with a size: "
			"pinned:100GB"},
	{INPUT("workers", OPTION_COUNT, workers, "N"), .min = 1, .max = 1e5,
		.help = "CPU cores per GPU that prepare samples (default all)"},
	{INPUT("prefetch", OPTION_COUNT, prefetch, "N"), .min = 1, .max = 1e6,
		.help = "batches prepared in advance (default as many as help)"},
	{INPUT("no-prefetch", OPTION_FLAG, no_prefetch, NULL), .formerly = "in-turn",
		.help = "reading and preparing waits for compute, and compute for it: nothing is hidden"},
	{INPUT("no-input", OPTION_FLAG, no_input, NULL),
		.help = "leave out reading and preparing samples; as if they were there when they are "
			"needed"},
};

const struct option_table arguments_input = {rows, sizeof rows / sizeof rows[0], NULL};

enum { NAME_BYTES = 32, NAMES_MAX = 8 };

/*
 * Returns the index in `names` of NAME, of a text "NAME" or "NAME:REST"; -1: it is none of them. *rest is REST or
 * NULL.
 */
static int choice_read(const char *text, const char *const *names, size_t count, const char **rest)
{
	const size_t length = strcspn(text, ":");
	*rest = text[length] ? text + length + 1 : NULL;
	for (size_t i = 0; i < count; ++i)
		if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
			return (int)i;
	return -1;
}

static bool unknown(struct session *session, const char *option, const char *text, const char *const *names,
	size_t count, const char *usual)
{
	char name[NAME_BYTES];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
	const char *const near = suggest(name, names, count);
	if (near)
		return session_usage(session, "--%s cannot be '%s'; did you mean '%s'?", option, text, near);
	return session_usage(session, "--%s cannot be '%s': it is %s", option, text, usual);
}

/* Number behind the colon of --shuffle: share of the samples that change workers, or moves of a model in an epoch. */
struct shuffle_amount {
	const char *needs, *example;
	struct option_row row;
};
static const struct shuffle_amount exchanged_share = {"the share that changes hands", "10%",
	{.name = "shuffle", .kind = OPTION_RATIO, .max = 1, .commands = ""}};
static const struct shuffle_amount hop_count = {"how often in an epoch a model goes to another worker", "1",
	{.name = "shuffle", .kind = OPTION_COUNT, .min = 1, .max = 1e6, .commands = ""}};
static const struct shuffle_amount *const amounts[PARADL_SHUFFLE_COUNT] = {
	[PARADL_SHUFFLE_PARTIAL] = &exchanged_share,
	[PARADL_SHUFFLE_PAIRWISE] = &exchanged_share,
	[PARADL_SHUFFLE_MODELS] = &hop_count,
};

bool input_shuffle_read(struct session *session, const char *text, struct paradl_input_mode *way)
{
	static const char usual[] = "global, local, partial:Q, pairwise:Q or models:H";
	const char *names[PARADL_SHUFFLE_COUNT], *rest;
	for (unsigned i = 0; i < PARADL_SHUFFLE_COUNT; ++i)
		names[i] = paradl_shuffle_name((enum paradl_shuffle)i);
	const int index = choice_read(text, names, PARADL_SHUFFLE_COUNT, &rest);
	if (index < 0)
		return unknown(session, "shuffle", text, names, PARADL_SHUFFLE_COUNT, usual);
	const struct shuffle_amount *const amount = amounts[index];
	way->shuffle = (enum paradl_shuffle)index;
	way->exchanged = way->hops = 0;
	if (amount && !rest)
		return session_usage(session, "--shuffle %s needs %s: --shuffle %s:%s", text, amount->needs,
			text, amount->example);
	if (!amount && rest)
		return session_usage(session, "--shuffle %s exchanges no share: it is %s", text, usual);
	if (!rest || option_store(&amount->row, rest, amount == &hop_count ? &way->hops : &way->exchanged,
			     &session->error))
		return true;
	if (*session->error.hint && amount == &exchanged_share)
		error_hint(&session->error, "did you mean --shuffle %s:%s%%?", names[index], rest);
	return false;
}

static bool cache_read(struct session *session, const char *text, struct paradl_input_options *options)
{
	const char *names[PARADL_CACHE_COUNT], *rest;
	for (unsigned i = 0; i < PARADL_CACHE_COUNT; ++i)
		names[i] = paradl_cache_name((enum paradl_cache)i);
	const int index = choice_read(text, names, PARADL_CACHE_COUNT, &rest);
	if (index < 0)
		return unknown(session, "cache", text, names, PARADL_CACHE_COUNT,
			"auto, page, pinned, lru or none, with a size: pinned:100GB");
	options->cache = (enum paradl_cache)index;
	if (!rest)
		return true;
	if (options->cache == PARADL_CACHE_NONE)
		return session_usage(session, "--cache none has no size");
	if (quantity_parse(
		    rest, DIMENSION_BYTES, "the size of --cache", &options->cache_bytes, &session->error)) {
		if (options->cache_bytes > 0)
			return true;
		return session_usage(session, "--cache %s has no room: --cache none", text);
	}
	session->error.status = PARADL_USAGE;
	return false;
}

/* Refuses options of input that are given together with --no-input, which leaves out all that they are about. */
static bool nothing_else(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{"shuffle", arguments->shuffle},
		{"store", arguments->store != PARADL_STORE_AUTO},
		{"cache", arguments->cache},
		{"workers", arguments->workers > 0},
		{"prefetch", arguments->prefetch > 0},
		{"no-prefetch", arguments->no_prefetch},
	};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
		if (others[i].given)
			return session_usage(session, "--no-input leaves out what --%s is about: one of them",
				others[i].name);
	return true;
}

bool input_options_read(struct session *session, struct paradl_input_options *options)
{
	const struct arguments *const arguments = &session->arguments;
	*options = (struct paradl_input_options){.off = arguments->no_input,
		.store = (enum paradl_store)arguments->store,
		.epochs = arguments->epochs,
		.workers = arguments->workers,
		.prefetch = arguments->prefetch,
		.in_turn = arguments->no_prefetch};
	if (options->off)
		return nothing_else(session);
	struct paradl_input_mode way = {.shuffle = PARADL_SHUFFLE_GLOBAL};
	if (arguments->shuffle && !input_shuffle_read(session, arguments->shuffle, &way))
		return false;
	options->shuffle = way.shuffle;
	options->exchanged = way.exchanged;
	options->hops = way.hops;
	if (arguments->cache && !cache_read(session, arguments->cache, options))
		return false;
	if (options->store == PARADL_STORE_SHARD && options->shuffle == PARADL_SHUFFLE_GLOBAL)
		return session_usage(session,
			"with --store shard a node has only a part of the samples: --shuffle local, "
			"partial:Q, pairwise:Q or models:H");
	if (options->store == PARADL_STORE_POOLED && options->shuffle != PARADL_SHUFFLE_GLOBAL)
		return session_usage(session,
			"with --shuffle %s a node reads no part of the others: --store shard",
			paradl_shuffle_name(options->shuffle));
	return true;
}

/*
 * Refuses a data set that is not for such a network, unless --force is given. Warns where the last layer does not
 * have as many outputs as the data set has classes.
 */
static bool dataset_fits(struct session *session, const struct paradl_model *model)
{
	char reason[192];
	const struct paradl_model_info info = paradl_model_info(model);
	if (!paradl_dataset_fits(model, reason, sizeof reason)) {
		if (!session->arguments.force) {
			session_usage(session, "--dataset %s is not for %s: %s", session->arguments.dataset,
				info.name, reason);
			return error_hint(&session->error, "--force goes on as if it were");
		}
		session_warn(session, "--dataset %s is not for %s: %s", session->arguments.dataset, info.name,
			reason);
	}
	if (!paradl_dataset_classes_fit(model, reason, sizeof reason))
		session_warn(session, "--dataset %s: %s; its last layer is estimated as it is",
			session->arguments.dataset, reason);
	return true;
}

bool input_dataset_assume(struct session *session, struct question *question)
{
	struct paradl_dataset_info info;
	if (!question->dataset_path)
		return true;
	if (!paradl_dataset_load(session->arena, &(struct paradl_source){.path = question->dataset_path},
		    &info, &session->error))
		return false;
	const double sequence = question->head.model.sequence;
	const bool is_padded = sequence > 0 && info.token_bytes > 0 && info.samples > 0;
	return !is_padded || question_assume(session, &question->head,
				     arena_printf(session->arena,
					     "each of the %.0f samples of %s counts as a whole sequence of "
					     "%.0f tokens, padded",
					     info.samples, info.name, sequence));
}

bool input_dataset_read(struct session *session, const struct paradl_model **model, const char **path)
{
	const char *const name = session->arguments.dataset;
	*path = name ? shipped_find(session, SHIPPED_DATASETS, name) : NULL;
	if (name && !*path)
		return false;
	if (*path)
		*model = paradl_model_with_dataset(
			session->arena, *model, &(struct paradl_source){.path = *path}, &session->error);
	return *model && (!*path || dataset_fits(session, *model));
}

void input_options_again(struct session *session, const char **text)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_arena *const arena = session->arena;
	const struct {
		const char *option, *value;
		bool given;
	} typed[] = {
		{"--dataset", arguments->dataset, arguments->dataset},
		{"--force", NULL, arguments->force},
		{"--shuffle", arguments->shuffle, arguments->shuffle},
		{"--store", paradl_store_name((enum paradl_store)arguments->store),
			arguments->store != PARADL_STORE_AUTO},
		{"--cache", arguments->cache, arguments->cache},
		{"--workers", arena_printf(arena, "%.0f", arguments->workers), arguments->workers > 0},
		{"--prefetch", arena_printf(arena, "%.0f", arguments->prefetch), arguments->prefetch > 0},
		{"--no-prefetch", NULL, arguments->no_prefetch},
		{"--no-input", NULL, arguments->no_input},
	};
	for (size_t i = 0; i < sizeof typed / sizeof typed[0]; ++i)
		if (typed[i].given)
			question_word(session, text, typed[i].option, typed[i].value);
}

/*
 * Returns the assumption about input, or NULL when out of memory: "input: ImageNet-1k from a copy on each node,
 * global shuffle, prepared beside compute; brought there in 3.1 min".
 */
static const char *input_text(
	struct session *session, const struct question *question, const struct paradl_input *input)
{
	static const char *const stores[PARADL_STORE_COUNT] = {"", "the shared file system",
		"a copy on each node", "parts pooled over the nodes", "a part on each node"};
	struct paradl_arena *const arena = session->arena;
	const char *const name = question->head.model.dataset, *const shuffle = session->arguments.shuffle;
	const bool in_turn = session->arguments.no_prefetch;
	char staging[32] = "";
	if (input->staging_s > 0)
		quantity_format(staging, sizeof staging, input->staging_s, DIMENSION_TIME);
	const char *const text = arena_printf(arena, "input: %s from %s, %s shuffle, prepared %s%s%s",
		name && *name ? name : "the data set", stores[input->store], shuffle ? shuffle : "global",
		in_turn ? "in turn with compute" : "beside compute", *staging ? "; brought there in " : "",
		staging);
	return text && input->lacking ? arena_printf(arena, "%s; %s", text, input->lacking) : text;
}

bool question_assume_exchange(struct session *session, struct report_head *head)
{
	const struct paradl_framework_info *const program = &head->framework;
	for (unsigned i = 0; i < program->assumed_count; i++)
		if (strncmp(program->assumed[i], "rules/exchange_message",
			    strlen("rules/exchange_message")) == 0)
			return question_assume(session, head,
				arena_printf(session->arena,
					"a message of an exchanged sample takes as long between the GPUs of "
					"one node as between many nodes, where alone it was measured (paradl "
					"check %s)",
					program->name));
	return true;
}

bool question_assume_input(
	struct session *session, struct question *question, const struct paradl_estimate *estimate)
{
	struct paradl_input input = {.known = false};
	const char *text = "reading and preparing input is not modelled";
	const bool stored = !question->head.inference || session->arguments.dataset;
	if (!stored || !(estimate || question->head.ideal))
		return true;
	if (session->arguments.no_input)
		text = "samples are there when they are needed (--no-input)";
	else if (!question->head.ideal) {
		paradl_input(question->oracle, estimate, NULL, &input);
		text = input.known ? input_text(session, question, &input)
				   : arena_printf(session->arena, "input is not modelled: %s", input.lacking);
		if (input.known && !input.possible)
			session_warn(session, "store %s: %s; it is estimated as if there were room",
				paradl_store_name(input.store), input.reason);
		if (input.exchange_s > 0 && !question_assume_exchange(session, &question->head))
			return false;
	}
	return question_assume(session, &question->head, text);
}

bool question_trace(struct session *session, struct paradl_options *options)
{
	const struct arguments *const arguments = &session->arguments;
	options->size = sizeof *options;
	if (!arguments->trace)
		return true;
	options->rate_per_s = 0; /* at which the trace's requests come then */
	options->trace =
		paradl_trace_load(session->arena, arguments->trace, arguments->rate_per_s, &session->error);
	return options->trace != NULL;
}
