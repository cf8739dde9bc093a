/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products as training has them: Y (m x n) = X W^T forward ("tn", as libraries call it, whose matrices are column-major), X W ("nn")
 * for the gradient of the input, X^T W ("nt") for that of the weights; and the batched products of attention that is not fused.
 * fp8 has the first form only on compute capabilities 8.9 and 9.0, and sums up in fewer bits ("fast"), as programs do forward and in
 * serving. Each is measured with the algorithm that cuBLASLt takes first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gemm.h"
#include "list.h"
#include "matmul.h"

struct state {
	struct matmul matmul;
	struct rotation rotation;
	size_t at_b, at_d;
};

struct shape {
	double m, n, k, count;
};

static const char tn[] = "tn", nn[] = "nn", nt[] = "nt";

void gemm_point_work(
	struct point *point, const struct precision *precision, double m, double n, double k, double count)
{
	point_text(point, "precision", precision->name);
	point_number(point, "m", m);
	point_number(point, "n", n);
	point_number(point, "k", k);
	point_number(point, "count", count);
	if (precision->item == ITEM_FP8)
		point_text(point, "accumulation", "fast");
	point_number(point, "busy", device.measured_together);
	point->flop = 2 * m * n * k * count;
	point->bytes = count * ((m * k + n * k) * precision->bytes + m * n * precision->result_bytes);
}

static void add(struct points *points, const char *precision, const char *form, const struct shape *shape)
{
	const double m = shape->m, n = shape->n, k = shape->k, count = shape->count;
	const struct precision *p = precision_find(precision);
	char name[POINT_NAME_LENGTH];
	if (!p || m < 1 || n < 1 || k < 1 || count < 1)
		return;
	/* Matrices of fp8 have rows of whole 16 bytes. */
	if (p->item == ITEM_FP8 && (form != tn || fmod(n, 16) > 0 || fmod(k, 16) > 0))
		return;
	snprintf(name, sizeof name, "gemm/%s/%.0fx%.0fx%.0f%s%.0f/%s", precision, m, n, k,
		count > 1 ? "x" : "/", count, form);
	if (list_has(points, name))
		return;
	struct point *point = points_add(points, &bench_gemm, "%s", name);
	gemm_point_work(point, p, m, n, k, count);
	point_text(point, "algorithm", "default");
	point_text(point, "form", form);
}

/* Forward, and the two products of backward; a case may say which precision, else all are measured. */
static void add_case(struct points *points, const struct case_line *line, const char *precision)
{
	if (strcmp(line->kind, "gemm") == 0) {
		const struct shape shape = {case_number(line, "m", 0), case_number(line, "n", 0),
			case_number(line, "k", 0), case_number(line, "count", 1)};
		add(points, precision, tn, &shape);
	} else if (strcmp(line->kind, "linear") == 0) {
		const double batch = case_number(line, "batch", 0),
			     channels = case_number(line, "channels", 0),
			     filters = case_number(line, "filters", 0);
		add(points, precision, tn, &(struct shape){batch, filters, channels, 1});
		if (case_number(line, "backward_data", 1) > 0)
			add(points, precision, nn, &(struct shape){batch, channels, filters, 1});
		add(points, precision, nt, &(struct shape){filters, channels, batch, 1});
	}
}

/* Rows of a matrix of 4096 or 8192 wide when axes cut it: few rows, few columns, a short sum; and lowered convolutions. */
static const double skinny[][3] = {
	{2048, 512, 4096},
	{2048, 4096, 512},
	{8192, 1024, 4096},
	{16, 4096, 4096},
	{8192, 4096, 1024},
	{802816, 64, 147},
	{50176, 256, 2304},
	{1, 4096, 4096},
	{256, 4096, 4096},
	{8192, 1024, 8192},
	{8192, 8192, 1024},
	{8192, 28672, 8192},
	{4096, 11008, 4096},
	{200704, 64, 576},
	{200704, 256, 64},
	{12544, 512, 4608},
	{8192, 128, 4096},
	{8192, 4096, 128},
	{64, 16384, 4096},
	{128, 1000, 2048},
	{32768, 4096, 4096},
	{4096, 50304, 4096},
};

/* Products of a layer of Llama 3 8B (columns, depth) while it answers: a row for each sequence, so the weights' bytes count. */
static const double decode_rows[] = {1, 4, 16, 32, 64};
static const double decode[][2] = {
	{28672, 4096},
	{6144, 4096},
	{4096, 14336},
};

/* Heads of a batch, sequence, width of a head: scores S = Q K^T and values O = P V. */
static const double attention[][3] = {
	{8 * 12, 1024, 64},
	{32, 2048, 128},
	{8, 4096, 128},
};

