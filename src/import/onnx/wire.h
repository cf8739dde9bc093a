/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The protobuf wire format: fields of a message, one after the other, each a key (number and type) and a value. Nothing is
 * copied or allocated; what is not asked for is skipped by its length and never looked at. A nested message is a wire of
 * its own that the caller may walk, so depth is what the caller's code has, not what a file has.
 */
#ifndef IMPORT_ONNX_WIRE_H
#define IMPORT_ONNX_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64_BIT = 1, WIRE_BYTES = 2, WIRE_32_BIT = 5 };

struct wire {
	const uint8_t *at, *end;
	const char *broken; /* why the walk has ended before the end; NULL: it has not */
};

struct wire_field {
	unsigned number;
	enum wire_type type;
	uint64_t value;    /* of all types but bytes, as it lies there */
	struct wire bytes; /* of type bytes: text, a message, or packed numbers */
};

struct wire wire_over(const uint8_t *data, size_t length);
/* The next field; false at the end, or where it is broken: then wire->broken says why, and wire->at is where. */
bool wire_next(struct wire *wire, struct wire_field *field);
/* The next of numbers that are packed as varints. */
bool wire_varint(struct wire *wire, uint64_t *value);
size_t wire_left(const struct wire *wire);

/* Bits as a number. */
float wire_float(uint64_t bits);
double wire_double(uint64_t bits);
/* Little-endian, as raw data is; `bytes` is 1, 2, 4 or 8. */
uint64_t wire_little(const uint8_t *at, unsigned bytes);

#endif
