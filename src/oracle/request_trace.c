/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads requests of a trace, and takes what an oracle wants to know of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/quantity.h"
#include "oracle/inference.h"
#include "oracle/replay.h"

static const double tokens_most = 1e9, seconds_most = 1e12;

/* Reads a number from `least` to `most` in a column; false with an error. */
static bool number_read(const struct csv *csv, size_t row, const char *column, double least, double most,
	double *number, struct paradl_error *error)
{
	const char *const text = csv_cell(csv, row, column), *end = NULL;
	const bool is_negative = *text == '-';
	if (decimal_read(text + is_negative, 0, number, &end) && !*end) {
		*number = is_negative ? -*number : *number;
		if (*number >= least && *number <= most)
			return true;
	}
	return error_at(error, PARADL_SCHEMA, csv->path, csv->lines[row], 1,
		"%s is \"%.40s\", which is no number from %.15g to %.3g", column, text, least, most);
}

static bool has_column(const struct csv *csv, const char *column)
{
	for (size_t i = 0; i < csv->columns; ++i)
		if (strcmp(csv->header[i], column) == 0)
			return true;
	return false;
}

static bool row_read(const struct csv *csv, size_t row, bool timed, struct paradl_trace_request *request,
	struct paradl_error *error)
{
	if (!number_read(csv, row, "input_tokens", 1, tokens_most, &request->input_tokens, error) ||
		!number_read(csv, row, "output_tokens", 1, tokens_most, &request->output_tokens, error))
		return false;
	request->input_tokens = floor(request->input_tokens);
	request->output_tokens = floor(request->output_tokens);
	return !timed ||
	       number_read(csv, row, "arrival_s", -seconds_most, seconds_most, &request->arrives_s, error);
}

static int compare_arrivals(const void *a, const void *b)
{
	const double x = ((const struct paradl_trace_request *)a)->arrives_s,
		     y = ((const struct paradl_trace_request *)b)->arrives_s;
	return (x > y) - (x < y);
}

/* Draws times at which requests come at random (Poisson), by a generator of Knuth's. */
static void times_draw(struct paradl_trace_request *requests, size_t count, double rate_per_s)
{
	unsigned long long state = 1;
	double now_s = 0;
	for (size_t i = 0; i < count; ++i) {
		requests[i].arrives_s = now_s;
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		now_s -= log(((double)(state >> 11) + 0.5) / 9007199254740992.0) / rate_per_s;
	}
}

/* Sets an error: no rate is known of requests that come at one time, of which clients could be many or few. */
static bool at_once_refuse(const char *path, struct paradl_error *error)
{
	error_at(error, PARADL_SCHEMA, path, 0, 0, "all requests arrive at once");
	return error_hint(
		error, "without arrival_s, --batch clients send them, or --rate says when they come");
}

/* Fills the times of requests: from 0 on, and at the rate, if one is given. */
static bool times_fill(struct paradl_trace_request *requests, double rate_per_s, struct paradl_trace *trace,
	const char *path, struct paradl_error *error)
{
	const size_t count = trace->count;
	if (trace->timed) {
		qsort(requests, count, sizeof *requests, compare_arrivals);
		const double first_s = requests[0].arrives_s,
			     span_s = requests[count - 1].arrives_s - first_s;
		if (count < 2 || !(span_s > 0))
			return at_once_refuse(path, error);
		trace->rate_per_s = rate_per_s > 0 ? rate_per_s : (double)(count - 1) / span_s;
		const double stretched = (double)(count - 1) / span_s / trace->rate_per_s;
		for (size_t i = 0; i < count; ++i)
			requests[i].arrives_s = (requests[i].arrives_s - first_s) * stretched;
	} else if (rate_per_s > 0) {
		times_draw(requests, count, rate_per_s);
		trace->timed = true;
		trace->rate_per_s = rate_per_s;
	}
	return true;
}

const struct paradl_trace *paradl_trace_load(
	struct paradl_arena *arena, const char *path, double rate_per_s, struct paradl_error *error)
{
	struct csv csv;
	struct paradl_trace *const trace = arena_alloc(arena, 1, sizeof *trace);
	if (!trace)
		return out_of_memory_null(error);
	if (!csv_load(arena, path, &csv, error))
		return NULL;
	*trace = (struct paradl_trace){.count = csv.rows, .timed = has_column(&csv, "arrival_s")};
	struct paradl_trace_request *const requests = arena_alloc(arena, csv.rows + 1, sizeof *requests);
	if (!requests)
		return out_of_memory_null(error);
	if (!has_column(&csv, "input_tokens") || !has_column(&csv, "output_tokens") || !csv.rows) {
		error_at(error, PARADL_SCHEMA, path, 0, 0,
			"has no requests: rows under input_tokens and output_tokens");
		error_hint(error, "and arrival_s, if they come at known times");
		return NULL;
	}
	for (size_t i = 0; i < csv.rows; ++i) {
		requests[i] = (struct paradl_trace_request){.arrives_s = 0};
		if (!row_read(&csv, i, trace->timed, &requests[i], error))
			return NULL;
		trace->input_tokens += requests[i].input_tokens / (double)csv.rows;
		trace->output_tokens += requests[i].output_tokens / (double)csv.rows;
		trace->longest_tokens =
			fmax(trace->longest_tokens, requests[i].input_tokens + requests[i].output_tokens);
	}
	trace->requests = requests;
	return times_fill(requests, rate_per_s, trace, path, error) ? trace : NULL;
}

/* Returns whether a number is given that is not the trace's, as options of another oracle with that trace have it. */
static bool differs(double given, double own)
{
	return given > 0 && (given < own || given > own);
}

bool trace_take(struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct paradl_options *options = &oracle->options;
	const struct paradl_trace *trace = options->trace;
	if (!trace)
		return true;
	if (!options->inference || !model_generates(oracle->model))
		return error_set(error, PARADL_USAGE,
			"requests of a trace are there in inference of networks that generate text");
	const double prompt = fmax(1, floor(trace->input_tokens + 0.5)),
		     answer = fmax(1, floor(trace->output_tokens + 0.5));
	if (differs(options->prompt_tokens, prompt) || differs(options->output_tokens, answer) ||
		differs(options->rate_per_s, trace->rate_per_s) || options->requests > 0 ||
		options->spread > 0 || options->cached_prefix > 0)
		return error_set(error, PARADL_USAGE,
			"a trace says how many requests there are, how long, and when they come");
	options->prompt_tokens = prompt;
	options->output_tokens = answer;
	options->rate_per_s = trace->rate_per_s;
	oracle->replay = replay_create(oracle->arena, trace);
	return oracle->replay || out_of_memory(error);
}

double paradl_oracle_rate(const struct paradl_oracle *oracle)
{
	return oracle->options.rate_per_s;
}
