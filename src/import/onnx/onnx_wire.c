/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/onnx/onnx_graph.h"

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
