/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training steps that are run here: their launches, the network as the program reads it, and the rows of measurements
 * that come of them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/quantity.h"
#include "runner/measure.h"
#include "runner/steps.h"

static const double patience_s = 300, grace_s = 5; /* silence that ends a launch; its time to end */

static const char *const phase_names[RUN_PHASES] = {
	[RUN_TOTAL] = "total", [RUN_COMPUTE] = "compute", [RUN_COMMUNICATION] = "communication"};

static bool words_of(struct runner *runner, const struct run_campaign *campaign, const struct run_plan *plan,
	unsigned number, struct text_list *words)
{
	struct paradl_arena *const arena = runner->arena;
	const char *const ranks =
		campaign->mpirun ? arena_printf(arena, "%s -n %u", campaign->mpirun, plan->ranks) : "";
	const char *const rest = arena_printf(arena, "--launch %u --seed %u%s --only step --cases", number,
		number, campaign->quick ? " --quick" : "");
	const bool fine = ranks && rest && measure_words(arena, words, ranks) &&
			  text_list_add(arena, words, campaign->program) &&
			  measure_words(arena, words, rest) && text_list_add(arena, words, plan->cases) &&
			  text_list_add(arena, words, "--out") &&
			  text_list_add(arena, words, campaign->samples) && text_list_add(arena, words, "");
	if (fine)
		words->items[words->count - 1] = NULL; /* the end of the list */
	return fine;
}

/* Returns the phase of a point such as "step/filter=2/32/compute"; RUN_PHASES: none. */
static enum run_phase phase_of(const char *point)
{
	const char *const slash = strrchr(point, '/');
	unsigned phase = 0;
	while (slash && phase < RUN_PHASES && strcmp(phase_names[phase], slash + 1) != 0)
		phase++;
	return slash ? (enum run_phase)phase : RUN_PHASES;
}

struct heard {
	double seconds[RUN_PHASES]; /* seconds of each phase; negative: not measured */
	const char *trouble;
};

static void hear(struct runner *runner, const char *line, struct heard *heard)
{
	struct measure_said said;
	measure_parse(line, &said);
	const enum run_phase phase = phase_of(said.point);
	if (said.word == MEASURE_POINT_DONE && phase < RUN_PHASES)
		heard->seconds[phase] = said.seconds;
	if (said.word == MEASURE_POINT_ABSENT || said.word == MEASURE_POINT_FAILED)
		heard->trouble = arena_text(runner->arena, said.reason);
}

/* Hears the lines of a launch until it has ended, falls silent or is interrupted. */
static enum measure_event listen(struct runner *runner, struct measure_process *process, struct heard *heard)
{
	for (;;) {
		const char *line;
		const enum measure_event event = measure_read(process, patience_s, &line);
		if (event != MEASURE_LINE)
			return event;
		hear(runner, line, heard);
	}
}

static void keep(struct run_plan *plan, const struct heard *heard)
{
	if (heard->trouble || heard->seconds[RUN_TOTAL] < 0) {
		plan->trouble = heard->trouble ? heard->trouble : "it said nothing";
		return;
	}
	for (unsigned i = 0; i < RUN_PHASES; i++)
		plan->seconds[i][plan->launches] = heard->seconds[i];
	plan->launches++;
}

/* Returns why a launch failed: its status and last complaint. Open MPI ends what it says with a line of dashes. */
static const char *trouble_of(struct runner *runner, const struct text_list *words,
	const struct measure_process *process, int status)
{
	const bool says = process->complaint[strspn(process->complaint, "-")] != '\0';
	return arena_printf(runner->arena, "%s ended with status %d%s%s", words->items[0], status,
		says ? ": " : "", says ? process->complaint : "");
}

/* Runs one launch of a plan; *caught: the signal that interrupted it. False: the error is set. */
static bool launch(struct runner *runner, const struct run_campaign *campaign, struct run_plan *plan,
	unsigned number, int *caught)
{
	struct measure_process process;
	struct text_list words = {.count = 0};
	struct heard heard = {.seconds = {-1, -1, -1}};
	if (!words_of(runner, campaign, plan, number, &words))
		return out_of_memory(runner->error);
	if (runner->verbose)
		runner_say(runner, "paradl: launch %u: %s", number + 1, plan->strategy);
	if (!measure_start(&process, words.items, runner->verbose, runner->error)) {
		error_hint(runner->error,
			campaign->mpirun ? "install Open MPI (openmpi-bin), or name another launcher with "
					   "--mpirun"
					 : "it needs python3");
		return false;
	}
	const enum measure_event event = listen(runner, &process, &heard);
	const int status = measure_end(&process, grace_s);
	if (event == MEASURE_INTERRUPTED) {
		*caught = measure_caught();
		return true;
	}
	if (event == MEASURE_SILENT)
		heard.trouble = "nothing was heard of it for five minutes";
	else if (!heard.trouble && status != 0)
		heard.trouble = trouble_of(runner, &words, &process, status);
	keep(plan, &heard);
	return true;
}

