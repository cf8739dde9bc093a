/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the columns of published training results. Where a cell cannot be understood its row is skipped, never the
 * file.
 */
#include "fit/validate/published.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct published, member)

static const struct text_column {
	const char *name;
	size_t offset;
} texts[] = {
	{"id", AT(id)},
	{"set", AT(set)},
	{"kind", AT(kind)},
	{"model", AT(model)},
	{"gpu", AT(gpu)},
	{"precision", AT(precision)},
	{"recompute", AT(recompute)},
	{"attn", AT(attention)},
	{"overlap", AT(overlap)},
	{"graphs", AT(graphs)},
	{"dispatcher", AT(dispatcher)},
	{"framework", AT(framework)},
	{"primary", AT(primary)},
	{"tflops_kind", AT(flop_kind)},
	{"mem_kind", AT(memory_kind)},
	{"complete", AT(complete)},
	{"source", AT(source)},
	{"notes", AT(notes)},
};

/*
 * The columns with numbers. `needed`: 1 where rows of networks of tokens must have the number, 2 where all rows
 * must; `initial`: value of an empty cell; `most`: largest value.
 */
static const struct number_column {
	const char *name;
	size_t offset;
	double initial, most;
	int needed;
} numbers[] = {
	{"layers", AT(layers), 0, 1e4, 1},
	{"hidden", AT(hidden), 0, 1e7, 1},
	{"heads", AT(heads), 0, 1e5, 1},
	{"kv_heads", AT(kv_heads), 0, 1e5, 0},
	{"head_dim", AT(head_dim), 0, 1e5, 0},
	{"ffn", AT(ffn), 0, 1e8, 0},
	{"gated", AT(gated), 0, 1, 0},
	{"experts", AT(experts), 0, 1e5, 0},
	{"topk", AT(top_k), 0, 1e5, 0},
	{"moe_ffn", AT(moe_ffn), 0, 1e8, 0},
	{"shared_ffn", AT(shared_ffn), 0, 1e8, 0},
	{"seq", AT(tokens), 0, 1e8, 1},
	{"vocab", AT(vocabulary), 0, 1e8, 1},
	{"gpus", AT(gpus), 0, 1e7, 2},
	{"gpus_per_node", AT(gpus_per_node), 0, 1e5, 0},
	{"net_gbps_per_gpu", AT(net_gbps), 0, 1e6, 0},
	{"tp", AT(tensor), 1, 1e6, 0},
	{"pp", AT(pipeline), 1, 1e4, 0},
	{"vpp", AT(chunks), 0, 1e4, 0},
	{"cp", AT(context), 1, 1e6, 0},
	{"ep", AT(expert), 1, 1e6, 0},
	{"dp", AT(data), 0, 1e7, 0},
	{"zero", AT(zero), -1, 3, 0},
	{"mbs", AT(micro), 0, 1e9, 0},
	{"gbs", AT(batch), 0, 1e12, 0},
	{"iter_time_s", AT(iteration_s), 0, 1e9, 0},
	{"tflops_gpu", AT(tflops), 0, 1e6, 0},
	{"mfu_pct", AT(mfu_percent), 0, 100, 0},
	{"tok_s", AT(tokens_per_s), 0, 1e15, 0},
	{"tok_s_gpu", AT(tokens_per_s_gpu), 0, 1e12, 0},
	{"samples_s", AT(samples_per_s), 0, 1e12, 0},
	{"mem_gib", AT(memory_gib), 0, 1e6, 0},
};

bool published_is(const struct csv *csv)
{
	bool gpu = false, layers = false;
	for (size_t i = 0; i < csv->columns; ++i) {
		gpu = gpu || strcmp(csv->header[i], "gpu") == 0;
		layers = layers || strcmp(csv->header[i], "layers") == 0;
	}
	return gpu && layers;
}

static bool cell_failure(
	const char *column, const char *cell, const char *problem, struct paradl_error *failure)
{
	char quoted[80];
	return error_set(failure, PARADL_SCHEMA, "column \"%s\": %s%s%s", column,
		*cell ? error_quote(quoted, sizeof quoted, cell) : "", *cell ? " " : "", problem);
}

static bool read_number(const struct csv *csv, size_t row, const struct number_column *column,
	const struct published *published, double *value, struct paradl_error *failure)
{
	const char *cell = csv_cell(csv, row, column->name), *end;
	const int needed = published->is_image ? 2 : 1;
	*value = column->initial;
	if (!*cell)
		return column->needed < needed || cell_failure(column->name, cell, "is empty", failure);
	if (!decimal_read(cell, 0, value, &end) || *end)
		return cell_failure(column->name, cell, "is not a number of 0 or more", failure);
	return *value <= column->most || cell_failure(column->name, cell, "is too large", failure);
}

static bool is_whole(double value)
{
	return !(value > floor(value));
}

