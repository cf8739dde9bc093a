/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the model's file says of inference: the number format of its weights, and how long a sequence may be. */
#include <math.h>
#include <string.h>

#include "cli/question.h"

void question_precision(struct report_head *head, const struct paradl_options *options)
{
	head->precision = paradl_precision_name(
		options->override_precision
			? options->precision
			: paradl_usual_precision(&head->model, &head->machine, options->inference));
}

static bool precision_note(struct session *session, struct report_head *head)
{
	const struct paradl_model_info *const model = &head->model;
	if (model->inference_precision >= PARADL_PRECISION_COUNT || session->arguments.precision >= 0)
		return true;
	const char *const says = paradl_precision_name(model->inference_precision);
	if (strcmp(says, head->precision) == 0)
		return !session->arguments.inference ||
		       question_assume(session, head,
			       arena_printf(session->arena,
				       "%s, as the model's file says of inference; --precision takes another",
				       says));
	session_warn(session, "%s: it says %s for inference; %s is taken, as %s (--precision takes another)",
		model->path, says, head->precision,
		session->arguments.inference ? "the device has no such format" : "this is training");
	return true;
}

bool question_serving_notes(struct session *session, struct report_head *head)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_model_info *const model = &head->model;
	const double longest = fmax(model->sequence, model->positions);
	if (arguments->inference && model->generates && arguments->input_tokens > longest)
		session_warn(session,
			"prompts have %.0f tokens, but the longest sequence that the file of %s names is "
			"%.0f: it may not "
			"read so far (inference.positions of the file says how far)",
			arguments->input_tokens, model->name, longest);
	if (arguments->requests > 0 && arguments->requests < arguments->batch)
		session_warn(session,
			"--requests %.0f never fill a batch of %.0f: no more than %.0f are under way at a "
			"time",
			arguments->requests, arguments->batch, arguments->requests);
	return precision_note(session, head);
}
