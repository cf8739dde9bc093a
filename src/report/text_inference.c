/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents about plans print their columns and figures of inference with these functions. */
#include <string.h>

#include "report/text.h"

bool text_has_readers(const struct paradl_estimate *estimates, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (estimates[i].inference.prefill)
			return true;
	return false;
}

const char *text_inference_columns(const struct report_advice *advice)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const bool is_text = ranking->count > 0 && ranking->results[0].inference.output_tokens > 0;
	const bool is_throughput = advice->goal == PARADL_THROUGHPUT;
	const bool pools = text_has_readers(ranking->results, ranking->count);
	if (is_text && advice->head->rate_per_s > 0)
		return pools ? "rank,strategy,prefill,prompts_s,first_p99_s,token_s,token_p99_s,ratio,"
			       "memory_bytes,memory_share,limited_by"
			     : "rank,strategy,prompts_s,first_p99_s,token_s,token_p99_s,most_requests_per_s,"
			       "ratio,"
			       "memory_bytes,memory_share,limited_by";
	if (is_text && !(ranking->batch > 0)) /* with latency targets */
		return pools ? "rank,strategy,prefill,batch,prompts_s,token_s,tokens_per_s_per_gpu,ratio,"
			       "cost_per_million_tokens,memory_share,limited_by"
			     : "rank,strategy,batch,prompts_s,token_s,tokens_per_s_per_gpu,ratio,memory_"
			       "bytes,"
			       "memory_share,limited_by";
	if (is_text && is_throughput)
		return "rank,strategy,largest_batch,largest_batch_tokens_per_s,ratio,prompts_s,token_s,"
		       "memory_bytes,memory_share,limited_by";
	if (is_text)
		return "rank,strategy,iteration_s,prompts_s,token_s,tokens_per_s,ratio,phases,memory_bytes,"
		       "memory_share,limited_by";
	if (is_throughput)
		return "rank,strategy,largest_batch,largest_batch_samples_per_s,ratio,iteration_s,"
		       "memory_bytes,memory_share,limited_by";
	return "rank,strategy,iteration_s,samples_per_s,ratio,phases,memory_bytes,memory_share,limited_by";
}

/* Returns "; 90 of 100 requests within 1.2 s, 99 within 1.8 s"; "" if P99 is less than 3 % above the mean. */
static const char *within_text(struct report_sink *sink, const double percentile_s[PARADL_PERCENTILE_COUNT])
{
	static const double least = 1.03;
	if (percentile_s[PARADL_P99] < least * percentile_s[PARADL_MEAN])
		return "";
	return typeset(sink, "; 90 of 100 requests within %s, 99 within %s",
		typeset_quantity(sink, percentile_s[PARADL_P90], DIMENSION_TIME),
		typeset_quantity(sink, percentile_s[PARADL_P99], DIMENSION_TIME));
}

/* Prints the settings of the engine: what the plan says, and what the program does where it says nothing. */
static void print_settings(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const char *const origin = inference->chunk_origin;
	typeset_labelled(sink, "settings",
		typeset(sink,
			"at most %s tokens of prompts in a step (chunk; %s%s), %s sequences a replica (%s)",
			typeset_whole(sink, inference->chunk_tokens),
			origin ? "serve_chunk of the framework, " : "the plan's",
			origin ? typeset_clean(sink, origin) : "", typeset_whole(sink, inference->seats),
			estimate->plan.seqs > 0 && inference->seats >= estimate->plan.seqs
				? "seqs; the plan's"
				: "seqs; what memory holds"));
}

/* Prints what is particular to a trace, and that more requests come than are answered. */
static void print_trace(
	struct report_sink *sink, const struct report_head *head, const struct paradl_inference *inference)
{
	if (inference->most_per_s > 0 && head->rate_per_s > inference->most_per_s)
		typeset_labelled(sink, "overload",
			typeset(sink,
				"%.3g requests/s come, %.3g times what it can answer: "
				"the longer they come, the longer all wait",
				head->rate_per_s, head->rate_per_s / inference->most_per_s));
	typeset_labelled(sink, "trace",
		typeset(sink, "%s requests, answered step by step: means and percentiles are theirs",
			typeset_whole(sink, inference->replayed)));
}

