/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "cli/measure.h"
#include "cli/progress.h"
#include "cli/validate_run.h"

static const double patience_s = 300, grace_s = 5; /* silence that ends a launch; its time to end */
enum { SIGNALLED = 128 };

static const char *const phase_names[RUN_PHASES] = {
	[RUN_TOTAL] = "total", [RUN_COMPUTE] = "compute", [RUN_COMMUNICATION] = "communication"};

static bool words_of(struct session *session, const struct run_campaign *campaign,
	const struct run_plan *plan, unsigned number, struct text_list *words)
{
	struct paradl_arena *const arena = session->arena;
	const struct arguments *const arguments = &session->arguments;
	const char *const ranks = arena_printf(arena, "-n %u", plan->ranks);
	const char *const rest = arena_printf(arena, "--launch %u --seed %u%s --only step --cases", number,
		number, arguments->run_quick ? " --quick" : "");
	const bool fine = ranks && rest && measure_words(arena, words, arguments->run_mpirun) &&
			  measure_words(arena, words, ranks) &&
			  text_list_add(arena, words, campaign->program) &&
			  measure_words(arena, words, rest) && text_list_add(arena, words, plan->cases) &&
			  text_list_add(arena, words, "--out") &&
			  text_list_add(arena, words, campaign->samples) && text_list_add(arena, words, "");
	if (fine)
		words->items[words->count - 1] = NULL; /* the end of the list */
	return fine;
}

/* Returns the phase of a point such as "step/filter=2/32/compute"; RUN_PHASES: none. */
static enum run_phase phase_of(const char *point)
{
	const char *const slash = strrchr(point, '/');
	unsigned phase = 0;
	while (slash && phase < RUN_PHASES && strcmp(phase_names[phase], slash + 1) != 0)
		phase++;
	return slash ? (enum run_phase)phase : RUN_PHASES;
}

struct heard {
	double seconds[RUN_PHASES]; /* seconds of each phase; negative: not measured */
	const char *trouble;
};

static void hear(struct session *session, const char *line, struct heard *heard)
{
	struct measure_said said;
	measure_parse(line, &said);
	const enum run_phase phase = phase_of(said.point);
	if (said.word == MEASURE_POINT_DONE && phase < RUN_PHASES)
		heard->seconds[phase] = said.seconds;
	if (said.word == MEASURE_POINT_ABSENT || said.word == MEASURE_POINT_FAILED)
		heard->trouble = arena_text(session->arena, said.reason);
}

/* Hears the lines of a launch until it has ended, falls silent or is interrupted. */
static enum measure_event listen(
	struct session *session, struct measure_process *process, struct heard *heard)
{
	for (;;) {
		const char *line;
		const enum measure_event event = measure_read(process, patience_s, &line);
		if (event != MEASURE_LINE)
			return event;
		hear(session, line, heard);
	}
}

static void keep(struct run_plan *plan, const struct heard *heard)
{
	if (heard->trouble || heard->seconds[RUN_TOTAL] < 0) {
		plan->trouble = heard->trouble ? heard->trouble : "it said nothing";
		return;
	}
	for (unsigned i = 0; i < RUN_PHASES; i++)
		plan->seconds[i][plan->launches] = heard->seconds[i];
	plan->launches++;
}

/* Returns why a launch failed: its status and last complaint. Open MPI ends what it says with a line of dashes. */
static const char *trouble_of(struct session *session, const struct text_list *words,
	const struct measure_process *process, int status)
{
	const bool says = process->complaint[strspn(process->complaint, "-")] != '\0';
	return arena_printf(session->arena, "%s ended with status %d%s%s", words->items[0], status,
		says ? ": " : "", says ? process->complaint : "");
}

static enum exit_status launch(
	struct session *session, const struct run_campaign *campaign, struct run_plan *plan, unsigned number)
{
	struct measure_process process;
	struct text_list words = {.count = 0};
	struct heard heard = {.seconds = {-1, -1, -1}};
	if (!words_of(session, campaign, plan, number, &words)) {
		out_of_memory(&session->error);
		return EXIT_INTERNAL;
	}
	if (session->arguments.verbose)
		diagnostic_print(session, "paradl: launch %u: %s", number + 1, plan->strategy);
	if (!measure_start(&process, words.items, session->arguments.verbose, &session->error)) {
		error_hint(&session->error, "install Open MPI (openmpi-bin), or name another launcher with "
					    "--mpirun");
		return EXIT_NO_TOOL;
	}
	const enum measure_event event = listen(session, &process, &heard);
	const int status = measure_end(&process, grace_s);
	if (event == MEASURE_INTERRUPTED)
		return (enum exit_status)(SIGNALLED + measure_caught());
	if (event == MEASURE_SILENT)
		heard.trouble = "nothing was heard of it for five minutes";
	else if (!heard.trouble && status != 0)
		heard.trouble = trouble_of(session, &words, &process, status);
	keep(plan, &heard);
	return EXIT_ANSWER;
}

/* Shuffles the order, the same every time for a seed (SplitMix64), so that a campaign can be repeated. */
static void shuffle(size_t *order, size_t count, uint64_t seed)
{
	for (size_t left = count; left > 1; left--) {
		uint64_t z = seed += 0x9e3779b97f4a7c15ULL;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
		const size_t i = (size_t)((z ^ (z >> 31)) % left), swap = order[i];
		order[i] = order[left - 1];
		order[left - 1] = swap;
	}
}

enum exit_status run_launches(struct session *session, struct run_campaign *campaign)
{
	struct progress progress = progress_begin(session);
	enum exit_status status = EXIT_ANSWER;
	const size_t count = campaign->plan_count;
	const double all = (double)(count * campaign->launches);
	unsigned number = 0;
	measure_catch_signals();
	for (unsigned turn = 0; status == EXIT_ANSWER && turn < campaign->launches; turn++) {
		size_t order[RUN_PLANS_MAX];
		for (size_t i = 0; i < count; i++)
			order[i] = i;
		shuffle(order, count, turn + 1);
		for (size_t i = 0; status == EXIT_ANSWER && i < count; i++) {
			progress_plans(&progress, number, all);
			status = launch(session, campaign, &campaign->plans[order[i]], number++);
		}
	}
	progress_end(&progress);
	return status;
}
