/* SPDX-License-Identifier: BSD-3-Clause */
/* Fused attention of cuDNN, causal, each pass; heads of queries share those of keys in some shapes. */
#include <stdlib.h>
#include <string.h>

#include "cudnn_attention.h"
#include "list.h"

struct state {
	struct attention attention;
	struct attention_plan *plan;
	struct rotation rotation;
};

static const char *const passes[] = {"forward", "backward"};

/* Sequences, heads of queries, heads of keys, tokens, width of a head: of GPT-2, Llama 2 and Llama 3. */
static const int shapes[][5] = {
	{64, 12, 12, 1024, 64},
	{4, 32, 32, 4096, 128},
	{16, 32, 8, 2048, 128},
	{128, 16, 16, 512, 64},
	{32, 25, 25, 1024, 64},
	{2, 64, 8, 4096, 128},
	{1, 64, 8, 8192, 128},
};
enum { QUICK_SHAPES = 3 };

/* Operations for an item of a score and a value: products of scores and values; backward two for each, and the scores once more. */
static double flop_of(const struct attention *a)
{
	const double pairs = (double)a->batch * a->heads * a->tokens * a->tokens / 2;
	return (a->is_backward ? 5 : 2) * 2 * pairs * a->head;
}

static void add(struct points *points, const char *precision, const struct attention *a)
{
	const char *const pass = passes[a->is_backward];
	struct point *point = points_add(points, &bench_attention, "attention/%s/%s/%dx%d/%d-%dx%d/cudnn",
		pass, precision, a->batch, a->tokens, a->heads, a->kv_heads, a->head);
	point_text(point, "kind", pass);
	point_text(point, "precision", precision);
	point_text(point, "kernel", "cudnn");
	point_number(point, "sequences", a->batch);
	point_number(point, "seq", a->tokens);
	point_number(point, "heads", a->heads);
	point_number(point, "kv_heads", a->kv_heads);
	point_number(point, "head", a->head);
	point_number(point, "causal", 1);
	point_number(point, "busy", device.measured_together);
	point->flop = flop_of(a);
	point->bytes = (double)attention_arrays(a, precision_find(precision)).bytes;
}

static void list(const struct plan *plan, struct points *points)
{
	static const char *const usual[] = {"bf16", NULL}, *const full[] = {"bf16", "fp16", NULL};
	const size_t count = plan->effort == EFFORT_QUICK ? QUICK_SHAPES : sizeof shapes / sizeof *shapes;
	for (const char *const *precision = plan->effort == EFFORT_FULL ? full : usual; *precision;
		precision++)
		for (size_t i = 0; i < count; i++)
			for (int pass = 0; pass < 2; pass++) {
				const int *const s = shapes[i];
				add(points, *precision,
					&(struct attention){pass > 0, s[0], s[1], s[2], s[3], s[4]});
			}
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	return attention_enqueue(run, s->plan, rotation_at(&s->rotation, index, 0));
}

/* Fills operands with numbers; results of forward, which backward reads, are those of these numbers. */
static enum ready fill(struct run *run, const struct state *s, const struct precision *precision)
{
	const struct attention_arrays arrays = attention_arrays(&s->attention, precision);
	struct attention before = s->attention;
	struct attention_plan *forward = NULL;
	enum ready ready = READY;
	before.is_backward = false;
	for (unsigned i = 0; i < s->rotation.copies && ready == READY; i++)
		ready = CUDA(run, kernel_fill_normal(precision->item, rotation_at(&s->rotation, i, 0),
					  arrays.bytes / precision->bytes, i + 1, device.stream));
	if (ready == READY && s->attention.is_backward)
		ready = attention_plan_make(run, &before, precision, &forward);
	for (unsigned i = 0; i < s->rotation.copies && ready == READY && forward; i++)
		ready = attention_enqueue(run, forward, rotation_at(&s->rotation, i, 0));
	if (ready == READY)
		ready = CUDA(run, cudaStreamSynchronize(device.stream));
	attention_plan_free(forward);
	return ready;
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	const struct precision *const precision = precision_find(point_get_text(point, "precision"));
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s || !precision)
		return run_say(run, FAILED, "no memory on the host");
	s->attention = (struct attention){
		.is_backward = strcmp(point_get_text(point, "kind"), passes[1]) == 0,
		.batch = (int)point_get(point, "sequences"),
		.heads = (int)point_get(point, "heads"),
		.kv_heads = (int)point_get(point, "kv_heads"),
		.tokens = (int)point_get(point, "seq"),
		.head = (int)point_get(point, "head"),
	};
	TRY(device_usable(run));
	TRY(attention_plan_make(run, &s->attention, precision, &s->plan));
	TRY(rotation_allocate(run, &s->rotation, attention_arrays(&s->attention, precision).bytes));
	TRY(fill(run, s, precision));
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
	attention_plan_free(s->plan);
	rotation_free(&s->rotation);
	free(s);
	run->state = NULL;
}

const struct bench bench_attention = {
	.name = "attention",
	.summary = "fused attention by cuDNN, forward and backward",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
