/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_ranking() prints strategies for one number of GPUs, best first. */
#include <string.h>

#include "report/palette.h"
#include "report/text.h"
#include "result/launch/launch.h"

/* The ratio to the best time above which a bar is cut. */
enum { BAR_RATIO = 4 };

/* The width in columns above which plans are folded if the table is too wide. */
enum { PLAN_WIDTH = 38 };

static double full_bar(const struct ranking_row *rows, size_t count)
{
	double best = 0, worst = 0;
	for (size_t i = 0; i < count; i++) {
		const double time = rows[i].estimate ? rows[i].estimate->iteration_s : 0;
		if (time > 0 && (!(best > 0) || time < best))
			best = time;
		worst = time > worst ? time : worst;
	}
	return worst < BAR_RATIO * best ? worst : BAR_RATIO * best;
}

size_t text_plan_line(const char *text, size_t room)
{
	size_t length = 0;
	while (text[length]) {
		const size_t term = strcspn(text + length, ",") + 1;
		if (length > 0 && length + term > room)
			return length;
		length += term - !text[length + term - 1];
	}
	return length;
}

/* Folds a plan: its degrees stay in its row, its options follow in rows of their own. */
static void fold_plan(struct report_sink *sink, struct table *table, const char **cells, size_t column,
	const struct paradl_plan *plan)
{
	struct paradl_plan degrees = {.context = plan->context};
	memcpy(degrees.degree, plan->degree, sizeof degrees.degree);
	memcpy(degrees.spatial, plan->spatial, sizeof degrees.spatial);
	memcpy(degrees.order, plan->order, sizeof degrees.order);
	const char *const first = text_plan(sink, &degrees);
	const char *rest = cells[column] + strlen(first);
	if (*rest != ',')
		return;
	cells[column] = typeset(sink, "%s,", first);
	for (++rest; *rest; rest += text_plan_line(rest, PLAN_WIDTH))
		table_row(table)[column] =
			typeset(sink, "  %.*s", (int)text_plan_line(rest, PLAN_WIDTH), rest);
}

/* The layout of a ranking. */
struct layout {
	const struct result_field *columns[COLUMNS_MAX];
	size_t column_count, bar_columns;
	bool asked; /* whether the columns were asked for by name */
	bool folds; /* whether plans wider than PLAN_WIDTH are folded */
};

static void fill_table(struct report_sink *sink, struct table *table, const struct ranking_row *rows,
	size_t count, const struct layout *layout)
{
	const double full_s = full_bar(rows, count);
	table_start(table, sink);
	table->asked = layout->asked;
	for (size_t i = 0; i < layout->column_count; i++) {
		const struct result_field *const before = i > 0 ? layout->columns[i - 1] : NULL;
		const struct table_column look = layout->asked ? column_look_asked(layout->columns[i], before)
							       : column_look(layout->columns[i]);
		table_column(table, &look);
	}
	for (size_t i = 0; i < count; i++) {
		struct ranking_row row = rows[i];
		size_t plans = COLUMNS_MAX;
		row.bar_full_s = full_s;
		row.bar_columns = layout->bar_columns;
		const char **const cells = table_row(table);
		for (size_t j = 0; j < layout->column_count; j++) {
			cells[j] = ranking_text(sink, layout->columns[j], &row);
			if (strcmp(layout->columns[j]->name, "strategy") == 0)
				plans = j;
		}
		if (layout->folds && row.estimate && plans < COLUMNS_MAX &&
			typeset_width(cells[plans]) > PLAN_WIDTH)
			fold_plan(sink, table, cells, plans, &row.estimate->plan);
	}
}

static void print_legend(struct report_sink *sink, const struct ranking_row *rows, size_t count)
{
	bool used[PARADL_PHASE_COUNT] = {false};
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; rows[i].estimate && j < PARADL_PHASE_COUNT; j++)
			used[j] = used[j] || rows[i].estimate->phase_s[j] > 0;
	const char *const legend = bar_legend(sink, used);
	if (*legend)
		fprintf(sink->file, "%s %s\n", sink->style.detailed || sink->style.brief ? "\n" : "", legend);
}

