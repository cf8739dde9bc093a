/* SPDX-License-Identifier: BSD-3-Clause */
/* Which groups and sizes are measured, and the samples of them. */
#include <stdlib.h>
#include <string.h>

#include "nccl_group.h"
#include "team.h"

void nccl_add_layout(struct point *point, const struct layout *layout, double bytes)
{
	point_text(point, "library", nccl_name());
	point_text(point, "buffer", "device");
	point_number(point, "nodes", layout->nodes);
	point_number(point, "devices", layout->devices);
	point_number(point, "bytes", bytes);
	point_number(point, "groups", layout->groups);
	if (layout->across)
		point_text(point, "members", "across"); /* one GPU of each node */
	point->bytes = 0;
}

void nccl_read_layout(const struct point *point, struct layout *layout)
{
	layout->nodes = (unsigned)point_get(point, "nodes");
	layout->devices = (unsigned)point_get(point, "devices");
	layout->groups = (unsigned)point_get(point, "groups");
	layout->across = point_get_text(point, "members") != NULL;
}

static void add(struct points *points, const struct bench *bench, const struct layout *layout, double bytes)
{
	bool pairs = strcmp(bench->name, "point-to-point") == 0;
	const char *distance = layout->nodes > 1 ? "far" : "node";
	char groups[24] = "", name[POINT_NAME_LENGTH];
	if (layout->groups > 1)
		snprintf(groups, sizeof groups, "x%u", layout->groups);
	snprintf(name, sizeof name, "%s%s%s/%ux%u%s%s/%.0f", bench->name, pairs ? "/" : "",
		pairs ? distance : "", layout->nodes, layout->devices, groups,
		layout->across ? "/across" : "", bytes);
	if (list_has(points, name))
		return;
	struct point *point = points_add(points, bench, "%s", name);
	nccl_add_layout(point, layout, bytes);
	if (pairs)
		point_text(point, "distance", distance);
}

/* Powers of two at most 1 GiB; whole ones of `members` floats for each, so that parts are alike. */
static void add_sizes(const struct plan *plan, struct points *points, const struct bench *bench,
	const struct layout *layout)
{
	/* Groups side by side share links: that shows in large messages. */
	int least = layout->groups > 1 ? 20 : 3, step = plan->effort == EFFORT_QUICK   ? 3
							: plan->effort == EFFORT_USUAL ? 2
										       : 1;
	for (int power = 30; power >= least; power -= step) {
		unsigned long long part = 4ull * layout->devices, bytes = 1ull << power;
		add(points, bench, layout, (double)((bytes + part - 1) / part * part));
	}
}

static void add_layouts(
	const struct plan *plan, struct points *points, const struct bench *bench, unsigned devices)
{
	unsigned per_node = team_members_per_node(), all = team_members();
	struct layout layout = {1, devices, 1, false};
	if (devices > per_node && (devices % per_node != 0 || devices > all))
		return;
	layout.nodes = devices > per_node ? devices / per_node : 1;
	add_sizes(plan, points, bench, &layout);
}

void nccl_list(const struct plan *plan, struct points *points, const struct bench *bench)
{
	unsigned per_node = team_members_per_node(), all = team_members();
	bool pairs = strcmp(bench->name, "point-to-point") == 0;
	if (all < 2 || !team.even)
		return;
	for (unsigned devices = 2; devices <= (pairs ? 2 : all); devices *= 2)
		add_layouts(plan, points, bench, devices);
	if (!pairs && (all & (all - 1)) != 0)
		add_layouts(plan, points, bench, all);
	/* The same GPU of each node, as replicas of a model that fills nodes: one such group; of pairs also several at once, which
	 * share what leaves a node. */
	for (unsigned nodes = 2; per_node > 1 && nodes <= (pairs ? 2 : team.nodes) && nodes <= team.nodes;
		nodes *= 2)
		for (unsigned groups = 1; groups <= (pairs ? per_node : 1); groups *= 2)
			add_sizes(plan, points, bench, &(struct layout){nodes, nodes, groups, true});
}

enum ready nccl_prepare(struct run *run, enum operation operation)
{
	struct nccl_group *group = NULL;
	struct layout layout;
	nccl_read_layout(run->point, &layout);
	TRY(device_usable(run));
	enum ready ready =
		nccl_group_make(run, operation, &layout, (size_t)point_get(run->point, "bytes"), &group);
	run->state = group;
	TRY(ready);
	return nccl_group_verify(run, group);
}

double nccl_sample(struct run *run, unsigned long long calls)
{
	struct nccl_group *group = run->state;
	double seconds = 0;
	/* Processes begin together; what is left of their difference is spread over the calls. */
	team_barrier();
	if (nccl_group_start(run, group) != READY)
		return -1;
	for (unsigned long long i = 0; i < calls; i++)
		if (nccl_group_enqueue(run, group) != READY)
			return -1;
	if (nccl_group_stop(run, group) != READY || nccl_group_seconds(run, group, &seconds) != READY)
		return -1;
	return point_get_text(run->point, "distance") ? seconds / 2 : seconds;
}

void nccl_release(struct run *run)
{
	struct layout layout;
	nccl_read_layout(run->point, &layout);
	nccl_group_free(run->state, &layout);
	run->state = NULL;
}
