/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers validate --run: which plans of which network are run here, and what becomes of their files. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/names.h"
#include "cli/command.h"
#include "runner/measure.h"
#include "runner/steps.h"

/* Most micro-batches of a pipeline, which has the largest number up to this that divides the batch. */
enum { MICRO_BATCHES = 4 };

static const char *const axes[] = {"data", "spatial", "filter", "channel", "pipeline"};
enum { AXES = sizeof axes / sizeof axes[0] };

static bool axes_read(struct session *session, bool wanted[AXES])
{
	const char *text = session->arguments.strategies;
	for (size_t i = 0; i < AXES; i++)
		wanted[i] = text == NULL;
	while (text) {
		const size_t length = strcspn(text, ",");
		const char *const name = arena_copy(session->arena, text, length);
		size_t i = 0;
		if (!name)
			return out_of_memory(&session->error);
		while (i < AXES && strcmp(axes[i], name) != 0)
			i++;
		if (i == AXES) {
			char quoted[64];
			session_usage(session, "--strategies: %s is not run here",
				error_quote(quoted, sizeof quoted, name));
			error_hint(&session->error, "one axis at a time is: data, spatial, filter, channel, "
						    "pipeline");
			return false;
		}
		wanted[i] = true;
		text = text[length] == ',' ? text + length + 1 : NULL;
	}
	return true;
}

static double micro_samples(double batch)
{
	double count = MICRO_BATCHES;
	while (count > 1 && batch / count > (double)(long long)(batch / count))
		count--;
	return batch / count;
}

static bool plan_add(struct session *session, struct run_campaign *campaign, const char *axis, unsigned ranks)
{
	struct paradl_arena *const arena = session->arena;
	if (campaign->plan_count == RUN_PLANS_MAX)
		return session_usage(session, "more than %d plans", RUN_PLANS_MAX);
	struct run_plan *const plan = &campaign->plans[campaign->plan_count++];
	*plan = (struct run_plan){.ranks = ranks};
	plan->strategy = strcmp(axis, "pipeline") == 0 ? arena_printf(arena, "pipeline=%u,micro=%.0f", ranks,
								 micro_samples(campaign->batch))
						       : arena_printf(arena, "%s=%u", axis, ranks);
	for (unsigned i = 0; i < RUN_PHASES; i++) {
		plan->seconds[i] = arena_alloc(arena, campaign->launches, sizeof(double));
		if (!plan->seconds[i])
			return out_of_memory(&session->error);
	}
	return plan->strategy || out_of_memory(&session->error);
}

/* Adds the only plan of a program that runs on one device; false: error is set. */
static bool plan_alone(struct session *session, struct run_campaign *campaign)
{
	const struct option_counts *const counts = &session->arguments.run.ranks;
	if (session->arguments.strategies || counts->count > 1 ||
		(counts->count == 1 && counts->values[0] > 1)) {
		session_usage(session, "%s is run on one device", campaign->framework);
		error_hint(&session->error, "leave out --ranks and --strategies");
		return false;
	}
	return plan_add(session, campaign, "data", 1);
}

/* Adds the plans: one axis at a time, for each number of ranks; false: error is set. */
static bool plans_list(struct session *session, struct run_campaign *campaign)
{
	static const struct option_counts usual = {.count = 2, .values = {1, 2}};
	const struct option_counts *const asked = &session->arguments.run.ranks, *const counts =
											 asked->count > 0
												 ? asked
												 : &usual;
	bool wanted[AXES];
	if (!campaign->mpirun)
		return plan_alone(session, campaign);
	if (!axes_read(session, wanted))
		return false;
	for (size_t i = 0; i < counts->count; i++) {
		const unsigned ranks = (unsigned)counts->values[i];
		if (ranks == 1 && !plan_add(session, campaign, "data", 1))
			return false;
		for (size_t axis = 0; ranks > 1 && axis < AXES; axis++)
			if (wanted[axis] && !plan_add(session, campaign, axes[axis], ranks))
				return false;
	}
	return true;
}

