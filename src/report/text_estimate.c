/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_estimate() prints one plan in depth, with a lane of blocks for each stage where its step is followed in time. */
#include <string.h>

#include "report/palette.h"
#include "report/text.h"
#include "result/ranking.h"

static double iterations_per_epoch(const struct paradl_estimate *estimate)
{
	return estimate->epoch_s > 0 ? estimate->epoch_s / estimate->iteration_s : 0;
}

/* Returns the formula of a phase's longest term, and how many other terms there are; "" if there are no terms. */
static const char *phase_formula(
	struct report_sink *sink, const struct paradl_explanation *explanation, enum paradl_phase phase)
{
	const struct paradl_term *longest = NULL;
	size_t others = 0;
	for (size_t i = 0; explanation && i < explanation->count; i++) {
		const struct paradl_term *const term = &explanation->terms[i];
		if (term->phase != phase)
			continue;
		others += longest != NULL;
		if (!longest || term->seconds > longest->seconds)
			longest = term;
	}
	if (!longest)
		return "";
	return others > 0 ? typeset(sink, "%s + %zu more", longest->formula, others)
			  : typeset(sink, "%s", longest->formula);
}

enum { PHASE_NAME, PHASE_ITERATION, PHASE_EPOCH, PHASE_SHARE, PHASE_FORMULA };

static void add_phase(struct table *table, const struct report_estimate *report, enum paradl_phase phase)
{
	struct report_sink *const sink = table->sink;
	const struct paradl_estimate *const estimate = report->estimate;
	const double time = estimate->phase_s[phase], iterations = iterations_per_epoch(estimate);
	const char *const swatch = sink->style.colors != COLORS_NONE && !sink->style.ascii
					   ? typeset_phase(sink, &phase_looks[phase], NULL, "█ ")
					   : "";
	if (!(time > 0))
		return;
	const char **const cells = table_row(table);
	const char *const name = arena_printf(sink->arena, "%s%s", swatch, phase_looks[phase].label);
	cells[PHASE_NAME] = name ? name : "";
	cells[PHASE_ITERATION] = typeset_quantity(sink, time, DIMENSION_TIME);
	if (iterations > 0)
		cells[PHASE_EPOCH] = typeset_quantity(sink, time * iterations, DIMENSION_TIME);
	cells[PHASE_SHARE] = typeset_percent(sink, time / estimate->iteration_s);
	cells[PHASE_FORMULA] = phase_formula(sink, report->explanation, phase);
}

/* Adds a row for input that takes no time of its own, because the other phases hide it completely. */
static void add_hidden_input(struct table *table, const struct paradl_estimate *estimate)
{
	struct report_sink *const sink = table->sink;
	if (!estimate->input_known || estimate->phase_s[PARADL_INPUT] > 0 || !(estimate->input_s > 0))
		return;
	const char **const cells = table_row(table);
	const char *const name = arena_printf(sink->arena, "%s%s",
		sink->style.colors != COLORS_NONE && !sink->style.ascii ? "  " : "",
		phase_looks[PARADL_INPUT].label);
	cells[PHASE_NAME] = name ? name : "";
	cells[PHASE_ITERATION] = typeset_quantity(sink, 0, DIMENSION_TIME);
	if (iterations_per_epoch(estimate) > 0)
		cells[PHASE_EPOCH] = cells[PHASE_ITERATION];
	cells[PHASE_SHARE] = typeset_percent(sink, 0);
	cells[PHASE_FORMULA] = typeset(sink, "all %s of it behind the other phases",
		typeset_quantity(sink, estimate->input_s, DIMENSION_TIME));
}

/* Adds a row for a part of what rows above say. */
static void add_part(
	struct table *table, const struct paradl_estimate *estimate, const char *name, double time_s)
{
	struct report_sink *const sink = table->sink;
	const double iterations = iterations_per_epoch(estimate);
	if (!(time_s > 0))
		return;
	const char **const cells = table_row(table);
	cells[PHASE_NAME] = name;
	cells[PHASE_ITERATION] = typeset_quantity(sink, time_s, DIMENSION_TIME);
	if (iterations > 0)
		cells[PHASE_EPOCH] = typeset_quantity(sink, time_s * iterations, DIMENSION_TIME);
	cells[PHASE_SHARE] = typeset_percent(sink, time_s / estimate->iteration_s);
}

