/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/question.h"

static const struct option_row rows[] = {
	{ROW("io", "epochs", OPTION_COUNT, epochs, "N"), .min = 1, .group = "Question",
		.help = "epochs of the whole training (default 90, of text 1)"},
	{FLAG("resources", resources, "io"),
		.help = "show what each resource offers, besides what is needed"},
};

const struct option_table arguments_io = {rows, sizeof rows / sizeof rows[0], NULL};

enum { WAYS_MAX = 64 };

/* Question and answer of `paradl io`. */
struct query {
	struct question question;
	const char *shuffles; /* list of --shuffle, as typed; NULL: not given */
	struct paradl_input_mode ways[WAYS_MAX];
	struct paradl_plan plans[OPTION_COUNTS_MAX];
	struct paradl_input_request request;
	struct paradl_input_table table;
};

/* ---- ways ---- */

/*
 * Keeps the list of --shuffle, and leaves only its first item as the option, with which the other options are read.
 */
static bool first_shuffle(struct session *session, struct query *query)
{
	query->shuffles = session->arguments.shuffle;
	if (!query->shuffles)
		return true;
	session->arguments.shuffle =
		arena_copy(session->arena, query->shuffles, strcspn(query->shuffles, ","));
	return session->arguments.shuffle || out_of_memory(&session->error);
}

static bool add_way(struct session *session, struct query *query, struct paradl_input_mode way)
{
	if (query->request.way_count == WAYS_MAX)
		return session_usage(session, "--shuffle: at most %d ways are possible", WAYS_MAX);
	query->ways[query->request.way_count++] = way;
	return true;
}

/* Adds a global shuffle from each store that can have one, or only from that of --store. */
static bool add_global(struct session *session, struct query *query)
{
	const enum paradl_store asked = (enum paradl_store)session->arguments.store;
	for (enum paradl_store store = PARADL_STORE_SHARED; store < PARADL_STORE_SHARD; ++store)
		if ((asked == PARADL_STORE_AUTO || store == asked) &&
			!add_way(session, query, (struct paradl_input_mode){.store = store}))
			return false;
	return true;
}

