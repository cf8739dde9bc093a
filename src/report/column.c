/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/column.h"

#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "report/bar.h"
#include "report/column_job.h"
#include "report/palette.h"

static const struct column_value none = {NULL, -1};

static struct column_value number(double value)
{
	return (struct column_value){NULL, value};
}

static struct column_value word(const char *text)
{
	return (struct column_value){text, -1};
}

/* A column that is one expression of `row`. */
#define GETTER(name, value)                                                                                  \
	static struct column_value name(struct report_sink *sink, const struct ranking_row *row)             \
	{                                                                                                    \
		(void)sink;                                                                                  \
		return value;                                                                                \
	}
GETTER(get_model, word(row->advice->head->model.name))
GETTER(get_hw, word(row->advice->head->machine.name))
GETTER(get_rank, row->estimate ? number((double)row->rank) : none)
GETTER(get_feasible, number(row->estimate && row->estimate->fits))
GETTER(get_reason, word(row->infeasible ? row->infeasible->reason : NULL))
GETTER(get_needs, word(row->infeasible ? row->infeasible->needs : NULL))
GETTER(get_epoch, row->estimate && row->estimate->epoch_s > 0 ? number(row->estimate->epoch_s) : none)
GETTER(get_limit, word(row->estimate ? row->estimate->limited_by.text : NULL))
GETTER(get_input, row->estimate && row->estimate->input_known ? number(row->estimate->input_s) : none)
GETTER(get_exposed_input,
	row->estimate && row->estimate->input_known ? number(row->estimate->phase_s[PARADL_INPUT]) : none)

static struct column_value get_strategy(struct report_sink *sink, const struct ranking_row *row)
{
	char plan[PARADL_PLAN_TEXT];
	if (!row->estimate)
		return word(row->infeasible ? row->infeasible->strategy : NULL);
	if (row->advice->file)
		return word(row->advice->file);
	paradl_plan_format(&row->estimate->plan, plan, sizeof plan);
	return word(typeset(sink, "%s", plan));
}

static struct column_value get_gpus(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const unsigned devices = row->estimate ? row->estimate->devices : row->ranking->devices;
	return devices > 0 ? number(devices) : none;
}

static struct column_value get_batch(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const double batch = row->estimate ? row->estimate->plan.batch : row->ranking->batch;
	return batch > 0 ? number(batch) : none;
}

static struct column_value get_ratio(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	if (!row->estimate || row->ranking->count == 0)
		return none;
	const double best = report_value(row->advice, &row->ranking->results[0]);
	return best > 0 ? number(report_value(row->advice, row->estimate) / best) : none;
}

/* The best plan on the least number of GPUs that can do it at all. */
static const struct paradl_estimate *scaling_base(const struct report_advice *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (advice->rankings[i].count > 0)
			return &advice->rankings[i].results[0];
	return NULL;
}

static struct column_value get_speedup(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_estimate *const base = scaling_base(row->advice);
	if (!row->advice->is_sweep || !row->estimate || !base || !(base->samples_per_s > 0))
		return none;
	return number(row->estimate->samples_per_s / base->samples_per_s);
}

static struct column_value get_efficiency(struct report_sink *sink, const struct ranking_row *row)
{
	const struct column_value speedup = get_speedup(sink, row);
	const struct paradl_estimate *const base = scaling_base(row->advice);
	if (speedup.number < 0 || !base || row->estimate->devices == 0)
		return none;
	return number(speedup.number * base->devices / row->estimate->devices);
}

static struct column_value get_memory_share(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	if (!row->estimate || !(row->estimate->capacity_bytes > 0))
		return none;
	return number(row->estimate->memory_bytes / row->estimate->capacity_bytes);
}

static struct column_value get_currency(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	return word(row->estimate && row->estimate->cost_per_hour >= 0 ? row->advice->head->machine.currency
								       : NULL);
}

static struct column_value get_limit_share(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	return row->estimate ? number(row->estimate->limited_by.share) : none;
}

/* Columns of inference. */
static struct column_value served(const struct ranking_row *row, bool is_text, double value)
{
	const struct paradl_inference *const inference = row->estimate ? &row->estimate->inference : NULL;
	if (!inference || !(inference->prompts_s > 0) || (is_text && !(inference->output_tokens > 0)))
		return none;
	return number(value);
}

