/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/quantity.h"
#include "cli/calibrate.h"

enum { GRACE_S = 5 };

/* Seconds that a program may be silent when it only has to list its benches or points. */
static const double list_patience_s = 60;

/* The measuring programs. */
static const struct part_kind {
	const char *name;
	size_t wanted;       /* offset of its option in struct arguments; 0: --storage */
	bool unasked;        /* runs also when no program is named */
	bool by_mpirun;      /* runs as processes that work together */
	bool one_each;       /* does so where there are several GPUs, with one for each process */
	bool measures_cases; /* can measure the layers of --layers-of */
} kinds[] = {
	{"cpu", offsetof(struct arguments, on_cpu), true, false, false, true},
	{"mpi", offsetof(struct arguments, on_mpi), true, true, false, false},
	{"cuda", offsetof(struct arguments, on_gpu), true, false, true, true},
	{"storage", 0, false, false, false, false},
	{"fake", offsetof(struct arguments, on_fake), false, false, false, true},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static bool is_named(const struct arguments *arguments, const struct part_kind *kind)
{
	if (kind->wanted == 0)
		return arguments->storage != NULL;
	return *(const bool *)((const char *)arguments + kind->wanted);
}

void part_leave_out(struct campaign *campaign, struct part *part, const char *format, ...)
{
	char text[MEASURE_COMPLAINT_BYTES + 64];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	/* The own name in front is left out: "paradl-measure-cuda: no GPU". */
	const char *const own = arena_printf(campaign->session->arena, "paradl-measure-%s: ", part->name);
	const size_t length = own ? strlen(own) : 0;
	const bool begins_so = own && strncmp(text, own, length) == 0;
	part->is_out = true;
	part->report.skipped = arena_text(campaign->session->arena, text + (begins_so ? length : 0));
}

static bool add_word(struct campaign *campaign, struct part *part, const char *word)
{
	return text_list_add(campaign->session->arena, &part->words, word);
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
static bool has_mpi(struct session *session)
{
	const struct paradl_error before = session->error;
	const bool has = measure_find(session, "mpi") != NULL;
	session->error = before;
	return has;
}

/*
 * Returns the number of processes to ask mpirun for; 0: mpirun decides. Each process has a GPU of its own, so there
 * are at most as many as this host has GPUs, unless the program needs none, or --hostfile or --mpirun chooses hosts.
 */
static double rank_count(const struct arguments *arguments, const struct part_kind *kind)
{
	const double gpus = gpu_count();
	const bool is_here = !arguments->hostfile && !arguments->mpirun;
	if (kind->by_mpirun || !is_here)
		return arguments->ranks;
	return arguments->ranks > 0 && arguments->ranks < gpus ? arguments->ranks : gpus;
}

static bool uses_mpirun(struct session *session, const struct part_kind *kind)
{
	if (kind->by_mpirun)
		return true;
	return kind->one_each && (gpu_count() > 1 || session->arguments.hostfile) && has_mpi(session);
}

static bool add_mpirun(struct campaign *campaign, struct part *part, double ranks)
{
	const struct arguments *const arguments = &campaign->session->arguments;
	struct paradl_arena *const arena = campaign->session->arena;
	bool ok = measure_words(arena, &part->words, arguments->mpirun ? arguments->mpirun : "mpirun");
	if (ranks > 0)
		ok = ok && add_option(campaign, part, "-n", arena_printf(arena, "%.0f", ranks));
	if (arguments->hostfile)
		ok = ok && add_option(campaign, part, "--hostfile", arguments->hostfile);
	return ok;
}

static bool add_words(
	struct campaign *campaign, struct part *part, const struct part_kind *kind, const char *path)
{
	const struct arguments *const arguments = &campaign->session->arguments;
	struct paradl_arena *const arena = campaign->session->arena;
	bool ok = !uses_mpirun(campaign->session, kind) ||
		  add_mpirun(campaign, part, rank_count(arguments, kind));
	ok = ok && add_word(campaign, part, path);
	if (arguments->quick || arguments->full)
		ok = ok && add_word(campaign, part, arguments->quick ? "--quick" : "--full");
	ok = ok && add_option(campaign, part, "--seed",
			   arena_printf(arena, "%.0f", arguments->seed > 0 ? arguments->seed : 1));
	if (kind->wanted == 0)
		ok = ok && add_option(campaign, part, "--directory", arguments->storage);
	if (campaign->cases && kind->measures_cases)
		ok = ok && add_option(campaign, part, "--cases", campaign->cases);
	return ok;
}

static bool add_part(struct campaign *campaign, const struct part_kind *kind)
{
	struct session *const session = campaign->session;
	struct part *const part = &campaign->parts[campaign->part_count++];
	*part = (struct part){.name = kind->name,
		.report = {.program = kind->name},
		.memory_bytes = -1,
		.is_wanted = is_named(&session->arguments, kind)};
	const char *const path = measure_find(session, kind->name);
	if (!path && session->error.status == PARADL_NO_TOOL) {
		part_leave_out(campaign, part, "%s", session->error.message);
		session->error = (struct paradl_error){.status = PARADL_OK};
		return true;
	}
	return path && (add_words(campaign, part, kind, path) || out_of_memory(&session->error));
}

bool parts_find(struct campaign *campaign)
{
	const struct arguments *const arguments = &campaign->session->arguments;
	bool any = false;
	for (size_t i = 0; i < KIND_COUNT; i++)
		any = any || is_named(arguments, &kinds[i]);
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (any ? is_named(arguments, &kinds[i]) : kinds[i].unasked)
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
		ok = text_list_add(campaign->session->arena, &list, part->words.items[i]);
	for (size_t i = 0; ok && i < more_count; i++)
		ok = more[i] && text_list_add(campaign->session->arena, &list, more[i]);
	text_list_add(campaign->session->arena, &list, NULL); /* false for NULL, added or not */
	if (ok && list.count > 0 && !list.items[list.count - 1])
		return list.items;
	return out_of_memory_null(&campaign->session->error);
}

const char *const *part_command(struct campaign *campaign, const struct part *part, unsigned launch)
{
	struct paradl_arena *const arena = campaign->session->arena;
	const char *more[10] = {"--out", campaign->file, "--launch", arena_printf(arena, "%u", launch),
		"--cap", arena_printf(arena, "%.6g", campaign->cap_s)};
	size_t count = 6;
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

/* A function that gets each line of a list. */
typedef void listener(struct campaign *campaign, struct part *part, const char *line);

/*
 * Starts a program with `option`, which makes it print a list, and passes each line to `tell`. A program that fails
 * or is silent for too long is left out. false: interrupted, or out of memory.
 */
static bool ask(
	struct campaign *campaign, struct part *part, const char *option, const char *only, listener *tell)
{
	struct session *const session = campaign->session;
	struct measure_process process;
	const char *line;
	enum measure_event event;
	const char *const more[] = {option, "--only", only};
	const char *const *const words = with_words(campaign, part, more, only ? 3 : 1);
	if (!words)
		return false;
	if (!measure_start(&process, words, false, &session->error)) {
		part_leave_out(campaign, part, "%s", session->error.message);
		session->error = (struct paradl_error){.status = PARADL_OK};
		return true;
	}
	const double patience_s =
		session->arguments.patience_s > 0 ? session->arguments.patience_s : list_patience_s;
	const double begin_s = campaign_now_s();
	while ((event = measure_read(&process, patience_s, &line)) == MEASURE_LINE)
		tell(campaign, part, line);
	const int status = measure_end(&process, GRACE_S);
	part->start_s = campaign_now_s() - begin_s;
	if (event == MEASURE_INTERRUPTED)
		campaign->stopped = "interrupted";
	else if (event == MEASURE_SILENT)
		part_leave_out(campaign, part, "says nothing: ended after %.3g s", patience_s);
	else if (status != 0) {
		part->lacks_option = strstr(process.complaint, "run as root") != NULL;
		part_leave_out(campaign, part, "%s%s",
			*process.complaint
				? process.complaint
				: arena_printf(session->arena, "ended with status %d and no word", status),
			part->lacks_option ? " Allow it: --mpirun 'mpirun --allow-run-as-root'" : "");
	}
	return event != MEASURE_INTERRUPTED;
}

static void tell_bench(struct campaign *campaign, struct part *part, const char *line)
{
	const char *const name = arena_copy(campaign->session->arena, line, strcspn(line, " \t"));
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
	double *const least = LIST_ADD(campaign->session->arena, part->least_s, part->least_count);
	if (least)
		*least = least_s;
	part->report.points++;
	if (campaign->session->arguments.verbose && campaign->session->arguments.dry_run)
		diagnostic_print(campaign->session, "%s %.*s", part->name, (int)length, line);
}

bool parts_list(struct campaign *campaign)
{
	for (size_t i = 0; i < campaign->part_count; i++)
		if (!campaign->parts[i].is_out &&
			!ask(campaign, &campaign->parts[i], "--benches", NULL, tell_bench))
			return false;
	if (!benches_choose(campaign))
		return false;
	for (size_t i = 0; i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[i];
		const char *const only = part->is_limited ? benches_wanted(campaign, part) : NULL;
		if (!part->is_out && !ask(campaign, part, "--list", only, tell_point))
			return false;
		if (!part->is_out && !(part->report.points > 0))
			part_leave_out(campaign, part, "has nothing to measure");
	}
	return true;
}
