/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include <math.h>
#include <string.h>

#include "report/palette.h"
#include "report/text.h"

struct table_column column_look(const struct result_field *field)
{
	const bool is_right = field_is_number(field) && field->kind != FIELD_FLAG;
	return (struct table_column){field->title ? field->title : field->name,
		is_right ? TABLE_RIGHT : TABLE_LEFT, field->drop, field->least};
}

struct table_column column_look_asked(const struct result_field *field, const struct result_field *before)
{
	struct table_column look = column_look(field);
	if (!*look.title && (!before || before + 1 != field))
		look.title = field->name;
	return look;
}

static const char *percent_text(
	struct report_sink *sink, const struct result_field *field, double percent, int digits)
{
	return typeset(sink, field->sign ? "%+.*f %%" : "%.*f %%", digits, percent);
}

static const char *factor_text(struct report_sink *sink, const struct result_field *field, double value)
{
	return typeset(sink, "%.*f", field->digits ? field->digits : value < 99.995 ? 2 : 0, value);
}

static const char *time_text(struct report_sink *sink, const struct result_field *field, double seconds)
{
	const char *const sign = seconds < 0 ? "-" : field->sign ? "+" : "";
	return typeset(sink, "%s%s", sign, typeset_quantity(sink, fabs(seconds), DIMENSION_TIME));
}

/* Returns an energy: in J where these are few, in Wh where they are many. */
static const char *joule_text(struct report_sink *sink, double joule)
{
	if (joule >= 999.5e3)
		return text_energy(sink, joule);
	if (joule >= 9999.5)
		return typeset(sink, "%sJ", typeset_scaled(sink, joule));
	return typeset(sink, joule < 100 ? "%.3g J" : "%.0f J", joule);
}

static const char *number_text(
	struct report_sink *sink, const struct result_field *field, double value, const char *currency)
{
	switch (field->kind) {
	case FIELD_SECONDS:
		return time_text(sink, field, value);
	case FIELD_BYTES:
		return field->exact ? typeset_size(sink, value)
				    : typeset_quantity(sink, value, DIMENSION_BYTES);
	case FIELD_FACTOR:
		return factor_text(sink, field, value);
	case FIELD_SHARE:
		return field->digits ? percent_text(sink, field, 100 * value, field->digits)
				     : typeset_percent(sink, value);
	case FIELD_PERCENT:
		return percent_text(sink, field, value, 1);
	case FIELD_RATE:
		return typeset_quantity(sink, value, DIMENSION_BYTES_PER_S);
	case FIELD_FLOP_RATE:
		return typeset_quantity(sink, value, DIMENSION_FLOP_PER_S);
	case FIELD_WATT:
		return typeset_quantity(sink, value, DIMENSION_POWER);
	case FIELD_JOULE:
		return joule_text(sink, value);
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
	return field->digits ? factor_text(sink, field, value) : typeset_rate(sink, value);
}

/* Returns the share and name of the plan's bottleneck, or the reason why nothing runs; "" if neither is known. */
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
	return number_text(sink, field, value->number, currency);
}

/* ---- tables of records ---- */

/* A search for the field with a given name. */
struct named {
	const char *name;
	size_t length;
	const struct result_field *field;
};

static bool find_named(void *context, const struct result_field *field, const struct result_at *at)
{
	struct named *const named = context;
	(void)at;
	if ((field_is_text(field) || field_is_number(field) || field->kind == FIELD_TEXTS) &&
		strlen(field->name) == named->length && memcmp(field->name, named->name, named->length) == 0)
		named->field = field;
	return !named->field;
}

void columns_start(struct columns *columns, struct report_sink *sink, const void *document,
	const struct result_record *record, const char *names)
{
	const struct result_at nowhere = {0};
	table_start(&columns->table, sink);
	columns->record = record;
	columns->in = (struct result_context){
		.document = document, .arena = sink->arena, .scratch = columns->scratch};
	columns->currency = NULL;
	for (size_t i = 0; *names; i++) {
		struct named named = {names, strcspn(names, ","), NULL};
		record_visit(record, &nowhere, find_named, &named);
		const struct table_column look = column_look(named.field);
		columns->fields[i] = named.field;
		table_column(&columns->table, &look);
		names += named.length + (names[named.length] == ',');
	}
}

static bool is_nothing(const struct result_field *field, const struct field_value *value)
{
	if (field_unknown(field, value))
		return true;
	return field->dash && (field_is_text(field) ? !*value->text : !(fabs(value->number) > 0));
}

static const char *join_texts(
	struct report_sink *sink, const struct result_field *field, const struct result_at *at)
{
	struct field_value value = {0};
	const char *text = "";
	for (size_t i = 0; field->item(at, i, &value); i++)
		text = typeset(sink, "%s%s%s", text, *text ? ", " : "", value.text);
	return text;
}

static const char *read_cell(
	const struct columns *columns, const struct result_field *field, const struct result_at *at)
{
	struct report_sink *const sink = columns->table.sink;
	const struct field_value value =
		field->get && at->row ? field_read(field, at) : (struct field_value){.absent = true};
	if (value.absent)
		return "";
	if (field->kind == FIELD_TEXTS)
		return join_texts(sink, field, at);
	if (is_nothing(field, &value))
		return field->dash || !field_is_text(field) ? "-" : "";
	if (field->kind == FIELD_JOULE)
		return text_joule(sink, value.number);
	if (!field->unit)
		return column_text(sink, field, &value, columns->currency);
	const char *const unit = field_read(record_field(columns->record, field->unit), at).text;
	return typeset_unit(sink, value.number, unit ? unit : "", field->digits ? field->digits : 3);
}

static bool fill_cell(void *context, const struct result_field *field, const struct result_at *at)
{
	struct columns *const columns = context;
	for (size_t i = 0; i < columns->table.column_count; i++)
		if (columns->fields[i] == field)
			columns->cells[i] = read_cell(columns, field, at);
	return true;
}

const char **columns_row(struct columns *columns, const void *row)
{
	const struct result_at at = {.in = &columns->in, .row = row};
	columns->cells = table_row(&columns->table);
	record_visit(columns->record, &at, fill_cell, columns);
	columns->table.sink->out_of_memory |= columns->in.out_of_memory;
	return columns->cells;
}

void columns_list(
	struct columns *columns, const struct result_record *record, const char *list, const void *row)
{
	const struct result_field *const field = record_field(record, list);
	const struct result_at at = {.in = &columns->in, .row = row};
	struct field_value value = {0};
	for (size_t i = 0; field->item(&at, i, &value); i++)
		columns_row(columns, value.row);
}

void columns_print(struct columns *columns)
{
	for (size_t i = columns->table.column_count; i-- > 0;)
		if (columns->fields[i]->if_any)
			table_drop_empty(&columns->table, i);
	table_print(&columns->table);
}

void columns_show(struct report_sink *sink, const void *document, const struct result_record *record,
	const char *list, const void *row, const char *names)
{
	struct columns columns;
	columns_start(&columns, sink, document, record_field(record, list)->record, names);
	columns_list(&columns, record, list, row);
	columns_print(&columns);
}

/* ---- rows of rankings ---- */

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
	if (field->kind == FIELD_BAR) {
		double shown_s[PARADL_PHASE_COUNT];
		if (!row->estimate)
			return "";
		phases_shown(row->estimate, shown_s);
		return bar_phases(sink, shown_s, row->bar_full_s, row->bar_columns);
	}
	if (field->kind == FIELD_LIMIT)
		return limit_text(sink, row);
	const struct field_value value = ranking_value(sink, field, row);
	return column_text(sink, field, &value, row->advice->head->machine.currency);
}
