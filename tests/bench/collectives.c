/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long schedules take to tell and to compile: every collective, all its variants, on fat trees of 1,024 and 65,536
 * devices, and any topology given; a thousandth of the items of sparse vectors is not zero. Figures, not a test. collectives [TOPOLOGY [PER_NODE]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "network/algorithm/choice.h"

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* A listener that only counts flows. */
struct counter {
	struct schedule schedule;
	double flows;
};

static void no_phase(struct schedule *schedule, const char *name)
{
	(void)schedule;
	(void)name;
}

static void no_step(struct schedule *schedule, double repeat, unsigned ring)
{
	(void)schedule;
	(void)repeat;
	(void)ring;
}

static void one_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	((struct counter *)schedule)->flows += 1;
	(void)from;
	(void)to;
	(void)share;
}

static void no_amount(struct schedule *schedule, double amount)
{
	(void)schedule;
	(void)amount;
}

static void no_fork(struct schedule *schedule)
{
	(void)schedule;
}

static const struct schedule_listener counting = {
	.phase = no_phase,
	.step = no_step,
	.flow = one_flow,
	.all_pairs = no_amount,
	.reduce = no_amount,
	.memory = no_amount,
	.wait = no_amount,
	.fork = no_fork,
	.branch = no_fork,
	.join = no_fork,
};

struct figures {
	double variants, flows, tell_s, times_s, compile_s;
};

/* `times`: what tables and estimates are compiled by; `whole`: loads of all links besides, for what is shown in detail. */
static struct figures measure(struct compiler *times, struct compiler *whole, const struct group *group,
	const struct communicator *comm, const struct collective *collective)
{
	struct figures sum = {.variants = collective->variants(comm)};
	for (unsigned v = 0; v < collective->variants(comm); ++v) {
		struct counter counter = {.schedule.listener = &counting};
		struct compiled compiled;
		const double begin = now_s();
		collective->emit(comm, v, &counter.schedule);
		const double emitted = now_s();
		compile(times, group, comm, collective, v, 1e6, &compiled);
		const double timed = now_s();
		compile(whole, group, comm, collective, v, 1e6, &compiled);
		sum.compile_s += now_s() - timed;
		sum.times_s += timed - emitted;
		sum.tell_s += emitted - begin;
		sum.flows += counter.flows;
	}
	return sum;
}

static void print(const char *name, const struct figures *figures)
{
	printf("  %-32s %3.0f variants %10.0f flows %9.3f ms told %9.3f ms compiled %9.3f ms with all "
	       "links\n",
		name, figures->variants, figures->flows, 1e3 * figures->tell_s, 1e3 * figures->times_s,
		1e3 * figures->compile_s);
}

static void figures_add(struct figures *sum, const struct figures *term)
{
	sum->variants += term->variants;
	sum->flows += term->flows;
	sum->tell_s += term->tell_s;
	sum->times_s += term->times_s;
	sum->compile_s += term->compile_s;
}

static void topology_measure(const char *topology, unsigned per_node)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct machine_network rules = {.usable = 1, .rails.ports = 1};
	struct paradl_error error = {0};
	struct figures all = {0}, allreduces = {0};
	for (unsigned i = 0; i < LINK_KINDS; ++i)
		rules.links[i] = (struct link_class){
			.bytes_per_s = 12.5e9, .sustained_bytes_per_s = 12.5e9, .latency_s = 500e-9};
	const double begin = now_s();
	struct network *const network = arena ? network_on_paper(arena, topology, &rules, &error) : NULL;
	struct compiler *const whole = network ? compiler_create(arena, network) : NULL;
	struct compiler *const times = network ? compiler_create(arena, network) : NULL;
	if (!whole || !times || !compiler_times_only(arena, times)) {
		fprintf(stderr, "%s: %s\n", topology, error.message);
		exit(1);
	}
	const unsigned size = network->devices;
	printf("%s, %u a node: built in %.1f ms\n", topology, per_node, 1e3 * (now_s() - begin));
	network->devices_per_node = per_node;
	const struct group group = {
		.size = size, .nodes = size, .devices = size, .runs = {{1, size}}, .run_count = 1};
	struct communicator comm = communicator_of(network, &group);
	comm.density = 1e-3;
	for (unsigned c = 0; collectives[c]; ++c) {
		const struct figures figures = measure(times, whole, &group, &comm, collectives[c]);
		if (figures.variants > 0)
			print(collectives[c]->name, &figures);
		figures_add(&all, &figures);
		if (collectives[c]->operation == ALLREDUCE && !collectives[c]->sparse)
			figures_add(&allreduces, &figures);
	}
	print("all dense allreduces", &allreduces);
	print("all", &all);
	paradl_arena_free(arena);
}

/* Sizes from 1 KiB to 1 GiB out of the curve of the best allreduces. */
static void message_measure(const char *topology, unsigned per_node)
{
	enum { MESSAGES = 10000000 };
	struct paradl_arena *const arena = paradl_arena_create();
	struct machine_network rules = {.usable = 1, .rails.ports = 1};
	struct paradl_error error = {0};
	struct choice choice;
	struct curve curve;
	double bytes = 1024, sum_s = 0;
	for (unsigned i = 0; i < LINK_KINDS; ++i)
		rules.links[i] = (struct link_class){
			.bytes_per_s = 12.5e9, .sustained_bytes_per_s = 12.5e9, .latency_s = 500e-9};
	struct network *const network = arena ? network_on_paper(arena, topology, &rules, &error) : NULL;
	struct compiler *const compiler = network ? compiler_create(arena, network) : NULL;
	if (!compiler)
		exit(1);
	network->devices_per_node = per_node;
	const struct group group = {.size = network->devices,
		.devices = network->devices,
		.runs = {{1, network->devices}},
		.run_count = 1};
	const struct communicator comm = communicator_of(network, &group);
	if (!choice_create(arena, &comm, ALLREDUCE, NULL, NULL, &choice))
		exit(1);
	choice_compile(&choice, compiler, &group, &comm, 1e6);
	envelope_curve(&choice.envelope, &curve);
	const double begin = now_s();
	for (unsigned i = 0; i < MESSAGES; ++i) {
		sum_s += curve_s(&curve, bytes);
		bytes = bytes < 1073741824 ? bytes * 1.01 : 1024;
	}
	printf("one message of %u segments: %.1f ns (%.3g s in all)\n", curve.count,
		1e9 * (now_s() - begin) / MESSAGES, sum_s);
	paradl_arena_free(arena);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		topology_measure(argv[1], argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
		return 0;
	}
	topology_measure("fat-tree:32x32", 1);
	topology_measure("fat-tree:32x32", 8);
	topology_measure("fat-tree:64x32x32", 8);
	message_measure("fat-tree:32x32", 8);
	return 0;
}
