/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "base/quantity.h"
#include "model/description.h"

#include <stdio.h>
#include <string.h>

/* A flow along a list: a value, its shape (views change only that), and the layer that ran last on it. */
struct flow {
	unsigned value;
	int position;
	struct tensor shape;
};

struct frame {
	struct flow *outputs; /* flow after each item so far */
	const struct frame *outer;
	bool open; /* no block and no branch is around it */
};

/* A scope that numbers unnamed layers: one repetition of a group, with branches of unnamed layers. */
struct scope {
	const char *prefix; /* "res2/0/" */
	unsigned counters[LAYER_CLASS_COUNT + 1];
};

struct expander {
	struct paradl_arena *names_arena;
	struct reader *reader;
	const struct model_variant *variant;
	struct expansion *expansion;
	struct placing **last_placing; /* last placing of each item, by its number; NULL: none yet */
	const struct token_work *last_work[LAYER_CLASS_COUNT];
	unsigned further;            /* value of further sequences, which crosses no cut of a pipeline */
	unsigned block, block_count; /* block: repetition being expanded, 0: none; block_count: all so far */
};

static bool expand_list(struct expander *expander, const struct item_list *list, const struct frame *outer,
	bool open, struct scope *scope, struct flow *flow);

static const char *name_of(struct expander *expander, const struct item *item, struct scope *scope)
{
	char number[COUNT_TEXT];
	if (item->name)
		return arena_join(expander->names_arena, scope->prefix, item->name, "");
	const unsigned counter = item->type ? (unsigned)item->type->class_ : LAYER_CLASS_COUNT;
	return arena_join(expander->names_arena, scope->prefix, item->type ? item->type->name : "group",
		decimal_count(number, ++scope->counters[counter], '\0'));
}

static bool items_countable(const struct item *item, const struct layer *layer, struct paradl_error *error)
{
	if (layer->y_items > LAYER_ITEMS_MAX)
		return json_error(item->node, error,
			"its output has %g items; more than 2^53 cannot be counted", layer->y_items);
	if (layer->weight_items > LAYER_ITEMS_MAX)
		return json_error(item->node, error, "it has %g weights; more than 2^53 cannot be counted",
			layer->weight_items);
	return true;
}

static void freeze(const struct item *item, struct layer *layer)
{
	/* A table shared with an earlier layer has a gradient in this layer, too. */
	const bool is_tied = layer->work && layer->work->tied;
	layer->backward_weight = layer->backward_weight && (layer->weight_items > 0 || is_tied);
	if (item->freeze) {
		layer->frozen_items = layer->weight_items;
		layer->weight_items = 0;
		layer->weight_tensors = 0;
	}
	if (!layer->backward_data && !layer->backward_weight)
		layer->backward_flop = layer->backward_items = 0;
}

static struct role role_of(const struct expander *expander, const struct flow *inputs, unsigned input_count)
{
	const struct expansion *const expansion = expander->expansion;
	const int maker = expansion->values[inputs[0].value].maker;
	const bool made = maker != NO_POSITION && expansion->placings[maker]->layer.class_ == LAYER_NORM;
	struct role role = {true, false, pool_padded_pieces(expander->variant, expansion->count),
		made && input_count == 1};
	for (unsigned i = 0; i < input_count; i++) {
		role.reads_input = role.reads_input && inputs[i].value == 0;
		role.backward_data = role.backward_data || expansion->values[inputs[i].value].gradient;
	}
	return role;
}

static struct layer layer_start(
	const struct item *item, const struct flow *inputs, unsigned input_count, struct role role)
{
	struct layer layer = {
		.class_ = item->type->class_,
		.kind = item->type->kinds ? item->type->kinds[item->keys.kind] : "",
		.count = 1,
		.reads_input = role.reads_input,
		.backward_data = role.backward_data,
		.backward_weight = !item->freeze,
		.x = inputs[0].shape,
		.kernel = {1, 1, 1},
		.stride = {1, 1, 1},
		.dilation = {1, 1, 1},
		.groups = 1,
		.splits = LAYER_SPLIT_SPATIAL | LAYER_SPLIT_CHANNEL | LAYER_SPLIT_FILTER,
	};
	for (unsigned i = 0; i < input_count; i++)
		layer.x_items += tensor_items(&inputs[i].shape);
	return layer;
}

