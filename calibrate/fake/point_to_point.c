/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between two devices by three protocols; pairs across nodes slow one another down. */
#include <stdio.h>

#include "fake.h"

extern const struct bench bench_point_to_point;

static const struct distance {
	const char *name;
	unsigned nodes;
	struct protocol protocols[PROTOCOLS];
} distances[] = {
	{"socket", 1, {{4096, 3e-7, 1 / 5e9}, {262144, 1.2e-6, 1 / 2e10}, {0, 8e-6, 1 / 4e10}}},
	{"node", 1, {{4096, 1e-6, 1 / 2.5e9}, {524288, 4e-6, 1 / 1e10}, {0, 2.5e-5, 1 / 2.5e10}}},
	{"far", 2, {{8192, 4e-6, 1 / 1.5e9}, {262144, 1.6e-5, 1 / 6e9}, {0, 6e-5, 1 / 1.25e10}}},
};
enum { DISTANCES = sizeof distances / sizeof *distances, FAR = DISTANCES - 1 };

/* How many times as long the bytes of one pair take. */
static const struct pairs {
	unsigned groups;
	double slowdown;
} pairs[] = {{2, 1.25}, {4, 2}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static const double most_bytes = 1 << 26, least_of_pairs = 1 << 20;

void truth_point_to_point(void)
{
	char name[40];
	for (unsigned i = 0; i < DISTANCES; ++i)
		protocols_tell(distances[i].name, distances[i].protocols);
	for (unsigned i = 0; i < PAIRS; ++i) {
		snprintf(name, sizeof name, "truth/far/slowdown/%u", pairs[i].groups);
		environment_add(name, "%.9g", pairs[i].slowdown);
	}
}

static void add(struct points *points, unsigned at, unsigned groups, double bytes)
{
	const struct distance *distance = &distances[at];
	char together[16] = "";
	if (groups > 1)
		snprintf(together, sizeof together, "x%u", groups);
	struct point *point = points_add(points, &bench_point_to_point, "point-to-point/%s/%ux2%s/%.0f",
		distance->name, distance->nodes, together, bytes);
	point_text(point, "library", "fake 1");
	point_text(point, "buffer", "device");
	point_number(point, "nodes", distance->nodes);
	point_number(point, "devices", 2);
	point_number(point, "bytes", bytes);
	point_number(point, "groups", groups);
	point_text(point, "distance", distance->name);
}

static void list(const struct plan *plan, struct points *points)
{
	fake_plan(plan);
	for (unsigned at = 0; at < DISTANCES; ++at)
		for (double bytes = 0; (bytes = size_next(plan, bytes, most_bytes)) > 0;)
			add(points, at, 1, bytes);
	for (unsigned i = 0; i < PAIRS; ++i)
		for (double bytes = 0; (bytes = size_next(plan, bytes, most_bytes)) > 0;)
			if (bytes >= least_of_pairs)
				add(points, FAR, pairs[i].groups, bytes);
}

static enum ready prepare(struct run *run)
{
	const double bytes = point_get(run->point, "bytes"), groups = point_get(run->point, "groups");
	const char *name = point_get_text(run->point, "distance");
	unsigned at = 0;
	while (distances[at].name[0] != name[0])
		++at;
	const struct protocol *protocols = distances[at].protocols;
	const double start_s = protocols[0].start_s;
	double seconds = protocols_s(protocols, bytes);
	for (unsigned i = 0; i < PAIRS; ++i)
		if (groups > pairs[i].groups - 0.5 && groups < pairs[i].groups + 0.5)
			seconds = start_s + pairs[i].slowdown * (seconds - start_s);
	return fake_prepare(run, seconds);
}

const struct bench bench_point_to_point = {
	.name = "point-to-point",
	.summary = "half of a round trip, by distance, of one pair and of several at once",
	.list = list,
	.prepare = prepare,
	.sample = fake_sample,
	.made_up = true,
	.release = fake_release,
};
