/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/command_sweep.h"
#include "cli/session.h"

#define SWEEP(...) ROW("sweep", __VA_ARGS__)

static const struct option_row rows[] = {
	{SWEEP("vary", OPTION_TEXTS, sweep.vary, "KEY=VALUES"), .group = "Question",
		.help = "what varies: gpus=4..1024, batch=1k,2k, hw=abci,alps; precision=fp32,fp16, "
			"tensor=1..8, hw.levels.1.bandwidth=x0.5..x4: each with each; the last varies "
			"fastest"},
	{SWEEP("strategy", OPTION_TEXTS, sweep.plans, "PLANS"), .letter = 's', .completes = "strategies",
		.group = "Question",
		.help = "plans 'data=*,spatial=4', or axes data,data+spatial; * is what is left of the GPUs; "
			"of axes the best plan is taken; plans have ';' between them or one -s for each; "
			"without it the best of all"},
	{SWEEP("resume", OPTION_TEXT, sweep.resume, "FILE"), .completes = "file", .group = "Output",
		.help = "as -o FILE, but goes on where it was interrupted; what is done is kept in FILE.part "
			"until all is"},
};

const struct option_table arguments_sweep = {rows, sizeof rows / sizeof rows[0], NULL};

/* Question of a sweep, as options ask for it. */
struct sweep_question {
	struct question question; /* its head alone is filled */
	struct paradl_sweep_dimension dimensions[PARADL_SWEEP_DIMENSIONS];
	struct paradl_sweep_request request;
	struct paradl_sweep *sweep;
	struct paradl_sweep_key keys[PARADL_SWEEP_DIMENSIONS];
	struct report_sweep report;
};

static bool add_dimension(
	struct session *session, struct sweep_question *question, const char *key, const char *values)
{
	struct paradl_sweep_request *const request = &question->request;
	if (request->dimension_count == PARADL_SWEEP_DIMENSIONS)
		return session_usage(session, "more than %d things vary", (int)PARADL_SWEEP_DIMENSIONS);
	question->dimensions[request->dimension_count++] = (struct paradl_sweep_dimension){key, values};
	return true;
}

/* Adds --gpus with its list as the first thing that varies. */
static bool add_gpus(struct session *session, struct sweep_question *question)
{
	const struct option_counts *const gpus = &session->arguments.gpus;
	const char *text = "";
	for (size_t i = 0; text && i < gpus->count; i++)
		text = arena_printf(session->arena, "%s%s%.0f", text, i > 0 ? "," : "", gpus->values[i]);
	if (!text)
		return out_of_memory(&session->error);
	return gpus->count == 0 || add_dimension(session, question, "gpus", text);
}

/* Returns the key as it is spelled now: keys that are options are renamed with them. */
static const char *current_key(struct session *session, const char *key)
{
	const struct option_row *const row = option_find(&arguments_table, session->command->name, key);
	if (!row || strcmp(row->name, key) == 0)
		return key;
	session_warn(session, "--vary %s= is now --vary %s=; the old spelling goes with the next release",
		key, row->name);
	return row->name;
}

static bool read_dimensions(struct session *session, struct sweep_question *question)
{
	const struct option_texts *const grid = &session->arguments.sweep.vary;
	if (!add_gpus(session, question))
		return false;
	for (size_t i = 0; i < grid->count; i++) {
		const char *const equals = strchr(grid->items[i], '=');
		const char *const key =
			equals ? arena_copy(session->arena, grid->items[i], (size_t)(equals - grid->items[i]))
			       : "";
		if (!key)
			return out_of_memory(&session->error);
		if (!*key) {
			session_usage(session, "--vary %s does not say what it may be", grid->items[i]);
			error_hint(&session->error, "write --vary KEY=VALUES, as in --vary gpus=4..1024");
			return false;
		}
		if (!add_dimension(session, question, current_key(session, key), equals + 1))
			return false;
	}
	return true;
}

static bool varies(const struct sweep_question *question, const char *key)
{
	for (size_t i = 0; i < question->request.dimension_count; i++)
		if (strcmp(question->dimensions[i].key, key) == 0)
			return true;
	return false;
}

