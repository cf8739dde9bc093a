/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each scheme and group of clients. */
#include "report/csv.h"

static void write_client(
	struct csv_line *line, const struct paradl_round *round, const struct paradl_round_client *client)
{
	csv_text(line, client->group);
	csv_number(line, client->count);
	csv_number(line, client->round_s);
	for (unsigned leg = 0; leg < PARADL_LEG_COUNT; leg++)
		csv_number(line, client->leg_s[leg]);
	csv_number(line, client->down_bytes);
	csv_number(line, client->up_bytes);
	csv_number(line, client->lan_bytes);
	csv_number(line, client->memory_bytes);
	csv_number(line, client->capacity_bytes);
	csv_number(line, client->fits);
	csv_number(line, client->joule);
	csv_number(line, round->parameters);
}

enum { ROUND_FIELDS = 14, CLIENT_FIELDS = 17 };

static void write_round(
	struct csv_line *line, const struct report_federate *report, const struct paradl_round *round)
{
	const bool has_total = report->federation->rounds > 0;
	const double numbers[] = {round->participants, round->clusters, round->server_out_bytes,
		round->server_in_bytes, round->peer_bytes, round->lan_bytes, round->joule,
		has_total ? round->total_s : -1, has_total ? round->total_bytes : -1,
		has_total ? round->total_joule : -1, round->rounds_in_deadline};
	csv_number(line, round->round_s);
	csv_number(line, round->longest_s);
	csv_text(line, paradl_round_leg_name(round->binding));
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		csv_number(line, numbers[i]);
}

static void write_row(struct csv_line *line, const struct report_federate *report,
	const struct paradl_round *round, const struct paradl_round_client *client)
{
	csv_text(line, round->scheme);
	csv_number(line, round->possible);
	csv_text(line, client ? NULL : round->reason);
	if (client) {
		write_round(line, report, round);
		write_client(line, round, client);
	} else {
		for (size_t i = 0; i < ROUND_FIELDS + CLIENT_FIELDS; i++)
			csv_text(line, NULL);
	}
	csv_end(line);
}

void csv_federate(struct report_sink *sink, const struct report_federate *report)
{
	static const char *const names[] = {"scheme", "possible", "reason", "round_s", "longest_s", "binding",
		"participants", "clusters", "server_out_bytes", "server_in_bytes", "peer_bytes", "lan_bytes",
		"joule", "total_s", "total_bytes", "total_joule", "rounds_in_deadline", "group", "clients",
		"client_round_s", "download_s", "compute_s", "cluster_s", "exchange_s", "upload_s",
		"server_s", "client_down_bytes", "client_up_bytes", "client_lan_bytes", "memory_bytes",
		"capacity_bytes", "fits", "client_joule", "parameters"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < report->federated->count; i++) {
		const struct paradl_round *const round = &report->federated->rounds[i];
		if (!round->possible)
			write_row(&line, report, round, NULL);
		for (size_t k = 0; round->possible && k < round->client_count; k++)
			write_row(&line, report, round, &round->clients[k]);
	}
}
