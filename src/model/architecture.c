/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dimensions that programs which train transformers ask for are the sizes of the first layer of each kind. A
 * decoder made of just these has the following number of parameters, where h is the width, a the heads of d items (k
 * heads of keys and values), f the feed-forward width, E the experts (e and s wide, the latter shared), V the
 * vocabulary, and w = 2 where gated; latents have q and c items, and their heads n + r items (r rotary), v of values:
 *     embedding     V h + positions h, and V h of the head where it is not tied
 *     norms         two for each block and one at the end: h, of layer norms 2 h
 *     attention     h (a + 2 k) d + a d h
 *       latent      h q + q + q a (n + r), or h a (n + r); h (c + r) + c + c a (n + v); a v h
 *     feed-forward  (w + 1) h f;  experts: h E + E (w + 1) h e + (w + 1) h s
 * A network with another number has other layers, too.
 */
#include <math.h>

#include "model/description.h"

/* Dimensions gathered on the way through the layers. */
struct survey {
	struct paradl_dimensions of;
	double mlps;
	bool is_decoder;
};

static void note_beyond(struct paradl_dimensions *of, const char *word, bool is_there)
{
	if (is_there && !of->beyond)
		of->beyond = word;
}

/* Notes a feature that makes the network no decoder of attention and MLPs. */
static void note_other(struct paradl_dimensions *of, const char *word, bool is_there)
{
	note_beyond(of, word, is_there);
	if (is_there && !of->other)
		of->other = word;
}

static void survey_attention(struct paradl_dimensions *of, const struct layer_keys *keys)
{
	const bool latent = keys->kv_rank.node != NULL;
	of->head_dim = keys->head_dim.node ? keys->head_dim.value : of->hidden / of->heads;
	if (latent)
		of->head_dim = (double)keys->nope_dim.value + keys->rope_dim.value;
	of->value_dim = keys->value_dim.node ? keys->value_dim.value
			: latent             ? keys->nope_dim.value
					     : of->head_dim;
	of->query_rank = keys->q_rank.value;
	of->key_rank = keys->kv_rank.value;
	of->rotary_dim = keys->rope_dim.value;
	of->attention_dropout = keys->dropout;
	of->rope_theta = keys->rope_theta;
	of->bias = keys->bias;
	of->qkv_bias = json_member(keys->node, "qkv_bias") ? keys->qkv_bias : keys->bias;
	of->qk_norm = keys->qk_norm;
	note_beyond(of, "a window", keys->window.value > 0);
	note_beyond(of, "a table of relative positions", keys->positions.value > 0);
	note_beyond(of, "keys without a bias", of->qkv_bias && !keys->key_bias);
	note_beyond(of, "a gate of heads", keys->gate || keys->head_gate);
	note_beyond(of, "sinks", keys->sinks);
	note_beyond(of, "keys that are values", keys->keys_are_values);
	note_beyond(of, "norms over all heads", keys->qk_norm_heads);
	note_beyond(of, "values of another size", !latent && of->value_dim > of->head_dim);
	note_beyond(of, "values of another size", !latent && of->value_dim < of->head_dim);
}

static void survey_feed_forward(struct survey *survey, const struct layer_keys *keys, double count)
{
	struct paradl_dimensions *const of = &survey->of;
	if (!of->activation) {
		of->activation = mlp_activations[keys->act];
		of->gated = keys->gated;
	}
	if (!(of->feed_forward > 0))
		of->feed_forward = keys->hidden.value;
	note_beyond(of, "feed-forward layers with other biases", keys->bias != of->bias);
	note_beyond(of, "activations that differ",
		keys->gated != of->gated || mlp_activations[keys->act] != of->activation);
	survey->mlps += count;
}

static void survey_experts(struct survey *survey, const struct layer_keys *keys)
{
	struct paradl_dimensions *const of = &survey->of;
	if (!(of->expert_width > 0)) {
		of->expert_width = keys->hidden.value;
		of->shared_width = keys->shared.value;
		of->shared_gate = keys->shared_gate;
		of->router_bias = keys->router_bias;
		of->dense_blocks = survey->mlps;
	}
	if (!of->activation) {
		of->activation = mlp_activations[keys->act];
		of->gated = keys->gated;
	}
	note_beyond(of, "experts of another width than the network", keys->expert_width.value > 0);
	note_beyond(of, "a scaled router", keys->router_scale);
	note_beyond(of, "experts with biases", keys->bias);
	note_beyond(of, "activations that differ",
		keys->gated != of->gated || mlp_activations[keys->act] != of->activation);
}

static void survey_embedding(struct paradl_dimensions *of, const struct layer_keys *keys)
{
	of->vocabulary = keys->rows.value;
	of->positions = keys->positions.value;
	note_beyond(of, "tables of types", keys->types.value > 0);
	note_beyond(of, "an embedding of another width", keys->width.value > 0);
}

static void survey_head(struct survey *survey, const struct layer_keys *keys)
{
	survey->of.tied = keys->tied != NULL;
	survey->is_decoder = true;
	note_beyond(&survey->of, "a head with a bias", keys->bias);
}