static void list_attention(const struct plan *plan, struct points *points, const char *precision)
{
	const size_t count = plan->effort == EFFORT_QUICK ? 1 : sizeof attention / sizeof *attention;
	for (size_t i = 0; i < count; i++) {
		const double heads = attention[i][0], sequence = attention[i][1], width = attention[i][2];
		add(points, precision, tn, &(struct shape){sequence, sequence, width, heads});
		add(points, precision, nn, &(struct shape){sequence, width, sequence, heads});
	}
}

static void list_decode(const struct plan *plan, struct points *points, const char *precision)
{
	const size_t count = plan->effort == EFFORT_QUICK ? 1 : sizeof decode / sizeof *decode;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < sizeof decode_rows / sizeof *decode_rows; j++)
			add(points, precision, tn,
				&(struct shape){decode_rows[j], decode[i][0], decode[i][1], 1});
}

static void list_square(struct points *points, const char *precision, double size)
{
	const struct shape shape = {size, size, size, 1};
	add(points, precision, tn, &shape);
	add(points, precision, nn, &shape);
	add(points, precision, nt, &shape);
}

static void list_precision(const struct plan *plan, struct points *points, const char *precision)
{
	static const double full[] = {384, 768, 1536, 3072, 5120, 6144, 10240, 12288};
	size_t count = sizeof skinny / sizeof *skinny;
	bool quick = plan->effort == EFFORT_QUICK;
	for (double size = 256; size <= (quick ? 8192 : 16384); size *= 2)
		list_square(points, precision, size);
	if (plan->effort == EFFORT_FULL)
		for (size_t i = 0; i < sizeof full / sizeof *full; i++)
			list_square(points, precision, full[i]);
	for (size_t i = 0; i < (quick ? 7 : count); i++)
		add(points, precision, tn, &(struct shape){skinny[i][0], skinny[i][1], skinny[i][2], 1});
	list_decode(plan, points, precision);
	list_attention(plan, points, precision);
}

static void list(const struct plan *plan, struct points *points)
{
	for (const char *const *precision = precision_names; *precision; precision++)
		list_precision(plan, points, *precision);
	for (size_t i = 0; i < plan->case_count; i++) {
		const char *only = case_text(&plan->cases[i], "precision");
		for (const char *const *precision = precision_names; *precision; precision++)
			if (!only || strcmp(only, *precision) == 0)
				add_case(points, &plan->cases[i], *precision);
	}
}

enum ready gemm_enqueue(struct run *run, unsigned long long index)
{
	const struct state *s = run->state;
	return matmul_enqueue(run, &s->matmul, rotation_at(&s->rotation, index, 0),
		rotation_at(&s->rotation, index, s->at_b), rotation_at(&s->rotation, index, s->at_d));
}

static enum ready fill(struct run *run, const struct state *s)
{
	const struct product *p = &s->matmul.product;
	for (unsigned i = 0; i < s->rotation.copies; i++) {
		TRY(CUDA(run, kernel_fill_normal(p->precision->item, rotation_at(&s->rotation, i, 0),
				      p->count * p->m * p->k, 2 * i + 1, device.stream)));
		TRY(CUDA(run, kernel_fill_normal(p->precision->item, rotation_at(&s->rotation, i, s->at_b),
				      p->count * p->n * p->k, 2 * i + 2, device.stream)));
	}
	return CUDA(run, cudaStreamSynchronize(device.stream));
}

enum ready gemm_prepare(struct run *run)
{
	const struct point *point = run->point;
	const char *const form = point_get_text(point, "form");
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	struct product product = {
		.precision = precision_find(point_get_text(point, "precision")),
		.m = (size_t)point_get(point, "n"),
		.n = (size_t)point_get(point, "m"),
		.k = (size_t)point_get(point, "k"),
		.count = (size_t)point_get(point, "count"),
		.transpose_a = !form || strcmp(form, tn) == 0,
		.transpose_b = form && strcmp(form, nt) == 0,
	};
	TRY(device_usable(run));
	TRY(matmul_library(run, product.precision));
	s->at_b = aligned(product_bytes_a(&product));
	s->at_d = s->at_b + aligned(product_bytes_b(&product));
	TRY(matmul_make(run, &s->matmul, &product));
	TRY(rotation_allocate(run, &s->rotation, s->at_d + product_bytes_d(&product)));
	TRY(fill(run, s));
	return device_warm(run, gemm_enqueue);
}

static double sample(struct run *run, unsigned long long calls)
{
	return device_time(run, calls, gemm_enqueue);
}

void gemm_release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	matmul_free(&s->matmul);
	rotation_free(&s->rotation);
	free(s);
	run->state = NULL;
}

const struct bench bench_gemm = {
	.name = "gemm",
	.summary = "matrix products by cuBLASLt, in all precisions",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = gemm_prepare,
	.sample = sample,
	.release = gemm_release,
};