static void values_update(struct expansion *expansion, const struct flow *inputs, unsigned input_count,
	const struct layer_keeps *keeps, const struct layer *layer)
{
	const int position = (int)expansion->count;
	const bool backward = layer_goes_back(layer);
	for (unsigned i = 0; i < input_count; i++) {
		struct value *const value = &expansion->values[inputs[i].value];
		value->last_reader = position;
		value->read_back = value->read_back || (backward && keeps->x);
		if (backward && keeps->x && value->keeper == NO_POSITION)
			value->keeper = position;
	}
	expansion->values[position + 1] = (struct value){
		.items = layer->y_items,
		.maker = position,
		.last_reader = NO_POSITION,
		.keeper = backward && keeps->y ? position : NO_POSITION,
		.gradient = backward,
	};
}

/* Stores the work of a layer; layers of a class in a row that do the same share a copy. False: out of memory. */
static bool work_keep(struct expander *expander, const struct token_work *work, struct layer *layer)
{
	const struct token_work **const last = &expander->last_work[layer->class_];
	const struct work_bits now = work_bits(work), before = work_bits(*last);
	if (!*last || memcmp(now.bits, before.bits, sizeof(now.bits)) != 0) {
		struct token_work *const copy = arena_alloc(expander->reader->arena, 1, sizeof(*copy));
		if (!copy)
			return false;
		*copy = *work;
		*last = copy;
	}
	layer->work = *last;
	return true;
}

static bool reads_keep(struct expander *expander, const struct flow *inputs, unsigned input_count)
{
	int *const positions = arena_alloc(expander->names_arena, input_count, sizeof(*positions));
	unsigned count = 0;
	if (!positions)
		return false;
	for (unsigned i = 0; i < input_count; i++) {
		unsigned at = count;
		while (at > 0 && positions[at - 1] >= inputs[i].position)
			at--;
		if (at < count && positions[at] == inputs[i].position)
			continue;
		memmove(&positions[at + 1], &positions[at], (count++ - at) * sizeof(*positions));
		positions[at] = inputs[i].position;
	}
	expander->expansion->reads[expander->expansion->count] = (struct layer_reads){positions, count};
	return true;
}

/* Reports whether the item was last placed among the same inputs: then the layer it became is the same, too. */
static bool placed_alike(
	const struct placing *last, struct role role, const struct flow *inputs, unsigned input_count)
{
	if (!last || last->role.reads_input != role.reads_input ||
		last->role.backward_data != role.backward_data ||
		last->role.padded_pieces != role.padded_pieces || last->role.normed != role.normed)
		return false;
	for (unsigned i = 0; i < input_count; i++)
		if (!tensor_equal(&last->inputs[i], &inputs[i].shape))
			return false;
	return true;
}

static bool placing_fill(struct expander *expander, const struct item *item, const struct flow *inputs,
	unsigned input_count, struct placing *placing)
{
	struct paradl_error *const error = expander->reader->error;
	struct layer *const layer = &placing->layer;
	struct tensor *const shapes = arena_alloc(expander->reader->arena, input_count, sizeof(*shapes));
	if (!shapes)
		return out_of_memory(expander->reader->error);
	for (unsigned i = 0; i < input_count; i++)
		shapes[i] = inputs[i].shape;
	struct token_work work = {.tokens = 0};
	const struct layer_context context = {shapes, input_count, expander->variant,
		placing->role.padded_pieces, placing->role.normed, &work};
	placing->inputs = shapes;
	if (!item->type->infer(&item->keys, &context, layer, &placing->keeps, error))
		return false;
	if (layer->work && !work_keep(expander, &work, layer))
		return out_of_memory(expander->reader->error);
	layer->y_items = tensor_items(&layer->y);
	if (!items_countable(item, layer, error))
		return false;
	freeze(item, layer);
	layer->kept_items = layer_goes_back(layer) ? placing->keeps.items : 0;
	return true;
}