/* Refuses options that give a value to what varies, and a sweep without model or machine. */
static bool check_fixed(struct session *session, const struct sweep_question *question)
{
	const struct arguments *const arguments = &session->arguments;
	const struct {
		const char *key;
		bool given;
	} fixed[] = {
		{"hw", arguments->hw},
		{"framework", arguments->framework},
		{"dataset", arguments->dataset},
		{"batch", arguments->batch > 0 || arguments->batch_tokens > 0},
		{"per-gpu", arguments->per_gpu > 0},
		{"precision", arguments->precision >= 0},
		{"optimizer", arguments->optimizer},
		{"algo", arguments->algorithm},
		{"compress", arguments->compress},
		{"input-tokens", arguments->input_tokens > 0},
		{"output-tokens", arguments->output_tokens > 0},
		{"rate", arguments->rate_per_s > 0},
		{"seq", arguments->seq > 0},
	};
	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		if (fixed[i].given && varies(question, fixed[i].key))
			return session_usage(session, "only one of --%s and --vary %s= is possible",
				fixed[i].key, fixed[i].key);
	const bool has_model = session->operands.count > 0;
	if (has_model && varies(question, "model"))
		return session_usage(session, "only one of MODEL and --vary model= is possible");
	if (!has_model && !varies(question, "model"))
		return session_missing(session, "sweep needs a MODEL: a file, or one of %s",
			shipped_names(session, SHIPPED_MODELS));
	if (!arguments->hw && !varies(question, "hw"))
		return session_missing(session, "sweep needs --hw HW: a file, or one of %s",
			shipped_names(session, SHIPPED_HW));
	if (arguments->output && arguments->sweep.resume)
		return session_usage(session, "only one of -o and --resume is possible");
	return true;
}

static bool find_file(struct session *session, enum shipped shipped, const char *name, const char **path)
{
	*path = name ? shipped_find(session, shipped, name) : NULL;
	return !name || *path;
}

static bool fill_request(struct session *session, struct sweep_question *question)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_sweep_request *const request = &question->request;
	request->dimensions = question->dimensions;
	request->directories = session->directories;
	request->any_dataset = arguments->force;
	request->changes = arguments->set.items;
	request->change_count = arguments->set.count;
	request->strategies = arguments->sweep.plans.items;
	request->strategy_count = arguments->sweep.plans.count;
	request->with = arguments->plan_options;
	request->goal = (enum paradl_goal)arguments->goal;
	request->batch = arguments->batch;
	request->batch_tokens = arguments->batch_tokens;
	request->per_device = arguments->per_gpu;
	return question_options(session, &request->options) &&
	       find_file(session, SHIPPED_MODELS,
		       session->operands.count > 0 ? session->operands.items[0] : NULL, &request->model) &&
	       find_file(session, SHIPPED_HW, arguments->hw, &request->hw) &&
	       find_file(session, SHIPPED_FRAMEWORKS, arguments->framework, &request->framework) &&
	       find_file(session, SHIPPED_DATASETS, arguments->dataset, &request->dataset);
}

/* Fills the head of the document from the first point: it holds for all where it is not varied. */
static bool fill_head(struct session *session, struct sweep_question *question)
{
	struct report_head *const head = &question->question.head;
	const struct paradl_options *const options = &question->request.options;
	const char *file;
	if (!paradl_sweep_first(
		    question->sweep, &head->model, &head->machine, &head->framework, &session->error))
		return false;
	if (!varies(question, "model") && !session_check_sequence(session, &head->model))
		return false;
	question_precision(head, options);
	head->optimizer = options->optimizer ? options->optimizer : head->model.optimizer;
	head->ideal = options->ideal;
	head->inference = options->inference;
	head->quiet_network = options->quiet_network;
	for (size_t i = 0; (file = paradl_sweep_file(question->sweep, i)); i++)
		if (!question_input(session, head, file))
			return false;
	const char *const framework = head->framework.path;
	const bool is_named = session->arguments.framework || varies(question, "framework");
	if (!is_named && framework && *framework && !question_input(session, head, framework))
		return false;
	return question_command(session, head) &&
	       (varies(question, "precision") || question_serving_notes(session, head)) &&
	       question_assumptions(session, head);
}

static bool sweep_question_read(struct session *session, struct sweep_question *question)
{
	*question = (struct sweep_question){.sweep = NULL};
	if (!read_dimensions(session, question) || !check_fixed(session, question) ||
		!fill_request(session, question))
		return false;
	question->sweep = paradl_sweep_create(session->arena, &question->request, &session->error);
	if (!question->sweep || !fill_head(session, question))
		return false;
	struct report_sweep *const report = &question->report;
	report->head = &question->question.head;
	report->keys = question->keys;
	report->columns = session->arguments.columns;
	report->goal = question->request.goal;
	report->points = (double)paradl_sweep_count(question->sweep);
	while (report->key_count < question->request.dimension_count) {
		question->keys[report->key_count] = paradl_sweep_key(question->sweep, report->key_count);
		report->key_count++;
	}
	const bool has_batch = varies(question, "batch") || varies(question, "per-gpu");
	return (has_batch || question_check_batch(session, &question->question)) &&
	       report_sweep_prepare(session->arena, session->format->sweep, report, &session->error);
}