size_t text_ranking_table(struct report_sink *sink, const struct ranking_row *rows, size_t count,
	const char *names, size_t lines)
{
	enum { LEAST_ROWS = 3 };
	static const size_t bar_widths[] = {32, 24, 16, 12, 8};
	enum { BAR_WIDTHS = sizeof bar_widths / sizeof bar_widths[0] };
	struct layout layout = {
		.asked = count > 0 && rows->advice->columns, .bar_columns = bar_widths[BAR_WIDTHS - 1]};
	struct table table;
	struct paradl_error error;
	size_t bars = COLUMNS_MAX;
	if (!ranking_columns_parse(names, layout.columns, &layout.column_count, &error))
		return 0;
	for (size_t i = 0; i < layout.column_count; i++)
		if (layout.columns[i]->kind == FIELD_BAR)
			bars = i;
	fill_table(sink, &table, rows, count, &layout);
	layout.folds = !layout.asked && table_width(&table) > sink->style.width;
	for (bool fits = false; !fits; count -= !fits) {
		fill_table(sink, &table, rows, count, &layout);
		fits = lines == 0 || table.row_count <= lines || count <= LEAST_ROWS;
	}
	for (size_t i = 0; i < BAR_WIDTHS && bars < COLUMNS_MAX; i++) {
		layout.bar_columns = bar_widths[i];
		fill_table(sink, &table, rows, count, &layout);
		if (table_width(&table) <= sink->style.width)
			break;
	}
	table_print(&table);
	if (bars < COLUMNS_MAX && !table.hidden[bars])
		print_legend(sink, rows, count);
	return count;
}

static const char *usual_columns(struct report_sink *sink, const struct report_advice *advice)
{
	if (advice->head->inference)
		return text_inference_columns(advice);
	const bool is_money = advice->goal == PARADL_COST, is_energy = advice->goal == PARADL_ENERGY;
	return typeset(sink, "rank,strategy,%s%s,ratio,%s%s,mfu,phases,memory_bytes,memory_share,limited_by",
		text_job_columns(sink, advice), advice->job ? "iteration_s" : text_time_column(advice),
		is_money    ? "cost_per_epoch,"
		: is_energy ? "energy_joule_per_epoch,"
			    : "",
		advice->head->model.generates ? "tokens_per_s_per_gpu" : "samples_per_s");
}

static const char *margin_text(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const struct paradl_estimate *const best = &ranking->results[0];
	if (ranking->count < 2)
		return "the only feasible strategy";
	if (sink->style.detailed)
		return text_margin(sink, advice->goal, best, report_equal(advice, ranking),
			typeset(sink, "%.2f× over %s", ranking->margin,
				text_plan(sink, &ranking->results[1].plan)));
	return text_margin(sink, advice->goal, best, report_equal(advice, ranking),
		typeset(sink, "%.2f× over the second", ranking->margin));
}

/* Prints the best plan with fewer options, where that is as fast. */
static void print_simpler(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_other_plan *const simpler = advice->simpler;
	if (!simpler)
		return;
	const double more = simpler->iteration_s / advice->rankings[0].results[0].iteration_s - 1;
	typeset_labelled(sink, "simpler",
		typeset(sink, "%s is as fast (%+.2f %%), with fewer options", simpler->strategy, 100 * more));
}

/* Prints the time with a plan for each layer, if such plans are faster, and the command that finds them. */
static void print_layers(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	if (!advice->layers)
		return;
	const struct paradl_estimate *const layered = &advice->layers->estimate;
	typeset_labelled(sink, "layers",
		typeset(sink,
			"with plans of their own they take %s an iteration instead of %s: paradl search %s "
			"--gpus %u --batch %.15g --per-layer",
			typeset_quantity(sink, layered->iteration_s, DIMENSION_TIME),
			typeset_quantity(sink, ranking->results[0].iteration_s, DIMENSION_TIME),
			advice->head->again, ranking->devices, ranking->batch));
}

