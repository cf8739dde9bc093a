/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the protobuf wire format. A message is fields, one after the other, each a key (number and type) and a value.
 * Nothing is copied or allocated; a field that is not asked for is skipped by its length and never looked at. A
 * nested message is a wire of its own that the caller may walk, so depth is that of the caller's code, not that of a
 * file.
 */
#ifndef IMPORT_ONNX_ONNX_WIRE_H
#define IMPORT_ONNX_ONNX_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64_BIT = 1, WIRE_BYTES = 2, WIRE_32_BIT = 5 };

struct wire {
	const uint8_t *at, *end;
	const char *broken; /* reason why the walk has ended before the end; NULL: it has not */
};

struct wire_field {
	unsigned number;
	enum wire_type type;
	uint64_t value;    /* bits of all types but bytes, as they lie there */
	struct wire bytes; /* content of type bytes: text, a message, or packed numbers */
};

struct wire wire_over(const uint8_t *data, size_t length);
/*
 * Reads the next field; false at the end, or where it is broken: then wire->broken says why, and wire->at is where.
 */
bool wire_next(struct wire *wire, struct wire_field *field);
/* Reads the next of numbers that are packed as varints; false where it is broken. */
bool wire_varint(struct wire *wire, uint64_t *value);
size_t wire_left(const struct wire *wire);

/* Returns bits as a number. */
float wire_float(uint64_t bits);
double wire_double(uint64_t bits);
/* Returns a little-endian number, as raw data has them; `bytes` is 1, 2, 4 or 8. */
uint64_t wire_little(const uint8_t *at, unsigned bytes);

#endif