static const double batch_usual = 32;

/* Returns a name for rows: a shipped name stays; a path is made whole, since rows name paths from where their file is. */
static const char *row_name(struct session *session, const char *name, const char *path)
{
	if (!strchr(name, '/') && strcmp(name, path) != 0)
		return name;
	char *const whole = realpath(path, NULL);
	const char *const kept = arena_text(session->arena, whole ? whole : path);
	free(whole);
	return kept;
}

static bool optimizer_known(struct session *session, const struct paradl_model_info *info)
{
	if (strcmp(info->optimizer, "sgd") == 0 || strcmp(info->optimizer, "sgd-momentum") == 0)
		return true;
	session_usage(session, "%s is trained with %s, which is not run here", info->name, info->optimizer);
	error_hint(&session->error, "sgd and sgd-momentum are");
	return false;
}

/* Returns whether what is given suits the program that runs; false: error is set. */
static bool options_suit(struct session *session, bool torch)
{
	const struct arguments *const arguments = &session->arguments;
	if (!arguments->hw)
		return session_missing(session, "validate --run needs --hw HW: the profile of this machine, "
						"which 'paradl fit' makes");
	if (!torch && (arguments->precision >= 0 || arguments->seq > 0)) {
		session_usage(session, "%s is of steps of PyTorch: others are run in fp32, of images",
			arguments->seq > 0 ? "--seq" : "--precision");
		error_hint(&session->error, "--framework pytorch-nhwc, pytorch-nchw or pytorch-compile");
		return false;
	}
	if (!torch && !arguments->run.mpirun[strspn(arguments->run.mpirun, " \t\n")])
		return session_usage(session, "--mpirun names no program");
	return true;
}

/* Fills what the campaign takes from the question and from the model's own habits. */
static void campaign_fill(
	struct session *session, struct run_campaign *campaign, const struct paradl_model_info *info)
{
	const struct arguments *const arguments = &session->arguments;
	const bool torch = campaign->steps;
	const enum paradl_precision precision = !torch ? PARADL_FP32
						: arguments->precision >= 0
							? (enum paradl_precision)arguments->precision
							: info->precision;
	campaign->batch = arguments->batch > 0      ? arguments->batch
			  : info->batch_per_gpu > 0 ? info->batch_per_gpu
						    : batch_usual;
	campaign->optimizer = info->optimizer;
	campaign->precision = paradl_precision_name(precision);
	campaign->tokens = (unsigned)arguments->seq;
	campaign->launches = (unsigned)arguments->run.launches;
	campaign->mpirun = torch ? NULL : arguments->run.mpirun;
	campaign->quick = arguments->run.quick;
}

/* Finds the steps of --framework, which paradl-measure-step-torch runs; without any they are paradl-measure-step's. */
static bool framework_read(struct session *session, struct run_campaign *campaign)
{
	const char *const name = session->arguments.framework;
	campaign->framework = "";
	if (!name)
		return true;
	const struct paradl_framework *const framework = question_framework(session, name, NULL);
	if (!framework)
		return false;
	campaign->steps = paradl_framework_info(framework).steps;
	if (campaign->steps)
		campaign->framework = row_name(session, name, paradl_framework_info(framework).path);
	return campaign->framework || out_of_memory(&session->error);
}

