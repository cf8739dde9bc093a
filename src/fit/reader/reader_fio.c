/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what fio writes with --output-format=json. Every job that read or wrote is a point. Its time is that of the
 * bytes which all its processes moved, at the rate of all of them together. A file whose name has "shared" in it is
 * of the storage that a system's nodes share ("shared"), any other of a node's own storage ("local").
 */
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/json.h"
#include "base/quantity.h"
#include "fit/reader/reader.h"

enum { JOBS_MAX = 4096 };

struct log {
	struct foreign foreign;
	const char *text;
	size_t length;
	const struct json *global; /* options of all jobs; NULL: none */
};

static bool knows(const char *text, size_t length)
{
	return length > 0 && text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"fio version\"");
}

static const char *option(const struct log *log, const struct json *job, const char *key)
{
	const struct json *own = json_member(job, "job options");
	const struct json *node = own ? json_member(own, key) : NULL;
	if (!node && log->global)
		node = json_member(log->global, key);
	return node && node->kind == JSON_STRING ? node->string : NULL;
}

/*
 * Returns the bytes of an option such as "128k", "4Ki" or "1M", with k = 1024, which is fio's unless it was told
 * otherwise; `otherwise` where there is no such option or it is not within 1 to 1e12 bytes.
 */
static double size_option(const char *text, double otherwise)
{
	static const char prefixes[] = "kmgt";
	double number;
	const char *end;
	if (!text || !decimal_read(text, 0, &number, &end))
		return otherwise;
	const char letter[] = {(char)(*end | ' '), '\0'};
	const char *prefix = *end ? strstr(prefixes, letter) : NULL;
	for (const char *at = prefixes; prefix && at <= prefix; ++at)
		number *= 1024;
	return number >= 1 && number < 1e12 ? number : otherwise;
}

static double count_option(const char *text)
{
	double number;
	return text && word_number(text, &number) && number >= 1 && number <= 1e6 ? number : 1;
}

/* Returns whether an option is there and is not off, as "fsync=0" is. */
static bool is_on(const char *text)
{
	double number;
	return text && !(word_number(text, &number) && !(number > 0));
}

static double number_of(const struct json *object, const char *key)
{
	const struct json *node = json_member(object, key);
	return node && node->kind == JSON_NUMBER ? node->number : -1;
}

/*
 * Totals of all jobs of one name for one side, "read" or "write". Without group_reporting, each process has an entry
 * of its own.
 */
struct side {
	double bytes, bytes_per_s;
	unsigned entries;
};

static const char *job_name(const struct json *job)
{
	const struct json *name = json_member(job, "jobname");
	return name && name->kind == JSON_STRING ? name->string : "";
}

static struct side side_of(const struct json *jobs, const char *name, const char *key)
{
	struct side side = {0};
	for (const struct json *job = jobs->child; job; job = job->next) {
		const struct json *result = strcmp(job_name(job), name) == 0 ? json_member(job, key) : NULL;
		const double bytes = result ? number_of(result, "io_bytes") : -1;
		double rate = result ? number_of(result, "bw_bytes") : -1;
		if (result && !(rate > 0))
			rate = number_of(result, "bw") * 1024; /* KiB/s, before fio 3 */
		if (!(bytes > 0) || !(rate > 0))
			continue;
		side.bytes += bytes;
		side.bytes_per_s += rate;
		++side.entries;
	}
	return side;
}

/* Returns the requests in flight: the processes, times the queue depth of each where the engine is asynchronous. */
static double clients_of(const struct log *log, const struct json *job, const struct side *side)
{
	const char *engine = option(log, job, "ioengine");
	const bool waits = !engine || strstr(engine, "sync") || !strcmp(engine, "mmap");
	const double processes =
		side->entries > 1 ? side->entries : count_option(option(log, job, "numjobs"));
	return processes * (waits ? 1 : count_option(option(log, job, "iodepth")));
}

