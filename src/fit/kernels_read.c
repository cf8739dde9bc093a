/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads tables of kernel times, one kernel in each row. Columns have the names of NVIDIA's AIConfigurator data (2026):
 *     device, gemm_dtype, m, n, k, latency_ms
 *     device, attn_dtype, kv_cache_dtype, batch_size, isl, num_heads, num_key_value_heads, head_dim, window_size,
 *         latency_ms; with step as well: one new token after `step` others
 *     device, moe_dtype, num_tokens, hidden_size, inter_size, topk, num_experts, moe_tp_size, moe_ep_size,
 *         distribution, latency_ms
 *     device, nccl_dtype, op_name, num_gpus, message_size (in items), latency_ms
 *     device, dispatch_dtype, phase, num_tokens (of each device), hidden_size, topk, num_experts, num_gpus, latency_ms
 * A product reads its operands in its format and writes 16 bits; in "int8_wo" and "int4_wo" the weights alone are
 * narrow. Rows of formats without a formula are counted and skipped.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/quantity.h"
#include "fit/kernels_profile.h"

static const double ms = 1e-3, wide_bytes = 2;

struct reading {
	struct paradl_arena *arena;
	const struct csv *csv;
	struct kernel_rows *rows;
	struct paradl_error *error;
};

/* The number formats of tables; weight_bytes: bytes of one weight where the weights alone are narrow, else 0. */
static const struct format {
	const char *name;
	enum paradl_precision precision;
	double weight_bytes;
} formats[] = {
	{"bfloat16", PARADL_BF16, 0},
	{"bf16", PARADL_BF16, 0},
	{"fp16", PARADL_FP16, 0},
	{"half", PARADL_FP16, 0},
	{"fp8", PARADL_FP8_MIXED, 0},
	{"fp8_block", PARADL_MXFP8_MIXED, 0},
	{"mxfp8", PARADL_MXFP8_MIXED, 0},
	{"nvfp4", PARADL_FP4_MIXED, 0},
	{"fp4", PARADL_FP4_MIXED, 0},
	{"int8_wo", PARADL_BF16, 1},
	{"int4_wo", PARADL_BF16, 0.5},
	{"w4a8_mxfp4_mxfp8", PARADL_MXFP8_MIXED, 0.5 + 1.0 / 32},
};

static bool cell_error(const struct reading *reading, size_t row, const char *column, const char *problem)
{
	const struct csv *csv = reading->csv;
	char quoted[80];
	return error_at(reading->error, PARADL_SCHEMA, csv->path, csv->lines[row], 1, "column \"%s\": %s %s",
		column, error_quote(quoted, sizeof quoted, csv_cell(csv, row, column)), problem);
}

/* Reads a number from `least` to 1e15. Returns false with an error. */
static bool number(const struct reading *reading, size_t row, const char *column, double least, double *value)
{
	const char *end, *text = csv_cell(reading->csv, row, column);
	if (decimal_read(text, 0, value, &end) && !*end && *value >= least && *value <= 1e15)
		return true;
	return cell_error(reading, row, column, "is no number, or too small");
}

/* Reads a number of experts, at most that of tables of published results: each of them is gone through. */
static bool experts_number(const struct reading *reading, size_t row, double *value)
{
	static const double most = 1e5;
	return number(reading, row, "num_experts", 1, value) &&
	       (*value <= most || cell_error(reading, row, "num_experts", "are more than 100,000"));
}

static bool has_column(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->columns; ++i)
		if (strcmp(csv->header[i], name) == 0)
			return true;
	return false;
}

static const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

static bool gemm_fill(const struct reading *reading, size_t at, struct kernel_row *row)
{
	if (!number(reading, at, "m", 1, &row->m) || !number(reading, at, "n", 1, &row->n) ||
		!number(reading, at, "k", 1, &row->k))
		return false;
	const double operand = precision_stored_bytes(row->precision);
	const double weight = row->weight_bytes > 0 ? row->weight_bytes : operand;
	row->kind = row->weight_bytes > 0 ? KERNEL_WEIGHTS : KERNEL_GEMM;
	row->count = 1;
	row->bytes = operand * row->m * row->k + weight * row->k * row->n + wide_bytes * row->m * row->n;
	row->rotated = weight * row->k * row->n;
	row->fold = kernel_fold(row->n, row->k);
	return true;
}