static bool question_read(
	struct session *session, struct runner *runner, struct run_campaign *campaign, const char **network)
{
	const struct arguments *const arguments = &session->arguments;
	const char *const name = session->operands.count ? session->operands.items[0] : "tiny-cnn";
	if (!framework_read(session, campaign) || !options_suit(session, campaign->steps))
		return false;
	const char *const path = shipped_find(session, SHIPPED_MODELS, name);
	const char *const hw_path = path ? shipped_find(session, SHIPPED_HW, arguments->hw) : NULL;
	const struct paradl_model *const model =
		hw_path ? paradl_model_load(
				  session->arena, &(struct paradl_source){.path = path}, &session->error)
			: NULL;
	if (!model || !paradl_machine_load(
			      session->arena, &(struct paradl_source){.path = hw_path}, &session->error))
		return false;
	const struct paradl_model_info info = paradl_model_info(model);
	campaign_fill(session, campaign, &info);
	campaign->model = row_name(session, name, path);
	campaign->hw = row_name(session, arguments->hw, hw_path);
	*network = "";
	if (!campaign->steps)
		*network = optimizer_known(session, &info) ? run_network_text(runner, model) : NULL;
	campaign->model_path = arena_text(session->arena, path);
	if (!campaign->model || !campaign->hw || !campaign->model_path)
		return out_of_memory(&session->error);
	return *network && plans_list(session, campaign);
}

static bool folder_make(struct session *session, struct run_campaign *campaign)
{
	char folder[] = "/tmp/paradl-run-XXXXXX";
	if (!mkdtemp(folder))
		return error_set(
			&session->error, PARADL_IO, "no folder for scratch files can be made in /tmp");
	campaign->folder = arena_text(session->arena, folder);
	if (!campaign->folder)
		return out_of_memory(&session->error);
	campaign->samples = session->arguments.run.samples
				    ? session->arguments.run.samples
				    : arena_printf(session->arena, "%s/samples.jsonl", folder);
	campaign->csv = session->arguments.measured ? session->arguments.measured
						    : arena_printf(session->arena, "%s/measured.csv", folder);
	return (campaign->samples && campaign->csv) || out_of_memory(&session->error);
}

/* Writes the line of a plan; the model is last, since its path may have blanks. */
static void plan_write(FILE *file, const struct run_campaign *campaign, const struct run_plan *plan)
{
	const char *const slash = strrchr(campaign->model, '/');
	fprintf(file, "plan strategy=%s batch=%.0f optimizer=%s", plan->strategy, campaign->batch,
		campaign->optimizer);
	if (!campaign->mpirun) {
		fprintf(file, " precision=%s framework=%s", campaign->precision, campaign->steps);
		if (campaign->tokens > 0)
			fprintf(file, " seq=%u", campaign->tokens);
	}
	fprintf(file, " model=%s\n",
		!campaign->mpirun ? campaign->model_path
		: slash           ? slash + 1
				  : campaign->model);
}

static bool cases_write(struct session *session, struct run_campaign *campaign, const char *network)
{
	for (size_t i = 0; i < campaign->plan_count; i++) {
		struct run_plan *const plan = &campaign->plans[i];
		struct file_output output;
		plan->cases = arena_printf(session->arena, "%s/%zu.cases", campaign->folder, i);
		if (!plan->cases)
			return out_of_memory(&session->error);
		if (!file_create(&output, plan->cases, &session->error))
			return false;
		plan_write(output.file, campaign, plan);
		fputs(network, output.file);
		if (!file_commit(&output, &session->error))
			return false;
	}
	return true;
}

/* Refuses a samples file that exists: its samples would be taken for launches of this campaign that have ended. */
static bool samples_new(struct session *session)
{
	const char *const path = session->arguments.run.samples;
	if (!path || access(path, F_OK) != 0)
		return true;
	session_usage(session, "--samples-file %s: there is such a file", path);
	error_hint(&session->error, "name another, or remove it");
	return false;
}

/* Reports whether any plan could be run; warns of plans with launches that failed, with the reason. */
static bool any_launched(struct session *session, const struct run_campaign *campaign)
{
	const struct run_plan *failed = NULL;
	size_t run = 0;
	for (size_t i = 0; i < campaign->plan_count; i++) {
		const struct run_plan *const plan = &campaign->plans[i];
		run += plan->launches > 0;
		if (!plan->trouble)
			continue;
		failed = plan;
		session_warn(session, "%s: %u of %u launches were measured: %s", plan->strategy,
			plan->launches, campaign->launches, plan->trouble);
	}
	if (run > 0)
		return true;
	error_set(&session->error, PARADL_INFEASIBLE, "no plan could be run: %s",
		failed ? failed->trouble : "there is none");
	error_hint(&session->error, "-v shows what the launcher says%s",
		geteuid() == 0 && campaign->mpirun
			? "; Open MPI does not run for root without --mpirun 'mpirun "
			  "--allow-run-as-root'"
			: "");
	return false;
}