static void print_answers(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const bool waits = inference->wait_s > inference->prompts_s / 20;
	typeset_labelled(sink, "first token",
		typeset(sink, "after %s%s%s%s%s",
			typeset_quantity(sink, inference->prompts_s, DIMENSION_TIME),
			waits ? ", of which it waits " : "",
			waits ? typeset_quantity(sink, inference->wait_s, DIMENSION_TIME) : "",
			waits ? " for other requests" : "",
			within_text(sink, inference->first_percentile_s)));
	if (inference->token_s > 0)
		typeset_labelled(sink, "each token",
			typeset(sink, "%s, %s of the GPUs' peak%s",
				typeset_quantity(sink, inference->token_s, DIMENSION_TIME),
				typeset_percent(sink, inference->token_flop_share),
				within_text(sink, inference->token_percentile_s)));
	if (inference->prefill_devices > 0)
		typeset_labelled(sink, "prefill",
			typeset(sink, "%s: %u GPUs read prompts, %s of the time; %s later the cache is here",
				inference->prefill, inference->prefill_devices,
				typeset_percent(sink, inference->prefill_share),
				typeset_quantity(sink, inference->transfer_s, DIMENSION_TIME)));
	if (inference->most_per_s > 0)
		typeset_labelled(sink, "load",
			typeset(sink, "%.3g of %.3g requests/s that it can answer, %.3g under way",
				estimate->samples_per_s, inference->most_per_s, inference->under_way));
	if (inference->step_s > 0)
		typeset_labelled(sink, "steps",
			typeset(sink, "of %.3g sequences a replica, %s; each prompt adds %s",
				inference->sequences,
				typeset_quantity(sink, inference->step_s, DIMENSION_TIME),
				typeset_quantity(sink, inference->prompt_s, DIMENSION_TIME)));
	if (sink->style.detailed)
		print_settings(sink, estimate);
	if (inference->replayed > 0)
		print_trace(sink, head, inference);
	if (inference->preemptions > 0)
		typeset_labelled(sink, "cache full",
			typeset(sink,
				"requests wait for memory; each loses its own %.2g times, and is read "
				"again%s",
				inference->preemptions,
				inference->replayed > 0
					? ""
					: typeset(sink, "; not with seqs=%.0f", inference->seats)));
	const double each = inference->tokens_per_s / estimate->devices;
	typeset_labelled(sink, "throughput",
		typeset(sink, "%s tokens/s with prompts, %s for each GPU",
			typeset_whole(sink, inference->tokens_per_s), typeset_rate(sink, each)));
	if (inference->binds)
		typeset_labelled(sink, "binds",
			typeset(sink, "%s: %s of %s", inference->binds,
				typeset_percent(sink, inference->binds_share),
				strcmp(inference->binds, "memory") == 0 ? "the sequences that it has room for"
									: "what is promised"));
	typeset_labelled(sink, "cache",
		typeset(sink, "%s for a token",
			typeset_quantity(sink, inference->cache_bytes_per_token, DIMENSION_BYTES)));
}

void text_inference(
	struct report_sink *sink, const struct report_head *head, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const bool is_text = inference->output_tokens > 0;
	if (is_text)
		print_answers(sink, head, estimate);
	if (!(inference->largest_batch >= 1)) {
		typeset_labelled(sink, "largest", "not even one sample for each replica fits");
		return;
	}
	if (!is_text && inference->largest_batch >= PARADL_BATCH_TRIED - 1) {
		typeset_labelled(sink, "largest",
			typeset(sink, "memory limits no batch: %s samples/s",
				typeset_whole(sink, inference->largest_batch_answers_per_s)));
		return;
	}
	typeset_labelled(sink, "largest",
		typeset(sink, "batch %s fits: %s %s/s", typeset_whole(sink, inference->largest_batch),
			typeset_whole(sink, is_text ? inference->largest_batch_tokens_per_s
						    : inference->largest_batch_answers_per_s),
			is_text ? "tokens" : "samples"));
}
