/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SimGrid files read back: the links of every route add up to the route's start-up and hold its rate, and the messages of a
 * trace, matched in order as MPI does, are those of the algorithm. tests/simgrid/ runs the simulator itself.
 */
#include "test.h"

#include "base/arena.h"
#include "network/cost/compile.h"
#include "network/record/record.h"

struct text {
	char *bytes;
	size_t length, room;
};

static bool keep(void *context, const char *bytes, size_t length)
{
	struct text *text = context;
	if (text->length + length + 1 > text->room) {
		text->room = 2 * (text->length + length + 1);
		char *larger = realloc(text->bytes, text->room);
		assert_non_null(larger);
		text->bytes = larger;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
	return true;
}

static bool refuse(void *context, const char *bytes, size_t length)
{
	unsigned *calls = context;
	(void)bytes;
	(void)length;
	++*calls;
	return false;
}

struct fixture {
	struct paradl_arena *arena;
	struct paradl_error error;
	struct machine_network rules;
	struct network *network;
	struct group group;
	struct communicator comm;
	struct run_of run;
	struct sink sink;
	struct text text;
};

static const struct collective *algorithm(const char *name)
{
	for (size_t i = 0; collectives[i]; ++i)
		if (strcmp(collectives[i]->name, name) == 0)
			return collectives[i];
	fail_msg("there is no algorithm %s", name);
	return NULL;
}

/* `stride` groups side by side, each with every so many devices. */
static void begin(
	struct fixture *fixture, const char *topology, const char *name, unsigned stride, double bytes)
{
	*fixture = (struct fixture){.arena = paradl_arena_create()};
	fixture->rules = (struct machine_network){.usable = 1, .synchronous = true};
	for (unsigned i = 0; i < LINK_BACKPLANE; ++i)
		fixture->rules.links[i] = (struct link_class){.bytes_per_s = 1e9 * (i + 1),
			.sustained_bytes_per_s = 1e9 * (i + 1),
			.latency_s = 1e-7 * (i + 1)};
	fixture->network = network_on_paper(fixture->arena, topology, &fixture->rules, &fixture->error);
	assert_non_null(fixture->network);
	const unsigned devices = fixture->network->devices;
	fixture->group = (struct group){.size = devices / stride,
		.devices = devices,
		.runs = {{stride, devices / stride}},
		.run_count = 1};
	fixture->comm = communicator_of(fixture->network, &fixture->group);
	fixture->run = (struct run_of){&fixture->group, &fixture->comm, algorithm(name), 0, bytes};
	fixture->sink = (struct sink){.write = keep, .context = &fixture->text};
}

static void end(struct fixture *fixture)
{
	free(fixture->text.bytes);
	paradl_arena_free(fixture->arena);
}

/* ---- platforms ---------------------------------------------------------------------------------------------- */

static unsigned occurrences(const char *text, const char *what)
{
	unsigned count = 0;
	for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
		++count;
	return count;
}

struct parsed_link {
	double bytes_per_s, latency_s;
	bool shared;
};

static struct parsed_link parse_link(const char *text, const char *name)
{
	char start[96], *after;
	snprintf(start, sizeof start, "<link id=\"%s\" bandwidth=\"", name);
	const char *at = strstr(text, start);
	if (!at)
		fail_msg("no link %s", name);
	struct parsed_link link = {.bytes_per_s = strtod(at + strlen(start), &after)};
	assert_memory_equal(after, "Bps\" latency=\"", 14);
	link.latency_s = strtod(after + 14, &after);
	assert_int_equal(*after, 's');
	link.shared = strncmp(after, "s\"/>", 4) == 0;
	assert_true(link.shared || strncmp(after, "s\" sharing_policy=\"FATPIPE\"/>", 28) == 0);
	return link;
}

/* Adds up the links of the route from one device to another. */
static bool parse_route(const char *text, unsigned from, unsigned to, double *latency_s, double *bytes_per_s,
	unsigned *shared)
{
	char start[96];
	snprintf(start, sizeof start, "<route src=\"d%06u\" dst=\"d%06u\" symmetrical=\"NO\">", from, to);
	const char *at = strstr(text, start);
	if (!at)
		return false;
	assert_null(strstr(at + 1, start));
	*latency_s = 0;
	*bytes_per_s = 1e30;
	*shared = 0;
	for (at += strlen(start); strncmp(at, "<link_ctn id=\"", 14) == 0; at += 4) {
		char name[48];
		assert_int_equal(sscanf(at + 14, "%47[^\"]", name), 1);
		const struct parsed_link link = parse_link(text, name);
		*latency_s += link.latency_s;
		*bytes_per_s = fmin(*bytes_per_s, link.bytes_per_s);
		*shared += link.shared;
		at = strstr(at + 14, "\"/>");
		assert_non_null(at);
		--at;
	}
	assert_memory_equal(at, "</route>", 8);
	return true;
}

static void routes_check(struct fixture *fixture)
{
	const struct graph *graph = fixture->network->graph;
	struct path path;
	assert_true(path_create(fixture->arena, graph, &path));
	for (unsigned from = 0; from < graph->devices; ++from)
		for (unsigned to = 0; to < graph->devices; ++to) {
			double latency_s = 0, bytes_per_s = 0, slowest = 0;
			unsigned shared = 0;
			if (from == to)
				continue;
			graph_route(graph, from, to, &path);
			assert_true(parse_route(
				fixture->text.bytes, from, to, &latency_s, &bytes_per_s, &shared));
			slowest = path.flow_s_per_byte;
			for (unsigned i = 0; i < path.count; ++i)
				slowest = fmax(slowest, graph_hop(graph, path.links[i])->s_per_byte);
			assert_close(latency_s, path.latency_s + fixture->rules.message_s, 1e-9);
			assert_close(bytes_per_s, 1 / slowest, 1e-9);
			assert_int_equal(shared, path.count);
		}
}

static void platform(void **state)
{
	struct fixture fixture;
	(void)state;
	begin(&fixture, "fat-tree:3x4:up=2", "allreduce-ring", 1, 1e6);
	assert_true(export_platform(
		fixture.arena, fixture.network, "a -- title ---", NULL, &fixture.sink, &fixture.error));
	const char *const text = fixture.text.bytes;
	assert_int_equal(occurrences(text, "<host "), 12);
	assert_int_equal(occurrences(text, "<link id="), 2 * (12 + 3 * 2));
	assert_int_equal(occurrences(text, "<route "), 12 * 11);
	assert_int_equal(occurrences(text, "--"), 2); /* of the comment's own ends */
	assert_non_null(
		strstr(text, "<link id=\"port0.out\" bandwidth=\"3000000000Bps\" latency=\"3e-07s\"/>"));
	assert_non_null(strstr(text, "<prop id=\"smpi/lat-factor\" value=\"0:1\"/>"));
	assert_non_null(strstr(text, "<prop id=\"network/crosstraffic\" value=\"0\"/>"));
	routes_check(&fixture);
	end(&fixture);
}

/* Start-ups of messages, and limits of one flow, are links of the route that flows do not share. */
static void extras(void **state)
{
	struct fixture fixture;
	(void)state;
	begin(&fixture, "fat-tree:2x3", "allreduce-ring", 1, 1e6);
	struct graph *graph = graph_create(fixture.arena, fixture.rules.links, false);
	*graph = *fixture.network->graph;
	for (unsigned i = 0; i < graph->cable_count; i += 2) {
		struct link link = *graph_hop(graph, graph_link(graph, i, false));
		link.flow_s_per_byte = 1 / (1e7 * (1 + i % 4));
		assert_true(graph_set(graph, i, &link));
	}
	fixture.rules.message_s = 2e-6;
	struct network network = *fixture.network;
	network.graph = graph;
	fixture.network = &network;
	assert_true(export_platform(fixture.arena, &network, "extras", NULL, &fixture.sink, &fixture.error));
	assert_int_equal(occurrences(fixture.text.bytes, "<link id=\"route"), 3);
	routes_check(&fixture);
	end(&fixture);
}

static void half_duplex(void **state)
{
	struct fixture fixture;
	(void)state;
	begin(&fixture, "switch:3", "allreduce-ring", 1, 1e6);
	fixture.rules.half_duplex = true;
	fixture.rules.return_share = 0.05;
	fixture.rules.protocol_count = 2;
	fixture.rules.protocols[0] = (struct protocol){0, 2, 0.5};
	fixture.rules.protocols[1] = (struct protocol){65536, 1, 0.75};
	for (unsigned i = 0; i < LINK_KINDS; ++i)
		fixture.rules.links[i].sustained_bytes_per_s = fixture.rules.links[i].bytes_per_s / 2;
	fixture.network = network_on_paper(fixture.arena, "switch:3", &fixture.rules, &fixture.error);
	assert_true(
		export_platform(fixture.arena, fixture.network, "half", NULL, &fixture.sink, &fixture.error));
	const char *const text = fixture.text.bytes;
	assert_int_equal(occurrences(text, "<link id="), 3);
	assert_non_null(
		strstr(text, "src=\"d000002\" dst=\"d000000\" symmetrical=\"NO\"><link_ctn id=\"port2\"/>"
			     "<link_ctn id=\"port0\"/></route>"));
	assert_non_null(strstr(text, "<prop id=\"smpi/lat-factor\" value=\"0:2;65536:1\"/>"));
	assert_non_null(strstr(text, "<prop id=\"smpi/bw-factor\" value=\"0:1;65536:1.5\"/>"));
	assert_non_null(strstr(text, "<prop id=\"network/crosstraffic\" value=\"1\"/>"));
	fixture.rules.return_share = 0.1;
	assert_false(
		export_platform(fixture.arena, fixture.network, "half", NULL, &fixture.sink, &fixture.error));
	assert_int_equal(fixture.error.status, PARADL_USAGE);
	end(&fixture);
}

static void pairs_of_algorithm(void **state)
{
	struct fixture fixture;
	double latency_s, bytes_per_s;
	unsigned shared;
	(void)state;
	begin(&fixture, "fat-tree:3x4", "allreduce-ring", 3, 1e6);
	assert_true(export_platform(
		fixture.arena, fixture.network, "ring", &fixture.run, &fixture.sink, &fixture.error));
	assert_int_equal(occurrences(fixture.text.bytes, "<route "), 12);
	for (unsigned from = 0; from < 12; ++from)
		assert_true(parse_route(
			fixture.text.bytes, from, (from + 3) % 12, &latency_s, &bytes_per_s, &shared));
	end(&fixture);
}

/* ---- traces ---------------------------------------------------------------------------------------------------- */

enum { RANKS = 12, MESSAGES = 4096 };

struct replayed {
	double sent[RANKS], received[RANKS];
	unsigned waits[RANKS], lines;
};

/* Every receive has its send: the n-th from a to b is the n-th that b expects of a. */
static struct replayed replay(const char *text, unsigned ranks)
{
	static double sends[RANKS][RANKS][MESSAGES], receives[RANKS][RANKS][MESSAGES];
	unsigned sent[RANKS][RANKS] = {{0}}, received[RANKS][RANKS] = {{0}}, began = 0, ended = 0;
	struct replayed out = {{0}, {0}, {0}, 0};
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		unsigned rank, peer, type;
		double bytes;
		char action[16];
		++out.lines;
		assert_int_equal(sscanf(line, "%u %15s", &rank, action), 2);
		assert_true(rank < ranks);
		if (strcmp(action, "init") == 0) {
			++began;
		} else if (strcmp(action, "finalize") == 0) {
			++ended;
		} else if (strcmp(action, "waitall") == 0) {
			++out.waits[rank];
		} else {
			assert_int_equal(sscanf(line, "%*u %*s %u 0 %lf %u", &peer, &bytes, &type), 3);
			assert_true(peer < ranks && peer != rank && type == 6);
			const bool send = strcmp(action, "isend") == 0;
			assert_true(send || strcmp(action, "irecv") == 0);
			if (send)
				sends[rank][peer][sent[rank][peer]++] = bytes;
			else
				receives[peer][rank][received[peer][rank]++] = bytes;
			*(send ? &out.sent[rank] : &out.received[rank]) += bytes;
		}
	}
	assert_int_equal(began, ranks);
	assert_int_equal(ended, ranks);
	for (unsigned a = 0; a < ranks; ++a)
		for (unsigned b = 0; b < ranks; ++b) {
			assert_int_equal(sent[a][b], received[a][b]);
			for (unsigned i = 0; i < sent[a][b]; ++i)
				assert_true(fabs(sends[a][b][i] - receives[a][b][i]) <= 0);
		}
	return out;
}

