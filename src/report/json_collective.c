/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on networks as JSON. */
#include "report/json.h"

/* Members of a row; the caller ends the object. */
static void begin_row(struct json_writer *writer, const struct paradl_collective_table *table, size_t index)
{
	const struct paradl_collective_row *const row = &table->rows[index];
	const bool has_next = row->next != row->choice;
	json_begin_object(writer, NULL);
	json_write_number(writer, "bytes", row->bytes);
	json_write_number(writer, "time_s", row->time_s);
	json_write_number(writer, "least_s", row->least_s);
	json_write_text(writer, "origin", report_time_origin(row->origin));
	json_positive(writer, "error_share", row->error_share);
	json_write_text(writer, "algorithm", table->choices[row->choice].algorithm);
	json_write_text(writer, "variant", table->choices[row->choice].variants[index]);
	json_write_number(writer, "model_s", row->model_s);
	json_write_text(writer, "next", has_next ? table->choices[row->next].algorithm : NULL);
	json_positive(writer, "margin", has_next ? row->margin : -1);
	json_write_number(writer, "bytes_per_s", row->bytes_per_s);
	json_write_number(writer, "bus_bytes_per_s", row->bus_bytes_per_s);
	json_positive(writer, "links_watt", row->links_watt);
	json_positive(writer, "links_joule", row->links_joule);
	json_positive(writer, "gear_watt", row->gear_watt);
	json_positive(writer, "gear_joule", row->gear_joule);
	json_positive(writer, "waiting_watt", row->waiting_watt);
	json_positive(writer, "waiting_joule", row->waiting_joule);
}

static void write_inventory(struct json_writer *writer, const struct paradl_inventory *inventory)
{
	json_begin_object(writer, "inventory");
	json_write_bool(writer, "schematic", inventory->schematic);
	json_write_number(writer, "nics", inventory->nics);
	json_write_number(writer, "switches", inventory->switches);
	json_write_number(writer, "node_switches", inventory->node_switches);
	json_write_number(writer, "switch_ports", inventory->switch_ports);
	json_write_number(writer, "most_ports", inventory->most_ports);
	json_write_number(writer, "cables", inventory->cables);
	json_write_number(writer, "node_cables", inventory->node_cables);
	json_write_number(writer, "port_cables", inventory->port_cables);
	json_write_number(writer, "switch_cables", inventory->switch_cables);
	json_write_number(writer, "global_cables", inventory->global_cables);
	json_write_number(writer, "one_way_links", inventory->one_way_links);
	json_write_number(writer, "diameter_hops", inventory->diameter_hops);
	json_write_number(writer, "mean_hops", inventory->mean_hops);
	json_write_number(writer, "sampled", inventory->sampled);
	json_positive(writer, "bisection_bytes_per_s", inventory->bisection_bytes_per_s);
	json_write_number(writer, "racks", inventory->racks);
	json_write_number(writer, "cable_m", inventory->cable_m);
	json_write_number(writer, "longest_cable_m", inventory->longest_cable_m);
	json_write_number(writer, "rack_cables", inventory->rack_cables);
	json_write_number(writer, "copper_cables", inventory->copper_cables);
	json_write_number(writer, "optical_cables", inventory->optical_cables);
	json_positive(writer, "static_watt", inventory->static_watt);
	json_positive(writer, "price", inventory->price);
	json_end_object(writer);
}

