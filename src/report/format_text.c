/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_document.h"
#include "report/text.h"
#include "result/launch/launch.h"

#include <math.h>
#include <string.h>

const char *text_plan(struct report_sink *sink, const struct paradl_plan *plan)
{
	char text[PARADL_PLAN_TEXT];
	paradl_plan_format(plan, text, sizeof text);
	return typeset(sink, "%s", text);
}

const char *text_devices(struct report_sink *sink, const struct report_head *head, double devices)
{
	const unsigned per_node = head->machine.devices_per_node;
	const char *const gpus = devices > 1 ? "GPUs" : "GPU";
	if (per_node == 0)
		return typeset(sink, "%s %s", typeset_whole(sink, devices), gpus);
	const double nodes = ceil(devices / per_node);
	const double hosts = ceil(devices / head->machine.devices_per_host);
	return typeset(sink, "%s %s in %s node%s%s", typeset_whole(sink, devices), gpus,
		typeset_whole(sink, nodes), nodes > 1 ? "s" : "",
		hosts > nodes ? typeset(sink, ", %s hosts", typeset_whole(sink, hosts)) : "");
}

const char *text_batch(struct report_sink *sink, const struct report_head *head, double batch)
{
	if (head->rate_per_s > 0)
		return typeset(sink, "inference, %.6g requests/s", head->rate_per_s);
	if (!(batch > 0))
		return "inference, each plan with its best batch";
	return typeset(sink, "%s %s", head->inference ? "inference, batch" : "global batch",
		typeset_whole(sink, batch));
}

const char *text_details(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	return typeset(sink, "paradl estimate %s -s %s%s", head->again, text_plan(sink, &estimate->plan),
		head->rate_per_s > 0 ? "" : typeset(sink, " --batch %.15g", estimate->plan.batch));
}

const char *text_inference_lengths(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *const inference = &estimate->inference;
	if (!(inference->prompt_tokens > 0))
		return "";
	const char *const prompt = typeset(sink, "%s token%s", typeset_whole(sink, inference->prompt_tokens),
		inference->prompt_tokens > 1 ? "s" : "");
	if (!(inference->output_tokens > 0))
		return typeset(sink, ", %s each", prompt);
	return typeset(sink, ", prompts of %s, answers of %s", prompt,
		typeset_whole(sink, inference->output_tokens));
}

const char *text_conditions(struct report_sink *sink, const struct report_head *head)
{
	return typeset(sink, ", %s%s%s, %s/GPU", head->precision, head->ideal ? ", ideal" : "",
		head->quiet_network && !head->ideal ? ", quiet network" : "",
		typeset_quantity(sink, head->machine.memory_bytes, DIMENSION_BYTES));
}

void text_heading(struct report_sink *sink, const char *title)
{
	enum { INDENT = 4 };
	for (size_t indent = 0;; indent = INDENT) {
		const char *end = NULL;
		if (indent + typeset_width(title) > sink->style.width)
			for (const char *comma = title; (comma = strstr(comma, ", ")); comma++) {
				const size_t bytes = (size_t)(comma + 1 - title);
				const char *const head = typeset(sink, "%.*s", (int)bytes, title);
				if (!end || indent + typeset_width(head) <= sink->style.width)
					end = comma + 1;
			}
		const char *const line = end ? typeset(sink, "%.*s", (int)(end - title), title) : title;
		fprintf(sink->file, "%*s%s", (int)indent, "", typeset_ink(sink, INK_BOLD, line));
		if (!end)
			return;
		putc('\n', sink->file);
		title = end + 1;
	}
}

void text_title(struct report_sink *sink, const struct report_head *head, const char *run)
{
	enum { LEAST_GAP = 4 };
	const char *const what = typeset(sink, "%s on %s: %s%s", head->model.name, head->machine.name, run,
		text_conditions(sink, head));
	const char *const size = typeset(sink, "%s parameters, %s",
		typeset_count(sink, head->model.parameters), typeset_sample(sink, &head->model));
	const size_t used = typeset_width(what) + typeset_width(size);
	text_heading(sink, what);
	if (used + LEAST_GAP <= sink->style.width)
		fprintf(sink->file, "%*s%s\n", (int)(sink->style.width - used), "",
			typeset_ink(sink, INK_DIM, size));
	else
		fprintf(sink->file, "\n%s\n", typeset_ink(sink, INK_DIM, size));
}

