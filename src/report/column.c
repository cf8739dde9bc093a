/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/column.h"

#include "report/bar.h"

struct table_column column_look(const struct result_field *field)
{
	const bool is_right = field_is_number(field) && field->kind != FIELD_FLAG;
	return (struct table_column){field->title ? field->title : field->name,
		is_right ? TABLE_RIGHT : TABLE_LEFT, field->drop, field->least};
}

static const char *number_text(
	struct report_sink *sink, enum field_kind kind, double value, const char *currency)
{
	switch (kind) {
	case FIELD_SECONDS:
		return typeset_quantity(sink, value, DIMENSION_TIME);
	case FIELD_BYTES:
		return typeset_quantity(sink, value, DIMENSION_BYTES);
	case FIELD_FACTOR:
		return typeset(sink, value < 99.995 ? "%.2f" : "%.0f", value);
	case FIELD_SHARE:
		return typeset_percent(sink, value);
	case FIELD_FLOP_RATE:
		return typeset_quantity(sink, value, DIMENSION_FLOP_PER_S);
	case FIELD_WATT:
		return typeset_quantity(sink, value, DIMENSION_POWER);
	case FIELD_JOULE:
		return value < 9999.5 ? typeset(sink, value < 100 ? "%.3g J" : "%.0f J", value)
				      : typeset(sink, "%sJ", typeset_count(sink, value));
	case FIELD_MONEY:
		return typeset_money(sink, value, currency);
	case FIELD_AMOUNT:
		return typeset_count(sink, value);
	case FIELD_FLAG:
		return value > 0 ? "yes" : "no";
	case FIELD_COUNT:
	case FIELD_NUMBER:
	case FIELD_TEXT:
	case FIELD_CHOICE:
	case FIELD_LIMIT:
	case FIELD_BAR:
	case FIELD_PART:
	case FIELD_OBJECT:
	case FIELD_LIST:
	case FIELD_MAP:
	case FIELD_TEXTS:
	case FIELD_NUMBERS:
	case FIELD_VALUES:
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

const char *column_text(struct report_sink *sink, const struct result_field *field,
	const struct field_value *value, const char *currency)
{
	if (field_is_text(field))
		return value->text ? typeset(sink, "%s", value->text) : "";
	if (field_unknown(field, value))
		return field->kind == FIELD_SECONDS || field->kind == FIELD_MONEY ||
				       field->kind == FIELD_JOULE
			       ? "-"
			       : "";
	return number_text(sink, field->kind, value->number, currency);
}

/* Returns what a cell says, "-" where there is nothing. */
static const char *cell_text(
	struct report_sink *sink, const struct result_field *field, const struct field_value *value)
{
	const bool is_amount = field->kind == FIELD_SECONDS || field->kind == FIELD_BYTES;
	if (field_is_text(field) ? !value->text : is_amount && !(value->number > 0))
		return "-";
	return column_text(sink, field, value, NULL);
}

void column_table(struct table *table, struct report_sink *sink, const struct result_record *record,
	const char *const *names, size_t count)
{
	table_start(table, sink);
	for (size_t i = 0; i < count; i++) {
		const struct table_column look = column_look(record_field(record, names[i]));
		table_column(table, &look);
	}
}

const char **column_row(struct table *table, const struct result_record *record, const char *const *names,
	size_t count, const void *row)
{
	char scratch[SCRATCH_BYTES];
	struct result_context context = {.arena = table->sink->arena, .scratch = scratch};
	const struct result_at at = {.in = &context, .row = row};
	const char **const cells = table_row(table);
	for (size_t i = 0; i < count; i++) {
		const struct result_field *const field = record_field(record, names[i]);
		const struct field_value value = field_read(field, &at);
		cells[i] = cell_text(table->sink, field, &value);
	}
	return cells;
}

struct field_value ranking_value(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row)
{
	char scratch[SCRATCH_BYTES];
	struct result_context context = {
		.document = row->advice, .head = row->advice->head, .arena = sink->arena, .scratch = scratch};
	struct field_value value = field_read(field, &(struct result_at){.in = &context, .row = row});
	if (value.text == scratch)
		value.text = typeset(sink, "%s", scratch);
	return value;
}

const char *ranking_text(
	struct report_sink *sink, const struct result_field *field, const struct ranking_row *row)
{
	if (field->kind == FIELD_BAR)
		return row->estimate
			       ? bar_phases(sink, row->estimate->phase_s, row->bar_full_s, row->bar_columns)
			       : "";
	if (field->kind == FIELD_LIMIT)
		return limit_text(sink, row);
	const struct field_value value = ranking_value(sink, field, row);
	return column_text(sink, field, &value, row->advice->head->machine.currency);
}