static struct placing *placing_of(
	struct expander *expander, const struct item *item, const struct flow *inputs, unsigned input_count)
{
	struct placing **const last = &expander->last_placing[item->number];
	const struct role role = role_of(expander, inputs, input_count);
	if (placed_alike(*last, role, inputs, input_count))
		return *last;
	struct placing *const placing = arena_alloc(expander->reader->arena, 1, sizeof(*placing));
	if (!placing)
		return out_of_memory_null(expander->reader->error);
	placing->layer = layer_start(item, inputs, input_count, role);
	placing->role = role;
	*last = placing;
	return placing_fill(expander, item, inputs, input_count, placing) ? placing : NULL;
}

static bool place(struct expander *expander, const struct item *item, const struct flow *inputs,
	unsigned input_count, struct flow *flow)
{
	struct expansion *const expansion = expander->expansion;
	struct placing *const placing = placing_of(expander, item, inputs, input_count);
	if (!placing)
		return false;
	if (!reads_keep(expander, inputs, input_count))
		return out_of_memory(expander->reader->error);
	values_update(expansion, inputs, input_count, &placing->keeps, &placing->layer);
	flow->value = placing->keeps.view ? inputs[0].value : expansion->count + 1;
	flow->shape = placing->layer.y;
	flow->position = (int)expansion->count;
	expansion->kept_items[expansion->count] = placing->layer.kept_items;
	expansion->placings[expansion->count++] = placing;
	return true;
}

static const struct flow *source_flow(const struct frame *frame, const struct item_source *source)
{
	for (unsigned up = source->up; up > 0 && frame->outer; up--)
		frame = frame->outer;
	return &frame->outputs[source->index];
}

static bool branches_expand(struct expander *expander, const struct item *item, const char *name,
	const struct frame *frame, struct scope *scope, struct flow *inputs)
{
	struct scope own = {0};
	if (item->name) {
		own.prefix = arena_join(expander->reader->arena, name, "/", "");
		if (!own.prefix)
			return out_of_memory(expander->reader->error);
	}
	for (unsigned i = 0; i < item->list_count; i++)
		if (!expand_list(
			    expander, &item->lists[i], frame, false, item->name ? &own : scope, &inputs[i]))
			return false;
	return true;
}

static bool expand_layer(struct expander *expander, const struct item *item, const struct frame *frame,
	struct scope *scope, struct flow *flow)
{
	const unsigned count = item->list_count > 0 ? item->list_count : item->from ? item->from_count : 1;
	struct flow single = {0}, *inputs = &single;
	const char *const name = name_of(expander, item, scope);
	if (count > 1)
		inputs = arena_alloc(expander->reader->arena, count, sizeof(*inputs));
	if (!name || !inputs)
		return out_of_memory(expander->reader->error);
	for (unsigned i = 0; i < count; i++) {
		const unsigned from = item->from_count == count ? i : 0;
		inputs[i] = item->from ? *source_flow(frame, &item->from[from]) : *flow;
	}
	if (item->type->class_ == LAYER_EMBEDDING && item->keys.tokens.node) {
		inputs[0] = (struct flow){expander->further, READS_INPUT,
			{.channels = 1,
				.dimensions = 1,
				.extent = {item->keys.tokens.value, 1, 1},
				.tokens = true}};
		expander->expansion->further_tokens +=
			item->keys.tokens.value > 1 ? item->keys.tokens.value : 0;
	}
	if (!branches_expand(expander, item, name, frame, scope, inputs))
		return false;
	expander->expansion->names[expander->expansion->count] = name;
	expander->expansion->blocks[expander->expansion->count] = expander->block;
	return place(expander, item, inputs, count, flow);
}

/* Adds a hint with the shapes that show why a later repetition fails where the first did not. */
static void repetition_hint(const struct expander *expander, const struct item *item, unsigned repetition,
	const struct tensor *first, const struct tensor *now)
{
	char before[64], after[64];
	if (repetition == 0 || tensor_equal(first, now))
		return;
	error_hint(expander->reader->error,
		"in repetition %u of %u%s%.60s: its input was %s at first and is now %s", repetition + 1,
		item->repeat, item->name ? " of " : "", item->name ? item->name : "",
		tensor_format(first, before, sizeof(before)), tensor_format(now, after, sizeof(after)));
}