/* Returns what limits a plan and, where that is not all of compute, how much of the iteration compute is besides. */
static const char *why_text(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *best)
{
	const char *const limit = text_limit(sink, best);
	const double passes_s = best->phase_s[PARADL_FORWARD] + best->phase_s[PARADL_BACKWARD];
	if (head->inference || !best->limited_by.text || strcmp(best->limited_by.text, "compute") == 0)
		return limit;
	return typeset(sink, "%s; forward and backward are %s", limit,
		typeset_percent(sink, passes_s / best->iteration_s));
}

/*
 * Warns where a plan fills a GPU so far that it may not fit: projections of memory are 4 % off on average for programs
 * whose runs were looked at, and more for others (README.md).
 */
static void print_tight(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *best)
{
	const double share = best->memory_bytes / best->capacity_bytes;
	if (!head->inference && share > 0.96)
		typeset_labelled(sink, "tight",
			typeset(sink,
				"memory is %s full, and its projections are 4 %% off on average, those for "
				"new "
				"programs more: it may not fit",
				typeset_percent(sink, share)));
}

/* Prints the answer in a few lines: the best plan, its rates, its bottleneck, how sure it is, and what to do next. */
static void print_short(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const struct paradl_estimate *const best = &ranking->results[0];
	const struct paradl_run *const run = advice->job ? report_run_of(advice, best) : NULL;
	typeset_labelled(sink, "best", text_plan(sink, &best->plan));
	if (advice->head->inference) {
		text_inference(sink, advice->head, best);
		if (best->cost_per_hour >= 0 && best->inference.tokens_per_s > 0)
			typeset_labelled(sink, "cost",
				typeset(sink, "%.3g %s a million tokens",
					best->cost_per_hour / 3600 / best->inference.tokens_per_s * 1e6,
					typeset_clean(sink, advice->head->machine.currency)));
	} else
		typeset_labelled(sink, "speed", text_rates(sink, advice->head, best));
	if (run) {
		text_run(sink, advice->head, advice->job, run);
		text_deadline(sink, advice->job, run);
	}
	typeset_labelled(sink, "why", why_text(sink, advice->head, best));
	print_tight(sink, advice->head, best);
	typeset_labelled(sink, "margin", margin_text(sink, advice));
	print_simpler(sink, advice);
	print_layers(sink, advice);
	text_dispatcher(sink, best, advice->dispatched);
	text_faster(sink, best, "split", advice->balanced, text_uneven_reason);
	text_band(sink, advice->head, best);
	if (best->limited_by.improve && *best->limited_by.improve)
		typeset_labelled(sink, "next", typeset_clean(sink, best->limited_by.improve));
}

static void print_more(struct report_sink *sink, const struct report_head *head)
{
	typeset_labelled(sink, "more",
		typeset(sink, "--verbose%s; the plan in depth: paradl estimate",
			launch_applies(head)
				? typeset(sink, "; how to start it: --flags %s", head->launcher->name)
				: ""));
}

static void print_best(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const struct paradl_estimate *const best = &ranking->results[0];
	const char *const plan = text_plan(sink, &best->plan);
	const char *const placement = text_placement(sink, advice->head, &best->plan);
	putc('\n', sink->file);
	typeset_labelled(sink, "best", typeset(sink, "%s%s%s", plan, *placement ? ": " : "", placement));
	typeset_labelled(sink, "margin", margin_text(sink, advice));
	print_simpler(sink, advice);
	if (advice->job)
		text_job(sink, advice->head, advice->job, report_run_of(advice, best));
	print_layers(sink, advice);
	text_dispatcher(sink, best, advice->dispatched);
	text_faster(sink, best, "split", advice->balanced, text_uneven_reason);
	text_verdict(sink, advice->head, best);
	text_band(sink, advice->head, best);
	typeset_labelled(sink, "details", text_details(sink, advice->head, best));
}

static void print_uneven(struct report_sink *sink, const struct ranking_row *rows, size_t count)
{
	const char *names = "";
	for (size_t i = 0; i < count; i++)
		if (rows[i].estimate && rows[i].estimate->uneven)
			names = typeset(sink, "%s%s%s", names, *names ? ", " : "",
				text_plan(sink, &rows[i].estimate->plan));
	if (*names)
		typeset_labelled(sink, "uneven",
			typeset(sink, "%s: not everything divides; the largest share counts", names));
}

