/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of samples: JSON lines, each written at once and on disk before anyone is told. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

static bool out_of_memory(void)
{
	fputs("out of memory\n", stderr);
	return false;
}

/* All of it or nothing: what was written of a line that does not fit is taken back. */
static bool append(struct output *output, const char *text, size_t length)
{
	struct stat before;
	if (fstat(output->file, &before) != 0)
		return perror(output->path), false;
	for (size_t at = 0; at < length;) {
		const ssize_t put = write(output->file, text + at, length - at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0) {
			perror(output->path);
			if (at && ftruncate(output->file, before.st_size) != 0)
				perror(output->path);
			return false;
		}
		at += (size_t)put;
	}
	if (fdatasync(output->file) != 0 && errno != EINVAL) /* EINVAL: a pipe or a terminal */
		return perror(output->path), false;
	return true;
}

static const char *effort_name(enum effort effort)
{
	static const char *const names[] = {
		[EFFORT_QUICK] = "quick", [EFFORT_USUAL] = "usual", [EFFORT_FULL] = "full"};
	return names[effort];
}

/* What must not change when a launch goes on: the part of its first line from the host on. */
static char *place_of(void)
{
	char *text = NULL;
	size_t length;
	const char *environment = environment_json();
	FILE *file = environment ? open_memstream(&text, &length) : NULL;
	if (!file)
		return NULL;
	fputs("\"host\":", file);
	json_text(file, environment_host());
	fprintf(file, ",\"environment\":%s}", environment);
	return fclose(file) == 0 ? text : NULL;
}

static bool header_write(struct output *output, const struct options *options, const struct program *program,
	const char *place)
{
	char date[32], *text = NULL;
	size_t length;
	const time_t now = time(NULL);
	struct tm utc;
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	FILE *file = open_memstream(&text, &length);
	if (!file)
		return out_of_memory();
	fprintf(file,
		"{\"launch\":\"%s\",\"format\":\"paradl-samples\",\"version\":1,\"program\":\"%s\","
		"\"number\":%u,"
		"\"seed\":%llu,\"effort\":\"%s\",\"date\":\"%s\",%s\n",
		output->launch, program->name, options->launch, options->seed, effort_name(options->effort),
		date, place);
	const bool fine = fclose(file) == 0 && append(output, text, length);
	free(text);
	return fine;
}

static bool done_add(struct output *output, const char *name, size_t length)
{
	if (output->done_count == output->done_capacity) {
		const size_t capacity = output->done_capacity ? 2 * output->done_capacity : 64;
		char **grown = realloc(output->done, capacity * sizeof *grown);
		if (!grown)
			return out_of_memory();
		output->done = grown;
		output->done_capacity = capacity;
	}
	char *copy = strndup(name, length);
	if (!copy)
		return out_of_memory();
	output->done[output->done_count++] = copy;
	return true;
}

/* Whether a line settles its point: one that failed does, unless it is to be measured again. Texts of JSON have no bare quotes. */
static bool settles(const struct output *output, const char *line, off_t at)
{
	if (!strstr(line, ",\"failed\":"))
		return true;
	if (strstr(line, ",\"again\":true}"))
		return false;
	return at >= output->retry_before || strstr(line, ",\"absent\":true}");
}

