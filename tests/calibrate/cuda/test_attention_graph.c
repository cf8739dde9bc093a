/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph of fused attention computes attention: its operations are carried out one by one on small tensors. Results are those of the
 * definition, and gradients those of small changes of the operands.
 */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <setjmp.h>

#include <cmocka.h>

#include "attention_graph.h"

enum { ITEMS_MOST = 4096 };

struct memory {
	const struct attention *attention;
	double items[ATTENTION_TENSORS][ITEMS_MOST];
	bool is_there[ATTENTION_TENSORS];
};

/* Returns where a tensor has an item, by its head of queries; heads of queries share those of keys, and an extent of 1 serves all. */
static size_t place(const struct memory *m, enum attention_tensor tensor, const int64_t at[ATTENTION_RANK])
{
	const struct attention_layout layout = attention_layout(m->attention, tensor);
	int64_t index = 0;
	for (int i = 0; i < ATTENTION_RANK; i++) {
		const int64_t group = i == 1 ? m->attention->heads / layout.sizes[1] : 1;
		index += (layout.sizes[i] == 1 ? 0 : at[i] / group) * layout.strides[i];
	}
	return (size_t)index;
}

/* Returns the item of a tensor at a place, which must have been computed or given. */
static double item(const struct memory *m, enum attention_tensor tensor, const int64_t at[ATTENTION_RANK])
{
	if (tensor == NONE)
		return 0;
	assert_true(m->is_there[tensor]);
	return m->items[tensor][place(m, tensor, at)];
}

static double product(const struct memory *m, const struct attention_operation *o, const int64_t at[4])
{
	const struct attention_layout x = attention_layout(m->attention, o->x),
				      b = attention_layout(m->attention, o->b);
	double sum = 0;
	assert_int_equal(x.sizes[3], b.sizes[2]);
	for (int64_t k = 0; k < x.sizes[3]; k++) {
		const int64_t left[] = {at[0], at[1], at[2], k}, right[] = {at[0], at[1], k, at[3]};
		sum += item(m, o->x, left) * item(m, o->b, right);
	}
	return sum;
}

/* Adds up, or takes the most of, the items that one of the result stands for: along rows, or over heads that share it. */
static double reduced(const struct memory *m, const struct attention_operation *o, const int64_t at[4])
{
	const struct attention_layout x = attention_layout(m->attention, o->x),
				      y = attention_layout(m->attention, o->y);
	const int64_t group = x.sizes[1] / y.sizes[1], columns = x.sizes[3] / y.sizes[3];
	double found = o->action == MOST ? -HUGE_VAL : 0;
	for (int64_t head = 0; head < group; head++)
		for (int64_t column = 0; column < columns; column++) {
			const int64_t from[] = {at[0], at[1] + head, at[2], columns > 1 ? column : at[3]};
			const double value = item(m, o->x, from);
			found = o->action == MOST ? fmax(found, value) : found + value;
		}
	return found;
}

static double value_of(const struct memory *m, const struct attention_operation *o, const int64_t at[4])
{
	const int64_t turned[] = {at[0], at[1], at[3], at[2]};
	if (o->action == PRODUCT)
		return product(m, o, at);
	if (o->action == MOST || o->action == TOTAL)
		return reduced(m, o, at);
	if (o->action == TRANSPOSE)
		return item(m, o->x, turned);
	const double x = item(m, o->x, at), b = item(m, o->b, at), t = item(m, o->t, at);
	const double values[] = {
		[MULTIPLY] = x * b,
		[SUBTRACT] = x - b,
		[ADD] = x + b,
		[DIVIDE] = x / b,
		[EXPONENTIAL] = exp(x),
		[LOGARITHM] = log(x),
		[COPY] = x,
		[ROW_NUMBER] = (double)at[2],
		[COLUMN_NUMBER] = (double)at[3],
		[IS_AT_LEAST] = x >= b,
		[CHOOSE] = t > 0 ? x : b,
	};
	return values[o->action];
}

static void run(struct memory *m)
{
	struct attention_operation operations[ATTENTION_OPERATIONS_MAX];
	const size_t count = attention_operations(m->attention, operations);
	assert_true(count <= ATTENTION_OPERATIONS_MAX);
	for (size_t i = 0; i < count; i++) {
		const struct attention_operation *const o = &operations[i];
		const struct attention_layout y = attention_layout(m->attention, o->y);
		const int64_t total = (int64_t)attention_count(m->attention, o->y);
		assert_false(m->is_there[o->y] && o->y != STATS && o->y != O);
		for (int64_t j = 0; j < total; j++) {
			const int64_t head = j / (y.sizes[3] * y.sizes[2]) % y.sizes[1],
				      group = y.sizes[1] > 1 ? m->attention->heads / y.sizes[1] : 1;
			const int64_t at[] = {j / (y.sizes[3] * y.sizes[2] * y.sizes[1]), head * group,
				j / y.sizes[3] % y.sizes[2], j % y.sizes[3]};
			m->items[o->y][place(m, o->y, at)] = value_of(m, o, at);
		}
		m->is_there[o->y] = true;
	}
}

