/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include <math.h>
#include <string.h>

const struct report_format *const report_formats[] = {
#define X(id) &report_##id,
#include "report/list.def"
#undef X
	NULL,
};

const struct report_format *report_find(const char *name)
{
	for (size_t i = 0; report_formats[i]; i++)
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	return NULL;
}

const struct report_format *report_of_file(const char *path)
{
	const char *const dot = strrchr(path, '.');
	for (size_t i = 0; dot && report_formats[i]; i++)
		if (strcmp(report_formats[i]->extension, dot) == 0)
			return report_formats[i];
	return NULL;
}

bool text_list_add(struct paradl_arena *arena, struct text_list *list, const char *text)
{
	if (list->count == list->capacity) {
		const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 8;
		const char **const items = arena_alloc(arena, capacity, sizeof *items);
		if (!items)
			return false;
		if (list->count > 0)
			memcpy(items, list->items, list->count * sizeof *items);
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count++] = text;
	return text != NULL;
}

const char *report_reason(char text[REASON_BYTES], int reason)
{
	if (strerror_r(reason, text, REASON_BYTES) != 0)
		snprintf(text, REASON_BYTES, "error %d", reason);
	return text;
}

const struct paradl_collective_row *report_row_of(const struct paradl_collective_table *table, double bytes)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (!(table->rows[i].bytes < bytes) && !(table->rows[i].bytes > bytes))
			return &table->rows[i];
	return NULL;
}

const char *report_time_origin(enum paradl_time_origin origin)
{
	static const char *const names[] = {[PARADL_MODELLED] = "model",
		[PARADL_MEASURED] = "measured",
		[PARADL_INTERPOLATED] = "interpolated",
		[PARADL_EXTRAPOLATED] = "extrapolated"};
	return names[origin];
}

const char *report_algorithm(const struct paradl_collective_table *table, size_t choice)
{
	const char *const name = table->choices[choice].algorithm, *const operation = paradl_operation_name(
									   table->operation);
	const size_t length = strlen(operation);
	return strncmp(name, operation, length) == 0 && name[length] == '-' ? name + length + 1 : name;
}

double report_job_s(const struct paradl_estimate *estimate, double samples)
{
	return estimate->plan.batch > 0 ? samples * (estimate->iteration_s / estimate->plan.batch) : 0;
}

double report_job_cost(const struct paradl_estimate *estimate, double samples)
{
	enum { SECONDS_PER_HOUR = 3600 };
	if (estimate->cost_per_hour < 0)
		return -1;
	return report_job_s(estimate, samples) / SECONDS_PER_HOUR * estimate->cost_per_hour;
}

const struct paradl_run *report_run_of(
	const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	size_t runs = 0;
	for (size_t i = 0; advice->runs && i < advice->count; i++)
		for (size_t j = 0; j < advice->rankings[i].count; j++, runs++)
			if (&advice->rankings[i].results[j] == estimate)
				return &advice->runs[runs];
	return NULL;
}

double report_tokens(const struct report_head *head, double samples)
{
	return head->model.sequence > 0 ? samples * head->model.sequence : -1;
}
