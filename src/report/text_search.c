/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_search() prints the best of all plans, and what proves that there is no better one. */
#include <string.h>

#include "report/text.h"

enum { ASKED_MOST = 64 /* numbers of GPUs that a hint asks about */ };

const char *text_samples_each(struct report_sink *sink, double batch, double devices)
{
	const double each = batch / devices;
	if (each < 1)
		return typeset(sink, "a sample for every %.3g GPUs", devices / batch);
	return typeset(sink, "%s sample%s/GPU", typeset_whole(sink, each), each > 1 ? "s" : "");
}

static const char *usual_columns(
	struct report_sink *sink, const struct report_search *report, const struct report_advice *advice)
{
	const enum paradl_goal goal = report->request->goal;
	const char *const time = text_goal_column(report, PARADL_TIME);
	const bool many = report->request->device_count > 1;
	const bool costs = goal == PARADL_COST || report->request->budget > 0;
	if (report->head->inference) {
		struct report_advice own_batch = *advice; /* each plan at its own batch, not the largest */
		own_batch.goal = PARADL_TIME;
		const char *const columns = text_inference_columns(&own_batch) + strlen("rank,");
		const bool names = report_varies_batch(report) && !strstr(columns, ",batch,");
		return typeset(sink, "rank,%s%s%s", many ? "gpus," : "", names ? "batch," : "", columns);
	}
	return typeset(sink, "rank,%sstrategy,%s,%s%sratio,phases,memory_bytes,memory_share,limited_by",
		many ? "gpus," : "", time,
		many && strcmp(time, "iteration_s") == 0 ? "batch,samples_per_s," : "",
		costs                   ? typeset(sink, "%s,", text_goal_column(report, PARADL_COST))
		: goal == PARADL_ENERGY ? "energy_joule_per_epoch,"
					: "");
}

static void print_table(struct report_sink *sink, const struct report_search *report)
{
	struct paradl_ranking ranking;
	const struct report_advice advice = report_search_advice(report, &ranking);
	struct ranking_row *const rows = arena_alloc(sink->arena, ranking.count + 1, sizeof *rows);
	sink->out_of_memory |= !rows;
	if (!rows || ranking.count == 0)
		return;
	for (size_t i = 0; i < ranking.count; i++)
		rows[i] = (struct ranking_row){.advice = &advice,
			.ranking = &ranking,
			.estimate = &ranking.results[i],
			.rank = i + 1};
	putc('\n', sink->file);
	text_ranking_table(sink, rows, ranking.count,
		report->columns ? report->columns : usual_columns(sink, report, &advice), 0);
}

/* Returns how many requests are under way at a time, where no batch is given. */
static const char *requests_text(struct report_sink *sink, const struct report_search *report)
{
	const bool varies = !(report->search->plans > 0) || report->search->varied & 1u << PARADL_VARY_BATCH;
	if (report->head->rate_per_s > 0 || (varies && report_varies_batch(report)))
		return text_batch(sink, report->head, 0);
	return report->request->per_device > 0 ? typeset(sink, "inference, batch %s for each GPU",
							 typeset_whole(sink, report->request->per_device))
					       : "inference, one request of each replica at a time";
}

static const char *describe_run(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search_request *const request = report->request;
	const struct paradl_search *const search = report->search;
	const unsigned few = request->devices[0], many = request->devices[request->device_count - 1];
	const char *const gpus = few < many ? typeset(sink, "%s to %s GPUs", typeset_whole(sink, few),
						      typeset_whole(sink, many))
					    : text_devices(sink, report->head, many);
	const char *const lengths =
		search->count > 0 ? text_inference_lengths(sink, &search->results[0]) : "";
	if (request->batch > 0 || (few == many && search->count > 0 && !report->head->inference))
		return typeset(sink, "%s, %s%s", gpus,
			text_batch(sink, report->head,
				request->batch > 0 ? request->batch : search->results[0].plan.batch),
			lengths);
	if (report->head->inference)
		return typeset(sink, "%s, %s%s", gpus, requests_text(sink, report), lengths);
	if (!search->count)
		return gpus;
	return typeset(sink, "%s, %s", gpus,
		text_samples_each(sink, search->results[0].plan.batch, search->results[0].devices));
}

static const char *margin_text(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	if (search->count < 2)
		return report->request->keep > 1 ? "no other degrees are possible" : "";
	const struct paradl_estimate *const second = &search->results[1];
	const char *const gpus =
		report->request->device_count > 1
			? typeset(sink, "%s, ", text_devices(sink, report->head, second->devices))
			: "";
	const char *const ahead =
		typeset(sink, "%.2f× over %s%s", search->margin, gpus, text_plan(sink, &second->plan));
	return text_margin(sink, report->request->goal, &search->results[0], search->equal, ahead);
}

/* Returns which settings of engines plans of the space differ in: ", chunks of the engine among them". */
static const char *settings_text(unsigned varied)
{
	const bool chunk = varied & 1u << PARADL_VARY_CHUNK, seqs = varied & 1u << PARADL_VARY_SEQS;
	return chunk && seqs ? ", chunk and seqs of the engine among them"
	       : chunk       ? ", chunks of the engine among them"
	       : seqs        ? ", seqs of the engine among them"
			     : "";
}

/* Returns which numbers of GPUs were looked at, where there are several: " on powers of two of GPUs up to 512". */
static const char *numbers_text(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search_request *const request = report->request;
	if (request->device_count < 2)
		return "";
	return report->usual_devices
		       ? typeset(sink, " on powers of two of GPUs up to %s",
				 typeset_whole(sink, request->devices[request->device_count - 1]))
		       : " on these numbers of GPUs";
}