static void write_choice(
	struct json_writer *writer, const struct paradl_collective_table *table, size_t index)
{
	const struct paradl_collective_choice *const choice = &table->choices[index];
	json_begin_object(writer, NULL);
	json_write_text(writer, "algorithm", choice->algorithm);
	json_write_bool(writer, "sparse", choice->sparse);
	json_write_number(writer, "steps", choice->steps);
	json_write_number(writer, "traffic", choice->traffic);
	json_write_text(writer, "hottest_link", *choice->hottest ? choice->hottest : NULL);
	json_write_number(writer, "hottest_s_per_byte", choice->hottest_s_per_byte);
	json_positive(writer, "links_idle_watt", choice->links_watt > 0 ? choice->links_watt : -1);
	json_positive(writer, "joule_per_byte", choice->joule_per_byte > 0 ? choice->joule_per_byte : -1);
	json_begin_array(writer, "times");
	for (size_t i = 0; i < table->row_count; i++) {
		json_begin_object(writer, NULL);
		json_write_number(writer, "bytes", table->rows[i].bytes);
		json_write_number(writer, "time_s", choice->time_s[i]);
		json_write_number(writer, "least_s", choice->least_s[i]);
		json_write_text(writer, "variant", choice->variants[i]);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

static void write_crossovers(struct json_writer *writer, const struct paradl_collective_table *table)
{
	json_begin_array(writer, "crossovers");
	for (size_t i = 0; i < table->crossover_count; i++) {
		const struct paradl_crossover *const crossover = &table->crossovers[i];
		json_begin_object(writer, NULL);
		json_write_number(writer, "bytes", crossover->bytes);
		json_write_text(writer, "from", table->choices[crossover->from].algorithm);
		json_write_text(writer, "to", table->choices[crossover->to].algorithm);
		json_end_object(writer);
	}
	json_end_array(writer);
}

static void write_network(struct json_writer *writer, const struct report_network *network)
{
	const struct paradl_collective_table *const table = &network->table;
	json_begin_object(writer, NULL);
	json_write_text(writer, "name", network->info.name);
	json_write_number(writer, "devices", network->info.devices);
	json_write_number(writer, "cable_bytes_per_s", network->info.cable_bytes_per_s);
	json_write_number(writer, "router_cable_share", network->info.share);
	json_write_number(writer, "rate_factor", network->rate);
	json_positive(writer, "waiting_watt_per_device", network->info.waiting_watt);
	write_inventory(writer, &network->inventory);
	json_write_number(writer, "ranks", table->ranks);
	json_write_number(writer, "nodes", table->nodes);
	json_write_number(writer, "concurrent", table->concurrent);
	json_write_number(writer, "stride", table->stride);
	json_write_number(writer, "bus_factor", table->bus_factor);
	json_begin_array(writer, "rows");
	for (size_t i = 0; i < table->row_count; i++) {
		begin_row(writer, table, i);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_begin_array(writer, "algorithms");
	for (size_t i = 0; i < table->choice_count; i++)
		write_choice(writer, table, i);
	json_end_array(writer);
	write_crossovers(writer, table);
	json_end_object(writer);
}

static void write_timings(struct json_writer *writer, const struct report_collective *report)
{
	if (!report->timings) {
		json_write_null(writer, "measured");
		return;
	}
	json_begin_object(writer, "measured");
	json_write_text(writer, "tool", report->timings->tool);
	json_begin_array(writer, "rows");
	for (size_t i = 0; i < report->timings->count; i++) {
		const struct paradl_timing *const timing = &report->timings->items[i];
		const struct paradl_collective_row *const row =
			report_row_of(&report->networks->table, timing->bytes);
		json_begin_object(writer, NULL);
		json_write_number(writer, "line", timing->line);
		json_write_number(writer, "bytes", timing->bytes);
		json_write_number(writer, "measured_s", timing->time_s);
		json_positive(writer, "projected_s", row ? row->time_s : -1);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

static void write_schedule(struct json_writer *writer, const struct report_collective *report)
{
	const struct paradl_schedule *const schedule = report->schedule;
	if (!schedule) {
		json_write_null(writer, "schedule");
		return;
	}
	json_begin_object(writer, "schedule");
	json_write_text(writer, "algorithm", schedule->algorithm);
	json_write_text(writer, "variant", schedule->variant);
	json_write_number(writer, "bytes", report->schedule_bytes);
	json_write_number(writer, "total_steps", schedule->total);
	json_write_bool(writer, "complete", schedule->complete);
	json_begin_array(writer, "steps");
	for (size_t i = 0; i < schedule->count; i++) {
		const struct paradl_step *const step = &schedule->steps[i];
		json_begin_object(writer, NULL);
		json_write_number(writer, "first", step->first);
		json_write_number(writer, "repeat", step->repeat);
		json_write_text(writer, "phase", step->phase);
		json_write_bool(writer, "beside", step->depth > 0);
		json_write_number(writer, "messages", step->count);
		json_write_number(writer, "least_bytes", step->least_bytes);
		json_write_number(writer, "most_bytes", step->most_bytes);
		json_write_text(writer, "pattern", step->messages);
		json_write_number(writer, "combined_bytes", step->combined_bytes);
		json_write_number(writer, "memory_bytes", step->memory_bytes);
		json_write_number(writer, "wait_s", step->wait_s);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

void json_collective(struct report_sink *sink, const struct report_collective *report)
{
	struct json_writer writer = json_writer_for(sink, false);
	const struct report_head *const head = report->head;
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-collective-1");
	json_write_text(&writer, "paradl", paradl_version());
	json_list(&writer, "command", &head->command);
	json_inputs(&writer, head);
	json_write_text(&writer, "hw", head->machine.name);
	json_write_text(&writer, "currency", head->machine.currency);
	json_write_text(&writer, "operation", paradl_operation_name(report->networks->table.operation));
	json_write_text(&writer, "placement", report->placement);
	json_positive(&writer, "density", report->density > 0 ? report->density : -1);
	json_begin_array(&writer, "networks");
	for (size_t i = 0; i < report->count; i++)
		write_network(&writer, &report->networks[i]);
	json_end_array(&writer);
	write_timings(&writer, report);
	write_schedule(&writer, report);
	json_list(&writer, "assumptions", &head->assumptions);
	json_list(&writer, "warnings", &head->warnings);
	json_end_object(&writer);
}

void jsonl_collective(struct report_sink *sink, const struct report_collective *report)
{
	for (size_t k = 0; k < report->count; k++)
		for (size_t i = 0; i < report->networks[k].table.row_count; i++) {
			const struct paradl_collective_table *const table = &report->networks[k].table;
			struct json_writer writer = json_writer_for(sink, true);
			begin_row(&writer, table, i);
			json_write_text(&writer, "network", report->networks[k].info.name);
			json_write_text(&writer, "operation", paradl_operation_name(table->operation));
			json_write_number(&writer, "ranks", table->ranks);
			json_write_number(&writer, "concurrent", table->concurrent);
			json_write_number(&writer, "stride", table->stride);
			json_end_object(&writer);
		}
}
