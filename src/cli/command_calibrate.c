/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command.h"

enum { LAUNCHES = 5, LAUNCHES_QUICK = 2, LAUNCHES_FULL = 5, HOST_BYTES = 256, NANOSECONDS = 1000000000 };

/* Seconds that a point may take at most: the defaults of the measuring programs' own --cap (calibrate/options.c). */
static const double cap_quick_s = 0.5, cap_usual_s = 2, cap_full_s = 5;
/* cap_least_s: in less time a sample of some calls does not end. line_bytes: few lines of samples are longer. */
static const double cap_least_s = 0.02, line_bytes = 16384;

double campaign_now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / NANOSECONDS;
}

/* Reads --time-limit in seconds, 0 without it. "20m" is minutes, as in other programs; the rest is any quantity. */
static bool parse_budget(struct session *session, double *budget_s)
{
	const char *text = session->arguments.time_limit;
	*budget_s = 0;
	if (!text)
		return true;
	const size_t length = strlen(text);
	if (length > 1 && text[length - 1] == 'm' &&
		((text[length - 2] >= '0' && text[length - 2] <= '9') || text[length - 2] == ' '))
		text = arena_printf(session->arena, "%sin", text);
	if (!text)
		return out_of_memory(&session->error);
	if (!quantity_parse(text, DIMENSION_TIME, "--time-limit", budget_s, &session->error)) {
		session->error.status = PARADL_USAGE;
		return false;
	}
	return *budget_s > 0 ||
	       session_usage(session, "--time-limit %s is no time to measure anything", text);
}

static const char *usual_file(struct session *session)
{
	char host[HOST_BYTES] = "";
	if (gethostname(host, sizeof host - 1) != 0 || !*host)
		memcpy(host, "host", sizeof "host");
	host[strcspn(host, "./")] = '\0';
	return arena_printf(session->arena, "%s-samples.jsonl", host);
}

static bool begin(struct campaign *campaign)
{
	struct session *const session = campaign->session;
	const struct arguments *const arguments = &session->arguments;
	if (session->operands.count > 0)
		return session_usage(session, "calibrate takes no '%s'; --layers-of MODEL names a network",
			session->operands.items[0]);
	if (arguments->quick && arguments->full)
		return session_usage(session, "only one of --quick and --full is possible");
	if (arguments->mpirun && !arguments->mpirun[strspn(arguments->mpirun, " \t\n")])
		return session_usage(session, "--mpirun has no words");
	campaign->cap_s = arguments->quick ? cap_quick_s : arguments->full ? cap_full_s : cap_usual_s;
	campaign->launches = arguments->quick ? LAUNCHES_QUICK : arguments->full ? LAUNCHES_FULL : LAUNCHES;
	if (arguments->launches > 0)
		campaign->launches = (unsigned)arguments->launches;
	campaign->file = arguments->samples_file ? arguments->samples_file : usual_file(session);
	if (!campaign->file)
		return out_of_memory(&session->error);
	return parse_budget(session, &campaign->budget_s);
}

double part_most_s(const struct part *part, double cap_s)
{
	/* Share of a point's time that stays for samples beyond those that cannot be left out (calibrate/repeat.c). */
	const double sampled_share = 0.25;
	double seconds = part->start_s;
	for (size_t i = 0; i < part->least_count; i++)
		seconds += fmax(cap_s, part->least_s[i] > 0 ? part->least_s[i] + sampled_share * cap_s : 0);
	return seconds;
}

static double most_s(const struct campaign *campaign, double cap_s)
{
	double seconds = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		seconds += campaign->parts[i].is_out ? 0 : part_most_s(&campaign->parts[i], cap_s);
	return seconds * campaign->launches;
}

static double points_in_all(const struct campaign *campaign)
{
	double points = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		points += campaign->parts[i].is_out ? 0 : campaign->parts[i].report.points;
	return points * campaign->launches;
}

/*
 * Lowers the time of each point so that all of them fit into --time-limit, but not below cap_least_s; points that are
 * not done when time is up are left out.
 */
static void keep_budget(struct campaign *campaign)
{
	enum { HALVINGS = 50 };
	double low = cap_least_s, high = campaign->cap_s;
	if (!(campaign->budget_s > 0) || most_s(campaign, high) <= campaign->budget_s)
		return;
	for (unsigned i = 0; i < HALVINGS; i++) {
		const double middle = (low + high) / 2;
		if (most_s(campaign, middle) > campaign->budget_s)
			high = middle;
		else
			low = middle;
	}
	campaign->cap_s = high;
}

