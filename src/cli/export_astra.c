/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a workload of ASTRA-sim 1.0. The file has the kind of parallelism, the number of layers, and a line for
 * each layer in the order of the forward pass:
 *     name, -1, and for forward, gradient of the input and gradient of the weights: time, collective, bytes; time of the update
 * Times are in nanoseconds, the ticks of its clock; the format has no place to say so. The backward time of a layer
 * with weights is split half and half between the two gradients. Gradients are all-reduced in the type of the
 * weights.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_export.h"
#include "cli/question.h"

#define NS_PER_S 1e9

struct workload {
	struct question question;
	struct paradl_plan plan;
	struct paradl_layer_table layers;
};

static bool only_data(struct session *session, const struct paradl_plan *plan)
{
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; axis++)
		if (axis != PARADL_DATA && plan->degree[axis] > 1) {
			error_set(&session->error, PARADL_USAGE,
				"workloads of ASTRA-sim are written of plans of data only, such as -s "
				"data=64");
			return false;
		}
	if (plan->zero == 0)
		return true;
	error_set(&session->error, PARADL_USAGE,
		"workloads of ASTRA-sim all-reduce gradients, and zero=%u scatters them", plan->zero);
	error_hint(&session->error, "leave zero= out");
	return false;
}

static bool load(struct session *session, struct workload *workload)
{
	struct question *const question = &workload->question;
	if (session->operands.count < 2)
		return session_missing(session, "export astra-sim needs a MODEL: a file, or one of %s",
			shipped_names(session, SHIPPED_MODELS));
	session->operands.items++; /* the remaining operands are those of estimate */
	session->operands.count--;
	if (!session->arguments.strategy)
		return session_missing(session, "export astra-sim needs -s PLAN, such as data=64");
	return question_load(session, question) && question_check_batch(session, question) &&
	       question_plan(session, question, session->arguments.strategy, &workload->plan) &&
	       only_data(session, &workload->plan) &&
	       paradl_estimate_layers(
		       question->oracle, &workload->plan, session->arena, &workload->layers, &session->error);
}

static double gradient_bytes(const struct question *question)
{
	const char *const precision = question->head.precision;
	return strcmp(precision, "fp32") == 0 || strcmp(precision, "tf32") == 0 ? 4 : 2;
}

/* Writes a name with its blanks as '_', because the format takes a name as one word. */
static void write_name(FILE *file, const char *name)
{
	for (; *name; name++)
		fputc(*name == ' ' || *name == '\t' ? '_' : *name, file);
}

static void write_layer(FILE *file, const struct workload *workload, size_t index)
{
	const struct paradl_layer_info info = paradl_model_layer(workload->question.model, index);
	const struct paradl_layer_estimate *const row = &workload->layers.rows[info.distinct];
	const bool trains = info.weight_items > 0 && row->weight_update_s > 0;
	const double forward = round(NS_PER_S * row->forward_s / row->count);
	const double backward = round(NS_PER_S * row->backward_s / row->count);
	const double weight = trains ? floor(backward / 2) : 0;
	const double bytes = trains ? info.weight_items * gradient_bytes(&workload->question) : 0;
	const bool sums = bytes > 0 && workload->plan.degree[PARADL_DATA] > 1;
	write_name(file, info.name);
	fprintf(file, "\t-1\t%.0f\tNONE\t0\t%.0f\tNONE\t0\t%.0f\t%s\t%.0f\t%.0f\n", forward,
		backward - weight, weight, sums ? "ALLREDUCE" : "NONE", sums ? bytes : 0.0,
		round(NS_PER_S * row->weight_update_s / row->count));
}

enum exit_status export_astra(struct session *session)
{
	struct document document;
	struct workload *const workload = arena_alloc(session->arena, 1, sizeof *workload);
	if (!workload)
		return session_out_of_memory(session);
	if (!load(session, workload) || !document_begin(session, &document))
		return session_fail(session);
	const size_t count = workload->question.head.model.layer_count;
	fprintf(document.sink.file, "DATA\n%zu\n", count);
	for (size_t i = 0; i < count; i++)
		write_layer(document.sink.file, workload, i);
	return document_end(session, &document, EXIT_ANSWER);
}
