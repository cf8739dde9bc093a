/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"
#include "report/sweep.h"

static void write_list(struct json_writer *writer, const char *key, const struct text_list *list)
{
	json_begin_array(writer, key);
	for (size_t i = 0; i < list->count; i++)
		json_write_text(writer, NULL, list->items[i]);
	json_end_array(writer);
}

static void write_inputs(struct json_writer *writer, const struct report_head *head)
{
	json_begin_array(writer, "inputs");
	for (size_t i = 0; i < head->input_count; i++) {
		json_begin_object(writer, NULL);
		json_write_text(writer, "path", head->inputs[i].path);
		json_write_text(writer, "sha256", *head->inputs[i].sha256 ? head->inputs[i].sha256 : NULL);
		json_end_object(writer);
	}
	json_end_array(writer);
}

void json_begin_document(struct json_writer *writer, const char *schema, const struct report_head *head)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "schema", schema);
	json_write_text(writer, "paradl", paradl_version());
	write_list(writer, "command", &head->command);
	write_inputs(writer, head);
	json_begin_object(writer, "model");
	json_write_text(writer, "name", head->model.name);
	json_write_number(writer, "parameters", head->model.parameters);
	json_write_number(writer, "forward_flop_per_sample", head->model.forward_flop_per_sample);
	json_end_object(writer);
	json_begin_object(writer, "hw");
	json_write_text(writer, "name", head->machine.name);
	json_write_number(writer, "gpus", head->machine.devices);
	json_write_text(writer, "framework", head->framework.name);
	json_end_object(writer);
}

void json_end_document(struct json_writer *writer, const struct report_head *head)
{
	write_list(writer, "assumptions", &head->assumptions);
	write_list(writer, "warnings", &head->warnings);
	json_end_object(writer);
}

#define X(member, type, document, head)                                                                      \
	static void write_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		json_put_document(sink, &document_##document, head, report);                                 \
	}
#include "report/written.def"
#undef X

const struct report_format report_json = {
	.name = "json",
	.extension = ".json",
	.summary = "one JSON document, SI units, every digit",
	.names_inputs = true,
#define X(member, ...) .member = write_##member,
#include "report/written.def"
#undef X
	.sweep = &json_sweep,
};