/* Shuffles the order, the same every time for a seed (SplitMix64), so that a campaign can be repeated. */
static void shuffle(size_t *order, size_t count, uint64_t seed)
{
	for (size_t left = count; left > 1; left--) {
		uint64_t z = seed += 0x9e3779b97f4a7c15ULL;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
		const size_t i = (size_t)((z ^ (z >> 31)) % left), swap = order[i];
		order[i] = order[left - 1];
		order[left - 1] = swap;
	}
}

bool run_launches(struct runner *runner, struct run_campaign *campaign, int *caught)
{
	bool ok = true;
	const size_t count = campaign->plan_count;
	const double all = (double)(count * campaign->launches);
	unsigned number = 0;
	*caught = 0;
	measure_catch_signals();
	for (unsigned turn = 0; ok && !*caught && turn < campaign->launches; turn++) {
		size_t order[RUN_PLANS_MAX];
		for (size_t i = 0; i < count; i++)
			order[i] = i;
		shuffle(order, count, turn + 1);
		for (size_t i = 0; ok && !*caught && i < count; i++) {
			campaign->progress(campaign->progress_context, number, all);
			ok = launch(runner, campaign, &campaign->plans[order[i]], number++, caught);
		}
	}
	return ok;
}

/* ---- the network ---- */

enum { DIMENSIONS = 3 };

static const char *extents(struct runner *runner, const char *name, const unsigned values[DIMENSIONS])
{
	return arena_printf(runner->arena, " %s=%u,%u,%u", name, values[0] ? values[0] : 1,
		values[1] ? values[1] : 1, values[2] ? values[2] : 1);
}

static const char *window(struct runner *runner, const struct paradl_layer_shape *shape)
{
	unsigned pad[DIMENSIONS];
	memcpy(pad, shape->pad, sizeof pad);
	const char *const parts[] = {
		extents(runner, "kernel", shape->kernel),
		extents(runner, "stride", shape->stride),
		arena_printf(runner->arena, " pad=%u,%u,%u", pad[0], pad[1], pad[2]),
		extents(runner, "dilation", shape->dilation),
		extents(runner, "x", shape->x),
		extents(runner, "y", shape->y),
	};
	const char *text = "";
	for (size_t i = 0; text && i < sizeof parts / sizeof parts[0]; i++)
		text = parts[i] ? arena_printf(runner->arena, "%s%s", text, parts[i]) : NULL;
	return text ? text : "";
}

/* Returns the line of a layer; "" for one that does nothing, NULL for one that the program does not have. */
static const char *layer_line(struct runner *runner, const struct paradl_layer_shape *shape)
{
	struct paradl_arena *const arena = runner->arena;
	unsigned items = shape->x_channels;
	for (unsigned i = 0; i < DIMENSIONS; i++)
		items *= shape->x[i] ? shape->x[i] : 1;
	if (shape->tokens)
		return NULL;
	if (strcmp(shape->type, "conv") == 0 && shape->groups == 1)
		return arena_printf(arena, "convolution channels=%u filters=%u bias=%d%s\n",
			shape->x_channels, shape->y_channels, shape->bias, window(runner, shape));
	if (strcmp(shape->type, "linear") == 0)
		return arena_printf(arena, "linear channels=%u filters=%u bias=%d\n", items,
			shape->y_channels, shape->bias);
	if (strcmp(shape->type, "act") == 0 && strcmp(shape->kind, "relu") == 0)
		return "relu\n";
	if (strcmp(shape->type, "pool") == 0 && strcmp(shape->kind, "max") == 0)
		return arena_printf(arena, "max-pool%s\n", window(runner, shape));
	if (strcmp(shape->type, "pool") == 0 && strcmp(shape->kind, "avg") == 0)
		return arena_printf(arena, "mean-pool%s\n", window(runner, shape));
	if (strcmp(shape->type, "loss") == 0 && strcmp(shape->kind, "cross-entropy") == 0)
		return "softmax-loss\n";
	return strcmp(shape->type, "flatten") == 0 ? "" : NULL;
}

