/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/output.h"
#include "cli/question.h"

struct query {
	struct report_head head;
	const struct paradl_machine *machine; /* profile to change or to start from; NULL: neither */
	struct paradl_calibration calibration;
	struct report_calibration report;
	bool is_refused; /* whether the file of --into is not written, because its numbers are refused */
};

static bool is_there(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0;
}

static bool check_arguments(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const char *const into = arguments->fit.into;
	if (arguments->fit.constants || arguments->fit.leave_out || arguments->fit.leave_each_out)
		return session_usage(
			session, "--constants and --leave-out are about --measured CSV, not samples");
	if (arguments->fit.model && !arguments->layer_times)
		return session_usage(
			session, "--layers-of says which network --write-layer-times FILE is of");
	if (into && fit_into_shipped(session)) {
		error_hint(&session->error, "write a copy: --into ./my.json --base %.120s", into);
		return false;
	}
	if (into && arguments->fit.base && is_there(into)) {
		session_usage(session, "--base is for a profile that is not there yet, and %s is", into);
		error_hint(&session->error, "leave out --base to change it, or name another file");
		return false;
	}
	return true;
}

/*
 * Reads what is known of the machine: the profile to start from (--base), or the one to change (--into), if there is
 * one.
 */
static bool load_machine(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	const char *path = NULL;
	if (arguments->fit.base)
		path = shipped_find(session, SHIPPED_HW, arguments->fit.base);
	else if (arguments->fit.into && is_there(arguments->fit.into))
		path = arguments->fit.into;
	else
		return true;
	query->machine =
		path ? paradl_machine_load(session->arena,
			       &(struct paradl_source){.path = path, .directories = session->directories},
			       &session->error)
		     : NULL;
	if (!query->machine)
		return false;
	query->head.machine = paradl_machine_info(query->machine);
	return question_input(session, &query->head, path);
}

static bool write_layer_times(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const char *name = NULL;
	if (arguments->fit.model) {
		const struct paradl_model *const model = session_model(session, arguments->fit.model, NULL);
		if (!model)
			return false;
		name = paradl_model_info(model).name;
	}
	return paradl_calibration_layer_times(session->arena, session->operands.items,
		session->operands.count, name, arguments->layer_times, &session->error);
}

/* Returns whether the numbers go to a device file that is shipped, as where devices/ is a link; then the error is set. */
static bool changes_shipped(struct session *session, const struct query *query)
{
	const char *const path =
		query->machine ? query->head.machine.device_path : session->arguments.fit.into;
	const char *const slash = path ? strrchr(path, '/') : NULL;
	bool changes_device = !query->machine;
	for (size_t i = 0; i < query->calibration.number_count; i++)
		changes_device |= query->calibration.numbers[i].file == PARADL_FITTED_DEVICE;
	return path && changes_device && fit_device_shipped(session, slash ? slash + 1 : path);
}

static bool fit(struct session *session, struct query *query)
{
	const char *const *const files = session->operands.items;
	const size_t count = session->operands.count;
	for (size_t i = 0; i < count; i++)
		if (!question_input(session, &query->head, files[i]))
			return false;
	return paradl_calibration_fit(
		session->arena, files, count, query->machine, &query->calibration, &session->error);
}

/* Writes what was asked for; a fit that is refused is not written. */
static bool save(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	if (arguments->layer_times && !write_layer_times(session))
		return false;
	query->is_refused =
		arguments->fit.into && !arguments->force && paradl_calibration_refused(&query->calibration);
	query->report.is_refused = query->is_refused;
	if (query->is_refused)
		query->report.into = NULL;
	return !arguments->fit.into || query->is_refused ||
	       (!changes_shipped(session, query) &&
		       paradl_calibration_write(session->arena, &query->calibration, query->machine,
			       arguments->fit.into, &session->error));
}

/* Warns of each bad verdict, also where the document goes to a file; returns whether there is none. */
static bool say_bad(struct session *session, const struct paradl_calibration *calibration)
{
	bool fine = true;
	for (size_t i = 0; i < calibration->verdict_count; i++) {
		const struct paradl_verdict *const verdict = &calibration->verdicts[i];
		if (verdict->severity != PARADL_BAD)
			continue;
		fine = false;
		session_warn(session, "%s: %s", verdict->judge, verdict->text);
	}
	return fine;
}

static enum exit_status print_answer(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	const bool is_bad = !say_bad(session, &query->calibration);
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (draw_wanted(session))
		status = draw_picture(session, &picture_calibration, &query->report);
	if (!draw_goes_on(session, status))
		return status;
	if (!document_begin(session, &document))
		return session_fail(session);
	if (status == EXIT_ANSWER && ((is_bad && arguments->strict) || query->is_refused))
		status = EXIT_NO;
	if (query->is_refused)
		diagnostic_print(session,
			"paradl: %s is not written: these numbers are of a busy machine, or of none (%s); "
			"--force writes "
			"them, as assumed",
			arguments->fit.into, paradl_calibration_refused(&query->calibration));
	session->format->calibration(&document.sink, &query->report);
	return document_end(session, &document, status);
}

enum exit_status fit_samples(struct session *session)
{
	struct query *const query = arena_alloc(session->arena, 1, sizeof *query);
	if (!query)
		return session_out_of_memory(session);
	query->report = (struct report_calibration){.head = &query->head,
		.calibration = &query->calibration,
		.into = session->arguments.fit.into,
		.layer_times = session->arguments.layer_times,
		.shows_points = session->arguments.show};
	if (!check_arguments(session) || !question_command(session, &query->head) ||
		!load_machine(session, query) || !fit(session, query))
		return session_fail(session);
	if (!save(session, query))
		return session_fail_writing(session);
	return print_answer(session, query);
}
