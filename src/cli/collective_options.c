/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options about groups of devices, networks on paper and sizes of messages, which collective and export share. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/arguments_rows.h"
#include "cli/question.h"

#define COLLECTIVE(...) ROW("collective", __VA_ARGS__)

static const char *equal_name(size_t index)
{
	static const char *const names[] = {[EQUAL_PORTS] = "ports", [EQUAL_PRICE] = "price"};
	return arguments_pick(names, sizeof names / sizeof names[0], index);
}

static const struct option_row rows[] = {
	{COLLECTIVE("bytes", OPTION_TEXT, network.bytes, "SIZES"), .group = "Question",
		.help = "message sizes: 64M or 1K,1M or 1K..1G (default 1K..1G*4); 1K..1G doubles, K is 1024 "
			"as in nccl-tests"},
	{ROW("export", "bytes", OPTION_TEXT, network.bytes, "SIZE"), .group = "Question",
		.help = "message size: 100K (default 64M); K is 1024"},
	{ROW("export", "topology", OPTION_TEXT, network.topologies, "T"), .completes = "topologies",
		.group = "Question",
		.help = "a network on paper instead of --hw: torus:8x8; 'paradl list topologies'"},
	{ROW(GROUPS, "ranks", OPTION_COUNT, network.ranks, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "devices that take part (default all); with --concurrent, of each group"},
	{ROW(GROUPS, "concurrent", OPTION_COUNT, network.concurrent, "K"), .min = 1, .max = 1e9,
		.group = "Question", .help = "groups that communicate at the same time (default 1)"},
	{ROW(GROUPS, "stride", OPTION_COUNT, network.stride, "N"), .min = 1, .max = 1e9, .group = "Question",
		.help = "devices from a rank to the next; without it as many as --concurrent groups: "
			"neighbours"},
	{ROW(GROUPS, "placement", OPTION_TEXT, network.placement, "HOW"), .group = "Question",
		.help = "where ranks are: in-order (default), scattered, random:SEED; scattered deals them "
			"out to the nodes in turn, random to all devices"},
	{ROW(GROUPS, "algo", OPTION_TEXT, network.algorithms, "LIST"), .completes = "collectives",
		.group = "Question",
		.help = "only these algorithms: ring,rabenseifner; hierarchical:leaders=2, all; 'paradl list "
			"collectives'"},
	{ROW(GROUPS, "library", OPTION_TEXT, network.library, "NAME"), .group = "Question",
		.help = "only algorithms of this library: nccl, rccl, openmpi, mpich; mpi, xla, fpga; any: "
			"all algorithms"},
	{ROW(GROUPS, "density", OPTION_RATIO, network.density, "SHARE"), .max = 1, .group = "Question",
		.help = "non-zeros of a vector: sparse algorithms too; --bytes stay those of the dense one"},
	{ROW(GROUPS, "overlap", OPTION_RATIO, network.overlap, "SHARE"), .max = 1, .group = "Question",
		.help = "how much the places of the ranks' non-zeros coincide; 0 is at random"},
	{COLLECTIVE("topology", OPTION_TEXT, network.topologies, "LIST"), .completes = "topologies",
		.group = "Question",
		.help = "networks on paper instead of --hw: torus:8x8,dln:64; 'paradl list topologies'"},
	{ROW(GROUPS, "link", OPTION_TEXT, network.link, "LINK"), .group = "Assumptions",
		.help = "rate and latency of cables on paper: '12.5 GB/s,500 ns'; without it, those of the "
			"machine's ports"},
	{COLLECTIVE("equal", OPTION_CHOICE, network.equal, "WHAT"), .choice = equal_name,
		.group = "Assumptions",
		.help = "compare at equal ports (what a router's devices can send, over its cables) or "
			"price"},
	{COLLECTIVE("measured", OPTION_TEXT, measured, "FILE"), .completes = "file", .group = "Question",
		.help = "output of nccl-tests or OSU benchmarks to compare with"},
};

const struct option_table arguments_collective = {rows, sizeof rows / sizeof rows[0], NULL};

enum { TEXT_BYTES = 48 };

static const double most_bytes = 1e15, factor_least = 1.01;

static bool wrong(const char *text, struct paradl_error *error)
{
	char quoted[TEXT_BYTES];
	error_set(error, PARADL_USAGE, "--bytes: %s is not a size", error_quote(quoted, sizeof quoted, text));
	error_hint(error, "write 64K, 1e6, \"100 MB\", a list 1K,1M or a range 1K..1G (doubling), 1K..1G*4");
	return false;
}

static bool too_many(struct paradl_error *error)
{
	return error_set(error, PARADL_USAGE, "--bytes: at most %d sizes are possible", SIZES_MAX);
}

static void skip_spaces(const char **at)
{
	*at += strspn(*at, " ");
}

/* Multiplies by the power of ten of an exponent such as "e6", if there is one; "EB" would be a unit. */
static void exponent(const char **at, double *value)
{
	enum { POWER_MOST = 30 };
	unsigned power = 0;
	const char *digit = *at + 1;
	if ((**at != 'e' && **at != 'E') || *digit < '0' || *digit > '9')
		return;
	for (; *digit >= '0' && *digit <= '9'; digit++)
		if (power <= POWER_MOST)
			power = 10 * power + (unsigned)(*digit - '0');
	for (unsigned i = 0; i < power && i < POWER_MOST; i++)
		*value *= 10;
	*at = digit;
}

/* Reads digits with a fraction and an exponent; the locale's decimal point plays no part, and ".." is a range's. */
static bool number(const char **at, double *value)
{
	const char *const start = *at;
	for (*value = 0; **at >= '0' && **at <= '9'; ++*at)
		*value = 10 * *value + (**at - '0');
	if (**at == '.' && (*at)[1] >= '0' && (*at)[1] <= '9') {
		double scale = 0.1;
		for (++*at; **at >= '0' && **at <= '9'; ++*at) {
			*value += (**at - '0') * scale;
			scale /= 10;
		}
	}
	if (*at == start)
		return false;
	exponent(at, value);
	return true;
}

static bool unit(const char **at, double *factor)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {/* units with longer names first */
		{"KiB", 1024.}, {"MiB", 1048576.}, {"GiB", 1073741824.}, {"TiB", 1099511627776.}, {"kB", 1e3},
		{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"Ki", 1024.}, {"Mi", 1048576.},
		{"Gi", 1073741824.}, {"K", 1024.}, {"k", 1024.}, {"M", 1048576.}, {"m", 1048576.},
		{"G", 1073741824.}, {"g", 1073741824.}, {"T", 1099511627776.}, {"t", 1099511627776.},
		{"B", 1}};
	*factor = 1;
	skip_spaces(at);
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		const size_t length = strlen(units[i].name);
		if (strncmp(*at, units[i].name, length) != 0)
			continue;
		*at += length;
		*factor = units[i].factor;
		break;
	}
	skip_spaces(at);
	return **at == '\0' || **at == ',' || **at == '*' || strncmp(*at, "..", 2) == 0;
}