const char *run_network_text(struct runner *runner, const struct paradl_model *model)
{
	const struct paradl_model_info info = paradl_model_info(model);
	const char *text = "";
	for (size_t i = 0; text && i < info.layer_count; i++) {
		const struct paradl_layer_shape shape = paradl_model_shape(model, i);
		const char *const line = layer_line(runner, &shape);
		if (!line) {
			error_set(runner->error, PARADL_USAGE,
				"%s cannot be run here: layer %s is of type %s%s%s", info.name,
				paradl_model_layer(model, i).name, shape.type, *shape.kind ? " " : "",
				shape.kind);
			error_hint(runner->error, "the program has conv (one group), linear, relu, max and "
						  "avg pool, and a cross-entropy loss, each layer after "
						  "the other; tiny-cnn is such a network");
			return NULL;
		}
		text = arena_printf(runner->arena, "%s%s", text, line);
	}
	if (!text)
		out_of_memory(runner->error);
	return text;
}

/* ---- rows of measurements ---- */

static int compare(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

/* Returns the median of the times that were measured, of all that it sorts; negative: none was. */
static double median(double *values, unsigned count)
{
	unsigned unknown = 0;
	qsort(values, count, sizeof *values, compare);
	while (unknown < count && values[unknown] < 0)
		unknown++;
	if (unknown == count)
		return -1;
	const double *const known = values + unknown;
	count -= unknown;
	return (known[(count - 1) / 2] + known[count / 2]) / 2;
}

/* Writes the median of `seconds`, which it sorts; an empty cell for NULL, or for times that were not measured. */
static void write_time(FILE *file, double *seconds, unsigned launches)
{
	char digits[DECIMAL_LENGTH];
	const double middle = seconds ? median(seconds, launches) : -1;
	fprintf(file, "%s,", middle >= 0 ? decimal_shortest(digits, sizeof digits, middle) : "");
}

/*
 * Writes the medians over the launches of a plan. A pipeline's ranks wait inside messages, which projections count as
 * compute, so its rows have the total alone.
 */
static void write_row(FILE *file, const struct run_campaign *campaign, const struct run_plan *plan)
{
	const bool alone = plan->ranks < 2;
	const bool whole = !alone && strncmp(plan->strategy, "pipeline", strlen("pipeline")) == 0;
	fprintf(file, "\"%s\",\"%s\",\"%s\",%.0f,%s,iter,%s,", campaign->model, campaign->hw, plan->strategy,
		campaign->batch, campaign->precision, campaign->framework);
	if (campaign->tokens > 0)
		fprintf(file, "%u", campaign->tokens);
	fputc(',', file);
	write_time(file, whole ? NULL : plan->seconds[RUN_COMPUTE], plan->launches);
	write_time(file, whole || alone ? NULL : plan->seconds[RUN_COMMUNICATION], plan->launches);
	write_time(file, plan->seconds[RUN_TOTAL], plan->launches);
	fprintf(file, "%u rank%s,paradl validate --run\n", plan->ranks, alone ? "" : "s");
}

bool run_rows_write(struct runner *runner, const struct run_campaign *campaign)
{
	struct file_output output;
	if (!file_create(&output, campaign->csv, runner->error))
		return false;
	fprintf(output.file,
		"# Medians over launches of %s, %s.\n"
		"model,hw,strategy,batch,precision,unit,framework,seq,compute_s,communication_s,"
		"total_s,set,source\n",
		strrchr(campaign->program, '/') ? strrchr(campaign->program, '/') + 1 : campaign->program,
		campaign->model);
	for (size_t i = 0; i < campaign->plan_count; i++)
		if (campaign->plans[i].launches > 0)
			write_row(output.file, campaign, &campaign->plans[i]);
	return file_commit(&output, runner->error);
}

bool run_spread(struct runner *runner, const struct run_campaign *campaign, struct report_runs *runs)
{
	struct report_run *const items = arena_alloc(runner->arena, campaign->plan_count, sizeof *items);
	if (!items)
		return out_of_memory(runner->error);
	runs->items = items;
	runs->count = 0;
	for (size_t i = 0; i < campaign->plan_count; i++) {
		const struct run_plan *const plan = &campaign->plans[i];
		double *const totals = plan->seconds[RUN_TOTAL];
		if (plan->launches == 0)
			continue;
		items[runs->count++] = (struct report_run){
			.plan = plan->strategy,
			.launches = plan->launches,
			.median_s = median(totals, plan->launches), /* sorts totals */
			.least_s = totals[0],
			.most_s = totals[plan->launches - 1],
		};
	}
	return true;
}