static bool read_ways(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	if (!query->shuffles && arguments->store == PARADL_STORE_AUTO)
		return true;
	if (!query->shuffles)
		return add_global(session, query);
	for (const char *at = query->shuffles; at;) {
		struct paradl_input_mode way = {.store = (enum paradl_store)arguments->store};
		const size_t length = strcspn(at, ",");
		const char *const text = arena_copy(session->arena, at, length);
		if (!text)
			return out_of_memory(&session->error);
		if (!input_shuffle_read(session, text, &way) ||
			!(way.shuffle == PARADL_SHUFFLE_GLOBAL ? add_global(session, query)
							       : add_way(session, query, way)))
			return false;
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

/* ---- plans ---- */

static bool add_plan(struct session *session, struct query *query, const char *text)
{
	struct paradl_plan *const plan = &query->plans[query->request.plan_count++];
	return text ? question_plan(session, &query->question, text, plan) : out_of_memory(&session->error);
}

/*
 * Adds data parallelism over devices, or where that lacks memory the plan that advise has first, with its batch.
 * *others: whether such a plan was taken.
 */
static bool add_devices(struct session *session, struct query *query, double devices, bool *others)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_oracle *const oracle = query->question.oracle;
	struct paradl_estimate estimate;
	struct paradl_ranking ranking;
	if (!add_plan(session, query, arena_printf(session->arena, "data=%.0f", devices)))
		return false;
	struct paradl_plan *const plan = &query->plans[query->request.plan_count - 1];
	if (paradl_estimate(oracle, plan, &estimate, NULL) && estimate.fits)
		return true;
	const bool asked = arguments->batch > 0 || query->question.head.inference;
	const struct paradl_request request = {.devices = (unsigned)devices,
		.batch = asked ? plan->batch : 0,
		.per_device = asked ? 0 : arguments->per_gpu,
		.micro = arguments->micro};
	if (!paradl_advise(oracle, &request, PARADL_RANKED_FIRST, session->arena, &ranking, &session->error))
		return false;
	if (ranking.count > 0) {
		*plan = ranking.results[0].plan;
		*others = true;
		question_warn_shared(session, oracle, "", devices, plan->batch);
	}
	return true;
}

static bool read_plans(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	struct option_counts gpus;
	if (arguments->strategy && arguments->gpus.count > 0)
		return session_usage(session, "only one of -s and --gpus is possible: -s PLAN says how many");
	if (arguments->strategy)
		return add_plan(session, query, arguments->strategy);
	if (!question_gpus(session, &query->question, &gpus))
		return false;
	bool others = false;
	for (size_t i = 0; i < gpus.count; ++i)
		if (!add_devices(session, query, gpus.values[i], &others))
			return false;
	return !others || question_assume(session, &query->question.head,
				  "data parallelism alone does not fit: the fastest plan that does is fed");
}

static bool read_query(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_input_request *const request = &query->request;
	if (arguments->no_input)
		return session_usage(session, "--no-input leaves out all that io is about");
	if (!first_shuffle(session, query) || !question_load(session, &query->question))
		return false;
	request->ways = query->ways;
	request->plans = query->plans;
	request->epochs = arguments->epochs;
	return input_options_read(session, &request->options) && read_ways(session, query) &&
	       question_check_batch(session, &query->question) && read_plans(session, query);
}

/* ---- the answer ---- */

/*
 * Adds to the assumptions what takes no time because nothing is known about it; the same text in a row is added
 * once.
 */
static bool assume_free(struct session *session, struct query *query)
{
	const struct paradl_input_case *const first = &query->table.cases[0];
	const char *said = NULL;
	bool ok = true;
	for (size_t i = 0; i < first->row_count && ok; ++i) {
		const char *const free = first->rows[i].input.lacking;
		if (free && (!said || strcmp(said, free) != 0))
			ok = question_assume(session, &query->question.head, free);
		said = free ? free : said;
	}
	return ok;
}

/* Adds to the assumptions the numbers of the program's loaders and exchanges that are guessed, not measured. */
static bool assume_program(struct session *session, struct report_head *head)
{
	const struct paradl_framework_info *const program = &head->framework;
	const char *names = "";
	for (unsigned i = 0; names && i < program->assumed_count; ++i) {
		const char *const name = program->assumed[i];
		if (strncmp(name, "rules/loader_", strlen("rules/loader_")) == 0 ||
			strncmp(name, "rules/exchange_", strlen("rules/exchange_")) == 0)
			names = arena_printf(session->arena, "%s%s%s", names, *names ? ", " : "", name);
	}
	return (names && !*names) ||
	       question_assume(session, head,
		       names ? arena_printf(session->arena, "guessed in %s: %s", program->name, names)
			     : NULL);
}

/* Returns whether samples change hands in any of the rows. */
static bool exchanges(const struct paradl_input_table *table)
{
	for (size_t i = 0; i < table->count; ++i)
		for (size_t k = 0; k < table->cases[i].row_count; ++k)
			if (table->cases[i].rows[k].input.exchange_s > 0)
				return true;
	return false;
}

/* Returns whether each plan fits and has a possible way to feed it; impossible ways are the last rows of a plan. */
static bool is_possible(const struct paradl_input_table *table)
{
	for (size_t i = 0; i < table->count; ++i)
		if (!table->cases[i].rows[0].input.possible || !table->cases[i].estimate.fits)
			return false;
	return true;
}

static enum exit_status run(struct session *session)
{
	struct query *const query = arena_alloc(session->arena, 1, sizeof *query);
	struct document document;
	if (!query)
		return session_out_of_memory(session);
	const struct report_io report = {.head = &query->question.head,
		.table = &query->table,
		.shows_resources = session->arguments.resources,
		.shows_terms = session->arguments.explain};
	if (!read_query(session, query) ||
		!paradl_input_table(query->question.oracle, &query->request, session->arena, &query->table,
			&session->error) ||
		!assume_free(session, query) || !assume_program(session, &query->question.head) ||
		(exchanges(&query->table) && !question_assume_exchange(session, &query->question.head)))
		return session_fail(session);
	question_finish(session, &query->question);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->io(&document.sink, &report);
	return document_end(session, &document, is_possible(&query->table) ? EXIT_ANSWER : EXIT_NO);
}

const struct command command_io = {
	.name = "io",
	.summary = "tell whether storage and hosts can feed a training; what to change",
	.synopsis = "MODEL --hw HW [--gpus N | -s PLAN] [--shuffle LIST] [options]",
	.details = "Each way to get samples to the devices is a row: read from the shared file\n"
		   "system, a copy on each node, pooled disks, or parts that workers keep (local)\n"
		   "and exchange (partial:Q, pairwise:Q), or between which models go (models:H).\n"
		   "--shuffle names some of them:\n"
		   "global,local,partial:10%. The plan is data parallelism, where that does not fit\n"
		   "the fastest that does; or -s.",
	OPERAND_MODEL,
	.usual = "hw gpus strategy batch dataset shuffle store cache workers epochs resources output",
	.examples = {"paradl io resnet50 --hw abci --gpus 64",
		"paradl io resnet50 --hw abci --gpus 512 --shuffle global,local,partial:10%"},
	.most_operands = 1,
	.run = run,
};
