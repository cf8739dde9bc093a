/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/question.h"

/* Export that is asked for: what to write, and of which network. */
struct export_query {
	bool is_trace, has_request;
	struct paradl_network *network;
	struct paradl_collective_request request;
	struct sizes sizes;
};

static bool read_query(struct session *session, struct export_query *query)
{
	static const char *const names[] = {"simgrid", "simgrid-trace"};
	const struct arguments *const arguments = &session->arguments;
	const char *const *const operands = session->operands.items;
	const size_t count = session->operands.count;
	if (count == 0)
		return session_missing(
			session, "export needs to know what: simgrid, simgrid-trace or astra-sim");
	query->is_trace = strcmp(operands[0], names[1]) == 0;
	if (!query->is_trace && strcmp(operands[0], names[0]) != 0) {
		session_usage(session, "there is no export called %s", operands[0]);
		error_hint(&session->error,
			"simgrid is the platform of a network, simgrid-trace what a collective sends on it, "
			"astra-sim the layers of a plan");
		return false;
	}
	query->has_request = count > 1;
	if (query->is_trace && !query->has_request)
		return session_missing(session, "simgrid-trace needs an operation, such as allreduce");
	if (!query->has_request)
		return true;
	if (!request_read(session, operands[1], &query->request) ||
		!sizes_parse(arguments->network.bytes ? arguments->network.bytes : "64M", &query->sizes,
			&session->error))
		return false;
	query->request.bytes = query->sizes.bytes;
	query->request.count = query->sizes.count;
	return query->sizes.count == 1 || session_usage(session, "export writes one size; --bytes %s has %zu",
						  arguments->network.bytes, query->sizes.count);
}

static bool make_network(struct session *session, struct export_query *query)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_machine *machine = NULL;
	struct paradl_paper paper = {.topology = arguments->network.topologies};
	if (!arguments->hw && !(arguments->network.topologies && arguments->network.link))
		return session_missing(session,
			"export needs --hw HW, or --topology and --link; HW is a file or one of %s",
			shipped_names(session, SHIPPED_HW));
	if (!arguments->network.topologies && arguments->network.link)
		return session_usage(session, "--link is about networks on paper: it needs --topology");
	if (arguments->network.topologies && strchr(arguments->network.topologies, ','))
		return session_usage(session, "export writes one network; --topology has several");
	if (arguments->hw) {
		const struct paradl_changes *changes;
		machine = question_changes(session, &changes)
				  ? session_machine(session, arguments->hw, changes)
				  : NULL;
		if (!machine)
			return false;
	}
	paper.machine = machine;
	if (!request_link(session, &paper))
		return false;
	query->network = paper.topology ? paradl_network_on_paper(session->arena, &paper, &session->error)
					: paradl_network_create(session->arena, machine, &session->error);
	return query->network != NULL;
}

static bool to_document(void *context, const char *text, size_t length)
{
	return fwrite(text, 1, length, context) == length;
}

static bool write_query(struct session *session, struct export_query *query, FILE *file)
{
	if (query->is_trace)
		return paradl_simgrid_trace(
			query->network, &query->request, to_document, file, session->arena, &session->error);
	return paradl_simgrid_platform(query->network, query->has_request ? &query->request : NULL,
		to_document, file, session->arena, &session->error);
}

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

static bool load_workload(struct session *session, struct workload *workload)
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

/*
 * Writes a workload of ASTRA-sim 1.0. The text has the kind of parallelism, the number of layers, and a line for
 * each layer in the order of the forward pass:
 *     name, -1, and for forward, gradient of the input and gradient of the weights: time, collective, bytes; time of the update
 * Times are in nanoseconds, the ticks of its clock; the format has no place to say so. The backward time of a layer
 * with weights is split half and half between the two gradients. Gradients are all-reduced in the type of the
 * weights.
 */
static enum exit_status export_astra(struct session *session)
{
	struct document document;
	struct workload *const workload = arena_alloc(session->arena, 1, sizeof *workload);
	if (!workload)
		return session_out_of_memory(session);
	if (!load_workload(session, workload) || !document_begin(session, &document))
		return session_fail(session);
	const size_t count = workload->question.head.model.layer_count;
	fprintf(document.sink.file, "DATA\n%zu\n", count);
	for (size_t i = 0; i < count; i++)
		write_layer(document.sink.file, workload, i);
	return document_end(session, &document, EXIT_ANSWER);
}

static enum exit_status run(struct session *session)
{
	if (session->operands.count > 0 && strcmp(session->operands.items[0], "astra-sim") == 0)
		return export_astra(session);
	struct export_query *const query = arena_alloc(session->arena, 1, sizeof *query);
	struct document document;
	if (!query)
		return session_out_of_memory(session);
	if (!read_query(session, query) || !make_network(session, query) ||
		!document_begin(session, &document))
		return session_fail(session);
	if (write_query(session, query, document.sink.file))
		return document_end(session, &document, EXIT_ANSWER);
	document_discard(&document);
	return session_fail(session);
}

const struct command command_export = {
	.name = "export",
	.summary = "write networks, collectives, plans for SimGrid and ASTRA-sim",
	.synopsis = "simgrid|simgrid-trace|astra-sim [OPERATION|MODEL] [options]",
	.details = "simgrid writes a network as a platform, with the routes that estimates use; with\n"
		   "an OPERATION only the pairs of devices between which its best algorithm sends.\n"
		   "simgrid-trace writes what that algorithm sends, for 'smpirun -replay'.\n"
		   "astra-sim writes a plan of data as a workload: times and exchanges of layers.",
	.operands = "exports",
	.operand = "OPERATION",
	.operand_help = "of simgrid, simgrid-trace: allreduce, all-to-all, ...",
	.usual = "hw topology link bytes ranks algo strategy batch precision output",
	.examples = {"paradl export simgrid --topology torus:8x8 --link '25 GB/s,1 us' -o torus.xml",
		"paradl export astra-sim resnet50 --hw abci -s data=16 -o resnet50.txt"},
	.most_operands = 2,
	.run = run,
};