/* Launches all programs in turn. Another one begins each launch, so that none always runs after the same other. */
static void measure(struct campaign *campaign)
{
	campaign->begin_s = campaign_now_s();
	for (unsigned launch = 0; launch < campaign->launches; launch++)
		for (size_t i = 0; i < campaign->part_count; i++) {
			struct part *const part = &campaign->parts[(i + launch) % campaign->part_count];
			if (!part->is_out && !campaign->stopped)
				launch_run(campaign, part, launch);
		}
	progress_clear(campaign);
}

static enum exit_status status_of(const struct campaign *campaign)
{
	double found = 0;
	bool failed = false;
	for (size_t i = 0; i < campaign->part_count; i++) {
		const struct part *const part = &campaign->parts[i];
		found += part->report.measured + part->report.kept;
		failed = failed || part->report.failed > 0 ||
			 (part->is_out && (part->is_wanted || part->lacks_option));
	}
	if (campaign->status != EXIT_ANSWER)
		return campaign->status;
	if (!(found > 0))
		return EXIT_NO_TOOL;
	return failed ? EXIT_NO : EXIT_ANSWER;
}

/* Returns the command as it was typed, with --resume unless it continues a file already; NULL: out of memory. */
static const char *again(struct session *session)
{
	const char *text = "paradl";
	bool resumes = false;
	for (size_t i = 0; text && i < session->argument_count; i++) {
		const char *const word = session->typed[i];
		const bool plain = *word && !word[strcspn(word, " \t\n'\"\\$`*?[](){}<>|&;~#!")];
		text = arena_printf(session->arena, plain ? "%s %s" : "%s '%s'", text, word);
		resumes = resumes || strcmp(word, "--resume") == 0 || strcmp(word, "--retry-failed") == 0;
	}
	return text && !resumes ? arena_printf(session->arena, "%s --resume", text) : text;
}

static const char *next_step(const struct campaign *campaign, enum exit_status status)
{
	struct session *const session = campaign->session;
	if (session->arguments.dry_run || status == EXIT_NO_TOOL)
		return NULL;
	if (campaign->stopped)
		return again(session);
	return arena_printf(session->arena, "paradl fit %s --into my.json", campaign->file);
}

static enum exit_status tell(struct campaign *campaign, enum exit_status status)
{
	struct session *const session = campaign->session;
	struct report_measured programs[PARTS_MAX];
	struct document document;
	const double most = most_s(campaign, campaign->cap_s), budget = campaign->budget_s;
	for (size_t i = 0; i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[i];
		programs[i] = part->report;
		if (!session->arguments.dry_run || part->is_out)
			continue;
		programs[i].launches = campaign->launches;
		programs[i].seconds = part_most_s(part, campaign->cap_s) * campaign->launches;
	}
	const struct report_calibrate report = {.file = campaign->file,
		.programs = programs,
		.count = campaign->part_count,
		.is_plan = session->arguments.dry_run,
		.launches = campaign->launches,
		.file_bytes = points_in_all(campaign) * line_bytes,
		.memory_bytes = -1,
		.dropped = &campaign->dropped,
		.lost = &campaign->lost,
		.most_s = budget > 0 && budget < most ? budget : most,
		.stopped = campaign->stopped,
		.next = next_step(campaign, status)};
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->calibrate(&document.sink, &report);
	return document_end(session, &document, status);
}

static enum exit_status run(struct session *session)
{
	struct campaign campaign = {.session = session, .descriptor = -1};
	bool ok = begin(&campaign) && (session->arguments.dry_run || samples_claim(&campaign));
	measure_catch_signals();
	ok = ok && cases_write(&campaign) && parts_find(&campaign);
	if (ok && !parts_list(&campaign) && !campaign.stopped)
		ok = false;
	if (campaign.stopped)
		campaign.status = EXIT_INTERRUPTED;
	if (ok)
		keep_budget(&campaign);
	if (ok && !session->arguments.dry_run && !campaign.stopped)
		measure(&campaign);
	samples_release(&campaign);
	if (!ok)
		return session_fail(session);
	const enum exit_status status = session->arguments.dry_run && !campaign.stopped
						? (points_in_all(&campaign) > 0 ? EXIT_ANSWER : EXIT_NO_TOOL)
						: status_of(&campaign);
	return tell(&campaign, status);
}

const struct command command_calibrate = {
	.name = "calibrate",
	.summary = "measure this machine, for 'paradl fit' to make a profile of",
	.synopsis = "[--cpu] [--mpi] [--gpu] [--storage DIR] [-o FILE] [options]",
	.details = "Without a part: all that the machine has, except storage. Every sample is kept;\n"
		   "'paradl fit FILE --into HW.json' makes a profile of them. Keep the machine quiet.",
	.usual = "cpu mpi gpu storage fake layers-of quick time-limit dry-run ranks mpirun resume output",
	.examples = {"paradl calibrate --fake -o fake.jsonl", "paradl calibrate --cpu --mpi -o here.jsonl"},
	.most_operands = 1,
	.run = run,
};
