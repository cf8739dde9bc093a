/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "report/json.h"
#include "report/launch/launch.h"

/* Words as a program starts another with them: an option and its value are two. */
static void write_words(struct json_writer *writer, const char *key, const struct launch_list *list)
{
	json_begin_array(writer, key);
	for (size_t i = 0; i < list->count; i++) {
		const char *const item = list->items[i], *const blank = strchr(item, ' ');
		if (blank) {
			char option[96];
			snprintf(option, sizeof option, "%.*s", (int)(blank - item), item);
			json_write_text(writer, NULL, option);
		}
		json_write_text(writer, NULL, blank ? blank + 1 : item);
	}
	json_end_array(writer);
}

static void write_lines(struct json_writer *writer, const char *key, const struct launch_list *list)
{
	json_begin_array(writer, key);
	for (size_t i = 0; i < list->count; i++)
		json_write_text(writer, NULL, list->items[i]);
	json_end_array(writer);
}

void json_launch(
	struct json_writer *writer, const struct report_head *head, const struct paradl_estimate *estimate)
{
	struct launch launch;
	if (!launch_plan(&launch, head, estimate))
		return;
	json_begin_object(writer, "launch");
	json_write_text(writer, "program", head->launcher->name);
	write_words(writer, "command", &launch.command);
	write_words(writer, "flags", &launch.flags);
	json_write_text(writer, "file", *launch.file_name ? launch.file_name : NULL);
	write_lines(writer, "lines", &launch.file);
	write_lines(writer, "cannot", &launch.cannot);
	json_end_object(writer);
}