static bool side_read(
	struct log *log, const struct json *jobs, const struct json *job, const char *key, int line)
{
	const struct side side = side_of(jobs, job_name(job), key);
	const char *mode = option(log, job, "rw"), *direct = option(log, job, "direct");
	const bool is_random = mode && strncmp(mode, "rand", 4) == 0, writes = strcmp(key, "write") == 0;
	if (side.entries == 0)
		return true; /* this side was not used */
	const double seconds = side.bytes / side.bytes_per_s, clients = clients_of(log, job, &side);
	const double block = size_option(option(log, job, "bs"), 4096);
	const char *tier = name_has(log->foreign.path, "shared") ? "shared" : "local";
	const char *kind = is_random ? "random" : "sequential";
	const struct sample_parameter parameters[] = {
		{"kind", kind, 0},
		{"tier", tier, 0},
		{"block", NULL, block},
		{"clients", NULL, clients},
		{"direct", NULL, direct && *direct == '1'},
		{"size", NULL, side.bytes},
		{"sync", NULL, is_on(option(log, job, "end_fsync")) || is_on(option(log, job, "fsync"))},
	};
	const struct foreign_point point = {.bench = key,
		.name = arena_printf(log->foreign.arena, "%s/%s/%s/%.0f/%.0f/%s", key, tier, kind, block,
			clients, job_name(job)),
		.line = line,
		.parameters = parameters,
		.parameter_count = writes ? 7 : 6,
		.bytes = side.bytes,
		.seconds = &seconds,
		.samples = 1};
	return foreign_add_point(&log->foreign, &point);
}

static bool is_first(const struct json *jobs, const struct json *job)
{
	const struct json *other = jobs->child;
	while (strcmp(job_name(other), job_name(job)) != 0)
		other = other->next;
	return other == job;
}

static bool job_read(struct log *log, const struct json *jobs, const struct json *job)
{
	int line = 0, column;
	const char *pointer = arena_printf(log->foreign.arena, "/jobs/%u", job->index);
	if (job->kind != JSON_OBJECT)
		return json_error(job, log->foreign.error, "must be an object");
	if (number_of(job, "error") > 0)
		return json_error(job, log->foreign.error, "this job failed: run fio again");
	if (!is_first(jobs, job))
		return true;
	if (pointer)
		json_locate(log->text, log->length, pointer, &line, &column);
	return side_read(log, jobs, job, "read", line) && side_read(log, jobs, job, "write", line);
}

/* Returns the day in UTC, as in "2026-11-22"; "" where the file has no time stamp, NULL when out of memory. */
static const char *date_of(struct paradl_arena *arena, const struct json *root)
{
	const double seconds = number_of(root, "timestamp");
	const time_t instant = seconds > 0 && seconds < 4e9 ? (time_t)seconds : 0;
	struct tm day;
	char text[16];
	if (instant == 0 || !gmtime_r(&instant, &day) || strftime(text, sizeof text, "%Y-%m-%d", &day) == 0)
		return "";
	return arena_text(arena, text);
}

static bool read(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct sample_set *set, struct paradl_error *error)
{
	struct log log = {.text = text, .length = length};
	const struct json *root = json_parse(arena, text, length, path, error);
	if (!root || !foreign_begin(&log.foreign, arena, set, path, "fio", error))
		return false;
	const struct json *jobs = json_member(root, "jobs");
	const char *date = date_of(arena, root);
	log.global = json_member(root, "global options");
	log.foreign.launch->date = date ? date : "";
	if (!jobs || jobs->kind != JSON_ARRAY)
		return json_error(root, error, "has no list \"jobs\"");
	if (jobs->count > JOBS_MAX)
		return json_error(jobs, error, "has more than %d jobs", JOBS_MAX);
	for (const struct json *job = jobs->child; job; job = job->next)
		if (!job_read(&log, jobs, job))
			return false;
	return log.foreign.points > 0 || foreign_fail(&log.foreign, 0, "no job has read or written anything");
}

const struct sample_reader reader_fio = {
	.name = "fio",
	.summary = "what fio writes with --output-format=json",
	.knows = knows,
	.read = read,
};
