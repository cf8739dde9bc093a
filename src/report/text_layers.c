/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_layers() prints the best plan for each layer, what is proved about better ones, and what one plan for all layers
 * takes. text_parts() prints the parts of a plan: what each takes, which tensors are redistributed between them, and
 * what they would take with other plans. text_stages() prints the blocks of the stages of a usual
 * plan, text_exchange_parts() says what of its exchanges is hidden and what waits.
 */
#include "report/text.h"
#include "result/ranking.h"

static const double same = 1e-6; /* relative difference of times that are taken as equal */

struct exchange_parts text_exchange_parts(const struct paradl_estimate *estimate, enum paradl_phase phase)
{
	static const double rounding = 1e-6; /* share of the iteration */
	const enum paradl_phase of_layers = estimate->phase_s[PARADL_HALO_EXCHANGE] > 0
						    ? PARADL_HALO_EXCHANGE
						    : PARADL_ACTIVATION_EXCHANGE;
	if (phase == PARADL_GRADIENT_EXCHANGE)
		return (struct exchange_parts){estimate->gradient_hidden_s, estimate->gradient_waiting_s};
	if (phase != of_layers)
		return (struct exchange_parts){0, 0};
	const double hidden_s =
		estimate->communication_s - estimate->exposed_communication_s - estimate->gradient_hidden_s;
	return (struct exchange_parts){hidden_s > rounding * estimate->iteration_s ? hidden_s : 0,
		estimate->waiting_s - estimate->gradient_waiting_s};
}

static const char *percent_of(struct report_sink *sink, double part_s, double whole_s)
{
	return typeset_percent(sink, whole_s > 0 ? part_s / whole_s : 0);
}

static void print_best(struct report_sink *sink, const struct report_layers *report)
{
	const struct paradl_layered *const best = &report->search->best;
	const struct paradl_estimate *const estimate = &report->search->estimate;
	const size_t plans = parts_plans(best);
	if (plans == 1 && best->stages > 1)
		typeset_labelled(sink, "best",
			typeset(sink, "%u stages with one plan, %s: %s per iteration", best->stages,
				text_plan(sink, &best->parts[0].plan),
				typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME)));
	else if (plans == 1)
		typeset_labelled(sink, "best",
			typeset(sink, "one plan for all layers, %s", text_plan(sink, &best->parts[0].plan)));
	else
		typeset_labelled(sink, "best",
			typeset(sink, "%zu plans for %zu parts: %s per iteration%s", plans, best->part_count,
				typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME),
				estimate->iteration_quiet_s < estimate->iteration_s
					? typeset(sink, ", %s on a quiet network",
						  typeset_quantity(
							  sink, estimate->iteration_quiet_s, DIMENSION_TIME))
					: ""));
}

/* Returns a ratio of times in words: "12 % faster than", from 2 on "4.5 times as fast as". */
static const char *faster(struct report_sink *sink, double ratio)
{
	return ratio < 2 ? typeset(sink, "%s faster than", typeset_percent(sink, ratio - 1))
			 : typeset(sink, "%.2g times as fast as", ratio);
}

/* Prints that different plans would be faster on a quiet network, but not on a usual one. */
static void print_outweighed(struct report_sink *sink, const struct paradl_layered_search *search)
{
	if (search->objective_usual_s > search->estimate.iteration_s &&
		search->objective_usual_s > search->objective_s * (1 + same) && search->best.stages == 1)
		typeset_labelled(sink, "waiting",
			typeset(sink,
				"different plans would take %s on a quiet network, but wait for slow nodes "
				"on a "
				"usual one: %s",
				typeset_quantity(sink, search->objective_s, DIMENSION_TIME),
				typeset_quantity(sink, search->objective_usual_s, DIMENSION_TIME)));
}

/* Prints that one plan for all layers, which may have a pipeline, is faster than the best plan for each layer. */
static void print_single(struct report_sink *sink, const struct paradl_layered_search *search)
{
	const struct paradl_estimate *const single = &search->single;
	if (single->devices > 0 && single->iteration_s < (1 - same) * search->estimate.iteration_s)
		typeset_labelled(sink, "pipeline",
			typeset(sink, "one plan for all layers is faster, %s: %s",
				text_plan(sink, &single->plan),
				typeset_quantity(sink, single->iteration_s, DIMENSION_TIME)));
}