#define SERVED(name, is_text, field)                                                                         \
	static struct column_value name(struct report_sink *sink, const struct ranking_row *row)             \
	{                                                                                                    \
		(void)sink;                                                                                  \
		return served(row, is_text, row->estimate ? row->estimate->field : 0);                       \
	}
SERVED(get_cache, true, memory.cache_bytes)
SERVED(get_prompts, false, inference.prompts_s)
SERVED(get_token, true, inference.token_s)
SERVED(get_tokens, true, inference.tokens_per_s)
SERVED(get_largest, false, inference.largest_batch)
SERVED(get_largest_samples, false, inference.largest_batch_answers_per_s)
SERVED(get_largest_tokens, true, inference.largest_batch_tokens_per_s)

static struct column_value get_none(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	(void)row;
	return none;
}

#define OF(field) offsetof(struct paradl_estimate, field), NULL
#define RIGHT(title, drop)                                                                                   \
	{                                                                                                    \
		title, TABLE_RIGHT, drop, 0                                                                  \
	}
#define LEFT(title, drop)                                                                                    \
	{                                                                                                    \
		title, TABLE_LEFT, drop, 0                                                                   \
	}
#define SECONDS(name, title, field)                                                                          \
	{                                                                                                    \
		name, RIGHT(title, 6), COLUMN_SECONDS, OF(field)                                             \
	}
#define BYTES(name, title, field)                                                                            \
	{                                                                                                    \
		name, RIGHT(title, 6), COLUMN_BYTES, OF(field)                                               \
	}
#define PHASE(name, phase) SECONDS(name "_s", name, phase_s[phase])