static void add_total(struct table *table, const struct paradl_estimate *estimate)
{
	struct report_sink *const sink = table->sink;
	const double iterations = iterations_per_epoch(estimate);
	const char **const cells = table_row(table);
	const char *const rate = typeset(sink, "%s samples/s", typeset_rate(sink, estimate->samples_per_s));
	cells[PHASE_NAME] = "total";
	cells[PHASE_ITERATION] = typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME);
	cells[PHASE_FORMULA] = rate;
	if (iterations > 0) {
		cells[PHASE_EPOCH] = typeset_quantity(sink, estimate->epoch_s, DIMENSION_TIME);
		cells[PHASE_FORMULA] =
			typeset(sink, "%s iterations, %s", typeset_rate(sink, iterations), rate);
	}
}

static void print_phases(struct report_sink *sink, const struct report_estimate *report)
{
	const bool has_epoch = report->estimate->epoch_s > 0;
	const struct table_column columns[] = {
		{"phase", TABLE_LEFT, 0, 0},
		{"per iteration", TABLE_RIGHT, 0, 0},
		{has_epoch ? "per epoch" : "", TABLE_RIGHT, 2, 0},
		{"share", TABLE_RIGHT, 3, 0},
		{"formula", TABLE_LEFT, 4, 16},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < PARADL_INPUT; i++) {
		add_phase(&table, report, (enum paradl_phase)i);
		const struct exchange_parts parts =
			text_exchange_parts(report->estimate, (enum paradl_phase)i);
		add_part(&table, report->estimate, "  of which hidden", parts.hidden_s);
		add_part(&table, report->estimate, "  of which waiting", parts.waiting_s);
	}
	add_phase(&table, report, PARADL_INPUT);
	add_hidden_input(&table, report->estimate);
	add_total(&table, report->estimate);
	putc('\n', sink->file);
	table_print(&table);
}

static void print_terms(struct report_sink *sink, const struct paradl_explanation *explanation)
{
	enum { INDENT = 5 };
	for (size_t phase = 0; phase < PARADL_PHASE_COUNT; phase++) {
		bool titled = false;
		for (size_t i = 0; i < explanation->count; i++) {
			const struct paradl_term *const term = &explanation->terms[i];
			if ((size_t)term->phase != phase)
				continue;
			if (!titled)
				fprintf(sink->file, "\n %s\n",
					typeset_ink(sink, INK_BOLD, phase_looks[phase].label));
			titled = true;
			fputs("   ", sink->file);
			typeset_wrapped(sink, INDENT,
				typeset(sink, "%s = %s = %s", term->formula, term->numbers,
					typeset_quantity(sink, term->seconds, DIMENSION_TIME)));
		}
	}
}

/* Prints link loads, "across nodes 31 % (tensor 20 %, gradients 11 %), inside nodes 3 % (expert 3 %) of the step". */
static void print_links(struct report_sink *sink, const struct paradl_explanation *explanation)
{
	const char *text = "";
	for (size_t i = 0; i < explanation->load_count; i++) {
		const struct paradl_link_load *const load = &explanation->loads[i];
		const bool begins = i == 0 || load->across != load[-1].across;
		double share = 0;
		for (size_t k = i; begins && k < explanation->load_count; k++)
			if (explanation->loads[k].across == load->across)
				share += explanation->loads[k].share;
		text = begins ? typeset(sink, "%s%s%s %s (", text, i ? "), " : "",
					load->across ? "across nodes" : "inside nodes",
					typeset_percent(sink, share))
			      : typeset(sink, "%s, ", text);
		text = typeset(sink, "%s%s %s", text, load->by, typeset_percent(sink, load->share));
	}
	if (*text)
		typeset_labelled(sink, "links", typeset(sink, "%s) of the step", text));
}

static void print_gradients(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const char *compressed = "", *messages = "";
	if (!estimate->gradient_algorithm)
		return;
	if (estimate->gradient_messages > 1)
		messages = typeset(sink, " in %.0f messages", estimate->gradient_messages);
	if (strcmp(estimate->gradient_compression, "none") != 0)
		compressed = typeset(
			sink, ", %s (its accuracy is yours to judge)", estimate->gradient_compression);
	typeset_labelled(sink, "gradients",
		typeset(sink, "%s%s%s", estimate->gradient_algorithm, messages, compressed));
}

/*
 * Prints the setting with which the library takes the plan's algorithm, what an algorithm that the library does not
 * have would gain, and what algorithm, overlap and compression take off the step.
 */