/* Repeats once the warning of the program that stands in the first lines of launches. */
static void warnings_repeat(struct session *session, const struct run_campaign *campaign)
{
	static const char key[] = "\"warning\":\"";
	char *line = NULL;
	size_t room = 0;
	FILE *const file = fopen(campaign->samples, "r");
	bool said = false;
	while (file && !said && getline(&line, &room, file) > 0) {
		const char *const found = strstr(line, "\"format\":") ? strstr(line, key) : NULL;
		if (!found)
			continue;
		const char *const text = found + strlen(key);
		session_warn(session, "%.*s; the profile must be from a calibration with the same setting",
			(int)strcspn(text, "\""), text);
		said = true;
	}
	free(line);
	if (file)
		fclose(file);
}

/* Runs all launches, and shows how many are done. Returns EXIT_ANSWER, or the status to exit with. */
static enum exit_status launch_all(
	struct session *session, struct runner *runner, struct run_campaign *campaign)
{
	enum { SIGNALLED = 128 };
	struct progress progress = progress_begin(session);
	int caught;
	campaign->progress = progress_plans;
	campaign->progress_context = &progress;
	const bool ok = run_launches(runner, campaign, &caught);
	campaign->progress_context = NULL;
	progress_end(&progress);
	if (!ok)
		return session_fail(session);
	return caught ? (enum exit_status)(SIGNALLED + caught) : EXIT_ANSWER;
}

/*
 * Measures the plans, and names the file of measurements in arguments.measured. Returns EXIT_ANSWER, or the status to
 * exit with.
 */
static enum exit_status run_measure(
	struct session *session, struct run_campaign *campaign, struct report_runs *runs)
{
	struct runner runner = program_runner(session);
	const char *network = NULL;
	*campaign = (struct run_campaign){.plan_count = 0};
	if (!samples_new(session) || !question_read(session, &runner, campaign, &network))
		return session_fail(session);
	campaign->program = measure_find(&runner, campaign->mpirun ? "step" : "step-torch");
	if (!campaign->program || !folder_make(session, campaign) || !cases_write(session, campaign, network))
		return session_fail(session);
	const enum exit_status status = launch_all(session, &runner, campaign);
	if (status != EXIT_ANSWER)
		return status;
	if (!any_launched(session, campaign) || !run_rows_write(&runner, campaign) ||
		!run_spread(&runner, campaign, runs))
		return session_fail(session);
	warnings_repeat(session, campaign);
	session->arguments.measured = campaign->csv;
	if (!session->arguments.framework)
		session->arguments.framework = "mpi-step";
	return EXIT_ANSWER;
}

/* Removes the files that are not to be kept. */
static void run_finish(const struct run_campaign *campaign)
{
	if (!campaign->folder)
		return;
	for (size_t i = 0; i < campaign->plan_count; i++)
		if (campaign->plans[i].cases)
			unlink(campaign->plans[i].cases);
	if (strncmp(campaign->samples, campaign->folder, strlen(campaign->folder)) == 0)
		unlink(campaign->samples);
	if (strncmp(campaign->csv, campaign->folder, strlen(campaign->folder)) == 0)
		unlink(campaign->csv);
	rmdir(campaign->folder);
}

enum exit_status validate_measure(struct session *session)
{
	struct run_campaign campaign;
	struct report_runs runs;
	enum exit_status status = run_measure(session, &campaign, &runs);
	if (status == EXIT_ANSWER)
		status = validate_compare(session, &runs);
	run_finish(&campaign);
	return status;
}