/*
 * Returns how to ask about the whole hosts around the best of powers of two, "; --gpus 32..128+4: of whole hosts, too";
 * "" where nothing lies between.
 */
static const char *between_text(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_machine_info *const machine = &report->head->machine;
	const unsigned host = machine->devices_per_host;
	const unsigned best = report->search->count > 0 ? report->search->results[0].devices : 0;
	if (!report->usual_devices || report->request->device_count < 2 || best < 2 * host)
		return "";
	const unsigned least = (best / 2 + host - 1) / host,
		       most = (2 * best < machine->devices ? 2 * best : machine->devices) / host,
		       step = (most - least) / ASKED_MOST + 1;
	return typeset(sink, "; --gpus %u..%u+%u asks about whole hosts around %u", least * host, most * host,
		step * host, best);
}

/* Returns "12,000 plans: 300 evaluated, 9,000 cannot run, 2,700 cannot be faster than the best". */
static const char *space_text(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	const char *text = typeset(sink, "%s plan%s%s%s: %s evaluated", typeset_whole(sink, search->plans),
		search->plans > 1 || search->plans < 1 ? "s" : "", settings_text(search->varied),
		numbers_text(sink, report), typeset_whole(sink, search->evaluated));
	for (unsigned i = 0; i < PARADL_CUT_COUNT; i++)
		if (search->cut[i] > 0)
			text = typeset(sink, "%s, %s %s", text, typeset_whole(sink, search->cut[i]),
				paradl_cut_text((enum paradl_cut)i));
	return text;
}

static void print_proof(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	const char *const end = search->count == 0 ? "none is possible"
				: search->gap > 0  ? typeset(sink, "no plan is more than %s better",
							     typeset_percent(sink, search->gap))
						   : "no plan is better";
	typeset_labelled(sink, "proved",
		typeset(sink, "%s; %s%s", space_text(sink, report), end, between_text(sink, report)));
}

static void print_job(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search_request *const request = report->request;
	if (!report->job)
		return;
	text_job(sink, report->head, report->job, report->runs);
	if (request->budget > 0)
		typeset_labelled(
			sink, "budget", typeset_money(sink, request->budget, report->head->machine.currency));
}

static void print_fewest(struct report_sink *sink, const struct report_search *report)
{
	const struct report_fewest *const fewest = report->fewest;
	if (!fewest || fewest->devices == 0)
		return;
	const char *const enough = text_devices(sink, report->head, fewest->devices);
	if (fewest->below == 0)
		typeset_labelled(sink, "fewest", typeset(sink, "%s, the least that was asked about", enough));
	else if (!*fewest->closest.strategy)
		typeset_labelled(sink, "fewest",
			typeset(sink, "%s; on %s nothing can run", enough,
				text_devices(sink, report->head, fewest->below)));
	else
		typeset_labelled(sink, "fewest",
			typeset(sink, "%s; on %s %s comes closest: %s", enough,
				text_devices(sink, report->head, fewest->below), fewest->closest.strategy,
				fewest->closest.reason));
}

/* Says on how many GPUs fewer there is a plan with its optimizer states in host memory, and what it takes. */
static void print_offloaded(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_estimate *const other =
		report->fewest && report->fewest->offloaded.devices > 0 ? &report->fewest->offloaded : NULL;
	if (!other)
		return;
	const struct paradl_estimate *const best =
		report->search->count > 0 ? &report->search->results[0] : NULL;
	const char *const slower =
		best ? typeset(sink, "; a sample takes %.3g times the GPU time",
			       best->samples_per_s / best->devices / (other->samples_per_s / other->devices))
		     : "";
	typeset_labelled(sink, "offloaded",
		typeset(sink, "%s with optimizer states in host memory, %s%s (--search-over +offload)",
			text_devices(sink, report->head, other->devices), text_plan(sink, &other->plan),
			slower));
}

static void print_best(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_estimate *const best = &report->search->results[0];
	const char *const plan = text_plan(sink, &best->plan);
	const char *const placement = text_placement(sink, report->head, &best->plan);
	const char *const gpus =
		report->request->device_count > 1
			? typeset(sink, "%s, ", text_devices(sink, report->head, best->devices))
			: "";
	const char *const margin = margin_text(sink, report);
	typeset_labelled(
		sink, "best", typeset(sink, "%s%s%s%s", gpus, plan, *placement ? ": " : "", placement));
	if (*margin)
		typeset_labelled(sink, "margin", margin);
	print_proof(sink, report);
	print_fewest(sink, report);
	print_offloaded(sink, report);
	print_job(sink, report);
	text_verdict(sink, report->head, best);
	text_band(sink, report->head, best);
	typeset_labelled(sink, "details", text_details(sink, report->head, best));
}

void text_search(struct report_sink *sink, const struct report_search *report)
{
	const struct paradl_search *const search = report->search;
	text_title(sink, report->head, describe_run(sink, report));
	print_table(sink, report);
	text_front(sink, report);
	text_map(sink, report);
	if (sink->style.brief)
		return;
	if (search->count == 0)
		text_infeasible(sink, &search->closest, *search->closest.strategy != '\0', 0);
	putc('\n', sink->file);
	if (search->count > 0)
		print_best(sink, report);
	else {
		print_proof(sink, report);
		print_offloaded(sink, report);
	}
	text_assumptions(sink, report->head);
	if (search->count > 0)
		text_launch(sink, report->head, &search->results[0]);
}
