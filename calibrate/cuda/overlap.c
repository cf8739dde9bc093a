/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much products and an allreduce slow each other down when they run at the same time: each alone and each while the
 * other is kept going, so that the ratio comes from one run. The product is one of a block's, in bf16, or in fp16 on devices
 * without.
 */
#include <stdlib.h>
#include <string.h>

#include "matmul.h"
#include "nccl_group.h"
#include "team.h"

enum { SIDE = 8192 };

struct state {
	struct matmul matmul;
	struct rotation rotation;
	size_t at_b, at_d;
	struct nccl_group *group;
	bool compute, alone;
	double product_s, exchange_s;
};

static void list(const struct plan *plan, struct points *points)
{
	static const char *const kinds[] = {"compute-alone", "compute", "exchange-alone", "exchange"};
	unsigned devices = team_members_per_node();
	/* Products of several GPUs at once need a process for each. */
	if (devices < 2 || !team.even || !team.processes)
		return;
	for (int power = 28; power >= (plan->effort == EFFORT_QUICK ? 28 : 22); power -= 3)
		for (size_t i = 0; i < 4; i++) {
			double part = 4.0 * devices, bytes = (double)(1u << power);
			bytes = (double)((unsigned long long)(bytes / part)) * part;
			struct layout layout = {1, devices, 1, false};
			struct point *point = points_add(
				points, &bench_overlap, "overlap/%s/1x%u/%.0f", kinds[i], devices, bytes);
			nccl_add_layout(point, &layout, bytes);
			point_text(point, "kind", kinds[i]);
			point_number(point, "m", SIDE);
			point_number(point, "n", SIDE);
			point_number(point, "k", SIDE);
		}
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	return matmul_enqueue(run, &s->matmul, rotation_at(&s->rotation, index, 0),
		rotation_at(&s->rotation, index, s->at_b), rotation_at(&s->rotation, index, s->at_d));
}

static enum ready make_product(struct run *run, struct state *s)
{
	struct algorithms algorithms;
	struct product product = {.precision = precision_find(device.major >= 8 ? "bf16" : "fp16"),
		.m = SIDE,
		.n = SIDE,
		.k = SIDE,
		.count = 1,
		.transpose_a = true};
	TRY(matmul_library(run, product.precision));
	s->at_b = aligned(product_bytes_a(&product));
	s->at_d = s->at_b + aligned(product_bytes_b(&product));
	TRY(matmul_make(run, &s->matmul, &product, &algorithms));
	TRY(rotation_allocate(run, &s->rotation, s->at_d + product_bytes_d(&product)));
	for (unsigned i = 0; i < s->rotation.copies; i++)
		TRY(CUDA(run, kernel_fill_normal(product.precision->item, rotation_at(&s->rotation, i, 0),
				      s->at_d / product.precision->bytes, i + 1, device.stream)));
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

/* `others` of the other kind are in the queue before, so many that they outlast the `calls` that are timed. */
static double together(struct run *run, unsigned long long calls)
{
	struct state *s = run->state;
	double mine_s = s->compute ? s->product_s : s->exchange_s,
	       other_s = s->compute ? s->exchange_s : s->product_s;
	unsigned long long others = s->alone ? 0
					     : (unsigned long long)(2 * mine_s * (double)calls / other_s) + 2,
			   products = s->compute ? calls : others, exchanges = s->compute ? others : calls;
	float milliseconds = 0;
	double exchange_s = 0;
	enum ready ready = nccl_group_start(run, s->group);
	if (ready == READY)
		ready = CUDA(run, cudaEventRecord(device.begin, device.stream));
	/* In turns, so that neither queue is full while the other one is empty. */
	for (unsigned long long i = 0, j = 0; ready == READY && (i < products || j < exchanges);) {
		bool product = j >= exchanges || (i < products && i * exchanges <= j * products);
		ready = product ? enqueue(run, i) : nccl_group_enqueue(run, s->group);
		i += product;
		j += !product;
	}
	if (ready == READY)
		ready = CUDA(run, cudaEventRecord(device.end, device.stream));
	if (ready == READY)
		ready = nccl_group_stop(run, s->group);
	if (ready == READY)
		ready = nccl_group_seconds(run, s->group, &exchange_s);
	if (ready == READY)
		ready = CUDA(run, cudaEventSynchronize(device.end));
	if (ready == READY)
		ready = CUDA(run, cudaEventElapsedTime(&milliseconds, device.begin, device.end));
	return ready != READY ? -1 : s->compute ? (double)milliseconds * 1e-3 : exchange_s;
}

/* How long each takes alone, the slowest process's: all must enqueue as many exchanges. */
static enum ready pace(struct run *run, struct state *s)
{
	bool compute = s->compute, alone = s->alone;
	double product_s, exchange_s;
	s->alone = true;
	s->compute = true;
	TRY(device_warm(run, enqueue));
	product_s = together(run, 10) / 10;
	s->compute = false;
	team_barrier();
	exchange_s = together(run, 10);
	team_barrier();
	exchange_s = exchange_s < 0 ? exchange_s : together(run, 10) / 10;
	s->product_s = team_most(product_s);
	s->exchange_s = team_most(exchange_s);
	s->compute = compute;
	s->alone = alone;
	return product_s > 0 && exchange_s > 0 ? READY : FAILED;
}

static enum ready prepare(struct run *run)
{
	const char *kind = point_get_text(run->point, "kind");
	struct layout layout;
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	s->compute = strncmp(kind, "compute", strlen("compute")) == 0;
	s->alone = strstr(kind, "alone") != NULL;
	nccl_read_layout(run->point, &layout);
	TRY(device_usable(run));
	enum ready ready = make_product(run, s);
	double worst = team_most((double)ready);
	TRY(ready);
	if (worst > 0)
		return run_say(run, ABSENT, "another process could not prepare");
	TRY(nccl_group_make(
		run, OPERATION_ALLREDUCE, &layout, (size_t)point_get(run->point, "bytes"), &s->group));
	return pace(run, s);
}

static double sample(struct run *run, unsigned long long calls)
{
	team_barrier();
	return together(run, calls);
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	matmul_free(&s->matmul);
	rotation_free(&s->rotation);
	nccl_group_free(s->group);
	free(s);
	run->state = NULL;
}

const struct bench bench_overlap = {
	.name = "overlap",
	.summary = "products and an allreduce at the same time",
	.least_sample_s = 2e-3,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