void text_assumptions(struct report_sink *sink, const struct report_head *head)
{
	for (size_t i = 0; i < head->assumptions.count; i++)
		typeset_labelled(
			sink, i == 0 ? "assumed" : "", typeset_clean(sink, head->assumptions.items[i]));
}

static const char *axis_place(unsigned inside, unsigned outside, unsigned per_node)
{
	if (outside <= per_node)
		return "inside a node";
	return inside >= per_node ? "across nodes" : "inside and across nodes";
}

const char *text_nccl_algorithm(const char *library, const char *algorithm)
{
	static const char *const names[][2] = {{"ring", "Ring"}, {"double-tree", "Tree"}, {"nvls", "NVLS"},
		{"nvls-tree", "NVLSTree"}, {"sharp", "CollnetChain"}};
	static const char operation[] = "allreduce-";
	if (!library || !strstr(library, "ccl"))
		return NULL;
	if (strncmp(algorithm, operation, sizeof operation - 1) == 0)
		algorithm += sizeof operation - 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i][0], algorithm) == 0)
			return names[i][1];
	return NULL;
}

const char *text_placement(
	struct report_sink *sink, const struct report_head *head, const struct paradl_plan *plan)
{
	static const char *const names[PARADL_AXIS_COUNT] = {
		"data", "pipeline", "expert", "context", "tensor", "filter", "channel", "spatial"};
	const unsigned per_node = head->machine.devices_per_node;
	const char *text = "";
	unsigned inside = 1, axes = 0;
	for (size_t i = PARADL_AXIS_COUNT; i-- > 0 && per_node > 0;) {
		const unsigned axis = plan->order[i];
		if (axis >= PARADL_AXIS_COUNT || plan->degree[axis] <= 1)
			continue;
		const unsigned outside = inside * plan->degree[axis];
		text = typeset(sink, "%s%s%s %s", text, *text ? ", " : "", names[axis],
			axis_place(inside, outside, per_node));
		inside = outside;
		axes++;
	}
	return axes > 1 ? text : "";
}

void text_dispatcher(struct report_sink *sink, const struct paradl_estimate *estimate,
	const struct paradl_faster_dispatcher *faster)
{
	if (faster)
		typeset_labelled(sink, "dispatcher",
			typeset(sink, "%s would take %.0f %% off the step: --plan-options dispatcher=%s",
				faster->dispatcher, 100 * (1 - faster->iteration_s / estimate->iteration_s),
				faster->dispatcher));
}

const char text_uneven_reason[] = "its stages balance the work of embedding, blocks and head";

void text_faster(struct report_sink *sink, const struct paradl_estimate *estimate, const char *label,
	const struct paradl_other_plan *faster, const char *why)
{
	if (faster)
		typeset_labelled(sink, label,
			typeset(sink, "%s would take %.0f %% off the step: %s", faster->strategy,
				100 * (1 - faster->iteration_s / estimate->iteration_s), why));
}

void text_verdict(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	const struct paradl_limit *const limit = &estimate->limited_by;
	const double iterations = estimate->epoch_s > 0 ? estimate->epoch_s / estimate->iteration_s : 1;
	if (!head->quiet_network && estimate->iteration_quiet_s > 0 &&
		estimate->iteration_quiet_s < 0.995 * estimate->iteration_s)
		typeset_labelled(sink, "range",
			typeset(sink, "%s per %s on a quiet network, %s on a usual one",
				typeset_quantity(
					sink, estimate->iteration_quiet_s * iterations, DIMENSION_TIME),
				estimate->epoch_s > 0 ? "epoch" : "iteration",
				typeset_quantity(sink, estimate->iteration_s * iterations, DIMENSION_TIME)));
	if (limit->improve && *limit->improve)
		typeset_labelled(sink, "next", typeset_clean(sink, limit->improve));
}