static void survey_list(struct survey *survey, const struct item_list *list, double count)
{
	for (unsigned i = 0; i < list->count; i++) {
		const struct item *const item = &list->items[i];
		const double times = count * (item->repeat > 0 ? item->repeat : 1);
		for (unsigned j = 0; j < item->list_count; j++)
			survey_list(survey, &item->lists[j], times);
		if (!item->type)
			continue;
		const enum layer_class kind = item->type->class_;
		if (kind == LAYER_ATTENTION) {
			note_other(&survey->of, "attention that is not causal", !item->keys.causal);
			note_other(&survey->of, "an index of keys", item->keys.top_keys.value > 0);
		}
		note_other(&survey->of, "recurrent layers", kind == LAYER_RECURRENT);
		if (kind == LAYER_ATTENTION && !(survey->of.head_dim > 0))
			survey_attention(&survey->of, &item->keys);
		else if (kind == LAYER_MLP)
			survey_feed_forward(survey, &item->keys, times);
		else if (kind == LAYER_MOE)
			survey_experts(survey, &item->keys);
		else if (kind == LAYER_DROPOUT)
			survey->of.dropout = fmax(survey->of.dropout, item->keys.dropout);
		else if (kind == LAYER_NORM && item->type->kinds)
			survey->of.norm = item->type->kinds[item->keys.kind];
		else if (kind == LAYER_EMBEDDING)
			survey_embedding(&survey->of, &item->keys);
		else if (kind == LAYER_HEAD)
			survey_head(survey, &item->keys);
	}
}

static double attention_parameters(const struct paradl_dimensions *of)
{
	const double h = of->hidden, heads = of->heads, queries = heads * of->head_dim;
	const double output = heads * of->value_dim, plain = of->head_dim - of->rotary_dim;
	if (of->key_rank > 0) {
		const double made = of->query_rank > 0 ? of->query_rank * (h + 1 + queries) : h * queries;
		return made + h * (of->key_rank + of->rotary_dim) + of->key_rank +
		       of->key_rank * (heads * plain + output) + output * h;
	}
	const double columns = queries + 2 * of->kv_heads * of->head_dim;
	return h * columns + output * h + (of->qkv_bias ? columns : 0) + (of->bias ? h : 0) +
	       (of->qk_norm ? 2 * of->head_dim : 0);
}

static double mlp_parameters(const struct paradl_dimensions *of, double width)
{
	const double columns = (of->gated ? 2 : 1) * width;
	return of->hidden * (columns + width) + (of->bias ? columns + of->hidden : 0);
}

static double parameters(const struct paradl_dimensions *of)
{
	const double norm = of->hidden * (of->norm && of->norm[0] == 'r' ? 1 : 2);
	const double sparse = of->experts > 0 ? of->blocks - of->dense_blocks : 0;
	const double experts = of->hidden * of->experts + (of->router_bias ? of->experts : 0) +
			       of->experts * mlp_parameters(of, of->expert_width) +
			       (of->shared_width > 0 ? mlp_parameters(of, of->shared_width) : 0) +
			       (of->shared_gate ? of->hidden : 0);
	return of->hidden * (of->vocabulary * (of->tied ? 1 : 2) + of->positions) +
	       of->blocks * (2 * norm + attention_parameters(of)) + norm + sparse * experts +
	       (of->blocks - sparse) * mlp_parameters(of, of->feed_forward);
}

static struct paradl_dimensions from_layers(const struct paradl_model *model)
{
	struct paradl_dimensions of = {.tokens = model->sequence};
	for (unsigned i = 0; i < model->unit_count; i++)
		of.blocks += model->units[i].is_block;
	for (unsigned i = 0; i < model->layer_count && of.blocks > 0; i++) {
		const struct token_work *const work = model->layers[i].work;
		if (work && work->attention.heads && !(of.heads > 0)) {
			of.heads = work->attention.heads;
			of.kv_heads = work->attention.kv_heads;
			of.hidden = work->hidden_items;
		}
		if (work && work->experts && !(of.experts > 0)) {
			of.experts = work->experts;
			of.top_k = work->top_k;
		}
	}
	return of;
}

struct paradl_dimensions model_dimensions(const struct paradl_model *model, const struct item_list *layers)
{
	struct survey survey = {.of = from_layers(model)};
	if (!(survey.of.blocks > 0))
		return (struct paradl_dimensions){0};
	note_other(&survey.of, "attention to another sequence", model->has_source);
	note_other(&survey.of, "two sequences in a sample", model->further_tokens > 0);
	note_other(&survey.of, "recurrent layers alone", !(survey.of.heads > 0));
	if (!(survey.of.heads > 0))
		return survey.of;
	survey_list(&survey, layers, 1);
	note_other(&survey.of, "no head", !survey.is_decoder);
	if (!survey.of.beyond)
		survey.of.parameters = parameters(&survey.of);
	return survey.of;
}
