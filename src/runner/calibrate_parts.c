/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/quantity.h"
#include "runner/calibrate.h"

enum { GRACE_S = 5 };

/* Seconds that a program may be silent when it only has to list its benches or points. */
static const double list_patience_s = 60;

/* The measuring programs. */
static const struct part_kind {
	const char *name;
	size_t wanted;  /* offset of its option in struct calibrate_options; 0, the first field: --storage */
	bool unasked;   /* runs also when no program is named */
	bool by_mpirun; /* runs as processes that work together */
	bool one_each;  /* does so where there are several GPUs, with one for each process */
	bool measures_cases; /* can measure the layers of --layers-of */
	bool is_made_up;     /* its times are of no clock */
	/* Share of its cap that a point takes on the average: of a host of two cores without other work (--quick), of GPUs assumed */
	double cap_share;
} kinds[] = {
	{"cpu", offsetof(struct calibrate_options, cpu), true, false, false, true, false, 0.7},
	{"mpi", offsetof(struct calibrate_options, mpi), true, true, false, false, false, 0.3},
	{"cuda", offsetof(struct calibrate_options, gpu), true, false, true, true, false, 0.7},
	{"storage", 0, false, false, false, false, false, 1},
	{"fake", offsetof(struct calibrate_options, fake), false, false, false, true, true, 1},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static bool is_named(const struct calibrate_options *options, const struct part_kind *kind)
{
	if (kind->wanted == 0)
		return options->storage != NULL;
	return *(const bool *)((const char *)options + kind->wanted);
}

void part_leave_out(struct campaign *campaign, struct part *part, const char *format, ...)
{
	char text[MEASURE_COMPLAINT_BYTES + 64];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	/* The own name in front is left out: "paradl-measure-cuda: no GPU". */
	const char *const own = arena_printf(campaign->runner->arena, "paradl-measure-%s: ", part->name);
	const size_t length = own ? strlen(own) : 0;
	const bool begins_so = own && strncmp(text, own, length) == 0;
	part->is_out = true;
	part->report.skipped = arena_text(campaign->runner->arena, text + (begins_so ? length : 0));
}

static bool add_word(struct campaign *campaign, struct part *part, const char *word)
{
	return text_list_add(campaign->runner->arena, &part->words, word);
}

static bool add_option(struct campaign *campaign, struct part *part, const char *name, const char *value)
{
	return value && add_word(campaign, part, name) && add_word(campaign, part, value);
}

/* Returns the number of GPUs of this host that NVIDIA's driver lists; 0 without the driver. */
static unsigned gpu_count(void)
{
	DIR *const folder = opendir("/proc/driver/nvidia/gpus");
	const struct dirent *entry;
	unsigned count = 0;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours */
	while (folder && (entry = readdir(folder)))
		count += entry->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return count;
}

/* Returns whether there is a measuring program for MPI: whether MPI was there when the programs were built. */
static bool has_mpi(struct runner *runner)
{
	const struct paradl_error before = *runner->error;
	const bool has = measure_find(runner, "mpi") != NULL;
	*runner->error = before;
	return has;
}

/*
 * Returns the number of processes to ask mpirun for; 0: mpirun decides. Each process has a GPU of its own, so there
 * are at most as many as this host has GPUs, unless the program needs none, or --hostfile or --mpirun chooses hosts.
 */
static double rank_count(const struct calibrate_options *options, const struct part_kind *kind)
{
	const double gpus = gpu_count();
	const bool is_here = !options->hostfile && !options->mpirun;
	if (kind->by_mpirun || !is_here)
		return options->ranks;
	return options->ranks > 0 && options->ranks < gpus ? options->ranks : gpus;
}

static bool uses_mpirun(const struct campaign *campaign, const struct part_kind *kind)
{
	if (kind->by_mpirun)
		return true;
	return kind->one_each && (gpu_count() > 1 || campaign->options->hostfile) &&
	       has_mpi(campaign->runner);
}

static bool add_mpirun(struct campaign *campaign, struct part *part, double ranks)
{
	const struct calibrate_options *const options = campaign->options;
	struct paradl_arena *const arena = campaign->runner->arena;
	bool ok = measure_words(arena, &part->words, options->mpirun ? options->mpirun : "mpirun");
	if (ranks > 0)
		ok = ok && add_option(campaign, part, "-n", arena_printf(arena, "%.0f", ranks));
	if (options->hostfile)
		ok = ok && add_option(campaign, part, "--hostfile", options->hostfile);
	return ok;
}

static bool add_words(
	struct campaign *campaign, struct part *part, const struct part_kind *kind, const char *path)
{
	const struct calibrate_options *const options = campaign->options;
	struct paradl_arena *const arena = campaign->runner->arena;
	bool ok = !uses_mpirun(campaign, kind) || add_mpirun(campaign, part, rank_count(options, kind));
	ok = ok && add_word(campaign, part, path);
	if (options->quick || options->full)
		ok = ok && add_word(campaign, part, options->quick ? "--quick" : "--full");
	ok = ok && add_option(campaign, part, "--seed",
			   arena_printf(arena, "%.0f", options->seed > 0 ? options->seed : 1));
	if (kind->wanted == 0)
		ok = ok && add_option(campaign, part, "--directory", options->storage);
	if (campaign->cases && kind->measures_cases)
		ok = ok && add_option(campaign, part, "--cases", campaign->cases);
	return ok;
}

static bool add_part(struct campaign *campaign, const struct part_kind *kind)
{
	struct runner *const runner = campaign->runner;
	struct part *const part = &campaign->parts[campaign->part_count++];
	*part = (struct part){.name = kind->name,
		.report = {.program = kind->name},
		.memory_bytes = -1,
		.cap_share = kind->cap_share,
		.is_made_up = kind->is_made_up,
		.is_wanted = is_named(campaign->options, kind)};
	const char *const path = measure_find(runner, kind->name);
	if (!path && runner->error->status == PARADL_NO_TOOL) {
		part_leave_out(campaign, part, "%s; %s", runner->error->message, runner->error->hint);
		*runner->error = (struct paradl_error){.status = PARADL_OK};
		return true;
	}
	return path && (add_words(campaign, part, kind, path) || out_of_memory(runner->error));
}

bool parts_find(struct campaign *campaign)
{
	const struct calibrate_options *const options = campaign->options;
	bool any = false;
	for (size_t i = 0; i < KIND_COUNT; i++)
		any = any || is_named(options, &kinds[i]);
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (any ? is_named(options, &kinds[i]) : kinds[i].unasked)
			if (!add_part(campaign, &kinds[i]))
				return false;
	if (any || campaign->part_count == PARTS_MAX)
		return true;
	struct part *const storage = &campaign->parts[campaign->part_count++];
	*storage = (struct part){.name = "storage", .report = {.program = "storage"}, .memory_bytes = -1};
	part_leave_out(campaign, storage, "is not measured unasked: --storage DIR");
	return true;
}

/* Returns the words of `part` and then `more`, NULL-terminated as execvp takes them; NULL: out of memory. */
static const char *const *with_words(
	struct campaign *campaign, const struct part *part, const char *const *more, size_t more_count)
{
	struct text_list list = {0};
	bool ok = true;
	for (size_t i = 0; ok && i < part->words.count; i++)
		ok = text_list_add(campaign->runner->arena, &list, part->words.items[i]);
	for (size_t i = 0; ok && i < more_count; i++)
		ok = more[i] && text_list_add(campaign->runner->arena, &list, more[i]);
	text_list_add(campaign->runner->arena, &list, NULL); /* false for NULL, added or not */
	if (ok && list.count > 0 && !list.items[list.count - 1])
		return list.items;
	return out_of_memory_null(campaign->runner->error);
}

const char *const *part_command(struct campaign *campaign, const struct part *part, unsigned launch)
{
	struct paradl_arena *const arena = campaign->runner->arena;
	const double time_s = part_launch_s(campaign, part, launch);
	const char *more[12] = {"--out", campaign->file, "--launch", arena_printf(arena, "%u", launch),
		"--cap", arena_printf(arena, "%.6g", campaign->cap_s)};
	size_t count = 6;
	if (time_s > 0) {
		more[count++] = "--time";
		more[count++] = arena_printf(arena, "%.6g", time_s);
	}
	if (campaign->retry_before > 0) {
		more[count++] = "--retry-before";
		more[count++] = arena_printf(arena, "%lld", campaign->retry_before);
	}
	if (part->is_limited) {
		more[count++] = "--only";
		more[count++] = benches_wanted(campaign, part);
	}
	return with_words(campaign, part, more, count);
}

bool part_ask(struct campaign *campaign, struct part *part, const char *const *more, size_t count,
	part_listener *tell)
{
	struct runner *const runner = campaign->runner;
	struct measure_process process;
	const char *line;
	enum measure_event event;
	const char *const *const words = with_words(campaign, part, more, count);
	if (!words)
		return false;
	if (!measure_start(&process, words, false, runner->error)) {
		part_leave_out(campaign, part, "%s", runner->error->message);
		*runner->error = (struct paradl_error){.status = PARADL_OK};
		return true;
	}
	const double patience_s =
		campaign->options->patience_s > 0 ? campaign->options->patience_s : list_patience_s;
	const double begin_s = measure_now_s();
	while ((event = measure_read(&process, patience_s, &line)) == MEASURE_LINE)
		tell(campaign, part, line);
	const int status = measure_end(&process, GRACE_S);
	part->start_s = measure_now_s() - begin_s;
	if (event == MEASURE_INTERRUPTED)
		campaign->stopped = "interrupted";
	else if (event == MEASURE_SILENT)
		part_leave_out(campaign, part, "says nothing: ended after %.3g s", patience_s);
	else if (status != 0) {
		part->lacks_option = strstr(process.complaint, "run as root") != NULL;
		part_leave_out(campaign, part, "%s%s",
			*process.complaint
				? process.complaint
				: arena_printf(runner->arena, "ended with status %d and no word", status),
			part->lacks_option ? " Allow it: --mpirun 'mpirun --allow-run-as-root'" : "");
	}
	return event != MEASURE_INTERRUPTED;
}

static void tell_bench(struct campaign *campaign, struct part *part, const char *line)
{
	const char *const name = arena_copy(campaign->runner->arena, line, strcspn(line, " \t"));
	if (name && *name && part->bench_count < BENCHES_MAX)
		part->benches[part->bench_count++] = (struct part_bench){.name = name};
}

static void tell_point(struct campaign *campaign, struct part *part, const char *line)
{
	const size_t length = strcspn(line, " ");
	double least_s = 0;
	const char *end;
	if (!length)
		return;
	if (line[length] && !decimal_read(line + length + 1, 0, &least_s, &end))
		least_s = 0;
	double *const least = LIST_ADD(campaign->runner->arena, part->least_s, part->least_count);
	if (least)
		*least = least_s;
	part->report.points++;
	if (campaign->runner->verbose && campaign->options->dry_run)
		runner_say(campaign->runner, "%s %.*s", part->name, (int)length, line);
}

bool parts_list(struct campaign *campaign)
{
	static const char *const benches = "--benches";
	for (size_t i = 0; i < campaign->part_count; i++)
		if (!campaign->parts[i].is_out &&
			!part_ask(campaign, &campaign->parts[i], &benches, 1, tell_bench))
			return false;
	if (!benches_choose(campaign))
		return false;
	for (size_t i = 0; i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[i];
		const char *const more[] = {"--list", "--only", benches_wanted(campaign, part)};
		if (!part->is_out && !part_ask(campaign, part, more, part->is_limited ? 3 : 1, tell_point))
			return false;
		if (!part->is_out && !(part->report.points > 0))
			part_leave_out(campaign, part, "has nothing to measure");
	}
	return true;
}