struct experts {
	double tokens, hidden, inter, topk, experts, tensor, expert;
};

static bool experts_read(const struct reading *reading, size_t at, struct experts *e)
{
	return number(reading, at, "num_tokens", 1, &e->tokens) &&
	       number(reading, at, "hidden_size", 1, &e->hidden) &&
	       number(reading, at, "inter_size", 1, &e->inter) && number(reading, at, "topk", 1, &e->topk) &&
	       experts_number(reading, at, &e->experts) &&
	       number(reading, at, "moe_tp_size", 1, &e->tensor) &&
	       number(reading, at, "moe_ep_size", 1, &e->expert);
}

/* Returns whether experts have a gate, and so two products up: in the data, all but those of the sizes listed here. */
static bool is_gated(double hidden, double inter)
{
	static const double plain[][2] = {{1024, 2688}, {2048, 5120}, {8192, 5120}, {2688, 1856}};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
		if (fabs(hidden - plain[i][0]) < 1 && fabs(inter - plain[i][1]) < 1)
			return false;
	return true;
}

/*
 * Returns the tokens on the rank with the fullest expert where loads follow a power law: the middles of equal shares
 * of x^-exponent, x from 1 to 0.8 times all tokens (AIConfigurator), at most all; other experts get the excess.
 */
static double fullest_rank(const struct experts *e, double exponent)
{
	const double part = 0.8, q = 1 - exponent, most = pow(fmax(part * e->tokens, 1), q),
		     chosen = e->tokens * e->topk;
	const size_t count = (size_t)e->experts;
	double sum = 0, fullest = 0;
	for (size_t i = 0; i < count; ++i) {
		const double at = ((double)i + 0.5) / (double)count;
		fullest = fabs(q) > 1e-9 ? pow((most - 1) * at + 1, 1 / q) : pow(part * e->tokens, at);
		sum += fullest;
	}
	fullest = fmin(e->tokens, chosen * fullest / sum);
	const double others = e->experts > 1 ? (chosen - fullest) / (e->experts - 1) : 0;
	return fullest + fmax(0, e->experts / e->expert - 1) * others;
}

/* Reads the exponent of a distribution such as "power_law_1.2"; 0 for balanced tokens. Returns false with an error. */
static bool skew_read(const struct reading *reading, size_t at, double *exponent)
{
	static const char prefix[] = "power_law_";
	const char *end, *text = csv_cell(reading->csv, at, "distribution");
	*exponent = 0;
	if (strncmp(text, prefix, sizeof prefix - 1) != 0)
		return true;
	return (decimal_read(text + sizeof prefix - 1, 0, exponent, &end) && !*end && *exponent > 0 &&
		       *exponent < 10) ||
	       cell_error(reading, at, "distribution", "has no exponent above 0 and below 10");
}

/* Reads the experts of one rank of tp x ep; E (1 - (1 - topk / E)^tokens) / ep of them, at least 1, have tokens. */
static bool grouped_fill(const struct reading *reading, size_t at, struct kernel_row *row)
{
	struct experts e;
	double exponent;
	if (!experts_read(reading, at, &e) || !skew_read(reading, at, &exponent))
		return false;
	if (e.topk > e.experts)
		return cell_error(reading, at, "topk", "is more than there are experts");
	const double busy = e.experts / e.expert * (1 - pow(1 - e.topk / e.experts, e.tokens));
	const double experts = busy > 1 ? busy : 1, inner = e.inter / e.tensor;
	const double tokens =
		exponent > 0 && e.tokens > 1 ? fullest_rank(&e, exponent) : e.tokens * e.topk / e.expert;
	row->kind = KERNEL_GROUPED;
	row->grouped = (struct grouped_call){.tokens = tokens / experts,
		.hidden = e.hidden,
		.columns = inner * (is_gated(e.hidden, e.inter) ? 2 : 1),
		.inner = inner,
		.experts = experts,
		.choice = {e.tokens, e.topk}};
	row->fold = kernel_fold(e.hidden * e.inter, e.experts * 1000 + e.expert);
	return true;
}