/* Takes the first point from the first process of the team, which knows what is done already. */
static bool agree_on_first(struct session *session, unsigned long long *first)
{
	const struct paradl_team *const team = session->team ? &session->team->members : NULL;
	const unsigned long long mine = *first;
	const void *all = NULL;
	size_t bytes = 0;
	if (!team || team->size < 2)
		return true;
	if (!team->exchange(team->context, &mine, sizeof mine, &all, &bytes) || bytes < sizeof mine)
		return error_set(&session->error, PARADL_NO_MEMORY, "the first process has given up");
	memcpy(first, all, sizeof *first);
	return true;
}

static enum exit_status say_interrupted(struct session *session, const struct sweep_output *output)
{
	if (session->arguments.sweep.resume)
		diagnostic_print(session,
			"paradl: interrupted after %llu of %.0f points; the same command goes on from there",
			output->part.points, output->all);
	else
		diagnostic_print(
			session, "paradl: interrupted; --resume FILE instead of -o keeps what is done");
	return EXIT_INTERRUPTED;
}

static enum exit_status finish(
	struct session *session, struct sweep_output *output, bool complete, bool has_failed)
{
	enum exit_status status = output->counts.feasible > 0 ? EXIT_ANSWER : EXIT_NO;
	if (!complete && output->is_interrupted)
		status = say_interrupted(session, output);
	if (!complete && !output->is_interrupted && !has_failed)
		sweep_output_failed(output, output->broken);
	const bool written = sweep_output_end(output, complete);
	if (has_failed)
		return session_fail(session);
	if (!written)
		return session_fail_writing(session);
	if (!complete && !output->is_interrupted)
		return session_fail_writing(session);
	if (status == EXIT_NO)
		diagnostic_print(session, "paradl: no point is feasible");
	else if (complete && session->arguments.verbose)
		diagnostic_print(
			session, "paradl: %.0f points, %.0f feasible", output->all, output->counts.feasible);
	return status;
}

static enum exit_status run(struct session *session)
{
	struct sweep_question *const question = arena_alloc(session->arena, 1, sizeof *question);
	struct sweep_output *const output = arena_alloc(session->arena, 1, sizeof *output);
	struct team *const team = session->team;
	if (!question || !output)
		return session_out_of_memory(session);
	if (!sweep_question_read(session, question) || !team_agrees(session, &question->question.head) ||
		(session->arguments.sweep.resume && !question_digests(session, &question->question.head)))
		return session_fail(session);
	question_finish(session, &question->question);
	struct paradl_sweep_run wanted = {.threads = session_threads(session),
		.tell = sweep_output_tell,
		.take = sweep_output_take,
		.ends = sweep_output_ends,
		.context = output};
	if (team)
		wanted.team = &team->members;
	*output = (struct sweep_output){.session = session,
		.report = &question->report,
		.lines = session->format->sweep,
		.all = question->report.points,
		.is_member = team && team->members.rank > 0};
	if (!sweep_output_begin(output, &wanted.first) || !agree_on_first(session, &wanted.first)) {
		sweep_output_end(output, false);
		return session_fail_writing(session);
	}
	const bool complete = paradl_sweep_run(question->sweep, &wanted, &session->error);
	if (complete && output->counts.shared > 0) {
		session_warn(session,
			"%.0f of %.0f points: the usual batch fits under no plan; these are for the largest "
			"half, quarter and so on that does (--batch asks for another)",
			output->counts.shared, output->all);
		question_finish(session, &question->question);
	}
	return finish(session, output, complete, session->error.status != PARADL_OK);
}

const struct command command_sweep = {
	.name = "sweep",
	.summary = "answer any grid of questions as one table",
	.synopsis = "[MODEL] --hw HW (--vary KEY=VALUES)... [-s PLANS] [options]",
	.details = "Every combination of the values is a point, and each plan or family of -s a row of it;\n"
		   "what is not feasible has a row that says why. Keys are options (gpus, batch, per-gpu,\n"
		   "precision, hw, model, ...), words of plans (tensor, zero, ...), or what --set changes.",
	OPERAND_MODEL,
	.usual = "hw vary strategy gpus batch seq precision framework inference goal columns csv output "
		 "resume",
	.examples = {"paradl sweep resnet50 --hw abci --gpus 4..1024 -s data,data+spatial,filter",
		"paradl sweep resnet50 --hw abci --gpus 64 --vary batch=1k,2k,4k -o batches.csv"},
	.most_operands = 1,
	.in_team = true,
	.run = run,
};