/* Prints the gain over the best single plan, with both times on a usual network. */
static void print_gain(struct report_sink *sink, const struct report_layers *report)
{
	const struct paradl_layered_search *const search = report->search;
	const bool staged = search->best.stages > 1;
	const struct paradl_estimate *const uniform = staged ? &search->single : &search->uniform;
	if (staged && uniform->devices > 0 &&
		uniform->iteration_s > (1 + same) * search->estimate.iteration_s)
		typeset_labelled(sink, "gain",
			typeset(sink, "%s the best one plan that is not interleaved, %s: %s",
				faster(sink, uniform->iteration_s / search->estimate.iteration_s),
				text_plan(sink, &uniform->plan),
				typeset_quantity(sink, uniform->iteration_s, DIMENSION_TIME)));
	else if (staged)
		return;
	else if (uniform->devices == 0)
		typeset_labelled(sink, "gain", "none of these ways fits for all layers at once");
	else if (parts_plans(&search->best) > 1)
		typeset_labelled(sink, "gain",
			typeset(sink, "%s the best of these for all layers, %s: %s",
				faster(sink, uniform->iteration_s / search->estimate.iteration_s),
				text_plan(sink, &uniform->plan),
				typeset_quantity(sink, uniform->iteration_s, DIMENSION_TIME)));
}

static void print_proof(struct report_sink *sink, const struct paradl_layered_search *search)
{
	const double ahead = 1 - search->lower_bound_s / search->objective_s;
	const char *const space = typeset(sink, "%sno choice of these %u ways for each layer is",
		search->objective_usual_s > (1 + same) * search->objective_s ? "on a quiet network " : "",
		search->layer_plan_count);
	if (search->best.stages > 1)
		typeset_labelled(sink, "proved",
			search->lower_bound_s > 0
				? typeset(sink,
					  "nothing of plans with stages; without, no choice of %u ways for "
					  "each layer takes less than %s",
					  search->layer_plan_count,
					  typeset_quantity(sink, search->lower_bound_s, DIMENSION_TIME))
				: "nothing of plans with stages; without, none was found that fits");
	else if (search->objective_usual_s > search->estimate.iteration_s)
		typeset_labelled(sink, "proved",
			typeset(sink,
				"no choice of these %u ways for each layer takes less than %s on a quiet "
				"network",
				search->layer_plan_count,
				typeset_quantity(sink, search->lower_bound_s, DIMENSION_TIME)));
	else if (ahead < 5e-5)
		typeset_labelled(sink, "proved", typeset(sink, "%s faster", space));
	else
		typeset_labelled(
			sink, "proved", typeset(sink, "%s more than %.2g %% faster", space, 100 * ahead));
}

static void print_moves(struct report_sink *sink, const struct report_layers *report)
{
	const size_t count = report->parts->explanation->move_count;
	const double moves_s = parts_moves_s(report->parts);
	if (count > 0)
		typeset_labelled(sink, "dealt out",
			typeset(sink,
				"%zu tensor%s, cut differently by the layers around: %s, %s of the iteration",
				count, count > 1 ? "s" : "", typeset_quantity(sink, moves_s, DIMENSION_TIME),
				percent_of(sink, moves_s, report->search->estimate.iteration_quiet_s)));
}

static void print_closing(struct report_sink *sink, const struct report_layers *report)
{
	const struct paradl_estimate *const estimate = &report->search->estimate;
	putc('\n', sink->file);
	print_best(sink, report);
	print_outweighed(sink, report->search);
	print_gain(sink, report);
	print_single(sink, report->search);
	print_proof(sink, report->search);
	print_moves(sink, report);
	text_memory(sink, estimate);
	text_verdict(sink, report->head, estimate);
	text_band(sink, report->head, estimate);
	if (report->parts->file)
		typeset_labelled(sink, "details",
			typeset(sink, "paradl estimate %s -s %s --explain", report->head->again,
				report->parts->file));
	else
		typeset_labelled(sink, "details",
			"--write-plan FILE writes the plan, which 'paradl estimate -s FILE' reads");
	text_assumptions(sink, report->head);
}

void text_layers(struct report_sink *sink, const struct report_layers *report)
{
	const struct paradl_layered *const best = &report->search->best;
	text_title(sink, report->head,
		typeset(sink, "a plan for each layer on %s, %s",
			text_devices(sink, report->head, best->devices),
			text_batch(sink, report->head, best->batch)));
	text_parts(sink, report->parts);
	text_moves(sink, report->parts);
	if (!sink->style.brief)
		print_closing(sink, report);
}