struct shape {
	double sequences, tokens, step, heads, kv_heads, head_dim, window;
};

static bool shape_read(const struct reading *reading, size_t at, bool is_token, struct shape *shape)
{
	shape->step = 0;
	return number(reading, at, "batch_size", 1, &shape->sequences) &&
	       number(reading, at, "isl", 1, &shape->tokens) &&
	       number(reading, at, "num_heads", 1, &shape->heads) &&
	       number(reading, at, "num_key_value_heads", 1, &shape->kv_heads) &&
	       number(reading, at, "head_dim", 1, &shape->head_dim) &&
	       number(reading, at, "window_size", 0, &shape->window) &&
	       (!is_token || number(reading, at, "step", 0, &shape->step));
}

static bool attention_fill(const struct reading *reading, size_t at, struct kernel_row *row)
{
	const bool is_token = has_column(reading->csv, "step");
	struct shape s;
	if (!shape_read(reading, at, is_token, &s))
		return false;
	const bool is_narrow = row->precision == PARADL_FP8_MIXED;
	const double item = is_narrow ? 1 : wide_bytes, pairs = 2;
	const struct format *const queries = has_column(reading->csv, "attn_dtype")
						     ? format_find(csv_cell(reading->csv, at, "attn_dtype"))
						     : NULL;
	const bool has_wide_queries = queries && precision_wide(queries->precision) == queries->precision;
	const enum attention_format format = !is_narrow         ? ATTENTION_WIDE
					     : has_wide_queries ? ATTENTION_NARROW_CACHE
								: ATTENTION_NARROW;
	row->fold = kernel_fold(s.heads * 1000 + s.kv_heads, is_token ? s.sequences : s.tokens);
	if (!is_token) {
		row->kind = KERNEL_PROMPT;
		row->prompt = (struct attention_call){.sequences = s.sequences,
			.queries = s.sequences * s.tokens,
			.keys = s.tokens,
			.heads = s.heads,
			.kv_heads = s.kv_heads,
			.widths = pairs * s.head_dim,
			.window = s.window,
			.item_bytes = wide_bytes,
			.format = format,
			.causal = true,
			.writes_cache = true};
		return true;
	}
	const double length = s.tokens + s.step, keys = s.window > 0 && s.window < length ? s.window : length;
	const double cache = s.sequences * keys * pairs * s.kv_heads * s.head_dim * item;
	row->kind = KERNEL_TOKEN;
	row->token = (struct token_attention_call){.sequences = s.sequences,
		.keys = keys,
		.heads = s.heads,
		.kv_heads = s.kv_heads,
		.widths = pairs * s.head_dim,
		.cache_bytes = cache,
		.bytes = cache + s.sequences * s.heads * pairs * s.head_dim * wide_bytes,
		.format = format};
	return true;
}

static bool collective_fill(const struct reading *reading, size_t at, struct kernel_row *row)
{
	static const struct {
		const char *name;
		double turns;
		bool is_ring;
	} operations[] = {
		{"all_reduce", 2, true},
		{"all_gather", 1, true},
		{"reduce_scatter", 1, true},
		{"alltoall", 1, false},
	};
	enum { OPERATIONS = sizeof operations / sizeof *operations };
	const char *name = csv_cell(reading->csv, at, "op_name");
	double members, items;
	size_t i = 0;
	while (i < OPERATIONS && strcmp(operations[i].name, name) != 0)
		++i;
	if (i == OPERATIONS)
		return cell_error(reading, at, "op_name", "is no operation of a group");
	if (!number(reading, at, "num_gpus", 2, &members) || !number(reading, at, "message_size", 1, &items))
		return false;
	row->kind = KERNEL_COLLECTIVE;
	row->operation = operations[i].name;
	row->node = (struct node_call){.members = members,
		.bytes = items * precision_stored_bytes(row->precision),
		.turns = operations[i].turns,
		.hops = operations[i].is_ring ? operations[i].turns * (members - 1) : 1};
	row->fold = kernel_fold((double)i, members);
	return true;
}