static bool size_parse(const char **at, double *bytes, struct paradl_error *error)
{
	double factor = 1;
	skip_spaces(at);
	const char *const start = *at;
	if (!number(at, bytes) || !unit(at, &factor))
		return wrong(start, error);
	*bytes *= factor;
	if (!(*bytes >= 1))
		return error_set(error, PARADL_USAGE, "--bytes: a size is at least 1 byte");
	return *bytes <= most_bytes || error_set(error, PARADL_USAGE, "--bytes: a size is at most 1000 TB");
}

bool sizes_add(struct sizes *sizes, double bytes)
{
	size_t at = sizes->count;
	while (at > 0 && sizes->bytes[at - 1] > bytes)
		at--;
	if (at > 0 && !(sizes->bytes[at - 1] < bytes))
		return true;
	if (sizes->count == SIZES_MAX)
		return false;
	memmove(sizes->bytes + at + 1, sizes->bytes + at, (sizes->count - at) * sizeof *sizes->bytes);
	sizes->bytes[at] = bytes;
	sizes->count++;
	return true;
}

/* Reads what follows "LOW", "..HIGH" or "..HIGH*FACTOR", and adds the sizes of the range. */
static bool range_parse(const char **at, double low, struct sizes *sizes, struct paradl_error *error)
{
	double high = 0, factor = 2;
	*at += 2;
	if (!size_parse(at, &high, error))
		return false;
	if (**at == '*') {
		const char *const text = ++*at;
		if (!number(at, &factor) || factor < factor_least) {
			char quoted[TEXT_BYTES];
			error_set(error, PARADL_USAGE,
				"--bytes: %s is not a factor from one size to the next",
				error_quote(quoted, sizeof quoted, text));
			error_hint(error, "write a number of at least %g after the *, as in 1K..1G*4",
				factor_least);
			return false;
		}
	}
	if (high < low)
		return error_set(
			error, PARADL_USAGE, "--bytes: a range goes from the lesser size to the greater");
	double bytes = low;
	while (bytes <= high * (1 + 1e-9)) {
		if (!sizes_add(sizes, bytes))
			return too_many(error);
		bytes *= factor;
	}
	return true;
}

bool sizes_parse(const char *text, struct sizes *sizes, struct paradl_error *error)
{
	const char *at = text;
	sizes->count = 0;
	for (;;) {
		double bytes = 0;
		const char *const start = at;
		if (!size_parse(&at, &bytes, error))
			return false;
		if (strncmp(at, "..", 2) == 0) {
			if (!range_parse(&at, bytes, sizes, error))
				return false;
		} else if (!sizes_add(sizes, bytes)) {
			return too_many(error);
		}
		if (!*at)
			return true;
		if (*at != ',')
			return wrong(start, error);
		at++;
	}
}

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
	const char *const text =
		session->arguments.network.placement ? session->arguments.network.placement : "in-order";
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
	request->ranks = (unsigned)arguments->network.ranks;
	request->concurrent = (unsigned)arguments->network.concurrent;
	request->stride = (unsigned)arguments->network.stride;
	request->density = arguments->network.density;
	request->overlap = arguments->network.overlap;
	request->algorithms = arguments->network.algorithms;
	request->library = arguments->network.library;
	if (!paradl_operation_parse(operation, &request->operation, &session->error) ||
		!read_placement(session, request))
		return false;
	if (arguments->network.density > 0 && request->operation != PARADL_ALLREDUCE)
		session_warn(session, "--density has no effect: there are no sparse algorithms for %s",
			paradl_operation_name(request->operation));
	return true;
}

bool request_link(struct session *session, struct paradl_paper *paper)
{
	const char *const text = session->arguments.network.link;
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
