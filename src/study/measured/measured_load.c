/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/source.h"
#include "study/measured/measured_phases.h"

enum { SNIFFED = 4096, PIPE_LIMIT_BYTES = 1 << 30 };

static const struct measured_reader *const readers[] = {
#define X(id) &measured_reader_##id,
#include "study/measured/list.def"
#undef X
	NULL};

static bool unknown(struct measured_reading *reading, const char *begin, size_t length)
{
	const char *names = "";
	if (length >= 2 && begin[0] == '\x1f' && begin[1] == '\x8b') {
		error_at(reading->error, PARADL_SYNTAX, reading->path, 0, 0, "is compressed by gzip");
		error_hint(reading->error, "unpack it first: gunzip -k FILE");
		return false;
	}
	for (size_t i = 0; names && readers[i]; ++i)
		names = arena_printf(reading->arena, "%s%s%s", names, i ? ", " : "", readers[i]->name);
	error_at(reading->error, PARADL_SYNTAX, reading->path, 0, 0,
		length ? "is in no format of measured times that is known" : "is empty");
	error_hint(reading->error, "formats: %s", names ? names : "");
	return false;
}

static const struct measured_reader *reader_of(struct measured_reading *reading)
{
	struct file_head head;
	if (!file_head_read(reading->arena, reading->path, SNIFFED, PIPE_LIMIT_BYTES, &head, reading->error))
		return NULL;
	for (size_t i = 0; readers[i]; ++i)
		if (head.length && readers[i]->knows(head.text, head.length))
			return readers[i];
	unknown(reading, head.text, head.length);
	return NULL;
}

bool paradl_measurement_load(struct paradl_arena *arena, const struct paradl_source *sources, size_t count,
	const struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_measurement *measurement, struct paradl_error *error)
{
	struct observations observations = {.count = 0};
	struct measured_reading reading = {.arena = arena,
		.oracle = oracle,
		.plan = plan,
		.observations = &observations,
		.measurement = measurement,
		.error = error};
	*measurement = (struct paradl_measurement){.waiting_share = -1};
	for (size_t i = 0; i < count; ++i) {
		reading.path = source_path(arena, &sources[i], NULL, error);
		reading.file = (unsigned)i;
		const struct measured_reader *reader = reading.path ? reader_of(&reading) : NULL;
		if (!reader)
			return false;
		if (i && strcmp(measurement->format, reader->name) != 0)
			return error_at(error, PARADL_USAGE, reading.path, 0, 0,
				"is %s, the file before is %s", reader->name, measurement->format);
		measurement->format = reader->name;
		if (!reader->read(&reading))
			return false;
	}
	return observations_sum_up(&reading);
}
