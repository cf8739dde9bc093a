/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing over the items of one list; a name given twice finds the later item. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "model/description.h"

static uint64_t hash(const char *text)
{
	uint64_t value = 14695981039346656037U; /* FNV-1a */
	for (; *text != '\0'; text++)
		value = (value ^ (unsigned char)*text) * 1099511628211U;
	return value ^ (value >> 32);
}

bool name_table_create(struct reader *reader, const struct item_list *list, const struct name_table *outer,
	struct name_table *table)
{
	*table = (struct name_table){.outer = outer, .list = list, .slot_count = 4};
	while (table->slot_count < 2 * list->count)
		table->slot_count *= 2;
	table->slots = arena_alloc(reader->arena, table->slot_count, sizeof(*table->slots));
	return table->slots ? true : error_set(reader->error, PARADL_NO_MEMORY, "out of memory");
}

static unsigned *slot(const struct name_table *table, const char *name)
{
	unsigned i = (unsigned)hash(name) & (table->slot_count - 1);
	while (table->slots[i] != 0 && strcmp(table->list->items[table->slots[i] - 1].name, name) != 0)
		i = (i + 1) & (table->slot_count - 1);
	return &table->slots[i];
}

void name_table_add(struct name_table *table, unsigned index)
{
	const char *const name = table->list->items[index].name;
	if (name)
		*slot(table, name) = index + 1;
}

bool name_table_find(const struct name_table *table, const char *name, struct item_source *source)
{
	*source = (struct item_source){0};
	for (; table; table = table->outer, source->up++) {
		const unsigned found = *slot(table, name);
		if (found == 0)
			continue;
		source->index = found - 1;
		return true;
	}
	return false;
}