static const char *layer_name(struct report_sink *sink, const struct report_parts *parts, unsigned layer)
{
	return typeset(sink, "%s", paradl_model_layer(parts->model, layer).name);
}

/* Returns the layers of a part: "conv1 to pool5", "fc6" or "stage 2: conv4 to fc6". */
static const char *range(struct report_sink *sink, const struct report_parts *parts, size_t part)
{
	const struct paradl_layered_part *const at = &parts->layered->parts[part];
	const char *const stage = parts->layered->stages > 1 ? typeset(sink, "stage %u: ", at->stage) : "";
	const char *const first = layer_name(sink, parts, at->first);
	if (at->end - at->first == 1)
		return typeset(sink, "%s%s", stage, first);
	return typeset(sink, "%s%s to %s", stage, first, layer_name(sink, parts, at->end - 1));
}

void text_parts(struct report_sink *sink, const struct report_parts *parts)
{
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_part,
		"range,layers,plan,compute,exchange,gradient_s,together,uniform_s,memory");
	columns_list(&columns, &record_parts, "parts", parts);
	for (size_t i = 0; i < columns.table.row_count; i++)
		table_cells(&columns.table, i)[0] = range(sink, parts, i);
	putc('\n', sink->file);
	columns_print(&columns);
}

void text_moves(struct report_sink *sink, const struct report_parts *parts)
{
	struct columns columns;
	if (parts->explanation->move_count == 0)
		return;
	columns_start(&columns, sink, NULL, &record_redistribution,
		"ends,gpus,forward_s,forward_bytes,backward_s,backward_bytes");
	columns_list(&columns, &record_parts, "redistributions", parts);
	for (size_t i = 0; i < columns.table.row_count; i++)
		table_cells(&columns.table, i)[0] =
			typeset(sink, "%s to %s", layer_name(sink, parts, parts->explanation->moves[i].from),
				layer_name(sink, parts, parts->explanation->moves[i].to));
	putc('\n', sink->file);
	columns_print(&columns);
}

/* Returns the times of a part with other plans, "; 20.1 ms as data=64; not as filter=64, which cannot run". */
static const char *otherwise(struct report_sink *sink, const struct report_parts *parts, size_t part)
{
	const char *text = "";
	for (size_t k = 0; k < parts->explanation->other_count; k++) {
		const char *const plan = text_plan(sink, &parts->others[k]);
		const double other_s = parts_other_s(parts, part, k);
		if (parts_same_plan(&parts->others[k], &parts->layered->parts[part].plan))
			continue;
		text = other_s < 0 ? typeset(sink, "%s; not as %s, which cannot run", text, plan)
				   : typeset(sink, "%s; %s as %s", text,
					     typeset_quantity(sink, other_s, DIMENSION_TIME), plan);
	}
	return text;
}

void text_why(struct report_sink *sink, const struct report_parts *parts)
{
	enum { INDENT = 5 };
	fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_BOLD, "why layers differ"));
	for (size_t i = 0; i < parts->layered->part_count; i++) {
		const double own_s = parts_row_s(&parts->explanation->rows[i]);
		fputs("   ", sink->file);
		typeset_wrapped(sink, INDENT,
			typeset(sink, "%s: %s as %s%s", range(sink, parts, i),
				typeset_quantity(sink, own_s, DIMENSION_TIME),
				text_plan(sink, &parts->layered->parts[i].plan), otherwise(sink, parts, i)));
	}
}

void text_stages(struct report_sink *sink, const char *unit, const struct paradl_estimate *estimate)
{
	const unsigned short *const split = estimate->split;
	const char *text = "";
	unsigned runs = 0;
	for (unsigned i = 0, run; i < estimate->split_count; i += run, runs++) {
		for (run = 1; i + run < estimate->split_count && split[i + run] == split[i];)
			run++;
		text = typeset(sink, run > 1 ? "%s%s%u × %hu" : "%s%s%.0u%hu", text, i ? " + " : "",
			run > 1 ? run : 0, split[i]);
	}
	if (runs > 1)
		typeset_labelled(sink, "stages", typeset(sink, "%s %s", text, unit));
}
