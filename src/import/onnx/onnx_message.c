/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads protobuf: the wire format, and the messages of onnx.proto below a graph. */
#include "base/error.h"
#include "import/onnx/onnx_graph.h"

#include <math.h>
#include <string.h>

enum { VARINT_BYTES = 10, FIELD_NUMBER_MAX = (1 << 29) - 1 };

struct wire wire_over(const uint8_t *data, size_t length)
{
	return (struct wire){.at = data, .end = data + length};
}

size_t wire_left(const struct wire *wire)
{
	return (size_t)(wire->end - wire->at);
}

static bool broken(struct wire *wire, const char *why)
{
	wire->broken = why;
	return false;
}

bool wire_varint(struct wire *wire, uint64_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < VARINT_BYTES; i++) {
		if (wire->at + i == wire->end)
			return broken(wire, "it ends within a number");
		const uint64_t bits = wire->at[i] & 0x7fU;
		if (i == VARINT_BYTES - 1 && wire->at[i] > 1)
			return broken(wire, "a number has more than 64 bits");
		*value |= bits << (7 * i);
		if (wire->at[i] < 0x80U) {
			wire->at += i + 1;
			return true;
		}
	}
	return broken(wire, "a number has more than 64 bits");
}

uint64_t wire_little(const uint8_t *at, unsigned bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static bool fixed(struct wire *wire, unsigned bytes, struct wire_field *field)
{
	if (wire_left(wire) < bytes)
		return broken(wire, "it ends within a number");
	field->value = wire_little(wire->at, bytes);
	wire->at += bytes;
	return true;
}

static bool delimited(struct wire *wire, struct wire_field *field)
{
	uint64_t length;
	const struct wire before = *wire;
	if (!wire_varint(wire, &length))
		return false;
	if (length > wire_left(wire)) {
		*wire = before;
		return broken(wire, "a length goes beyond the end");
	}
	field->bytes = wire_over(wire->at, (size_t)length);
	wire->at += length;
	return true;
}

bool wire_next(struct wire *wire, struct wire_field *field)
{
	uint64_t key;
	const uint8_t *const start = wire->at;
	if (wire->broken || wire->at == wire->end || !wire_varint(wire, &key))
		return false;
	*field = (struct wire_field){.number = (unsigned)(key >> 3), .type = (enum wire_type)(key & 7)};
	bool read = false;
	if (key >> 3 == 0 || key >> 3 > FIELD_NUMBER_MAX)
		broken(wire, "a field has a number that none may have");
	else if (field->type == WIRE_VARINT)
		read = wire_varint(wire, &field->value);
	else if (field->type == WIRE_64_BIT)
		read = fixed(wire, 8, field);
	else if (field->type == WIRE_BYTES)
		read = delimited(wire, field);
	else if (field->type == WIRE_32_BIT)
		read = fixed(wire, 4, field);
	else
		broken(wire, "a field has a type that ONNX does not use");
	if (!read)
		wire->at = start;
	return read;
}

float wire_float(uint64_t bits)
{
	const uint32_t low = (uint32_t)bits;
	float value;
	memcpy(&value, &low, sizeof(value));
	return value;
}

double wire_double(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/*
 * Reads the messages of onnx.proto below a graph: tensors, attributes, shapes of values. Field numbers are those of
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, the specification of the format.
 */

enum tensor_type {
	TENSOR_FLOAT = 1,
	TENSOR_INT32 = 6,
	TENSOR_INT64 = 7,
	TENSOR_BOOL = 9,
	TENSOR_DOUBLE = 11
};

struct tensor_message {
	int type;
	double *numbers; /* items; NULL: not wanted */
	unsigned room, count;
};

static unsigned width_of(int type)
{
	switch (type) {
	case TENSOR_FLOAT:
	case TENSOR_INT32:
		return 4;
	case TENSOR_INT64:
	case TENSOR_DOUBLE:
		return 8;
	case TENSOR_BOOL:
		return 1;
	default:
		return 0;
	}
}

static double number_of(int type, uint64_t bits)
{
	if (type == TENSOR_FLOAT)
		return (double)wire_float(bits);
	if (type == TENSOR_DOUBLE)
		return wire_double(bits);
	if (type == TENSOR_INT32)
		return (double)(int32_t)(uint32_t)bits;
	return (double)(int64_t)bits;
}

static void tensor_put(struct tensor_message *tensor, uint64_t bits)
{
	if (tensor->numbers && tensor->count < tensor->room)
		tensor->numbers[tensor->count] = number_of(tensor->type, bits);
	tensor->count++;
}

static bool dims_put(struct onnx_shape *shape, uint64_t dim)
{
	if (shape->rank < RANK_MAX)
		shape->dims[shape->rank] = (double)(int64_t)dim;
	return shape->rank++ < RANK_MAX && (int64_t)dim >= 0 && (double)dim <= DIM_MAX;
}

static bool dims_read(const struct onnx_graph *graph, struct wire_field *field, struct onnx_shape *shape)
{
	uint64_t dim = field->value;
	bool fits = true;
	if (field->type == WIRE_VARINT)
		fits = dims_put(shape, dim);
	while (field->type == WIRE_BYTES && fits && wire_left(&field->bytes) > 0) {
		if (!wire_varint(&field->bytes, &dim))
			return graph_walked(graph, &field->bytes);
		fits = dims_put(shape, dim);
	}
	if (fits)
		return true;
	if (shape->rank > RANK_MAX)
		return graph_error(graph, "has a tensor of more than %d dimensions", RANK_MAX);
	return graph_error(graph, "has a tensor with a dimension of %lld", (long long)(int64_t)dim);
}

/* Reads a list of numbers, packed or one by one: writers may do either. `width`: bytes of one; 0: varints. */
static bool list_read(const struct onnx_graph *graph, struct wire_field *field, unsigned width,
	void (*put)(void *, uint64_t), void *list)
{
	struct wire *const bytes = &field->bytes;
	if (field->type != WIRE_BYTES) {
		put(list, field->value);
		return true;
	}
	if (width > 0 && wire_left(bytes) % width != 0)
		return graph_error(graph, "is no ONNX file: at byte %zu a list of numbers ends within one",
			(size_t)(bytes->at - graph->start));
	while (wire_left(bytes) > 0) {
		uint64_t value;
		if (width == 0 && !wire_varint(bytes, &value))
			return graph_walked(graph, bytes);
		if (width > 0) {
			value = wire_little(bytes->at, width);
			bytes->at += width;
		}
		put(list, value);
	}
	return true;
}

static void tensor_item(void *tensor, uint64_t bits)
{
	tensor_put(tensor, bits);
}

static bool is_small(const struct tensor_message *tensor, bool is_whole, double items)
{
	return items <= (is_whole ? NUMBERS_MAX : FLOATS_MAX) && width_of(tensor->type) > 0;
}

/* Reads the numbers of a small tensor: float_data 4, int32_data 5, int64_data 7, raw_data 9, double_data 10. */
static bool numbers_read(const struct onnx_graph *graph, struct wire wire, struct tensor_message *tensor,
	struct onnx_value *value)
{
	struct wire_field field;
	const double items = shape_items(&value->shape);
	const unsigned width = width_of(tensor->type);
	tensor->room = (unsigned)items;
	tensor->numbers = arena_alloc(graph->arena, tensor->room + 1U, sizeof(*tensor->numbers));
	if (!tensor->numbers)
		return out_of_memory(graph->error);
	while (wire_next(&wire, &field)) {
		const bool is_list =
			field.number == 4 || field.number == 5 || field.number == 7 || field.number == 10;
		const unsigned item = field.number == 4 ? 4 : field.number == 10 ? 8 : 0;
		if (is_list && !list_read(graph, &field, item, tensor_item, tensor))
			return false;
		if (field.number != 9 || field.type != WIRE_BYTES)
			continue;
		while (wire_left(&field.bytes) >= width) {
			tensor_put(tensor, wire_little(field.bytes.at, width));
			field.bytes.at += width;
		}
	}
	if (tensor->count == tensor->room)
		value->numbers = tensor->numbers;
	return true;
}

bool tensor_read(
	const struct onnx_graph *graph, struct wire wire, struct onnx_value *value, struct span *name)
{
	struct tensor_message tensor = {.type = 0};
	const struct wire whole = wire;
	struct wire_field field;
	value->shape = (struct onnx_shape){.known = true};
	while (wire_next(&wire, &field)) {
		if (field.number == 1 && !dims_read(graph, &field, &value->shape))
			return false;
		if (field.number == 2 && field.type == WIRE_VARINT)
			tensor.type = field.value < 64 ? (int)field.value : 0;
		if (field.number == 8 && field.type == WIRE_BYTES && name)
			*name = (struct span){(const char *)field.bytes.at, wire_left(&field.bytes)};
	}
	if (!graph_walked(graph, &wire))
		return false;
	const double items = shape_items(&value->shape);
	if (items > ITEMS_MAX)
		return graph_error(
			graph, "has a tensor of %g items; more than 2^53 cannot be counted", items);
	value->is_tensor = true;
	value->is_constant = true;
	value->is_whole =
		tensor.type == TENSOR_INT32 || tensor.type == TENSOR_INT64 || tensor.type == TENSOR_BOOL;
	return !is_small(&tensor, value->is_whole, items) || numbers_read(graph, whole, &tensor, value);
}

/* ---- attributes -------------------------------------------------------------------------------- */

struct attribute_list {
	double *items;
	unsigned count;
	bool is_float;
};

static void attribute_item(void *data, uint64_t bits)
{
	struct attribute_list *const list = data;
	if (list->items && list->count < NUMBERS_MAX)
		list->items[list->count] = list->is_float ? (double)wire_float(bits) : (double)(int64_t)bits;
	list->count++;
}

/* Reads a list of floats (field 7) or ints (field 8). Counts its items first. */
static bool attribute_list_read(
	const struct onnx_graph *graph, struct wire wire, unsigned number, struct onnx_attribute *attribute)
{
	struct attribute_list list = {.is_float = number == 7};
	for (unsigned pass = 0; pass < 2; pass++) {
		struct wire walk = wire;
		struct wire_field field;
		while (wire_next(&walk, &field))
			if (field.number == number &&
				!list_read(graph, &field, list.is_float ? 4 : 0, attribute_item, &list))
				return false;
		attribute->count = list.count;
		if (list.items || list.count == 0 || list.count > NUMBERS_MAX)
			break;
		list.items = arena_alloc(graph->arena, list.count, sizeof(*list.items));
		if (!list.items)
			return out_of_memory(graph->error);
		list.count = 0;
	}
	attribute->list = list.items;
	if (!list.items)
		attribute->count = 0;
	return true;
}

bool attribute_read(const struct onnx_graph *graph, struct wire wire, struct onnx_attribute *attribute)
{
	const struct wire whole = wire;
	struct wire_field field;
	unsigned list = 0;
	*attribute = (struct onnx_attribute){.number = 0};
	while (wire_next(&wire, &field)) {
		const struct span text = {(const char *)field.bytes.at, wire_left(&field.bytes)};
		if (field.number == 1 && field.type == WIRE_BYTES)
			attribute->name = text;
		else if (field.number == 2 && field.type == WIRE_32_BIT)
			attribute->number = (double)wire_float(field.value);
		else if (field.number == 3 && field.type == WIRE_VARINT)
			attribute->number = (double)(int64_t)field.value;
		else if (field.number == 4 && field.type == WIRE_BYTES)
			attribute->text = text;
		else if (field.number == 5 && field.type == WIRE_BYTES)
			attribute->tensor = field.bytes;
		else if (field.number == 7 || field.number == 8)
			list = field.number;
	}
	if (!isfinite(attribute->number))
		attribute->number = 0;
	return graph_walked(graph, &wire) &&
	       (list == 0 || attribute_list_read(graph, whole, list, attribute));
}

/* ---- shapes of values: ValueInfoProto.type 2, TypeProto.tensor_type 1, Tensor.shape 2, Shape.dim 1 ---------- */

static bool member(struct wire wire, unsigned number, struct wire *found)
{
	struct wire_field field;
	while (wire_next(&wire, &field))
		if (field.number == number && field.type == WIRE_BYTES) {
			*found = field.bytes;
			return true;
		}
	return false;
}

static void dim_read(struct wire wire, struct onnx_shape *shape)
{
	struct wire_field field;
	double dim = 0;
	while (wire_next(&wire, &field))
		if (field.number == 1 && field.type == WIRE_VARINT && (double)field.value <= DIM_MAX)
			dim = (double)field.value;
	if (shape->rank < RANK_MAX)
		shape->dims[shape->rank] = dim;
	shape->rank++;
}

bool value_info_read(
	const struct onnx_graph *graph, struct wire wire, struct span *name, struct onnx_shape *shape)
{
	struct wire text, type, tensor, dims;
	struct wire_field field;
	*shape = (struct onnx_shape){.known = false};
	*name = (struct span){"", 0};
	if (member(wire, 1, &text))
		*name = (struct span){(const char *)text.at, wire_left(&text)};
	if (!member(wire, 2, &type) || !member(type, 1, &tensor) || !member(tensor, 2, &dims))
		return true;
	while (wire_next(&dims, &field))
		if (field.number == 1 && field.type == WIRE_BYTES)
			dim_read(field.bytes, shape);
	shape->known = shape->rank <= RANK_MAX;
	if (!shape->known)
		shape->rank = 0;
	return graph_walked(graph, &dims);
}
