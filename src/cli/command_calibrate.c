/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command.h"
#include "runner/calibrate.h"

enum { LAUNCHES = 5, LAUNCHES_QUICK = 2, LAUNCHES_FULL = 5, HOST_BYTES = 256 };

/* Seconds that a point may take at most: the defaults of the measuring programs' own --cap (calibrate/options.c). */
static const double cap_quick_s = 0.5, cap_usual_s = 2, cap_full_s = 5;
static const double line_bytes = 16384; /* few lines of samples are longer */

/* Reads --time-limit in seconds, 0 without it. "20m" is minutes, as in other programs; the rest is any quantity. */
static bool parse_limit(struct session *session, double *limit_s)
{
	const char *text = session->arguments.calibrate.time_limit;
	*limit_s = 0;
	if (!text)
		return true;
	const size_t length = strlen(text);
	if (length > 1 && text[length - 1] == 'm' &&
		((text[length - 2] >= '0' && text[length - 2] <= '9') || text[length - 2] == ' '))
		text = arena_printf(session->arena, "%sin", text);
	if (!text)
		return out_of_memory(&session->error);
	if (!quantity_parse(text, DIMENSION_TIME, "--time-limit", limit_s, &session->error)) {
		session->error.status = PARADL_USAGE;
		return false;
	}
	return *limit_s > 0 || session_usage(session, "--time-limit %s is no time to measure anything", text);
}

static const char *usual_file(struct session *session)
{
	char host[HOST_BYTES] = "";
	if (gethostname(host, sizeof host - 1) != 0 || !*host)
		memcpy(host, "host", sizeof "host");
	host[strcspn(host, "./")] = '\0';
	return arena_printf(session->arena, "%s-samples.jsonl", host);
}

