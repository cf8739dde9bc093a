/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_federate() prints federated rounds: the scheme that was asked for, its clients, the other schemes, and the
 * network divided into parts.
 */
#include <string.h>

#include "report/table.h"
#include "report/text.h"

static const char *bytes(struct report_sink *sink, double value)
{
	return value > 0 ? typeset_quantity(sink, value, DIMENSION_BYTES) : "-";
}

static const char *seconds(struct report_sink *sink, double value)
{
	return value > 0 ? typeset_quantity(sink, value, DIMENSION_TIME) : "-";
}

/* Returns the name of a leg of a round, for the line with the bottleneck. */
static const char *leg_text(enum paradl_round_leg leg)
{
	static const char *const texts[PARADL_LEG_COUNT] = {
		[PARADL_LEG_DOWNLOAD] = "the downlink of clients",
		[PARADL_LEG_COMPUTE] = "compute of clients",
		[PARADL_LEG_CLUSTER] = "the network of a cluster",
		[PARADL_LEG_EXCHANGE] = "links between clients and others while they train",
		[PARADL_LEG_UPLOAD] = "the uplink of clients",
		[PARADL_LEG_SERVER] = "the server",
	};
	return (unsigned)leg < PARADL_LEG_COUNT ? texts[leg] : "";
}

/* ---- the scheme asked for ---------------------------------------------------------------------------------- */

static void print_title(struct report_sink *sink, const struct report_federate *report)
{
	const struct paradl_federated *const federated = report->federated;
	const char *run = typeset(sink, federated->clients > 1 ? "%s clients" : "%s client",
		typeset_whole(sink, federated->clients));
	if (federated->participants < federated->clients)
		run = typeset(sink, "%s, %s in a round", run, typeset_whole(sink, federated->participants));
	run = typeset(sink, "%s, %s epoch%s of batches of %s", run, typeset_whole(sink, federated->epochs),
		federated->epochs > 1 ? "s" : "", typeset_whole(sink, federated->batch));
	text_title(sink, report->head, run);
}

static void print_round(struct report_sink *sink, const struct paradl_round *round)
{
	const char *text = typeset(sink, "%s with %s", seconds(sink, round->round_s), round->scheme);
	if (round->clusters > 0)
		text = typeset(sink, "%s, in %s cluster%s", text, typeset_whole(sink, round->clusters),
			round->clusters > 1 ? "s" : "");
	if (round->longest_s > 1.005 * round->round_s)
		text = typeset(sink, "%s; %s when the slowest clients take part", text,
			seconds(sink, round->longest_s));
	typeset_labelled(sink, "round", text);
	text = typeset(sink, "%s, %s of the round", leg_text(round->binding),
		typeset_percent(sink, round->leg_s[round->binding] / round->longest_s));
	if (round->client_count > 1)
		text = typeset(sink, "%s; the last are %s", text, round->slowest);
	typeset_labelled(sink, "bound by", text);
}

static void print_traffic(
	struct report_sink *sink, const struct report_federate *report, const struct paradl_round *round)
{
	const char *text = typeset(sink, "server %s out, %s in per round",
		bytes(sink, round->server_out_bytes), bytes(sink, round->server_in_bytes));
	if (round->peer_bytes > 0)
		text = typeset(sink, "%s; %s between clients", text, bytes(sink, round->peer_bytes));
	if (round->lan_bytes > 0)
		text = typeset(sink, "%s; %s inside clusters", text, bytes(sink, round->lan_bytes));
	if (round->server_flop > 0)
		text = typeset(sink, "%s; %s of comparisons", text,
			typeset_quantity(sink, round->server_flop, DIMENSION_FLOP));
	typeset_labelled(sink, "traffic", text);
	if (report->federation->rounds > 0) {
		text = typeset(sink, "%s rounds: %s, %s through the server",
			typeset_whole(sink, report->federation->rounds), seconds(sink, round->total_s),
			bytes(sink, round->total_bytes));
		if (round->total_joule >= 0)
			text = typeset(sink, "%s, %s of compute", text, text_joule(sink, round->total_joule));
		typeset_labelled(sink, "training", text);
	}
	if (round->rounds_in_deadline >= 0)
		typeset_labelled(sink, "deadline",
			typeset(sink, "%s rounds in %s", typeset_whole(sink, round->rounds_in_deadline),
				seconds(sink, report->federation->deadline_s)));
}

static void print_clients(struct report_sink *sink, const struct paradl_round *round)
{
	enum { MEMORY = 9 };
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_federate_group,
		"group,clients,download_s,compute_s,cluster_s,exchange_s,upload_s,server_s,client_round_s,"
		"memory_bytes,capacity_bytes");
	for (size_t i = 0; i < round->client_count; i++) {
		const char **const cells = columns_row(&columns, &round->clients[i]);
		if (!round->clients[i].fits)
			cells[MEMORY] = typeset_ink(sink, INK_BAD, typeset(sink, "%s!", cells[MEMORY]));
	}
	if (!sink->style.brief)
		putc('\n', sink->file);
	columns_print(&columns);
}

static void print_asked(struct report_sink *sink, const struct report_federate *report)
{
	const struct paradl_round *const round = &report->federated->rounds[0];
	if (!sink->style.brief) {
		print_title(sink, report);
		putc('\n', sink->file);
	}
	if (!round->possible) {
		typeset_labelled(
			sink, "round", typeset(sink, "%s cannot be: %s", round->scheme, round->reason));
		return;
	}
	if (!sink->style.brief) {
		print_round(sink, round);
		print_traffic(sink, report, round);
	}
	print_clients(sink, round);
}

/* ---- the alternatives ------------------------------------------------------------------------------------- */