const struct ranking_column ranking_columns[] = {
	{"model", LEFT("model", 7), COLUMN_TEXT, 0, get_model},
	{"hw", LEFT("machine", 7), COLUMN_TEXT, 0, get_hw},
	{"gpus", RIGHT("GPUs", 0), COLUMN_COUNT, 0, get_gpus},
	{"batch", RIGHT("batch", 6), COLUMN_COUNT, 0, get_batch},
	{"rank", RIGHT("#", 0), COLUMN_COUNT, 0, get_rank},
	{"strategy", LEFT("strategy", 0), COLUMN_TEXT, 0, get_strategy},
	{"feasible", LEFT("feasible", 6), COLUMN_FLAG, 0, get_feasible},
	{"reason", {"reason", TABLE_LEFT, 4, 24}, COLUMN_TEXT, 0, get_reason},
	{"needs", {"needs", TABLE_LEFT, 4, 24}, COLUMN_TEXT, 0, get_needs},
	{"iteration_s", RIGHT("iteration", 0), COLUMN_SECONDS, OF(iteration_s)},
	{"epoch_s", RIGHT("epoch", 0), COLUMN_SECONDS, 0, get_epoch},
	{"ratio", RIGHT("×best", 1), COLUMN_FACTOR, 0, get_ratio},
	{"speedup", RIGHT("speed-up", 1), COLUMN_FACTOR, 0, get_speedup},
	{"efficiency", RIGHT("efficiency", 2), COLUMN_SHARE, 0, get_efficiency},
	{"phases", LEFT("phases", 4), COLUMN_BAR, 0, get_none},
	SECONDS("iteration_quiet_s", "quiet", iteration_quiet_s),
	SECONDS("compute_s", "compute", compute_s),
	SECONDS("communication_s", "communication", communication_s),
	SECONDS("exposed_communication_s", "exposed", exposed_communication_s),
	{"io_s", RIGHT("input", 6), COLUMN_SECONDS, 0, get_input},
	{"exposed_io_s", RIGHT("exposed input", 6), COLUMN_SECONDS, 0, get_exposed_input},
	SECONDS("waiting_s", "waiting", waiting_s),
	PHASE("forward", PARADL_FORWARD),
	PHASE("backward", PARADL_BACKWARD),
	PHASE("recompute", PARADL_RECOMPUTE),
	PHASE("weight_update", PARADL_WEIGHT_UPDATE),
	PHASE("gradient_exchange", PARADL_GRADIENT_EXCHANGE),
	PHASE("activation_exchange", PARADL_ACTIVATION_EXCHANGE),
	PHASE("halo_exchange", PARADL_HALO_EXCHANGE),
	PHASE("stage_transfer", PARADL_STAGE_TRANSFER),
	PHASE("bubble", PARADL_BUBBLE),
	{"memory_bytes", RIGHT("memory/GPU", 2), COLUMN_BYTES, OF(memory_bytes)},
	{"memory_share", RIGHT("", 6), COLUMN_SHARE, 0, get_memory_share},
	BYTES("weights_bytes", "weights", memory.weights_bytes),
	BYTES("gradients_bytes", "gradients", memory.gradients_bytes),
	BYTES("optimizer_bytes", "optimizer", memory.optimizer_bytes),
	BYTES("activations_bytes", "activations", memory.activations_bytes),
	BYTES("workspace_bytes", "workspace", memory.workspace_bytes),
	BYTES("logits_bytes", "logits", memory.logits_bytes),
	BYTES("communication_bytes", "buffers", memory.communication_bytes),
	BYTES("context_bytes", "context", memory.context_bytes),
	BYTES("fragmentation_bytes", "fragmentation", memory.fragmentation_bytes),
	{"cache_bytes", RIGHT("cache", 6), COLUMN_BYTES, 0, get_cache},
	{"prompts_s", RIGHT("first token", 1), COLUMN_SECONDS, 0, get_prompts},
	{"token_s", RIGHT("each token", 1), COLUMN_SECONDS, 0, get_token},
	{"tokens_per_s", RIGHT("tokens/s", 3), COLUMN_COUNT, 0, get_tokens},
	{"largest_batch", RIGHT("largest batch", 4), COLUMN_COUNT, 0, get_largest},
	{"largest_batch_samples_per_s", RIGHT("its samples/s", 4), COLUMN_COUNT, 0, get_largest_samples},
	{"largest_batch_tokens_per_s", RIGHT("its tokens/s", 4), COLUMN_COUNT, 0, get_largest_tokens},
	{"samples_per_s", RIGHT("samples/s", 3), COLUMN_COUNT, OF(samples_per_s)},
	{"flop_per_s_per_gpu", RIGHT("rate/GPU", 5), COLUMN_FLOP_RATE, OF(flop_per_s_per_device)},
	{"mfu", RIGHT("MFU", 5), COLUMN_SHARE, OF(mfu)},
	{"power_watt", RIGHT("power", 5), COLUMN_WATT, OF(watt)},
	{"cost_per_hour", RIGHT("cost/h", 5), COLUMN_MONEY, OF(cost_per_hour)},
	{"energy_joule_per_epoch", RIGHT("energy/epoch", 3), COLUMN_JOULE, OF(energy_joule_per_epoch)},
	{"cost_per_epoch", RIGHT("cost/epoch", 3), COLUMN_MONEY, OF(cost_per_epoch)},
	{"currency", LEFT("currency", 6), COLUMN_TEXT, 0, get_currency},
	{"limited_by", {"limited by", TABLE_LEFT, 5, 22}, COLUMN_LIMIT, 0, get_limit},
	{"limited_share", RIGHT("share", 6), COLUMN_SHARE, 0, get_limit_share},
	COLUMNS_OF_JOBS,
};
const size_t ranking_column_count = sizeof ranking_columns / sizeof ranking_columns[0];

bool ranking_column_applies(const struct ranking_column *column, const struct report_advice *advice)
{
	return column->kind != COLUMN_BAR && column_job_applies(column->name, advice);
}

static const struct ranking_column *find(const char *name, size_t length)
{
	for (size_t i = 0; i < ranking_column_count; i++)
		if (strlen(ranking_columns[i].name) == length &&
			strncmp(ranking_columns[i].name, name, length) == 0)
			return &ranking_columns[i];
	return NULL;
}

