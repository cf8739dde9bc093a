/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The batched products of attention without fusion: forward S = Q K^T and O = P V, backward dV = P^T dO, dP = dO V^T,
 * dQ = dS K and dK = dS^T Q, for all heads of a batch at once; the softmax between them is a kind of `elementwise`.
 */
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "matmul.h"

enum { PRODUCTS_MAX = 4, ALGORITHMS_TRIED = 4 };
enum tensor { TENSOR_SCORES, TENSOR_FIRST, TENSOR_SECOND, TENSOR_RESULT, TENSOR_COUNT };

/* Column-major (matmul.h), so operands are swapped: A is the right one of the row-major product. */
struct step {
	bool scores_out; /* D is s x s of `head` long sums; else D is head x s of s long sums */
	bool transpose_a, transpose_b;
	enum tensor a, b, d;
};
static const struct step forward[] = {
	{true, true, false, TENSOR_FIRST, TENSOR_SECOND, TENSOR_SCORES},
	{false, false, false, TENSOR_FIRST, TENSOR_SCORES, TENSOR_RESULT},
};
static const struct step backward[] = {
	{false, false, true, TENSOR_FIRST, TENSOR_SCORES, TENSOR_RESULT},
	{true, true, false, TENSOR_FIRST, TENSOR_SECOND, TENSOR_SCORES},
	{false, false, false, TENSOR_FIRST, TENSOR_SCORES, TENSOR_RESULT},
	{false, false, true, TENSOR_SECOND, TENSOR_SCORES, TENSOR_RESULT},
};

struct state {
	struct matmul matmul[PRODUCTS_MAX];
	const struct step *steps;
	unsigned count, racing;
	struct rotation rotation;
	size_t at[TENSOR_COUNT];
};

static void add(struct points *points, const char *precision, bool back, double batch, double heads,
	double sequence, double head)
{
	const struct precision *p = precision_find(precision);
	const char *pass = back ? "backward" : "forward";
	struct point *point = points_add(points, &bench_attention, "attention/%s/%s/b%.0fh%.0fs%.0fd%.0f",
		precision, pass, batch, heads, sequence, head);
	double products = back ? 4 : 2;
	point_text(point, "precision", p->name);
	point_text(point, "pass", pass);
	point_number(point, "batch", batch);
	point_number(point, "heads", heads);
	point_number(point, "sequence", sequence);
	point_number(point, "head", head);
	point_text(point, "algorithm", "products");
	point_number(point, "busy", device.measured_together);
	point->flop = products * 2 * batch * heads * sequence * sequence * head;
	point->bytes = products * batch * heads * (2 * sequence * head + sequence * sequence) * p->bytes;
}

static void list(const struct plan *plan, struct points *points)
{
	/* batch, heads, sequence, head; heads also as the tensor axis leaves them */
	static const double shapes[][4] = {
		{8, 12, 1024, 64},
		{1, 32, 2048, 128},
		{1, 8, 4096, 128},
		{4, 32, 2048, 128},
		{8, 4, 2048, 128},
		{32, 12, 512, 64},
		{1, 32, 4096, 128},
		{1, 4, 8192, 128},
		{1, 32, 8192, 128},
	};
	static const char *const precisions[] = {"fp16", "bf16", "tf32"};
	size_t count = plan->effort == EFFORT_QUICK ? 3 : sizeof shapes / sizeof *shapes;
	for (size_t i = 0; i < (plan->effort == EFFORT_QUICK ? 2u : 3u); i++)
		for (size_t j = 0; j < count; j++) {
			add(points, precisions[i], false, shapes[j][0], shapes[j][1], shapes[j][2],
				shapes[j][3]);
			add(points, precisions[i], true, shapes[j][0], shapes[j][1], shapes[j][2],
				shapes[j][3]);
		}
}

static enum ready enqueue_step(struct run *run, unsigned step, unsigned long long index)
{
	const struct state *s = run->state;
	const struct step *of = &s->steps[step];
	return matmul_enqueue(run, &s->matmul[step], rotation_at(&s->rotation, index, s->at[of->a]),
		rotation_at(&s->rotation, index, s->at[of->b]),
		rotation_at(&s->rotation, index, s->at[of->d]));
}

static enum ready enqueue_racing(struct run *run, unsigned long long index)
{
	return enqueue_step(run, ((const struct state *)run->state)->racing, index);
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	for (unsigned i = 0; i < s->count; i++)
		TRY(enqueue_step(run, i, index));
	return READY;
}

static enum ready allocate(struct run *run, struct state *s, const struct precision *precision)
{
	const struct point *point = run->point;
	size_t sequences = (size_t)(point_get(point, "batch") * point_get(point, "heads")),
	       sequence = (size_t)point_get(point, "sequence"), head = (size_t)point_get(point, "head"),
	       wide = aligned(sequences * sequence * sequence * precision->bytes),
	       narrow = aligned(sequences * sequence * head * precision->bytes);
	s->at[TENSOR_FIRST] = wide;
	s->at[TENSOR_SECOND] = wide + narrow;
	s->at[TENSOR_RESULT] = wide + 2 * narrow;
	TRY(rotation_allocate(run, &s->rotation, wide + 3 * narrow));
	for (unsigned i = 0; i < s->rotation.copies; i++)
		TRY(CUDA(run, kernel_fill_normal(precision->item, rotation_at(&s->rotation, i, 0),
				      (wide + 3 * narrow) / precision->bytes, i + 1, device.stream)));
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	struct state *s = calloc(1, sizeof *s);
	const struct precision *precision = precision_find(point_get_text(point, "precision"));
	bool back = strcmp(point_get_text(point, "pass"), "backward") == 0;
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	s->steps = back ? backward : forward;
	s->count = back ? 4 : 2;
	TRY(device_usable(run));
	TRY(matmul_library(run, precision));
	TRY(allocate(run, s, precision));
	for (unsigned i = 0; i < s->count; i++) {
		const struct step *step = &s->steps[i];
		size_t sequence = (size_t)point_get(point, "sequence"),
		       head = (size_t)point_get(point, "head");
		struct product product = {
			.precision = precision,
			.m = step->scores_out ? sequence : head,
			.n = sequence,
			.k = step->scores_out ? head : sequence,
			.count = (size_t)(point_get(point, "batch") * point_get(point, "heads")),
			.transpose_a = step->transpose_a,
			.transpose_b = step->transpose_b,
		};
		struct algorithms algorithms;
		s->racing = i;
		TRY(matmul_make(run, &s->matmul[i], &product, &algorithms));
		TRY(matmul_race(run, &s->matmul[i], &algorithms, ALGORITHMS_TRIED, enqueue_racing));
	}
	return device_warm(run, enqueue);
}

static double sample(struct run *run, unsigned long long calls)
{
	return device_time(run, calls, enqueue);
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	for (unsigned i = 0; i < s->count; i++)
		matmul_free(&s->matmul[i]);
	rotation_free(&s->rotation);
	free(s);
	run->state = NULL;
}

const struct bench bench_attention = {
	.name = "attention",
	.summary = "batched products in the shapes of attention",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