void text_band(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	const char *line = typeset(sink, "±%s with %s holds nine of ten measured times",
		typeset_percent(sink, estimate->error_share), head->framework.name);
	const char *joint = ": ";
	if (estimate->error_share < 0)
		return;
	if (estimate->inference.first_error_share > 0)
		line = typeset(sink, "%s of each token, ±%s of the first", line,
			typeset_percent(sink, estimate->inference.first_error_share));
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; i++) {
		if (!(estimate->unchecked & 1u << i))
			continue;
		line = typeset(sink, "%s%s%s", line, joint, paradl_unchecked_text((enum paradl_unchecked)i));
		joint = "; ";
	}
	if (estimate->unchecked & 1u << PARADL_UNCHECKED_FRAMEWORK && sink->style.detailed)
		line = typeset(sink, "%s; --framework says which program runs it", line);
	typeset_labelled(sink, "error", line);
}

const char *text_rates(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	const double tokens = estimate->inference.output_tokens > 0
				      ? estimate->inference.tokens_per_s
				      : report_tokens(head, estimate->samples_per_s);
	const bool is_text = head->model.generates && tokens > 0;
	const double all = is_text ? tokens : estimate->samples_per_s;
	const char *const unit = is_text ? "tokens" : "samples";
	const char *const fewer =
		estimate->mfu > 1 ? ": Winograd's convolutions take fewer operations than are counted" : "";
	return typeset(sink, "%s %s/s/GPU (%s/s of all), %s/GPU, MFU %s%s",
		typeset_rate(sink, all / estimate->devices), unit, typeset_rate(sink, all),
		typeset_quantity(sink, estimate->flop_per_s_per_device, DIMENSION_FLOP_PER_S),
		typeset_percent(sink, estimate->mfu), fewer);
}

const char *text_limit(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const struct paradl_limit *const limit = &estimate->limited_by;
	return limit->text ? typeset(sink, "%s %s", typeset_percent(sink, limit->share), limit->text) : "";
}

void text_assumed(struct report_sink *sink, const struct report_head *head)
{
	const size_t others = head->assumptions.count - head->guess_lines;
	const char *const guesses =
		head->guesses > 0 ? typeset(sink, "%u number%s of the machine (paradl check %s)",
					    head->guesses, head->guesses == 1 ? "" : "s", head->machine_word)
				  : "";
	if (others == 0 && !*guesses)
		return;
	typeset_labelled(sink, "assumed",
		others == 0 ? guesses
			    : typeset(sink, "%s%s%zu thing%s more (--verbose)", guesses, *guesses ? ", " : "",
				      others, others == 1 ? "" : "s"));
}

const char *text_margin(struct report_sink *sink, enum paradl_goal goal, const struct paradl_estimate *best,
	size_t equal, const char *ahead)
{
	if (best->error_share < 0)
		return typeset(sink, "%s, under ideal assumptions", ahead);
	if (goal == PARADL_MEMORY) /* the likely error is an error of times, not of memory */
		return ahead;
	const char *const share = typeset_percent(sink, paradl_tie_share(best));
	if (equal < 2)
		return typeset(sink, "%s; it takes %s to tell two plans apart", ahead, share);
	return typeset(sink, "%s; it takes %s to tell two plans apart, so treat 1 %s %zu as equal", ahead,
		share, equal > 2 ? "to" : "and", equal);
}

void text_infeasible(struct report_sink *sink, const struct paradl_infeasible *rows, size_t all, size_t most)
{
	enum { INDENT = 5 };
	const size_t count = most > 0 && most < all ? most : all;
	/* The widest plan whose reason stands beside it. Plans that take more than half of the line have it below. */
	size_t widest = 0;
	for (size_t i = 0; i < count; i++) {
		const size_t width = typeset_width(rows[i].strategy);
		if (width <= sink->style.width / 2)
			widest = width > widest ? width : widest;
	}
	if (count > 0)
		fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_DIM, "not feasible"));
	for (size_t i = 0; i < count; i++) {
		const char *const name = typeset(sink, "%s", rows[i].strategy);
		const char *const why =
			typeset(sink, "%s%s%s", rows[i].reason, *rows[i].needs ? " → " : "", rows[i].needs);
		const bool beside = typeset_width(name) <= widest;
		if (beside)
			fprintf(sink->file, " %s%*s", name, (int)(widest - typeset_width(name) + 2), "");
		else
			fprintf(sink->file, " %s\n%*s", name, INDENT, "");
		typeset_wrapped(sink, beside ? widest + 3 : INDENT, why);
	}
	if (count < all)
		fprintf(sink->file, " %s\n",
			typeset(sink, "… and %zu more: --top 0 shows them", all - count));
}

