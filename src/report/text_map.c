/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_front() prints how plans trade goals for one another, text_map() the best plan for each pair of degrees. */
#include <string.h>

#include "report/text.h"

/* The number of rows of a front that are shown, unless only tables are printed. */
enum { FRONT_MOST = 12 };

static bool has_epoch(const struct report_search *report)
{
	return report->head->model.samples > 0;
}

const char *text_goal_column(const struct report_search *report, enum paradl_goal goal)
{
	switch ((unsigned)goal) {
	case PARADL_FIRST_TOKEN:
		return "prompts_s";
	case PARADL_EACH_TOKEN:
		return "token_s";
	case PARADL_PER_DEVICE:
		return "tokens_per_s_per_gpu";
	case PARADL_MEMORY:
		return "memory_bytes";
	case PARADL_COST:
		return report->samples > 0 ? "job_cost" : "cost_per_epoch";
	case PARADL_ENERGY:
		return "energy_joule_per_epoch";
	case PARADL_THROUGHPUT:
		return "samples_per_s";
	case PARADL_TIME:
		break;
	}
	if (report->head->inference)
		return "iteration_s";
	return report->samples > 0 ? "job_s" : has_epoch(report) ? "epoch_s" : "iteration_s";
}

void text_front(struct report_sink *sink, const struct report_search *report)
{
	struct paradl_ranking ranking;
	const struct report_advice advice = report_search_advice(report, &ranking);
	const size_t count = report->search->front_count;
	struct ranking_row *const rows = arena_alloc(sink->arena, count + 1, sizeof *rows);
	const char *columns =
		typeset(sink, "%sstrategy%s%s", report->request->device_count > 1 ? "gpus," : "",
			text_has_readers(report->search->front, count) ? ",prefill" : "",
			report_varies_batch(report) ? ",batch" : "");
	const size_t shown = count < FRONT_MOST || sink->style.brief ? count : FRONT_MOST;
	sink->out_of_memory |= !rows;
	if (!rows || count == 0)
		return;
	for (unsigned goal = 0; goal < PARADL_GOALS; goal++)
		if (report->request->pareto & 1u << goal)
			columns = typeset(
				sink, "%s,%s", columns, text_goal_column(report, (enum paradl_goal)goal));
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct ranking_row){.advice = &advice,
			.ranking = &ranking,
			.estimate = &report->search->front[i],
			.rank = i + 1};
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM,
			typeset(sink, "no plan is better in all of these (%zu plan%s)", count,
				count == 1 ? "" : "s")));
	text_ranking_table(sink, rows, shown, columns, 0);
	if (shown < count)
		fprintf(sink->file, " %s\n",
			typeset(sink, "… and %zu more: --csv has them all", count - shown));
}

/* The degrees of one axis in the cells for a number of devices, ascending. */
struct degrees {
	unsigned items[TABLE_COLUMNS_MAX - 1];
	size_t count;
};

static void degrees_add(struct degrees *degrees, unsigned degree)
{
	size_t place = degrees->count;
	while (place > 0 && degrees->items[place - 1] >= degree)
		place--;
	if ((place < degrees->count && degrees->items[place] == degree) ||
		degrees->count == sizeof degrees->items / sizeof degrees->items[0])
		return;
	memmove(&degrees->items[place + 1], &degrees->items[place],
		(degrees->count - place) * sizeof degrees->items[0]);
	degrees->items[place] = degree;
	degrees->count++;
}

static const struct paradl_map_cell *find_cell(
	const struct paradl_search *search, unsigned devices, unsigned first, unsigned second)
{
	for (size_t i = 0; i < search->cell_count; i++) {
		const struct paradl_map_cell *const cell = &search->cells[i];
		if (cell->devices == devices && cell->degree[0] == first && cell->degree[1] == second)
			return cell;
	}
	return NULL;
}

static const char *cell_text(struct report_sink *sink, const struct result_field *column,
	struct ranking_row row, const struct paradl_map_cell *cell)
{
	if (!cell)
		return "";
	if (!cell->runs)
		return "-";
	if (!cell->fits)
		return cell->best.fits ? "limits" : "memory";
	row.estimate = &cell->best;
	return ranking_text(sink, column, &row);
}

static void print_matrix(struct report_sink *sink, const struct report_search *report, unsigned devices)
{
	struct paradl_ranking ranking;
	const struct report_advice advice = report_search_advice(report, &ranking);
	const struct ranking_row row = {.advice = &advice, .ranking = &ranking};
	const struct result_field *column[COLUMNS_MAX];
	struct degrees down = {.count = 0}, across = {.count = 0};
	struct table table;
	struct paradl_error error;
	size_t count = 0;
	if (!ranking_columns_parse(text_goal_column(report, report->request->goal), column, &count, &error))
		return;
	for (size_t i = 0; i < report->search->cell_count; i++)
		if (report->search->cells[i].devices == devices) {
			degrees_add(&down, report->search->cells[i].degree[0]);
			degrees_add(&across, report->search->cells[i].degree[1]);
		}
	table_start(&table, sink);
	table_column(&table, &(struct table_column){typeset(sink, "%s \\ %s", report_map_axis(report, 0),
							    report_map_axis(report, 1)),
				     TABLE_RIGHT, 0, 0});
	for (size_t i = 0; i < across.count; i++)
		table_column(&table,
			&(struct table_column){typeset(sink, "%u", across.items[i]), TABLE_RIGHT, (int)i, 0});
	for (size_t i = 0; i < down.count; i++) {
		const char **const cells = table_row(&table);
		cells[0] = typeset(sink, "%u", down.items[i]);
		for (size_t j = 0; j < across.count; j++)
			cells[j + 1] = cell_text(sink, column[0], row,
				find_cell(report->search, devices, down.items[i], across.items[j]));
	}
	table_print(&table);
}

/* Prints the meanings of the words in a matrix, for those that are used. */
static void print_marks(struct report_sink *sink, const struct paradl_search *search)
{
	static const char *const marks[] = {
		"- does not run", "memory: needs more than there is", "limits: too slow or too dear"};
	bool used[] = {false, false, false};
	const char *text = "";
	for (size_t i = 0; i < search->cell_count; i++) {
		const struct paradl_map_cell *const cell = &search->cells[i];
		used[0] = used[0] || !cell->runs;
		used[1] = used[1] || (cell->runs && !cell->fits && !cell->best.fits);
		used[2] = used[2] || (cell->runs && !cell->fits && cell->best.fits);
	}
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
		if (used[i])
			text = typeset(sink, "%s%s%s", text, *text ? "; " : "", marks[i]);
	if (*text)
		fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_DIM, text));
}

void text_map(struct report_sink *sink, const struct report_search *report)
{
	static const char *const shown[] = {[PARADL_TIME] = "time",
		[PARADL_MEMORY] = "memory of a GPU",
		[PARADL_COST] = "cost",
		[PARADL_ENERGY] = "energy",
		[PARADL_THROUGHPUT] = "throughput"};
	for (size_t i = 0; i < report->request->device_count && report->search->cell_count > 0; i++) {
		const unsigned devices = report->request->devices[i];
		fputs("\n ", sink->file);
		typeset_wrapped(sink, 1,
			typeset(sink,
				"%s of the best plan for each degree of %s (down) and %s (across) on %s",
				shown[report->request->goal], report_map_axis(report, 0),
				report_map_axis(report, 1), text_devices(sink, report->head, devices)));
		print_matrix(sink, report, devices);
	}
	print_marks(sink, report->search);
}