/* Lines of our launch, also of points that failed: false on a header from another place. */
static bool line_take(
	struct output *output, const char *line, off_t at, const char *place, const char *prefix, bool *ours)
{
	static const char point[] = "\"point\":\"", format[] = "\"format\":";
	if (strncmp(line, prefix, strlen(prefix)) != 0)
		return true;
	const char *rest = line + strlen(prefix);
	if (strncmp(rest, format, strlen(format)) == 0) {
		*ours = true;
		const char *host = strstr(rest, "\"host\":");
		if (host && strncmp(host, place, strlen(place)) == 0)
			return true;
		fprintf(stderr,
			"%s: launch %s was begun on another machine or with other software; write to another "
			"file\n",
			output->path, output->launch);
		return false;
	}
	if (strncmp(rest, point, strlen(point)) != 0 || !settles(output, line, at))
		return true;
	const char *name = rest + strlen(point);
	const size_t length = strcspn(name, "\"");
	return done_add(output, name, length);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool output_has(const struct output *output, const char *point)
{
	return output->done_count > 0 &&
	       bsearch(&point, output->done, output->done_count, sizeof *output->done, by_name) != NULL;
}

/* Reads what there is; drops a last line without an end, which a killed program left. */
static bool continue_file(struct output *output, const char *place, bool *ours)
{
	char prefix[128], *line = NULL;
	size_t room = 0;
	ssize_t length;
	off_t whole = 0;
	bool fine = true;
	FILE *file = fopen(output->path, "r");
	if (!file)
		return perror(output->path), false;
	snprintf(prefix, sizeof prefix, "{\"launch\":\"%s\",", output->launch);
	while (fine && (length = getline(&line, &room, file)) > 0) {
		if (line[length - 1] != '\n') {
			fprintf(stderr, "%s: the last line has no end; it is dropped\n", output->path);
			fine = ftruncate(output->file, whole) == 0;
			break;
		}
		fine = line_take(output, line, whole, place, prefix, ours);
		whole += length;
	}
	free(line);
	fclose(file);
	if (output->done_count)
		qsort(output->done, output->done_count, sizeof *output->done, by_name);
	return fine;
}

int output_open(struct output *output, const struct options *options, const struct program *program)
{
	struct stat status;
	bool ours = false;
	*output = (struct output){.path = options->out,
		.program = program->name,
		.file = -1,
		.retry_before = options->retry_before};
	snprintf(output->launch, sizeof output->launch, "%s.%u", program->name, options->launch);
	output->file = open(options->out, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (output->file < 0) {
		perror(options->out);
		return STATUS_CANNOT_WRITE;
	}
	char *place = place_of();
	int result = STATUS_DONE;
	if (!place) {
		out_of_memory();
		result = STATUS_CANNOT_WRITE;
	} else if (fstat(output->file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
		   !continue_file(output, place, &ours)) {
		result = STATUS_USAGE;
	} else if (!ours && !header_write(output, options, program, place)) {
		result = STATUS_CANNOT_WRITE;
	}
	free(place);
	return result;
}

static FILE *line_begin(struct output *output, const struct run *run, char **text, size_t *length)
{
	const struct point *point = run->point;
	FILE *file = open_memstream(text, length);
	if (!file)
		return NULL;
	fprintf(file, "{\"launch\":\"%s\",\"point\":\"%s\",\"bench\":\"%s\",\"parameters\":{", output->launch,
		point->name, point->bench->name);
	for (unsigned i = 0; i < point->parameter_count; ++i) {
		fprintf(file, "%s\"%s\":", i ? "," : "", point->parameters[i].name);
		if (point->parameters[i].text)
			json_text(file, point->parameters[i].text);
		else
			fprintf(file, "%.12g", point->parameters[i].number);
	}
	putc('}', file);
	return file;
}

static bool line_end(struct output *output, FILE *file, char **text, const size_t *length)
{
	fputs("}\n", file);
	const bool fine = fclose(file) == 0 ? append(output, *text, *length) : out_of_memory();
	free(*text);
	return fine;
}

/* How a point was timed, and what a GPU was like meanwhile. */
static void seen_write(FILE *file, const struct run *run)
{
	const double looks = run->seen.count;
	if (run->timed) {
		fputs("\"timed\":", file);
		json_text(file, run->timed);
		putc(',', file);
	}
	if (looks > 0)
		fprintf(file, "\"sm_clock_mhz\":%.6g,\"power_watt\":%.6g,\"temperature_celsius\":%.4g,",
			run->seen.clock_mhz / looks, run->seen.watt / looks, run->seen.celsius / looks);
}

bool output_samples(struct output *output, const struct run *run, const struct samples *samples)
{
	char *text = NULL;
	size_t length;
	FILE *file = line_begin(output, run, &text, &length);
	if (!file)
		return out_of_memory();
	fprintf(file,
		",\"flop\":%.12g,\"bytes\":%.12g,\"calls\":%llu,\"stopped\":\"%s\",\"processors\":%.4g,"
		"\"switches\":%.9g,",
		run->point->flop, run->point->bytes, samples->calls, samples->stopped, samples->processors,
		samples->switches);
	seen_write(file, run);
	fputs("\"flags\":[", file);
	const char *const flags[] = {
		run->flag, samples->stolen ? "stolen" : NULL, samples->contended ? "contended" : NULL};
	bool is_first = true;
	for (unsigned i = 0; i < sizeof flags / sizeof *flags; ++i) {
		if (!flags[i])
			continue;
		fputs(is_first ? "" : ",", file);
		json_text(file, flags[i]);
		is_first = false;
	}
	fputs("],\"seconds\":[", file);
	for (unsigned i = 0; i < samples->count; ++i)
		fprintf(file, "%s%.7g", i ? "," : "", samples->seconds[i]);
	putc(']', file);
	return line_end(output, file, &text, &length);
}

bool output_failed(struct output *output, const struct run *run, bool absent)
{
	char *text = NULL;
	size_t length;
	FILE *file = line_begin(output, run, &text, &length);
	if (!file)
		return out_of_memory();
	fputs(",\"failed\":", file);
	json_text(file, run->reason);
	if (absent)
		fputs(",\"absent\":true", file);
	return line_end(output, file, &text, &length);
}

void output_close(struct output *output)
{
	for (size_t i = 0; i < output->done_count; ++i)
		free(output->done[i]);
	free(output->done);
	if (output->file >= 0)
		close(output->file);
	output->file = -1;
}
