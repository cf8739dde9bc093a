/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"

enum { NETWORKS_MAX = 32 };

/* The command's request, the networks that it is about and their answers. */
struct query {
	struct report_head head;
	const struct paradl_machine *machine; /* NULL: no --hw; --link describes the cables */
	struct sizes sizes;
	struct paradl_collective_request request;
	struct paradl_paper paper; /* all but the topology and the rate, which add_paper sets */
	struct paradl_network *networks[NETWORKS_MAX];
	struct report_network answers[NETWORKS_MAX];
	struct paradl_schedule schedule;
	struct paradl_timings timings;
	struct report_collective report;
};

/* ---- the question ------------------------------------------------------------------------------------------- */

static bool read_query(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	const char *const usual = arguments->network.topologies ? "64M" : "1K..1G*4";
	if (session->operands.count == 0)
		return session_missing(session, "collective needs an operation, such as allreduce");
	query->report.placement = arguments->network.placement ? arguments->network.placement : "in-order";
	query->report.density = arguments->network.density;
	query->report.library = arguments->network.library;
	return request_read(session, session->operands.items[0], &query->request) &&
	       sizes_parse(arguments->network.bytes ? arguments->network.bytes : usual, &query->sizes,
		       &session->error);
}

static bool load_machine(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	if (!arguments->hw && !(arguments->network.topologies && arguments->network.link))
		return session_missing(session,
			"collective needs --hw HW, or --topology and --link; HW is a file or one of %s",
			shipped_names(session, SHIPPED_HW));
	if (!arguments->network.topologies && (arguments->network.link || arguments->network.equal >= 0))
		return session_usage(session, "%s is about networks on paper: it needs --topology",
			arguments->network.link ? "--link" : "--equal");
	if (!arguments->hw)
		return true;
	const struct paradl_changes *changes;
	query->machine =
		question_changes(session, &changes) ? session_machine(session, arguments->hw, changes) : NULL;
	if (!query->machine)
		return false;
	query->head.machine = paradl_machine_info(query->machine);
	return question_input(session, &query->head, query->head.machine.path);
}

/* ---- networks ----------------------------------------------------------------------------------------------- */

static bool add_paper(struct session *session, struct query *query, const char *topology, double rate)
{
	const size_t index = query->report.count;
	struct paradl_paper paper = query->paper;
	struct paradl_inventory *const inventory = &query->answers[index].inventory;
	paper.topology = topology;
	paper.rate = rate;
	query->networks[index] = paradl_network_on_paper(session->arena, &paper, &session->error);
	query->answers[index].rate = rate;
	if (!query->networks[index] ||
		!paradl_network_inventory(session->arena, query->networks[index], inventory, &session->error))
		return false;
	inventory->price *= rate;
	inventory->cables_price *= rate;
	inventory->switches_price *= rate;
	return true;
}

/* Replaces the last network by one whose rate makes it cost as much as the first: prices are taken to grow with it. */
static bool equal_price(struct session *session, struct query *query, const char *topology)
{
	const double first = query->answers[0].inventory.price;
	const double price = query->answers[query->report.count].inventory.price;
	if (!(first > 0) || !(price > 0))
		return session_usage(session,
			"--equal price needs prices of switches and cables, which %s does not have",
			query->machine ? query->head.machine.name : "--link");
	return query->report.count == 0 || add_paper(session, query, topology, first / price);
}