enum { COMMAND_INDENT = 3, COMMAND_MORE = 4 };

/* A command whose words are printed one after the other, with lines broken at the width by backslashes. */
struct command_line {
	struct report_sink *sink;
	size_t used;
};

static void print_words(struct command_line *line, const struct launch_list *words)
{
	enum { BACKSLASH = 2 };
	for (size_t i = 0; i < words->count; i++) {
		const char *const word = typeset_clean(line->sink, words->items[i]);
		const size_t width = typeset_width(word);
		if (line->used == 0) {
			line->used = COMMAND_INDENT + width;
			fprintf(line->sink->file, "%*s%s", COMMAND_INDENT, "", word);
		} else if (line->used + 1 + width + BACKSLASH <= line->sink->style.width) {
			line->used += 1 + width;
			fprintf(line->sink->file, " %s", word);
		} else {
			line->used = COMMAND_INDENT + COMMAND_MORE + width;
			fprintf(line->sink->file, " \\\n%*s%s", COMMAND_INDENT + COMMAND_MORE, "", word);
		}
	}
}

void text_launch(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	struct launch *const launch = arena_alloc(sink->arena, 1, sizeof *launch);
	struct command_line line = {.sink = sink};
	sink->out_of_memory |= !launch;
	if (!launch || !launch_plan(launch, head, estimate))
		return;
	const bool starts = launch->command.count > 0;
	const struct launch_list *const cannot = &launch->cannot;
	for (size_t i = 0; starts && i < cannot->count; i++)
		typeset_labelled(sink, i > 0 ? "" : "cannot", typeset_clean(sink, cannot->items[i]));
	typeset_labelled(sink, "launch",
		!starts             ? typeset(sink, "none: %s", cannot->items[0])
		: cannot->count > 0 ? typeset(sink, "%s, nearest to the plan", head->launcher->summary)
				    : head->launcher->summary);
	for (size_t i = 1; !starts && i < cannot->count; i++)
		typeset_labelled(sink, i > 1 ? "" : "cannot", typeset_clean(sink, cannot->items[i]));
	if (!starts && launch->flags.count > 0)
		typeset_labelled(sink, "its flags", "of the plan alone, for a script of your own");
	if (head->launch_estimated)
		typeset_labelled(sink, "estimated",
			typeset(sink, "for %s, since --flags names it; --framework: for another program",
				head->framework.name));
	print_words(&line, &launch->command);
	print_words(&line, &launch->flags);
	if (line.used > 0)
		putc('\n', sink->file);
	if (launch->file.count > 0)
		typeset_labelled(sink, "in", launch->file_name);
	for (size_t i = 0; i < launch->file.count; i++)
		fprintf(sink->file, "%*s%s\n", COMMAND_INDENT, "",
			typeset_clean(sink, launch->file.items[i]));
}

void text_advice(struct report_sink *sink, const struct report_advice *advice)
{
	if (advice->is_sweep)
		text_sweep(sink, advice);
	else
		text_ranking(sink, advice);
}

void text_check(struct report_sink *sink, const struct report_check *check)
{
	enum { NOTE_INDENT = 4 };
	for (size_t i = 0; i < check->count; i++) {
		const struct checked_file *const file = &check->files[i];
		if (!file->valid)
			continue;
		const char *const path = typeset(sink, "%s", file->path);
		const char *const note =
			file->findings.note ? typeset(sink, "; %s", file->findings.note) : "";
		if (file->findings.count == 0)
			typeset_wrapped(sink, NOTE_INDENT,
				typeset(sink, "%s: %s, nothing found%s", path, file->findings.format, note));
		for (size_t j = 0; j < file->findings.count; j++)
			fprintf(sink->file, "%s: %s\n", path,
				typeset(sink, "%s", file->findings.warnings[j]));
	}
}

const struct report_format report_text = {
	.name = "text",
	.extension = ".txt",
	.summary = "tables for people",
#define X(member, ...) .member = text_##member,
#include "report/written.def"
#undef X
	.sweep = &text_sweep_lines,
};