static bool begin(struct session *session, struct campaign *campaign)
{
	const struct arguments *const arguments = &session->arguments;
	if (session->operands.count > 0)
		return session_usage(session, "calibrate takes no '%s'; --layers-of MODEL names a network",
			session->operands.items[0]);
	if (arguments->calibrate.quick && arguments->calibrate.full)
		return session_usage(session, "only one of --quick and --full is possible");
	if (arguments->calibrate.mpirun &&
		!arguments->calibrate.mpirun[strspn(arguments->calibrate.mpirun, " \t\n")])
		return session_usage(session, "--mpirun has no words");
	campaign->cap_s = arguments->calibrate.quick  ? cap_quick_s
			  : arguments->calibrate.full ? cap_full_s
						      : cap_usual_s;
	campaign->launches = arguments->calibrate.quick  ? LAUNCHES_QUICK
			     : arguments->calibrate.full ? LAUNCHES_FULL
							 : LAUNCHES;
	if (arguments->calibrate.launches > 0)
		campaign->launches = (unsigned)arguments->calibrate.launches;
	campaign->file =
		arguments->calibrate.samples_file ? arguments->calibrate.samples_file : usual_file(session);
	if (!campaign->file)
		return out_of_memory(&session->error);
	return parse_limit(session, &campaign->limit_s);
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
	if (campaign->end != CAMPAIGN_DONE)
		return campaign->end == CAMPAIGN_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_INTERNAL;
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

static const char *next_step(
	struct session *session, const struct campaign *campaign, enum exit_status status)
{
	if (session->arguments.calibrate.dry_run || status == EXIT_NO_TOOL)
		return NULL;
	if (campaign->stopped)
		return again(session);
	return arena_printf(session->arena, "paradl fit %s --into my.json", campaign->file);
}

/* Returns the points of the launches that were wanted for which no time was left. */
static double left_out(const struct campaign *campaign, const struct part *part)
{
	const struct report_measured *const report = &part->report;
	const double settled = report->measured + report->kept + report->failed + report->absent;
	const double wanted = part->is_out ? 0 : report->points * campaign->launches;
	return campaign->is_over && settled < wanted ? wanted - settled : 0;
}

static enum exit_status tell(struct session *session, struct campaign *campaign, enum exit_status status)
{
	struct report_measured programs[PARTS_MAX];
	struct document document;
	for (size_t i = 0; i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[i];
		programs[i] = part->report;
		programs[i].left_out = left_out(campaign, part);
		if (!session->arguments.calibrate.dry_run || part->is_out)
			continue;
		programs[i].launches = campaign->launches;
		programs[i].seconds = part_planned_s(campaign, part) * campaign->launches;
	}
	const struct report_calibrate report = {.file = campaign->file,
		.programs = programs,
		.count = campaign->part_count,
		.is_plan = session->arguments.calibrate.dry_run,
		.launches = campaign->launches,
		.file_bytes = campaign_points(campaign) * line_bytes,
		.memory_bytes = -1,
		.dropped = &campaign->dropped,
		.lost = &campaign->lost,
		.planned_s = campaign->existed ? -1 : campaign_planned_s(campaign),
		.stopped = campaign->stopped,
		.next = next_step(session, campaign, status)};
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->calibrate(&document.sink, &report);
	return document_end(session, &document, status);
}

/* Writes the file of layers to measure, if --layers-of names a network; false: the error is set. */
static bool cases_ask(struct session *session, struct campaign *campaign)
{
	const struct arguments *const arguments = &session->arguments;
	struct shard shards[SHARDS_MAX];
	size_t count;
	if (!arguments->calibrate.model &&
		(arguments->calibrate.batches.count > 0 || arguments->calibrate.shards))
		return session_usage(
			session, "--batches and --shards are of the layers of --layers-of MODEL");
	if (!arguments->calibrate.model)
		return true;
	if (!shards_parse(arguments->calibrate.shards, shards, &count, &session->error))
		return false;
	const struct paradl_model *const model = session_model(session, arguments->calibrate.model, NULL);
	return model && cases_write(campaign, model, &arguments->calibrate.batches, shards, count);
}

static enum exit_status calibrate(struct session *session, struct campaign *campaign)
{
	const bool is_plan = session->arguments.calibrate.dry_run;
	campaign->begin_s = measure_now_s();
	bool ok = begin(session, campaign) && (is_plan || samples_claim(campaign));
	measure_catch_signals();
	ok = ok && cases_ask(session, campaign) && parts_find(campaign);
	if (ok && !parts_list(campaign) && !campaign->stopped)
		ok = false;
	campaign->plan_s = measure_now_s() - campaign->begin_s;
	if (campaign->stopped)
		campaign->end = CAMPAIGN_INTERRUPTED;
	if (ok && !is_plan && !campaign->stopped)
		campaign_measure(campaign);
	samples_release(campaign);
	if (!ok)
		return session_fail(session);
	const enum exit_status status = is_plan && !campaign->stopped
						? (campaign_points(campaign) > 0 ? EXIT_ANSWER : EXIT_NO_TOOL)
						: status_of(campaign);
	return tell(session, campaign, status);
}

static enum exit_status run(struct session *session)
{
	struct arguments *const arguments = &session->arguments;
	const struct calibrate_options options = {
		.storage = arguments->calibrate.storage,
		.cpu = arguments->calibrate.cpu,
		.mpi = arguments->calibrate.mpi,
		.gpu = arguments->calibrate.gpu,
		.fake = arguments->calibrate.fake,
		.only = arguments->calibrate.only,
		.hostfile = arguments->calibrate.hostfile,
		.mpirun = arguments->calibrate.mpirun,
		.ranks = arguments->calibrate.ranks,
		.seed = arguments->calibrate.seed,
		.patience_s = arguments->calibrate.patience_s,
		.quick = arguments->calibrate.quick,
		.full = arguments->calibrate.full,
		.dry_run = arguments->calibrate.dry_run,
		.resume = arguments->calibrate.resume,
		.retry_failed = arguments->calibrate.retry_failed,
	};
	struct runner runner = program_runner(session);
	struct campaign campaign = {.runner = &runner, .options = &options, .descriptor = -1};
	return calibrate(session, &campaign);
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
