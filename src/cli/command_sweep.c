/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_sweep.h"

#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/team.h"

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
	if (session->arguments.resume_file)
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
		(session->arguments.resume_file && !question_digests(session, &question->question.head)))
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
		return session->error.status == PARADL_IO ? session_fail_writing(session)
							  : session_fail(session);
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
	.synopsis = "[MODEL] --hw HW --vary KEY=VALUES ... [-s PLANS] [options]",
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