/* Reads tokens that go to their experts or come back: one copy for each device that has any of these experts. */
static bool dispatch_fill(const struct reading *reading, size_t at, struct kernel_row *row)
{
	static const double item[2] = {1, 2}, scale_bytes = 4.0 / 128; /* 8 bits: one scale for 128 items */
	double tokens, hidden, top_k, experts, devices;
	if (!number(reading, at, "num_tokens", 1, &tokens) ||
		!number(reading, at, "hidden_size", 1, &hidden) || !number(reading, at, "topk", 1, &top_k) ||
		!experts_number(reading, at, &experts) || !number(reading, at, "num_gpus", 2, &devices))
		return false;
	if (top_k > experts || devices > experts)
		return cell_error(reading, at, "num_experts", "are fewer than topk or num_gpus");
	const bool is_wide = row->precision == PARADL_BF16 || row->precision == PARADL_FP16;
	row->kind = KERNEL_DISPATCH;
	row->operation = csv_cell(reading->csv, at, "phase");
	row->dispatched = tokens * link_places(experts, (unsigned)top_k, devices) * hidden *
			  (item[is_wide] + (is_wide ? 0 : scale_bytes));
	row->fold = kernel_fold(hidden, top_k * 1e4 + experts);
	return true;
}

/* The kinds of tables, by the column that names their number format. */
static const struct table {
	const char *format, *kind;
	bool (*fill)(const struct reading *reading, size_t at, struct kernel_row *row);
} tables[] = {
	{"gemm_dtype", "gemm", gemm_fill},
	{"moe_dtype", "experts", grouped_fill},
	{"nccl_dtype", "collective", collective_fill},
	{"dispatch_dtype", "dispatch", dispatch_fill},
	{"kv_cache_dtype", "attention", attention_fill},
};

static const struct table *table_of(const struct csv *csv)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
		if (has_column(csv, tables[i].format))
			return &tables[i];
	return NULL;
}

static bool row_read(const struct reading *reading, const struct table *table, size_t at, const char *device)
{
	const struct csv *csv = reading->csv;
	const char *format = csv_cell(csv, at, table->format);
	const char *name = csv_cell(csv, at, "device");
	struct kernel_row row = {.seconds = 0};
	double latency;
	if (device && strcmp(name, device) != 0)
		return true;
	const struct format *const known = format_find(format);
	const bool widens = known && known->weight_bytes > 0 && known->precision == PARADL_BF16;
	if (!known || (widens && table->fill != gemm_fill))
		return kernel_passed_count(reading->arena, reading->rows, table->kind, format) ||
		       out_of_memory(reading->error);
	row.precision = known->precision;
	row.weight_bytes = known->weight_bytes;
	row.device = kernel_device_add(reading->arena, reading->rows, name);
	if (row.device == SIZE_MAX)
		return out_of_memory(reading->error);
	if (!number(reading, at, "latency_ms", 1e-9, &latency))
		return false;
	row.seconds = latency * ms;
	if (!table->fill(reading, at, &row))
		return false;
	struct kernel_row *added = LIST_ADD(reading->arena, reading->rows->items, reading->rows->count);
	if (!added)
		return out_of_memory(reading->error);
	*added = row;
	return true;
}

bool kernel_rows_read(struct paradl_arena *arena, const char *path, const char *device,
	struct kernel_rows *rows, struct paradl_error *error)
{
	struct csv csv;
	const struct reading reading = {arena, &csv, rows, error};
	if (kernel_samples_known(arena, path))
		return kernel_samples_read(arena, path, device, rows, error);
	if (!csv_load(arena, path, &csv, error))
		return false;
	const struct table *const table = table_of(&csv);
	if (!table || !has_column(&csv, "latency_ms") || !has_column(&csv, "device")) {
		error_at(error, PARADL_SCHEMA, path, 1, 1, "is no table of kernels that is known");
		error_hint(error, "columns: device, latency_ms, and gemm_dtype with m, n, k, kv_cache_dtype "
				  "with shapes "
				  "of attention, or others of paradl-fit(1)");
		return false;
	}
	for (size_t i = 0; i < csv.rows; ++i)
		if (!row_read(&reading, table, i, device))
			return false;
	return true;
}