static void print_gains(struct report_sink *sink, const struct report_estimate *report)
{
	const struct paradl_algorithm_gains *const gains = report->gains;
	const double own_s = report->estimate->iteration_s;
	const char *text = "";
	const char *const setting =
		gains && gains->taken ? text_nccl_algorithm(gains->library, gains->taken) : NULL;
	if (setting)
		text = typeset(sink, "NCCL_ALGO=%s: with a ring the step takes %.0f %% longer", setting,
			100 * (gains->ring_s / own_s - 1));
	if (gains && gains->outside)
		text = typeset(sink, "%s%s%s, which %s does not have: %.0f %% off the step", text,
			*text ? "; " : "", gains->outside,
			gains->library ? gains->library : report->head->framework.name,
			100 * (1 - gains->outside_s / own_s));
	if (*text)
		typeset_labelled(sink, "algorithm", text);
	if (gains && gains->plain_s > 0)
		typeset_labelled(sink, "mix",
			typeset(sink,
				"by rings, uncompressed and not behind compute the step would take %s; the "
				"algorithm takes %.1f %% off, overlap %.1f %%, compression (%s) %.1f %% "
				"beside "
				"that",
				typeset_quantity(sink, gains->plain_s, DIMENSION_TIME),
				100 * gains->by_algorithm_s / gains->plain_s,
				100 * gains->by_overlap_s / gains->plain_s,
				report->estimate->gradient_compression,
				100 * gains->by_compression_s / gains->plain_s));
}

static void print_too_large(struct report_sink *sink, const struct report_estimate *report)
{
	const struct paradl_estimate *const estimate = report->estimate;
	const struct paradl_remedy *const remedy = report->remedy;
	typeset_labelled(sink, typeset_ink(sink, INK_BAD, "too large"),
		typeset(sink, "lacks %s per GPU",
			typeset_quantity(
				sink, estimate->memory_bytes - estimate->usable_bytes, DIMENSION_BYTES)));
	if (remedy)
		typeset_labelled(sink, "would fit",
			typeset(sink, "with %s: %s, %s %s", remedy->change,
				typeset_quantity(sink, remedy->memory_bytes, DIMENSION_BYTES),
				typeset_percent(sink, remedy->slower < 0 ? -remedy->slower : remedy->slower),
				remedy->slower < 0 ? "faster" : "slower"));
}

static void print_closing(struct report_sink *sink, const struct report_estimate *report)
{
	const struct paradl_estimate *const estimate = report->estimate;
	const char *const placement =
		report->parts ? "" : text_placement(sink, report->head, &estimate->plan);
	putc('\n', sink->file);
	if (report->job && report->run)
		text_job(sink, report->head, report->job, report->run);
	if (estimate->inference.prompts_s > 0)
		text_inference(sink, report->head, estimate);
	else
		typeset_labelled(sink, "speed", text_rates(sink, report->head, estimate));
	if (!report->show_memory)
		text_memory(sink, estimate);
	if (!estimate->fits)
		print_too_large(sink, report);
	if (*placement)
		typeset_labelled(sink, "placement", placement);
	text_stages(sink, report->head->model.dimensions.blocks > 0 ? "blocks" : "layers", estimate);
	print_gradients(sink, estimate);
	print_gains(sink, report);
	text_dispatcher(sink, estimate, report->dispatched);
	text_faster(
		sink, estimate, "nesting", report->nested, "axes that exchange most go last, inside a node");
	text_faster(sink, estimate, "split", report->balanced, text_uneven_reason);
	if (report->show_terms && report->explanation)
		print_links(sink, report->explanation);
	if (report->show_phases || report->show_terms)
		text_power(sink, report);
	if (estimate->limited_by.text)
		typeset_labelled(sink, "limited by",
			typeset(sink, "%s, %s of the iteration (%s)", estimate->limited_by.text,
				typeset_percent(sink, estimate->limited_by.share),
				estimate->limited_by.kind == PARADL_BOTTLENECK ? "a bottleneck: removable"
									       : "a limitation: inherent"));
	text_verdict(sink, report->head, estimate);
	text_band(sink, report->head, estimate);
	if (estimate->uneven)
		typeset_labelled(sink, "uneven", "not everything divides; the largest share counts");
	text_assumptions(sink, report->head);
	if (!report->parts) /* launchers know only one plan for all layers */
		text_launch(sink, report->head, estimate);
}