static struct ranking_row *make_rows(struct report_sink *sink, const struct report_advice *advice,
	const struct paradl_ranking *ranking, size_t count)
{
	struct ranking_row *const rows = arena_alloc(sink->arena, count + 1, sizeof *rows);
	sink->out_of_memory |= !rows;
	for (size_t i = 0; rows && i < count; i++)
		rows[i] = (struct ranking_row){.advice = advice,
			.ranking = ranking,
			.estimate = &ranking->results[i],
			.rank = i + 1};
	return rows;
}

/* Prints how many plans that fit, and how many families that do not, the short answer leaves out. */
static void print_left_out(struct report_sink *sink, size_t plans, size_t unfit, bool promised)
{
	const char *text = "";
	if (plans > 0)
		text = typeset(sink, "%zu more: --top 0", plans);
	if (unfit > 0)
		text = typeset(sink, "%s%s%zu %s fit%s: --verbose says why", text, *text ? "; " : "", unfit,
			unfit == 1 ? "does not" : "do not", promised ? ", or not in time" : "");
	if (*text)
		fprintf(sink->file, " %s\n", typeset(sink, "… and %s", text));
}

static void print_details(struct report_sink *sink, const struct report_advice *advice,
	const struct ranking_row *rows, size_t count)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	if (count < ranking->count)
		fprintf(sink->file, " %s\n",
			typeset(sink, "… and %zu more: --top 0 shows them", ranking->count - count));
	text_infeasible(sink, ranking->infeasible, ranking->infeasible_count, advice->top);
	if (count > 0)
		print_best(sink, advice);
	else
		putc('\n', sink->file);
	print_uneven(sink, rows, count);
	text_assumptions(sink, advice->head);
}

/* Prints the short answer below the table of the best plans: what the table leaves out, and the answer. */
static void print_brief(struct report_sink *sink, const struct report_advice *advice,
	const struct ranking_row *rows, size_t shown)
{
	enum { SHORT_UNFIT = 3 };
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	if (shown > 0)
		print_left_out(sink, ranking->count - shown, ranking->infeasible_count + ranking->unexplained,
			advice->head->inference && !(ranking->batch > 0));
	else
		text_infeasible(sink, ranking->infeasible, ranking->infeasible_count,
			advice->lines > 0 ? SHORT_UNFIT : advice->top);
	putc('\n', sink->file);
	if (shown > 0)
		print_short(sink, advice);
	print_uneven(sink, rows, shown > 0);
	text_assumed(sink, advice->head);
	if (shown > 0)
		print_more(sink, advice->head);
}

/* Returns what the rows have in common; where they are ranked by their largest batches, what else they show is of one. */
static const char *batch_text(struct report_sink *sink, const struct report_advice *advice)
{
	const struct report_head *const head = advice->head;
	const double batch = advice->rankings[0].batch;
	if (!head->inference || head->rate_per_s > 0 || !(batch > 0) || advice->goal != PARADL_THROUGHPUT)
		return text_batch(sink, head, batch);
	return typeset(sink, "inference, the largest batch of each plan, times and memory of batch %s",
		typeset_whole(sink, batch));
}

void text_ranking(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const size_t count = advice->top > 0 && advice->top < ranking->count ? advice->top : ranking->count;
	struct ranking_row *const rows = make_rows(sink, advice, ranking, count);
	if (!rows)
		return;
	text_title(sink, advice->head,
		typeset(sink, "%s, %s%s", text_devices(sink, advice->head, ranking->devices),
			batch_text(sink, advice),
			count > 0 ? text_inference_lengths(sink, rows[0].estimate) : ""));
	size_t shown = 0;
	if (count > 0) {
		putc('\n', sink->file);
		shown = text_ranking_table(sink, rows, count,
			advice->columns ? advice->columns : usual_columns(sink, advice), advice->lines);
	}
	if (sink->style.brief)
		return;
	if (sink->style.detailed)
		print_details(sink, advice, rows, count);
	else
		print_brief(sink, advice, rows, shown);
	if (count > 0 && (sink->style.detailed || advice->head->asks_launch))
		text_launch(sink, advice->head, &ranking->results[0]);
}