/* Reports whether GPUs and degrees are whole and at least 1, and dimensions are whole; false with *failure. */
static bool counts_hold(const struct published *published, struct paradl_error *failure)
{
	const double counts[] = {published->gpus, published->tensor, published->pipeline, published->context,
		published->expert};
	const double others[] = {published->layers, published->hidden, published->heads, published->kv_heads,
		published->head_dim, published->ffn, published->gated, published->experts, published->top_k,
		published->moe_ffn, published->shared_ffn, published->tokens, published->vocabulary,
		published->gpus_per_node, published->chunks, published->data, published->zero,
		published->batch};
	for (size_t i = 0; i < COUNT(counts); ++i)
		if (!(counts[i] >= 1) || !is_whole(counts[i]))
			return error_set(failure, PARADL_SCHEMA,
				"numbers of GPUs and degrees must be whole and at least 1");
	for (size_t i = 0; i < COUNT(others); ++i)
		if (!is_whole(others[i]))
			return error_set(failure, PARADL_SCHEMA, "a dimension is not a whole number");
	return true;
}

static bool read_cells(
	const struct csv *csv, size_t row, struct published *published, struct paradl_error *failure)
{
	for (size_t i = 0; i < COUNT(texts); ++i) {
		const char **const text = (void *)((char *)published + texts[i].offset);
		*text = csv_cell(csv, row, texts[i].name);
	}
	published->sequence = strcmp(csv_cell(csv, row, "sp"), "y") == 0;
	published->is_image = strcmp(published->kind, "cnn") == 0;
	bool fine = published_kind_is_known(published->kind);
	if (!fine)
		cell_failure("kind", published->kind, "is a network that is not modelled", failure);
	for (size_t i = 0; i < COUNT(numbers); ++i) {
		void *member = (char *)published + numbers[i].offset;
		double *value = member;
		struct paradl_error own = {0};
		if (!read_number(csv, row, &numbers[i], published, value, &own) && fine) {
			fine = false;
			*failure = own;
		}
	}
	return fine && counts_hold(published, failure);
}

static bool is_complete(const struct csv *csv, size_t row)
{
	const char *complete = csv_cell(csv, row, "complete");
	return !*complete || strcmp(complete, "yes") == 0 || strcmp(complete, "mostly") == 0;
}

/*
 * Fills in blank cells. Blank ZeRO stage: the usual one of the program. Blank data degree: the GPUs that other
 * axes leave. Blank batch: as many micro-batches as notes name, else as many as stages. Blank KV heads: the heads.
 */
static void fill_blanks(struct published *published, const struct aliases *aliases)
{
	const double others = published->tensor * published->pipeline * published->context;
	if (!(published->zero >= 0))
		published->zero = alias_value(aliases, "usual-zero", published->setup, 0);
	if (!(published->data > 0))
		published->data = floor(published->gpus / others);
	if (!(published->batch > 0) && published->micro > 0)
		published->batch =
			published->micro * published->data *
			alias_value(aliases, "micro-batches", published->notes, published->pipeline);
	if (!published->is_image && !(published->kv_heads > 0))
		published->kv_heads = published->heads;
}

/*
 * Returns the conditions that rows of one group share: the same software, network and machine. The schedule of
 * stages does not count; in the framework "Megatron-LM, schedule 1F1B" it is cut off.
 */
static const char *conditions(
	struct paradl_arena *arena, const struct published *published, const struct measurement *measurement)
{
	const char *schedule = strstr(published->framework, ", schedule");
	const size_t length =
		schedule ? (size_t)(schedule - published->framework) : strlen(published->framework);
	return arena_printf(arena, "%.*s; %s; %s; %s; %s", (int)length, published->framework,
		published->overlap, published->precision, measurement->model_key, measurement->hw_key);
}

static bool texts_fill(struct paradl_arena *arena, const struct aliases *aliases, struct published *published)
{
	published->program = arena_printf(arena, "%s; %s; %s; %s", published->framework, published->gpu,
		published->overlap, published->notes);
	published->setup =
		arena_printf(arena, "%s; %s; %s", published->framework, published->overlap, published->notes);
	published->origin = arena_printf(arena, "%s; %s", published->source, published->notes);
	if (!published->program || !published->setup || !published->origin)
		return false;
	if (alias_find(aliases, "assumed-recompute", published->setup))
		published->recompute = ""; /* the cell was assumed, not known, when the row was written */
	return published_words(arena, aliases, published);
}

static bool describe(struct paradl_arena *arena, const struct paradl_lookup *lookup,
	const struct aliases *aliases, struct published *published, struct measurement *measurement)
{
	struct paradl_measured_row *row = &measurement->row;
	const struct alias *framework, *precision;
	char text[512];
	measurement->model_key = published_model_key(arena, published, aliases);
	measurement->hw_key = lookup->hw ? lookup->hw : published_hw_key(arena, published, aliases);
	if (!measurement->model_key || !measurement->hw_key)
		return false;
	measurement->conditions = conditions(arena, published, measurement);
	if (!measurement->conditions)
		return false;
	framework = alias_find(aliases, "framework", published->program);
	precision = alias_find(aliases, "precision", published->precision);
	row->framework = lookup->framework ? lookup->framework : framework ? framework->name : "";
	measurement->precision = precision ? precision->name : published->precision;
	row->batch = published->batch;
	measurement->tokens = published->is_image ? -1 : published->tokens;
	measurement->samples = row->batch;
	if (row->skipped)
		return true;
	struct paradl_error failure = {0};
	if (!published_plan(published, aliases, &measurement->plan, &failure)) {
		row->skipped = arena_text(arena, failure.message);
		return row->skipped;
	}
	paradl_plan_format(&measurement->plan, text, sizeof text);
	measurement->plan_text = row->strategy = arena_text(arena, text);
	paradl_plan_family(&measurement->plan, text, sizeof text);
	row->family = arena_text(arena, text);
	return row->strategy && row->family;
}