enum { LANES_MAX = 32, LABEL_COLUMNS = 11 };

static const char *mark(struct report_sink *sink, unsigned look)
{
	const struct lane_look *const own = &lane_looks[look];
	if (sink->style.ascii)
		return typeset(sink, "%c", own->ascii);
	if (sink->style.colors == COLORS_NONE || look == LANE_IDLE)
		return own->shade;
	return typeset_phase(sink, &phase_looks[own->phase], NULL, "█");
}

static void print_lane(
	struct report_sink *sink, unsigned device, const unsigned char *looks, size_t columns, bool *used)
{
	fprintf(sink->file, " %-*s", LABEL_COLUMNS - 1, typeset(sink, "stage %u", device + 1));
	for (size_t i = 0; i < columns; i++) {
		used[looks[i]] = true;
		fputs(mark(sink, looks[i]), sink->file);
	}
	putc('\n', sink->file);
}

static void print_legend(struct report_sink *sink, const bool *used)
{
	for (unsigned i = 0; i < LANE_LOOKS; i++)
		if (used[i])
			fprintf(sink->file, " %s %s ", mark(sink, i), lane_looks[i].label);
}

/* Prints a lane for each stage of a pipeline, with at most 32 lanes. */
static void text_timeline(struct report_sink *sink, const struct report_timeline *report)
{
	const size_t columns =
		sink->style.width > LABEL_COLUMNS + 20 ? sink->style.width - LABEL_COLUMNS : 20;
	unsigned char *const looks = arena_alloc(sink->arena, columns, 1);
	bool used[LANE_LOOKS] = {false};
	size_t next = 0;
	sink->out_of_memory |= !looks;
	if (!looks)
		return;
	const struct paradl_timeline *const timeline = report->timeline;
	const struct lane_idle idle = lane_idle(timeline);
	const unsigned each = (timeline->devices + LANES_MAX - 1) / LANES_MAX;
	putc('\n', sink->file);
	for (unsigned device = 0; device < timeline->devices; device += each) {
		next = lane_columns(timeline, next, device, looks, columns);
		print_lane(sink, device, looks, columns, used);
	}
	fprintf(sink->file,
		"\n a column is %s; idle %s, the busiest stage %s (bubble and stage transfer)%s\n",
		typeset_quantity(sink, timeline->end_s / (double)columns, DIMENSION_TIME),
		typeset_percent(sink, idle.mean), typeset_percent(sink, idle.busiest),
		timeline->end_s > timeline->step_s * (1 + 1e-9) ? "; devices begin the next step early" : "");
	print_legend(sink, used);
	putc('\n', sink->file);
}

static const char *plan_name(struct report_sink *sink, const struct report_estimate *report)
{
	if (!report->parts)
		return text_plan(sink, &report->estimate->plan);
	const size_t plans = parts_plans(report->parts->layered), count = report->parts->layered->part_count;
	return typeset(sink, "%zu plan%s for %zu part%s (%s)", plans, plans > 1 ? "s" : "", count,
		count > 1 ? "s" : "", report->parts->file);
}

static void print_tables(struct report_sink *sink, const struct report_estimate *report)
{
	if (report->timeline)
		text_timeline(sink, report->timeline);
	if (report->parts && report->show_layers) {
		text_parts(sink, report->parts);
		text_moves(sink, report->parts);
	}
	if (report->parts && report->show_terms)
		text_why(sink, report->parts);
	if (report->show_layers && report->layers) {
		putc('\n', sink->file);
		columns_show(sink, NULL, &record_estimate_result, "layers", report,
			"name,type,count,split,forward_s,backward_s,weight_update_s,communication_s,"
			"weights_bytes,activations_bytes");
	}
	if (report->show_terms && report->explanation)
		print_terms(sink, report->explanation);
}

void text_estimate(struct report_sink *sink, const struct report_estimate *report)
{
	const struct paradl_estimate *const estimate = report->estimate;
	if (!estimate)
		return;
	text_title(sink, report->head,
		typeset(sink, "%s on %s, %s%s", plan_name(sink, report),
			text_devices(sink, report->head, estimate->devices),
			text_batch(sink, report->head, estimate->plan.batch),
			text_inference_lengths(sink, estimate)));
	if (report->show_phases)
		print_phases(sink, report);
	if (report->show_memory)
		text_memory_table(sink, estimate);
	print_tables(sink, report);
	if (!sink->style.brief)
		print_closing(sink, report);
}