static bool unknown_column(const char *name, size_t length, struct paradl_error *error)
{
	const char *names[RANKING_COLUMNS_MAX];
	char typed[40];
	snprintf(typed, sizeof typed, "%.*s", (int)(length < sizeof typed ? length : sizeof typed - 1), name);
	for (size_t i = 0; i < ranking_column_count; i++)
		names[i] = ranking_columns[i].name;
	const char *const near = suggest(typed, names, ranking_column_count);
	if (near)
		return error_set(
			error, PARADL_USAGE, "--columns knows no '%s'; did you mean '%s'?", typed, near);
	error_set(error, PARADL_USAGE, "--columns knows no '%s'", typed);
	error_hint(error, "the first line of 'paradl advise ... --csv' names every column");
	return false;
}

bool ranking_columns_parse(
	const char *list, const struct ranking_column *columns[], size_t *count, struct paradl_error *error)
{
	*count = 0;
	for (const char *name = list;;) {
		const size_t length = strcspn(name, ",");
		const struct ranking_column *const column = find(name, length);
		if (!column)
			return unknown_column(name, length, error);
		if (*count == RANKING_COLUMNS_MAX)
			return error_set(error, PARADL_USAGE, "--columns names more than %d columns",
				RANKING_COLUMNS_MAX);
		columns[(*count)++] = column;
		if (!name[length])
			return true;
		name += length + 1;
	}
}

struct column_value ranking_value(
	struct report_sink *sink, const struct ranking_column *column, const struct ranking_row *row)
{
	if (column->get)
		return column->get(sink, row);
	if (!row->estimate)
		return none;
	double value;
	memcpy(&value, (const char *)row->estimate + column->offset, sizeof value);
	return number(value);
}

static const char *number_text(
	struct report_sink *sink, enum column_kind kind, double value, const struct ranking_row *row)
{
	switch (kind) {
	case COLUMN_SECONDS:
		return typeset_quantity(sink, value, DIMENSION_TIME);
	case COLUMN_BYTES:
		return typeset_quantity(sink, value, DIMENSION_BYTES);
	case COLUMN_FACTOR:
		return typeset(sink, value < 99.995 ? "%.2f" : "%.0f", value);
	case COLUMN_SHARE:
		return typeset_percent(sink, value);
	case COLUMN_FLOP_RATE:
		return typeset_quantity(sink, value, DIMENSION_FLOP_PER_S);
	case COLUMN_WATT:
		return typeset_quantity(sink, value, DIMENSION_POWER);
	case COLUMN_JOULE:
		return value < 9999.5 ? typeset(sink, value < 100 ? "%.3g J" : "%.0f J", value)
				      : typeset(sink, "%sJ", typeset_count(sink, value));
	case COLUMN_MONEY:
		return typeset_money(sink, value, row->advice->head->machine.currency);
	case COLUMN_AMOUNT:
		return typeset_count(sink, value);
	case COLUMN_FLAG:
		return value > 0 ? "yes" : "no";
	case COLUMN_COUNT:
	case COLUMN_TEXT:
	case COLUMN_LIMIT:
	case COLUMN_BAR:
		break;
	}
	return typeset_whole(sink, value);
}

/* A row of which nothing runs says why in the place of what limits it. */
static const char *limit_text(struct report_sink *sink, const struct ranking_row *row)
{
	const struct paradl_limit *const limit = row->estimate ? &row->estimate->limited_by : NULL;
	if (limit && limit->text)
		return typeset(sink, "%s %s", typeset_percent(sink, limit->share), limit->text);
	return row->infeasible ? typeset(sink, "%s", row->infeasible->reason) : "";
}

const char *ranking_text(
	struct report_sink *sink, const struct ranking_column *column, const struct ranking_row *row)
{
	if (column->kind == COLUMN_BAR)
		return row->estimate
			       ? bar_phases(sink, row->estimate->phase_s, row->bar_full_s, row->bar_columns)
			       : "";
	if (column->kind == COLUMN_LIMIT)
		return limit_text(sink, row);
	const struct column_value value = ranking_value(sink, column, row);
	if (column->kind == COLUMN_TEXT)
		return value.text ? typeset_clean(sink, value.text) : "";
	if (value.number < 0)
		return column->kind == COLUMN_SECONDS || column->kind == COLUMN_MONEY ||
				       column->kind == COLUMN_JOULE
			       ? "-"
			       : "";
	return number_text(sink, column->kind, value.number, row);
}