static const char *most_memory(struct report_sink *sink, const struct paradl_round *round)
{
	const struct paradl_round_client *fullest = &round->clients[0];
	for (size_t i = 1; i < round->client_count; i++)
		if (round->clients[i].capacity_bytes - round->clients[i].memory_bytes <
			fullest->capacity_bytes - fullest->memory_bytes)
			fullest = &round->clients[i];
	return typeset(sink, "%s%s", bytes(sink, fullest->memory_bytes), round->fits ? "" : "!");
}

static void print_schemes(struct report_sink *sink, const struct report_federate *report)
{
	enum { ROUND = 1, RATIO, MEMORY = 6 };
	const struct paradl_federated *const federated = report->federated;
	const double first_s = federated->rounds[report->ranked[0]].round_s;
	struct columns columns;
	columns_start(&columns, sink, report, &record_federate_result,
		report->federation->deadline_s > 0
			? "scheme,round_s,ratio,binding,server,among,fullest,energy_joule,rounds_in_deadline"
		: report->federation->rounds > 0
			? "scheme,round_s,ratio,binding,server,among,fullest,energy_joule,total_s"
			: "scheme,round_s,ratio,binding,server,among,fullest,energy_joule");
	for (size_t i = 0; i < federated->count; i++) {
		const struct paradl_round *const round = &federated->rounds[report->ranked[i]];
		const char **const cells = columns_row(&columns, round);
		if (!round->possible) {
			cells[ROUND] = "-";
			continue;
		}
		cells[RATIO] = typeset(sink, "%.2f×", first_s > 0 ? round->round_s / first_s : 1);
		cells[MEMORY] = most_memory(sink, round);
	}
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM, "schemes; bytes of a round: through the server, among clients"));
	columns_print(&columns);
}

static void print_divisions(struct report_sink *sink, const struct report_federate *report)
{
	const struct paradl_federated *const federated = report->federated;
	struct columns columns;
	columns_start(&columns, sink, report, &record_federate_division,
		"parts,parameters,memory_bytes,network_bytes,network_ratio,stem_bytes,client_server_bytes,"
		"client_lan_bytes,lacks");
	for (size_t i = 0; i < federated->division_count; i++)
		columns_row(&columns, &federated->divisions[i]);
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM, "the network divided; bytes of one client and round"));
	columns_print(&columns);
}

/* Prints what dividing the network saves on the way to the server, and what it costs inside clusters. */
static void print_trade(struct report_sink *sink, const struct paradl_federated *federated)
{
	const struct paradl_division *const whole = &federated->divisions[0];
	const struct paradl_division *best = NULL;
	for (size_t i = 1; i < federated->division_count; i++) {
		const struct paradl_division *const division = &federated->divisions[i];
		if (division->lan_bytes < whole->server_bytes - division->server_bytes)
			best = division;
	}
	if (federated->division_count == 0)
		return;
	if (!(federated->fewest_parts > 0))
		typeset_labelled(sink, "dividing", "no division makes it fit");
	else if (federated->fewest_parts > 1)
		typeset_labelled(sink, "dividing",
			typeset(sink, "%s parts are the fewest that fit",
				typeset_whole(sink, federated->fewest_parts)));
	else if (best)
		typeset_labelled(sink, "dividing",
			typeset(sink, "with %s parts clusters send less than the server is spared",
				typeset_whole(sink, best->parts)));
	else
		typeset_labelled(sink, "dividing",
			"trades the outside for clusters: there is room without it, and clusters send more "
			"than the server is spared");
}

/* Prints how much memory dividing the network saves, next to what its paper publishes, and why it is not more. */
static void print_less(struct report_sink *sink, const struct paradl_federated *federated)
{
	enum { PUBLISHED = 4 }; /* least number of parts in the paper */
	const struct paradl_division *const whole = &federated->divisions[0];
	for (size_t i = 1; i < federated->division_count; i++) {
		const struct paradl_division *const division = &federated->divisions[i];
		if (division->parts < PUBLISHED)
			continue;
		const double activations =
				     division->network_bytes - division->stem_bytes - division->state_bytes,
			     of_whole = whole->network_bytes - whole->state_bytes;
		typeset_labelled(sink, "memory",
			typeset(sink,
				"with %s parts networks take %.1f times less, workspace and runtime left out "
				"(published: 4 to 8 times with 4 to 8 parts): weights and their states %.1f "
				"times, activations, which shrink with the width alone, %.1f times; first "
				"layers "
				"of the other %s networks, which the client runs in its turn, are %s of it",
				typeset_whole(sink, division->parts),
				whole->network_bytes / division->network_bytes,
				whole->state_bytes / division->state_bytes, of_whole / activations,
				typeset_whole(sink, division->parts - 1),
				typeset_percent(sink, division->stem_bytes / division->network_bytes)));
		return;
	}
}

static void print_impossible(struct report_sink *sink, const struct paradl_federated *federated)
{
	for (size_t i = 1; i < federated->count; i++)
		if (!federated->rounds[i].possible)
			typeset_labelled(sink, federated->rounds[i].scheme,
				typeset(sink, "%s", federated->rounds[i].reason));
}

void text_federate(struct report_sink *sink, const struct report_federate *report)
{
	const struct paradl_federated *const federated = report->federated;
	print_asked(sink, report);
	if (federated->count > 1)
		print_schemes(sink, report);
	if (federated->division_count > 0)
		print_divisions(sink, report);
	if (sink->style.brief)
		return;
	putc('\n', sink->file);
	print_trade(sink, federated);
	print_less(sink, federated);
	print_impossible(sink, federated);
	typeset_labelled(sink, "costs are", typeset(sink, "%s", federated->rounds[0].evidence));
	text_assumptions(sink, report->head);
}