static bool read_row(struct paradl_arena *arena, const struct csv *csv, size_t index,
	const struct paradl_lookup *lookup, const struct aliases *aliases, struct measurement *measurement)
{
	struct published *published = arena_alloc(arena, 1, sizeof *published);
	struct paradl_error failure = {0};
	if (!published)
		return false;
	*measurement = (struct measurement){
		.row = {.line = csv->lines[index],
			.hw = lookup->hw,
			.family = "unknown",
			.strategy = "",
			.unit = "iter",
			.includes = "",
			.measured = {-1, -1, -1, -1, -1},
			.projected = {-1, -1, -1, -1, -1},
			.accuracy = {-1, -1, -1},
			.error_share = -1,
			.first_error_share = -1},
		.tokens = -1,
		.published = published,
	};
	struct paradl_measured_row *row = &measurement->row;
	if (!read_cells(csv, index, published, &failure) &&
		!(row->skipped = arena_text(arena, failure.message)))
		return false;
	if (!texts_fill(arena, aliases, published))
		return false;
	if (!row->skipped)
		fill_blanks(published, aliases);
	row->id = published->id;
	row->model = published->model;
	row->source = published->source;
	row->set = *published->set ? published->set : "all";
	row->measured.total_s = published_seconds(published, NULL, NULL);
	row->measured.memory_bytes = published_memory(published);
	if (!row->hw)
		row->hw = published->gpu;
	return describe(arena, lookup, aliases, published, measurement);
}

bool published_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	const struct aliases *aliases, struct measurements *measurements, size_t *left_out,
	struct paradl_error *error)
{
	if (csv->rows == 0)
		return error_at(error, PARADL_SCHEMA, csv->path, 0, 0, "has no rows under its header");
	measurements->count = 0;
	measurements->rows = arena_alloc(arena, csv->rows, sizeof *measurements->rows);
	if (!measurements->rows)
		return out_of_memory(error);
	*left_out = 0;
	for (size_t row = 0; row < csv->rows; ++row) {
		if (!lookup->all_rows && !is_complete(csv, row)) {
			++*left_out;
			continue;
		}
		if (!read_row(arena, csv, row, lookup, aliases, &measurements->rows[measurements->count++]))
			return out_of_memory(error);
	}
	return measurements->count ||
	       error_at(error, PARADL_SCHEMA, csv->path, 0, 0, "has no row that is complete enough to score");
}

/*
 * Reads tables of training rates of one device, with the columns model, batch and measured_images_per_s, and set,
 * precision and source. They are converted to published results, paradl-measured(5): a row's set and source name
 * its device and its program.
 */

static const char *const header[] = {"id", "set", "kind", "model", "layers", "gpus", "gpu", "gpus_per_node",
	"dp", "mbs", "gbs", "precision", "framework", "samples_s", "primary", "source", "complete"};
enum { COLUMNS = sizeof header / sizeof *header };

static bool is_of_rates(const struct csv *csv)
{
	for (size_t i = 0; i < csv->columns; ++i)
		if (strcmp(csv->header[i], "measured_images_per_s") == 0)
			return true;
	return false;
}

static bool row_convert(
	struct paradl_arena *arena, const struct csv *csv, size_t row, const char *cells[COLUMNS])
{
	const char *set = csv_cell(csv, row, "set"), *model = csv_cell(csv, row, "model");
	const char *batch = csv_cell(csv, row, "batch"), *source = csv_cell(csv, row, "source");
	const char *const where = arena_printf(arena, "%s; %s", set, source);
	const char *const made[] = {arena_printf(arena, "%s-%s-%s", set, model, batch), set, "cnn", model, "",
		"1", where, "1", "1", batch, batch, csv_cell(csv, row, "precision"), where,
		csv_cell(csv, row, "measured_images_per_s"), "samples_s", source, "yes"};
	memcpy(cells, made, sizeof made);
	return where && made[0];
}

bool rates_convert(struct paradl_arena *arena, struct csv *csv, struct paradl_error *error)
{
	if (!is_of_rates(csv))
		return true;
	const char **cells = arena_alloc(arena, csv->rows * COLUMNS + 1, sizeof *cells);
	if (!cells)
		return out_of_memory(error);
	for (size_t row = 0; row < csv->rows; ++row)
		if (!row_convert(arena, csv, row, cells + row * COLUMNS))
			return out_of_memory(error);
	csv->header = header;
	csv->columns = COLUMNS;
	csv->cells = cells;
	return true;
}
