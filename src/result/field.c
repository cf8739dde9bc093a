/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/field.h"

#include <string.h>

const char field_absent[] = "";

const struct result_document *const result_documents[] = {
#define X(id) &document_##id,
#include "result/documents.def"
#undef X
	NULL,
};

const struct result_document *result_document_find(const char *name)
{
	static const char begin[] = "paradl-";
	for (size_t i = 0; result_documents[i]; i++) {
		const char *const own = result_documents[i]->schema + strlen(begin);
		const size_t length = strlen(name);
		if (strncmp(own, name, length) == 0 && own[length] == '-')
			return result_documents[i];
	}
	return NULL;
}

const struct result_field *record_field(const struct result_record *record, const char *name)
{
	for (size_t i = 0; i < record->count; i++)
		if (strcmp(record->fields[i].name, name) == 0)
			return &record->fields[i];
	return NULL;
}

bool field_is_text(const struct result_field *field)
{
	return field->kind == FIELD_TEXT || field->kind == FIELD_CHOICE || field->kind == FIELD_LIMIT;
}

bool field_is_column(const struct result_field *field)
{
	return (field->use == FOR_ALL || field->use == FOR_TABLES) &&
	       (field_is_text(field) || field_is_number(field));
}

bool field_is_number(const struct result_field *field)
{
	return field->kind >= FIELD_FLAG && field->kind <= FIELD_MONEY;
}

struct field_value field_read(const struct result_field *field, const struct result_at *at)
{
	struct field_value value = field->get(at);
	if (value.text == field_absent || (isinf(value.number) && value.number < 0))
		value.absent = true;
	return value;
}

bool field_unknown(const struct result_field *field, const struct field_value *value)
{
	if (value->absent)
		return true;
	if (field_is_text(field))
		return !value->text;
	if (field_is_number(field))
		return !isfinite(value->number) || (value->number < 0 && !field->negative);
	return !value->row;
}

double field_positive(double value)
{
	return value > 0 ? value : -1;
}

void *field_store(const struct result_at *at, size_t size)
{
	void *const store = arena_alloc(at->in->arena, 1, size);
	at->in->out_of_memory |= !store;
	return store;
}

const char *field_plan(const struct result_at *at, const struct paradl_plan *plan)
{
	paradl_plan_format(plan, at->in->scratch, SCRATCH_BYTES);
	return at->in->scratch;
}

bool record_visit(
	const struct result_record *record, const struct result_at *at, field_visit visit, void *context)
{
	for (size_t i = 0; i < record->count; i++) {
		const struct result_field *const field = &record->fields[i];
		if (field->kind != FIELD_PART) {
			if (!visit(context, field, at))
				return false;
			continue;
		}
		struct result_at part = *at;
		part.parent = at;
		part.row = at->row ? field_read(field, at).row : NULL;
		if (!record_visit(field->record, &part, visit, context))
			return false;
	}
	return true;
}