static void trace(void **state)
{
	struct fixture fixture;
	(void)state;
	begin(&fixture, "fat-tree:3x4", "allreduce-ring", 3, 4e6);
	assert_true(
		export_trace(fixture.arena, fixture.network, &fixture.run, &fixture.sink, &fixture.error));
	const struct replayed replayed = replay(fixture.text.bytes, 12);
	assert_int_equal(replayed.lines, 2 * 12 + 6 * 12 * 3);
	for (unsigned rank = 0; rank < 12; ++rank) { /* 2 (P - 1) / P of the vector, P = 4 */
		assert_close(replayed.sent[rank], 6e6, 0);
		assert_close(replayed.received[rank], 6e6, 0);
		assert_int_equal(replayed.waits[rank], 6);
	}
	end(&fixture);
}

/* Combining 1/P of the vector after each of P - 1 steps, at 1e9 flop/s. */
static void combining(void **state)
{
	struct fixture fixture;
	(void)state;
	begin(&fixture, "switch:4", "allreduce-ring", 1, 4e6);
	fixture.rules.reduce_s_per_byte = 1e-9;
	assert_true(
		export_trace(fixture.arena, fixture.network, &fixture.run, &fixture.sink, &fixture.error));
	assert_int_equal(occurrences(fixture.text.bytes, "compute 1000000\n"), 3 * 4);
	end(&fixture);
}

