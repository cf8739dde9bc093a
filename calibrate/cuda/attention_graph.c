/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fused attention in the operations by which engines of cuDNN know it, which are those of PyTorch. With the scores S of queries and keys,
 * and the logarithm l of the sum of their exponentials ("stats"):
 *
 *     forward    S = scale Q K^T where a key is not behind its query; P = exp(S - max S) / sum; O = P V; l = max S + log(sum)
 *     backward   P = exp(S - l); dV = P^T dO; dS = P (dO V^T - sum(dO O)); dQ = scale dS K; dK = scale dS^T Q
 *
 * Gradients of keys and values that heads share are summed over these heads. The sum of dO O is multiplied by the share that dropout
 * keeps, which is all of it. Without these operations, or with dQ in place, cuDNN takes engines that write S to memory.
 */
#include "attention_graph.h"

#include <string.h>

enum shape { OF_QUERIES, OF_KEYS, OF_KEYS_T, OF_PAIRS, OF_PAIRS_T, OF_ROWS, OF_ONE };

static const struct {
	enum shape shape;
	enum attention_home home;
	enum attention_items items;
} tensors[ATTENTION_TENSORS] = {
#define X(id, shape, home, items) [id] = {shape, home, items},
#include "attention_tensors.def"
#undef X
};

struct attention_layout attention_layout(const struct attention *a, enum attention_tensor tensor)
{
	const enum shape shape = tensors[tensor].shape;
	const bool is_key = shape == OF_KEYS || shape == OF_KEYS_T, is_one = shape == OF_ONE,
		   is_turned = shape == OF_KEYS_T || shape == OF_PAIRS_T,
		   has_items = shape == OF_QUERIES || shape == OF_KEYS;
	const int64_t heads = is_one ? 1 : is_key ? a->kv_heads : a->heads;
	const int64_t rows = is_one ? 1 : shape == OF_KEYS_T ? a->head : a->tokens;
	const int64_t columns = is_one || shape == OF_ROWS ? 1 : has_items ? a->head : a->tokens;
	return (struct attention_layout){
		.home = tensors[tensor].home,
		.items = tensors[tensor].items,
		.sizes = {is_one ? 1 : a->batch, heads, rows, columns},
		.strides = {heads * rows * columns, rows * columns, is_turned ? 1 : columns,
			is_turned ? rows : 1},
	};
}

size_t attention_count(const struct attention *attention, enum attention_tensor tensor)
{
	const struct attention_layout layout = attention_layout(attention, tensor);
	size_t count = 1;
	for (int i = 0; i < ATTENTION_RANK; i++)
		count *= (size_t)layout.sizes[i];
	return count;
}

static const struct attention_operation scores[] = {
	{PRODUCT, Q, K_T, NONE, PRODUCTS},
	{MULTIPLY, PRODUCTS, SCALE, NONE, SCALED},
	{ROW_NUMBER, SCALED, NONE, NONE, ROW},
	{COLUMN_NUMBER, SCALED, NONE, NONE, COLUMN},
	{IS_AT_LEAST, ROW, COLUMN, NONE, IS_SEEN},
	{CHOOSE, SCALED, LOWEST, IS_SEEN, SCORES},
};

static const struct attention_operation forward[] = {
	{MOST, SCORES, NONE, NONE, HIGHEST},
	{SUBTRACT, SCORES, HIGHEST, NONE, SHIFTED},
	{EXPONENTIAL, SHIFTED, NONE, NONE, POWERS},
	{TOTAL, POWERS, NONE, NONE, SUM},
	{LOGARITHM, SUM, NONE, NONE, LOG_SUM},
	{ADD, HIGHEST, LOG_SUM, NONE, STATS},
	{DIVIDE, POWERS, SUM, NONE, SHARES},
	{PRODUCT, SHARES, V, NONE, O},
};

static const struct attention_operation backward[] = {
	{MULTIPLY, D_O, O, NONE, WEIGHTED},
	{TOTAL, WEIGHTED, NONE, NONE, MEANS},
	{MULTIPLY, MEANS, KEPT, NONE, KEPT_MEANS},
	{SUBTRACT, SCORES, STATS, NONE, SHIFTED},
	{EXPONENTIAL, SHIFTED, NONE, NONE, POWERS},
	{TRANSPOSE, POWERS, NONE, NONE, SHARES_T},
	{PRODUCT, D_O, V_T, NONE, D_SHARES},
	{SUBTRACT, D_SHARES, KEPT_MEANS, NONE, D_SHIFTED},
	{MULTIPLY, D_SHIFTED, POWERS, NONE, D_SCORES},
	{MULTIPLY, D_SCORES, SCALE, NONE, D_PRODUCTS},
	{TRANSPOSE, D_PRODUCTS, NONE, NONE, D_PRODUCTS_T},
	{TRANSPOSE, K_T, NONE, NONE, K},
	{PRODUCT, D_PRODUCTS, K, NONE, D_Q_SUMS},
	{COPY, D_Q_SUMS, NONE, NONE, D_Q},
};

static const struct attention_operation own_keys[] = {
	{PRODUCT, SHARES_T, D_O, NONE, D_V},
	{PRODUCT, D_PRODUCTS_T, Q, NONE, D_K},
};

static const struct attention_operation shared_keys[] = {
	{PRODUCT, SHARES_T, D_O, NONE, D_V_HEADS},
	{TOTAL, D_V_HEADS, NONE, NONE, D_V},
	{PRODUCT, D_PRODUCTS_T, Q, NONE, D_K_HEADS},
	{TOTAL, D_K_HEADS, NONE, NONE, D_K},
};

#define APPEND(rows)                                                                                         \
	do {                                                                                                 \
		memcpy(operations + count, rows, sizeof(rows));                                              \
		count += sizeof(rows) / sizeof *(rows);                                                      \
	} while (0)

size_t attention_operations(
	const struct attention *attention, struct attention_operation operations[ATTENTION_OPERATIONS_MAX])
{
	size_t count = 0;
	APPEND(scores);
	if (!attention->is_backward) {
		APPEND(forward);
		return count;
	}
	APPEND(backward);
	if (attention->kv_heads < attention->heads)
		APPEND(shared_keys);
	else
		APPEND(own_keys);
	return count;
}
