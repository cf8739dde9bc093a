/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the devices of a pipeline do during a step, for programs. */
#include "report/csv.h"
#include "report/json.h"

void json_timeline(struct json_writer *writer, const struct paradl_timeline *timeline)
{
	json_begin_object(writer, "timeline");
	json_write_number(writer, "devices", timeline->devices);
	json_write_number(writer, "chunks", timeline->chunks);
	json_write_number(writer, "micro_batches", timeline->micro_batches);
	json_write_number(writer, "schedule_s", timeline->schedule_s);
	json_write_number(writer, "step_s", timeline->step_s);
	json_write_number(writer, "end_s", timeline->end_s);
	json_begin_array(writer, "events");
	for (size_t i = 0; i < timeline->count; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		json_begin_object(writer, NULL);
		json_write_number(writer, "device", event->device);
		json_write_number(writer, "stage", event->stage);
		json_write_number(writer, "micro_batch", event->micro_batch);
		json_write_text(writer, "work", paradl_work_name(event->work));
		json_write_number(writer, "start_s", event->start_s);
		json_write_number(writer, "end_s", event->end_s);
		json_end_object(writer);
	}
	json_end_array(writer);
	json_end_object(writer);
}

void csv_timeline(struct report_sink *sink, const struct paradl_timeline *timeline)
{
	static const char *const names[] = {"device", "stage", "micro_batch", "work", "start_s", "end_s"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < timeline->count; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		csv_number(&line, event->device);
		csv_number(&line, event->stage);
		csv_number(&line, event->micro_batch);
		csv_text(&line, paradl_work_name(event->work));
		csv_number(&line, event->start_s);
		csv_number(&line, event->end_s);
		csv_end(&line);
	}
}