/* ---- what cannot be written ---------------------------------------------------------------------------------------- */

static void split_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	path_add_share(graph, path, graph_link(graph, from, false), 0.5);
	path_add_share(graph, path, graph_link(graph, to, true), 0.5);
}

static void refused(void **state)
{
	struct fixture fixture;
	unsigned calls = 0;
	(void)state;
	begin(&fixture, "switch:4", "allreduce-ring", 1, 16e9);
	assert_false(
		export_trace(fixture.arena, fixture.network, &fixture.run, &fixture.sink, &fixture.error));
	assert_int_equal(fixture.error.status, PARADL_USAGE);
	assert_non_null(strstr(fixture.error.message, "2 GiB"));

	fixture.sink = (struct sink){.write = refuse, .context = &calls};
	fixture.run.bytes = 1e6;
	assert_false(
		export_trace(fixture.arena, fixture.network, &fixture.run, &fixture.sink, &fixture.error));
	assert_int_equal(fixture.error.status, PARADL_IO);
	assert_int_equal(calls, 1);

	fixture.sink = (struct sink){.write = keep, .context = &fixture.text};
	struct graph split = *fixture.network->graph;
	split.route = split_route;
	struct network network = *fixture.network;
	network.graph = &split;
	assert_false(export_platform(fixture.arena, &network, "", NULL, &fixture.sink, &fixture.error));
	assert_non_null(strstr(fixture.error.message, "one way"));
	end(&fixture);

	begin(&fixture, "switch:16385", "allreduce-ring", 1, 1e6);
	assert_false(
		export_trace(fixture.arena, fixture.network, &fixture.run, &fixture.sink, &fixture.error));
	assert_non_null(strstr(fixture.error.message, "16384"));
	assert_false(
		export_platform(fixture.arena, fixture.network, "", NULL, &fixture.sink, &fixture.error));
	assert_int_equal(fixture.error.status, PARADL_USAGE);
	end(&fixture);

	begin(&fixture, "switch:4096", "allreduce-ring", 1, 1e6);
	assert_false(
		export_trace(fixture.arena, fixture.network, &fixture.run, &fixture.sink, &fixture.error));
	assert_non_null(strstr(fixture.error.message, "million lines"));
	assert_false(
		export_platform(fixture.arena, fixture.network, "", NULL, &fixture.sink, &fixture.error));
	assert_non_null(strstr(fixture.error.message, "too large"));
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(platform),
		cmocka_unit_test(extras),
		cmocka_unit_test(half_duplex),
		cmocka_unit_test(pairs_of_algorithm),
		cmocka_unit_test(trace),
		cmocka_unit_test(combining),
		cmocka_unit_test(refused),
	};
	return cmocka_run_group_tests_name("network/export", tests, NULL, NULL);
}