/*
 * Returns whether each repetition of a group is a block: unless it is in one, or is only there to hold groups, as is one that has nothing
 * else, or is not repeated.
 */
static bool group_makes_blocks(const struct item *item, const struct frame *frame)
{
	const struct item_list *const list = &item->lists[0];
	unsigned groups = 0;
	for (unsigned i = 0; i < list->count; i++)
		groups += !list->items[i].type;
	return frame->open && (item->repeated ? groups < list->count : groups == 0);
}

static bool expand_group(struct expander *expander, const struct item *item, const struct frame *frame,
	struct scope *scope, struct flow *flow)
{
	const struct tensor first = flow->shape;
	const char *const name = name_of(expander, item, scope);
	const bool blocks = group_makes_blocks(item, frame);
	for (unsigned i = 0; i < item->repeat; i++) {
		const struct tensor now = flow->shape;
		struct scope own = {0};
		char number[COUNT_TEXT];
		const char *const place = item->repeated ? decimal_count(number, i, '/') : "";
		own.prefix = name ? arena_join(expander->reader->arena, name, "/", place) : NULL;
		if (!own.prefix)
			return out_of_memory(expander->reader->error);
		if (blocks)
			expander->block = ++expander->block_count;
		if (!expand_list(expander, &item->lists[0], frame, frame->open && !blocks, &own, flow)) {
			repetition_hint(expander, item, i, &first, &now);
			return false;
		}
	}
	if (blocks)
		expander->block = 0;
	return true;
}

static bool expand_list(struct expander *expander, const struct item_list *list, const struct frame *outer,
	bool open, struct scope *scope, struct flow *flow)
{
	struct frame frame = {.outer = outer, .open = open};
	if (list->count == 0)
		return true;
	frame.outputs = arena_alloc(expander->reader->arena, list->count, sizeof(*frame.outputs));
	if (!frame.outputs)
		return out_of_memory(expander->reader->error);
	for (unsigned i = 0; i < list->count; i++) {
		const struct item *const item = &list->items[i];
		const bool done = item->type ? expand_layer(expander, item, &frame, scope, flow)
					     : expand_group(expander, item, &frame, scope, flow);
		if (!done)
			return false;
		frame.outputs[i] = *flow;
	}
	return true;
}

bool expand(struct paradl_arena *names_arena, struct reader *reader, const struct item_list *layers,
	const struct tensor *input, const struct model_variant *variant, struct expansion *expansion)
{
	const size_t count = (size_t)layers->expanded;
	struct expander expander = {.names_arena = names_arena,
		.reader = reader,
		.variant = variant,
		.expansion = expansion,
		.further = (unsigned)count + 1};
	struct scope scope = {.prefix = ""};
	struct flow flow = {.value = 0, .position = READS_INPUT, .shape = *input};
	expansion->count = 0;
	expansion->further_tokens = 0;
	expander.last_placing = arena_alloc(reader->arena, reader->items, sizeof(struct placing *));
	expansion->placings = arena_alloc(reader->arena, count, sizeof(struct placing *));
	expansion->kept_items = arena_alloc(reader->arena, count, sizeof(*expansion->kept_items));
	expansion->values = arena_alloc(reader->arena, count + 2, sizeof(*expansion->values));
	expansion->names = arena_alloc(names_arena, count, sizeof(*expansion->names));
	expansion->blocks = arena_alloc(reader->arena, count, sizeof(*expansion->blocks));
	expansion->reads = arena_alloc(names_arena, count, sizeof(*expansion->reads));
	if (!expander.last_placing || !expansion->placings || !expansion->kept_items || !expansion->values ||
		!expansion->names || !expansion->blocks || !expansion->reads)
		return out_of_memory(expander.reader->error);
	const struct value given = {.maker = NO_POSITION, .last_reader = NO_POSITION, .keeper = NO_POSITION};
	expansion->values[0] = expansion->values[expander.further] = given;
	expansion->values[0].items = tensor_items(input);
	return expand_list(&expander, layers, NULL, true, &scope, &flow);
}
