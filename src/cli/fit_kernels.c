/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

#include <string.h>

#include "base/error.h"
#include "cli/output.h"
#include "cli/question.h"

struct query {
	struct report_head head;
	struct paradl_kernels kernels;
	struct report_kernels report;
};

/*
 * Sets the device of a request from --device: a name, whose rows alone are read, or a file NAME.json, which also
 * takes the place of the shipped file of that device.
 */
static void device_set(struct session *session, struct paradl_kernels_request *request)
{
	const char *const device = session->arguments.device;
	const size_t length = device ? strlen(device) : 0;
	if (length > 5 && strcmp(device + length - 5, ".json") == 0) {
		const char *const slash = strrchr(device, '/'), *const name = slash ? slash + 1 : device;
		request->device_path = device;
		request->device = arena_copy(session->arena, name, strlen(name) - 5);
	} else {
		request->device = device;
	}
}

static enum exit_status answer(struct session *session, const char *const *files, size_t count,
	struct paradl_kernels_request *request)
{
	struct query *const query = arena_alloc(session->arena, 1, sizeof *query);
	const char *const into = session->arguments.fit.into;
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (!query)
		return session_out_of_memory(session);
	query->report = (struct report_kernels){
		.head = &query->head, .kernels = &query->kernels, .into = request->fit ? into : NULL};
	request->directories = session->directories;
	device_set(session, request);
	for (size_t i = 0; i < count; i++)
		if (!question_input(session, &query->head, files[i]))
			return session_fail(session);
	if (!question_command(session, &query->head) ||
		!paradl_kernels_fit(session->arena, files, count, request, &query->kernels, &session->error))
		return session_fail(session);
	if (query->report.into &&
		!paradl_kernels_write(session->arena, &query->kernels, into, &session->error))
		return session_fail_writing(session);
	if (draw_wanted(session))
		status = draw_picture(session, &picture_kernels, &query->report);
	if (!draw_goes_on(session, status))
		return status;
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->kernels(&document.sink, &query->report);
	return document_end(session, &document, status);
}

/*
 * Returns the first given option that applies to samples, training times or plans but not to kernels; NULL: none is
 * given.
 */
static const char *option_of_others(const struct arguments *arguments)
{
	const struct {
		bool is_given;
		const char *name;
	} others[] = {
		{arguments->fit.base, "--base"},
		{arguments->fit.constants, "--constants"},
		{arguments->fit.leave_out, "--leave-out"},
		{arguments->layer_times, "--write-layer-times"},
		{arguments->fit.model, "--layers-of"},
		{arguments->show, "--show"},
		{arguments->measured, "--measured"},
		{arguments->hw, "--hw"},
		{arguments->framework, "--framework"},
		{arguments->all_rows, "--all-rows"},
		{arguments->ideal, "--ideal"},
		{arguments->quiet_network, "--quiet-network"},
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].is_given)
			return others[i].name;
	return NULL;
}

enum { DRAWS = 5 };

enum exit_status fit_kernels(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_kernels_request request = {.fit = true,
		.shapes = (size_t)arguments->fit.shapes,
		.draws = DRAWS,
		.seed = (unsigned long)(arguments->fit.seed > 0 ? arguments->fit.seed : 1)};
	const char *const other = option_of_others(arguments);
	if (other)
		session_usage(session, "%s is not about times of kernels", other);
	else if (arguments->fit.leave_each_out && arguments->fit.shapes > 0)
		session_usage(
			session, "--leave-each-out leaves devices out, --shapes rows: give one of them");
	else if (arguments->fit.seed > 0 && !(arguments->fit.shapes > 0))
		session_usage(session, "--seed needs --shapes N, which are drawn at random");
	else if (arguments->fit.leave_each_out && arguments->fit.into)
		session_usage(session,
			"--into writes the numbers of one device, --leave-each-out leaves each one out");
	if (session->error.status != PARADL_OK || (arguments->fit.into && fit_into_shipped(session)))
		return session_fail(session);
	if (arguments->fit.leave_each_out)
		request.left_out = PARADL_LEAVE_DEVICES;
	else if (arguments->fit.shapes > 0)
		request.left_out = PARADL_LEAVE_SHAPES;
	request.single = arguments->fit.into;
	return answer(session, session->operands.items, session->operands.count, &request);
}

enum exit_status validate_kernels(struct session *session)
{
	struct paradl_kernels_request request = {.fit = false};
	const struct option_texts *const files = &session->arguments.kernels;
	const char *const other = option_of_others(&session->arguments);
	if (other) {
		session_usage(session, "%s is not about times of kernels", other);
		return session_fail(session);
	}
	return answer(session, files->items, files->count, &request);
}
