/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/request.h"

#include <string.h>

#include "base/error.h"

/* Reads the seed of "random:7", of at most 9 digits; false: there is none. Plain "random" has seed 0. */
static bool read_seed(const char *text, unsigned *seed)
{
	static const char name[] = "random:";
	enum { DIGITS_MOST = 9 };
	if (strncmp(text, name, strlen(name)) != 0)
		return false;
	const char *const digits = text + strlen(name);
	const size_t count = strspn(digits, "0123456789");
	for (size_t i = 0; i < count && i < DIGITS_MOST; i++)
		*seed = 10 * *seed + (unsigned)(digits[i] - '0');
	return count > 0 && count <= DIGITS_MOST && digits[count] == '\0';
}

static bool read_placement(struct session *session, struct paradl_collective_request *request)
{
	const char *const text = session->arguments.placement ? session->arguments.placement : "in-order";
	if (strcmp(text, "in-order") == 0)
		return true;
	request->placement = strcmp(text, "scattered") == 0 ? PARADL_SCATTERED : PARADL_RANDOM;
	if (request->placement == PARADL_SCATTERED)
		return true;
	if (strcmp(text, "random") != 0 && !read_seed(text, &request->seed)) {
		session_usage(session, "--placement %s is not one", text);
		error_hint(&session->error, "in-order, scattered and random:SEED are possible");
		return false;
	}
	return true;
}

bool request_read(struct session *session, const char *operation, struct paradl_collective_request *request)
{
	const struct arguments *const arguments = &session->arguments;
	request->ranks = (unsigned)arguments->ranks;
	request->concurrent = (unsigned)arguments->concurrent;
	request->stride = (unsigned)arguments->stride;
	request->density = arguments->density;
	request->overlap = arguments->overlap;
	request->algorithms = arguments->algorithms;
	request->library = arguments->library;
	if (!paradl_operation_parse(operation, &request->operation, &session->error) ||
		!read_placement(session, request))
		return false;
	if (arguments->density > 0 && request->operation != PARADL_ALLREDUCE)
		session_warn(session, "--density has no effect: there are no sparse algorithms for %s",
			paradl_operation_name(request->operation));
	return true;
}

bool request_link(struct session *session, struct paradl_paper *paper)
{
	const char *const text = session->arguments.link;
	if (!text)
		return true;
	const char *const comma = strchr(text, ',');
	const char *const rate = comma ? arena_copy(session->arena, text, (size_t)(comma - text)) : text;
	if (!rate)
		return out_of_memory(&session->error);
	const char *const latency = comma ? comma + 1 + strspn(comma + 1, " ") : "";
	if ((!*rate || quantity_parse(rate, DIMENSION_BYTES_PER_S, "the rate of --link",
			       &paper->cable_bytes_per_s, &session->error)) &&
		(!*latency || quantity_parse(latency, DIMENSION_TIME, "the latency of --link",
				      &paper->cable_latency_s, &session->error)))
		return true;
	session->error.status = PARADL_USAGE;
	return false;
}
