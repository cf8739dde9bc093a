/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command_export.h"
#include "cli/question.h"
#include "cli/request.h"
#include "cli/sizes.h"

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
		!sizes_parse(arguments->bytes ? arguments->bytes : "64M", &query->sizes, &session->error))
		return false;
	query->request.bytes = query->sizes.bytes;
	query->request.count = query->sizes.count;
	return query->sizes.count == 1 || session_usage(session, "export writes one size; --bytes %s has %zu",
						  arguments->bytes, query->sizes.count);
}

static bool make_network(struct session *session, struct export_query *query)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_machine *machine = NULL;
	struct paradl_paper paper = {.topology = arguments->topologies};
	if (!arguments->hw && !(arguments->topologies && arguments->link))
		return session_missing(session,
			"export needs --hw HW, or --topology and --link; HW is a file or one of %s",
			shipped_names(session, SHIPPED_HW));
	if (!arguments->topologies && arguments->link)
		return session_usage(session, "--link is about networks on paper: it needs --topology");
	if (arguments->topologies && strchr(arguments->topologies, ','))
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
