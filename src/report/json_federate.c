/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Federated rounds as JSON. */
#include "report/json.h"

static void write_legs(struct json_writer *writer, const double leg_s[])
{
	json_begin_object(writer, "leg_s");
	for (unsigned leg = 0; leg < PARADL_LEG_COUNT; leg++)
		json_write_number(writer, paradl_round_leg_name((enum paradl_round_leg)leg), leg_s[leg]);
	json_end_object(writer);
}

static void write_client(struct json_writer *writer, const struct paradl_round_client *client)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "group", client->group);
	json_write_number(writer, "clients", client->count);
	json_write_number(writer, "round_s", client->round_s);
	write_legs(writer, client->leg_s);
	json_write_number(writer, "down_bytes", client->down_bytes);
	json_write_number(writer, "up_bytes", client->up_bytes);
	json_write_number(writer, "lan_bytes", client->lan_bytes);
	json_write_number(writer, "memory_bytes", client->memory_bytes);
	json_write_number(writer, "capacity_bytes", client->capacity_bytes);
	json_write_bool(writer, "fits", client->fits);
	json_positive(writer, "joule", client->joule);
	json_end_object(writer);
}

static void write_totals(
	struct json_writer *writer, const struct paradl_round *round, const struct report_federate *report)
{
	const bool has_total = report->federation->rounds > 0;
	json_positive(writer, "total_s", has_total ? round->total_s : -1);
	json_positive(writer, "total_server_bytes", has_total ? round->total_bytes : -1);
	json_positive(writer, "total_joule", has_total ? round->total_joule : -1);
	json_positive(writer, "rounds_in_deadline", round->rounds_in_deadline);
}

/* Members of a scheme's round. */
static void write_round(
	struct json_writer *writer, const struct paradl_round *round, const struct report_federate *report)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "scheme", round->scheme);
	json_write_text(writer, "evidence", round->evidence);
	json_write_bool(writer, "possible", round->possible);
	json_write_text(writer, "reason", round->possible ? NULL : round->reason);
	if (round->possible) {
		json_write_bool(writer, "fits", round->fits);
		json_write_number(writer, "participants", round->participants);
		json_positive(writer, "clusters", round->clusters > 0 ? round->clusters : -1);
		json_write_number(writer, "parameters", round->parameters);
		json_write_number(writer, "round_s", round->round_s);
		json_write_number(writer, "longest_s", round->longest_s);
		json_write_text(writer, "binding", paradl_round_leg_name(round->binding));
		json_write_text(writer, "slowest", round->slowest);
		write_legs(writer, round->leg_s);
		json_write_number(writer, "server_out_bytes", round->server_out_bytes);
		json_write_number(writer, "server_in_bytes", round->server_in_bytes);
		json_write_number(writer, "peer_bytes", round->peer_bytes);
		json_write_number(writer, "lan_bytes", round->lan_bytes);
		json_positive(writer, "server_flop", round->server_flop > 0 ? round->server_flop : -1);
		json_positive(writer, "joule", round->joule);
		write_totals(writer, round, report);
		json_begin_array(writer, "groups");
		for (size_t i = 0; i < round->client_count; i++)
			write_client(writer, &round->clients[i]);
		json_end_array(writer);
	}
	json_end_object(writer);
}

static void write_divisions(struct json_writer *writer, const struct paradl_federated *federated)
{
	json_begin_array(writer, "divisions");
	for (size_t i = 0; i < federated->division_count; i++) {
		const struct paradl_division *const division = &federated->divisions[i];
		json_begin_object(writer, NULL);
		json_write_number(writer, "parts", division->parts);
		json_write_number(writer, "width_share", division->share);
		json_write_number(writer, "parameters", division->parameters);
		json_write_number(writer, "memory_bytes", division->memory_bytes);
		json_write_bool(writer, "fits", division->fits);
		json_write_number(writer, "client_server_bytes", division->server_bytes);
		json_write_number(writer, "client_lan_bytes", division->lan_bytes);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_positive(writer, "fewest_parts", federated->fewest_parts > 0 ? federated->fewest_parts : -1);
}

void json_federate(struct report_sink *sink, const struct report_federate *report)
{
	const struct paradl_federated *const federated = report->federated;
	const struct paradl_federation *const federation = report->federation;
	struct json_writer writer = json_writer_for(sink, false);
	json_begin_document(&writer, "paradl-federate-1", report->head);
	json_write_number(&writer, "clients", federated->clients);
	json_write_number(&writer, "participants", federated->participants);
	json_write_number(&writer, "batch", federated->batch);
	json_write_number(&writer, "local_epochs", federated->epochs);
	json_write_number(&writer, "server_bytes_per_s", federation->server_bytes_per_s);
	json_positive(&writer, "rounds", federation->rounds > 0 ? federation->rounds : -1);
	json_positive(&writer, "deadline_s", federation->deadline_s > 0 ? federation->deadline_s : -1);
	json_write_number(&writer, "parameters", federated->parameters);
	json_write_number(&writer, "cut_activation_bytes", federated->activation_bytes);
	json_begin_array(&writer, "results");
	for (size_t i = 0; i < federated->count; i++)
		write_round(&writer, &federated->rounds[i], report);
	json_end_array(&writer);
	write_divisions(&writer, federated);
	json_end_document(&writer, report->head);
}

void jsonl_federate(struct report_sink *sink, const struct report_federate *report)
{
	for (size_t i = 0; i < report->federated->count; i++) {
		struct json_writer writer = json_writer_for(sink, true);
		write_round(&writer, &report->federated->rounds[i], report);
	}
}