static bool make_papers(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	query->paper = (struct paradl_paper){
		.machine = query->machine, .equal_ports = arguments->network.equal == EQUAL_PORTS};
	query->report.compares = true;
	if (!request_link(session, &query->paper))
		return false;
	for (const char *at = arguments->network.topologies; at; query->report.count++) {
		const size_t length = strcspn(at, ",");
		const char *const topology = arena_copy(session->arena, at, length);
		if (!topology)
			return out_of_memory(&session->error);
		if (query->report.count == NETWORKS_MAX)
			return session_usage(
				session, "--topology: at most %d networks are possible", NETWORKS_MAX);
		if (!add_paper(session, query, topology, 1) ||
			(arguments->network.equal == EQUAL_PRICE && !equal_price(session, query, topology)))
			return false;
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

/* Returns whether the answer is text for people without the network's parts and the algorithms' loads of links. */
static bool is_brief(const struct session *session, const struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	return session->format == &report_text && !arguments->all &&
	       (query->sizes.count > 1 || arguments->measured);
}

static bool make_networks(struct session *session, struct query *query)
{
	if (session->arguments.network.topologies)
		return make_papers(session, query);
	query->networks[0] = paradl_network_create(session->arena, query->machine, &session->error);
	query->answers[0].rate = 1;
	query->report.count = 1;
	return query->networks[0] &&
	       (is_brief(session, query) || paradl_network_inventory(session->arena, query->networks[0],
						    &query->answers[0].inventory, &session->error));
}

/* Reads --measured, if it is given. Its sizes are those to ask about, unless --bytes chooses among them. */
static bool load_timings(struct session *session, struct query *query)
{
	const char *const path = session->arguments.measured;
	if (!path)
		return true;
	const unsigned ranks = paradl_collective_ranks(query->networks[0], &query->request, &session->error);
	if (ranks == 0 || !paradl_timings_load(session->arena, &(struct paradl_source){.path = path},
				  query->request.operation, ranks, &query->timings, &session->error))
		return false;
	query->report.timings = &query->timings;
	if (query->timings.ranks > 1 && query->timings.ranks != ranks)
		session_warn(session, "%s was measured with %u ranks, and is compared with %u: --ranks %u",
			path, query->timings.ranks, ranks, query->timings.ranks);
	if (query->timings.torn)
		session_warn(session, "%s: rows that broke off, and are passed over: %zu", path,
			query->timings.torn);
	if (!session->arguments.network.bytes) {
		query->sizes.count = 0;
		for (size_t i = 0; i < query->timings.count; i++)
			if (!sizes_add(&query->sizes, query->timings.items[i].bytes))
				return session_usage(session,
					"%s has more than %d sizes; choose some with --bytes", path,
					SIZES_MAX);
	}
	return question_input(session, &query->head, path);
}

/* ---- the answer --------------------------------------------------------------------------------------------- */

static bool ask_each(struct session *session, struct query *query)
{
	query->request.bytes = query->sizes.bytes;
	query->request.count = query->sizes.count;
	query->request.brief = is_brief(session, query);
	for (size_t i = 0; i < query->report.count; i++) {
		struct report_network *const answer = &query->answers[i];
		answer->info = paradl_network_info(query->networks[i]);
		if (!paradl_collective(query->networks[i], &query->request, session->arena, &answer->table,
			    &session->error))
			return false;
	}
	if (!session->arguments.schedule)
		return true;
	query->report.schedule = &query->schedule;
	query->report.schedule_bytes = query->sizes.bytes[query->sizes.count - 1];
	return paradl_collective_schedule(query->networks[0], &query->request, query->report.schedule_bytes,
		session->arena, &query->schedule, &session->error);
}

static const char *quantity(struct session *session, double value, enum dimension dimension)
{
	char text[64];
	return arena_text(session->arena, quantity_format(text, sizeof text, value, dimension));
}

static bool assume_paper(struct session *session, struct query *query)
{
	const struct paradl_network_info *const info = &query->answers[0].info;
	const char *const rate = quantity(session, info->cable_bytes_per_s, DIMENSION_BYTES_PER_S);
	const char *const latency = quantity(session, info->cable_latency_s, DIMENSION_TIME);
	const char *const start = quantity(session, info->message_s, DIMENSION_TIME);
	const char *const whose =
		session->arguments.network.link ? "as --link says" : "as the machine's ports";
	if (!rate || !latency || !start)
		return out_of_memory(&session->error);
	if (!question_assume(session, &query->head,
		    arena_printf(session->arena, "on paper: cables %s: %s, %s each%s%s%s", whose, rate,
			    latency, info->message_s > 0 ? "; " : "", info->message_s > 0 ? start : "",
			    info->message_s > 0 ? " to start a message" : "")))
		return false;
	if (session->arguments.network.equal == EQUAL_PRICE)
		return question_assume(session, &query->head,
			"equal price: rates of all cables are scaled by the first network's price over the "
			"network's own");
	return session->arguments.network.equal != EQUAL_PORTS ||
	       question_assume(session, &query->head,
		       "equal ports: a router's cables to others have together what its devices can send; "
		       "networks with switches of switches stay as they are");
}

/*
 * Adds the error of modelled times to the assumptions. The numbers are from tests of the shipped profiles, whose
 * rings are compared with NCCL's; those of the smallest messages are from the same curves.
 */
static bool assume_band(struct session *session, struct query *query)
{
	const struct report_network *const answer = &query->answers[0];
	bool modelled = false;
	for (size_t i = 0; i < answer->table.row_count; i++)
		modelled = modelled || answer->table.rows[i].origin == PARADL_MODELLED;
	if (!modelled || !query->machine || query->report.compares || answer->info.calibrated)
		return true;
	if (answer->table.library && answer->table.nodes > 1)
		return question_assume(session, &query->head,
			arena_printf(session->arena,
				"hops between nodes are as %s's own constants have them, by its fastest "
				"protocol: against seven systems errors are 18 %% below 64 KiB, 22 %% to 4 "
				"MiB, "
				"11 %% above",
				answer->table.library));
	if (answer->table.library)
		return question_assume(session, &query->head,
			arena_printf(session->arena,
				"inside a node times are as %s takes, with the start and ramp of the device "
				"file: where these were fitted to measured times, half of them are within "
				"10 %%",
				answer->table.library));
	return question_assume(session, &query->head,
		"modelled times are not calibrated: against NCCL large messages are within 20 % where "
		"measured, "
		"except 8 nodes of ABCI 2.0; below 256 KiB times are up to 10 times too short");
}

static bool assume(struct session *session, struct query *query)
{
	const struct paradl_network_info *const info = &query->answers[0].info;
	struct report_head *const head = &query->head;
	if (query->report.compares && !assume_paper(session, query))
		return false;
	if (info->schematic &&
		!question_assume(session, head,
			arena_printf(session->arena,
				"%s has no routed network: its levels are a tree of switches", info->name)))
		return false;
	return assume_band(session, query) &&
	       (!query->machine || question_assumed_numbers(session, head, &head->machine));
}

/* Writes the answer. The picture comes first: where its failure is a document, there must be no other document. */
static enum exit_status print_answer(struct session *session, struct query *query)
{
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	if (draw_wanted(session))
		status = draw_picture(session, &picture_collective, &query->report);
	if (!draw_goes_on(session, status))
		return status;
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->collective(&document.sink, &query->report);
	return document_end(session, &document, status);
}

static enum exit_status run(struct session *session)
{
	struct query *const query = arena_alloc(session->arena, 1, sizeof *query);
	if (!query)
		return session_out_of_memory(session);
	query->report.head = &query->head;
	query->report.networks = query->answers;
	query->report.shows_all = session->arguments.all;
	if (!read_query(session, query) || !question_command(session, &query->head) ||
		!load_machine(session, query) || !make_networks(session, query) ||
		!load_timings(session, query) || !ask_each(session, query) || !assume(session, query))
		return session_fail(session);
	query->head.warnings = session->warnings;
	return print_answer(session, query);
}

const struct command command_collective = {
	.name = "collective",
	.summary = "time an allreduce or other collective, by size and algorithm",
	.synopsis = "OPERATION --hw HW [--ranks N] [--bytes SIZES] [options]",
	.details = "OPERATION is allreduce, allgather, reduce-scatter, broadcast, reduce, all-to-all\n"
		   "or point-to-point. Every algorithm is routed over the machine's network, or over\n"
		   "networks on paper (--topology), and the load of every link is added up.",
	.operands = "operations",
	.operand = "OPERATION",
	.operand_help = "allreduce, all-to-all, ... ('paradl list operations')",
	.usual = "hw ranks bytes algo library concurrent placement topology link measured all output plot",
	.examples = {"paradl collective allreduce --hw dgx-h100-superpod --ranks 64",
		"paradl collective all-to-all --topology torus:8x8 --link '25 GB/s,1 us'"},
	.most_operands = 1,
	.run = run,
};