static void give(struct memory *m, enum attention_tensor tensor, const double *items)
{
	for (size_t i = 0; i < attention_count(m->attention, tensor); i++)
		m->items[tensor][i] = items[i];
	m->is_there[tensor] = true;
}

/* Operands of one case, numbers without an order. */
struct operands {
	double q[ITEMS_MOST], k[ITEMS_MOST], v[ITEMS_MOST], d_o[ITEMS_MOST];
};

static void operands_fill(struct operands *operands)
{
	double *const all[] = {operands->q, operands->k, operands->v, operands->d_o};
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < ITEMS_MOST; j++)
			all[i][j] = sin(1.7 * j * (i + 1) + i);
}

static struct memory *memory_make(const struct attention *attention, const struct operands *operands)
{
	struct memory *const m = calloc(1, sizeof *m);
	const double scale = 1 / sqrt(attention->head), lowest = -(double)FLT_MAX, kept = 1;
	assert_non_null(m);
	m->attention = attention;
	give(m, Q, operands->q);
	give(m, K_T, operands->k);
	give(m, V, operands->v);
	give(m, V_T, operands->v);
	give(m, D_O, operands->d_o);
	give(m, SCALE, &scale);
	give(m, LOWEST, &lowest);
	give(m, KEPT, &kept);
	return m;
}

/* Returns the sum of dO O, and O where it is asked for, by the definition. */
static double definition(const struct attention *a, const struct operands *of, double *o)
{
	double sum = 0;
	for (int b = 0; b < a->batch; b++)
		for (int h = 0; h < a->heads; h++)
			for (int i = 0; i < a->tokens; i++) {
				const int g = h / (a->heads / a->kv_heads), d = a->head;
				const int query = ((b * a->heads + h) * a->tokens + i) * d;
				double whole = 0, weights[64];
				for (int j = 0; j <= i; j++) {
					const int key = ((b * a->kv_heads + g) * a->tokens + j) * d;
					double score = 0;
					for (int c = 0; c < d; c++)
						score += of->q[query + c] * of->k[key + c];
					weights[j] = exp(score / sqrt(d));
					whole += weights[j];
				}
				for (int c = 0; c < d; c++) {
					double value = 0;
					for (int j = 0; j <= i; j++)
						value += weights[j] / whole *
							 of->v[((b * a->kv_heads + g) * a->tokens + j) * d +
								 c];
					if (o)
						o[query + c] = value;
					sum += value * of->d_o[query + c];
				}
			}
	return sum;
}

/* Compares a gradient with what a small change of each item of its operand changes. */
static void compare(const struct attention *a, struct operands *of, double *operand,
	const struct memory *backward, enum attention_tensor gradient)
{
	static const double step = 1e-5;
	for (size_t i = 0; i < attention_count(a, gradient); i++) {
		const double before = operand[i];
		operand[i] = before + step;
		const double more = definition(a, of, NULL);
		operand[i] = before - step;
		const double less = definition(a, of, NULL);
		operand[i] = before;
		assert_true(fabs(backward->items[gradient][i] - (more - less) / (2 * step)) < 1e-7);
	}
}

static void check(int heads, int kv_heads)
{
	struct attention a = {false, 2, heads, kv_heads, 5, 3};
	struct operands *const of = malloc(sizeof *of);
	double *const o = calloc(ITEMS_MOST, sizeof *o);
	assert_non_null(of);
	assert_non_null(o);
	operands_fill(of);
	struct memory *const forward = memory_make(&a, of);
	run(forward);
	definition(&a, of, o);
	for (size_t i = 0; i < attention_count(&a, O); i++)
		assert_true(fabs(forward->items[O][i] - o[i]) < 1e-12);
	struct attention after = a;
	after.is_backward = true;
	struct memory *const backward = memory_make(&after, of);
	give(backward, O, forward->items[O]);
	give(backward, STATS, forward->items[STATS]);
	run(backward);
	compare(&after, of, of->q, backward, D_Q);
	compare(&after, of, of->k, backward, D_K);
	compare(&after, of, of->v, backward, D_V);
	free(forward);
	free(backward);
	free(of);
	free(o);
}

static void heads_have_keys_of_their_own(void **state)
{
	(void)state;
	check(4, 4);
}

static void heads_share_keys(void **state)
{
	(void)state;
	check(6, 2);
	check(3, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_have_keys_of_their_own),
		cmocka_unit_test(heads_share_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
