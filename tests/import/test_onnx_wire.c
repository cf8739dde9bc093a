/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wire format of protobuf: what is read of it, and what is refused. */
#include "test.h"

#include "import/onnx/onnx_graph.h"

/* The examples of protobuf's own description of its encoding: 150, and "testing". */
static void test_described(void **state)
{
	static const uint8_t bytes[] = {0x08, 0x96, 0x01, 0x12, 0x07, 't', 'e', 's', 't', 'i', 'n', 'g', 0x1d,
		0, 0, 0x80, 0x3f, 0x21, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
	struct wire wire = wire_over(bytes, sizeof bytes);
	struct wire_field field;
	(void)state;
	assert_true(wire_next(&wire, &field) && field.number == 1 && field.value == 150);
	assert_true(wire_next(&wire, &field) && field.number == 2 && wire_left(&field.bytes) == 7);
	assert_memory_equal(field.bytes.at, "testing", 7);
	assert_true(wire_next(&wire, &field) && field.number == 3);
	assert_close((double)wire_float(field.value), 1.0, 0);
	assert_true(wire_next(&wire, &field) && field.number == 4);
	assert_close(wire_double(field.value), 1.5, 0);
	assert_false(wire_next(&wire, &field));
	assert_null(wire.broken);
}

/* What is broken stays so, where it broke. */
static void test_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t length, at;
	} cases[] = {
		{"\x08", 1, 0},
		{"\x08\x80", 2, 0},
		{"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, 0},
		{"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12, 0},
		{"\x12\x05"
		 "abcd",
			6, 0},
		{"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
		 "abcd",
			15, 0},
		{"\x0b", 1, 0},
		{"\x0c", 1, 0},
		{"\x0e", 1, 0},
		{"\x00\x01", 2, 0},
		{"\x1d\x01\x02\x03", 4, 0},
		{"\x21\x01\x02\x03\x04\x05\x06\x07", 8, 0},
		{"\x08\x01\x08", 3, 2},
		{"\x80\x80\x80\x80\x20\x01", 6, 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint8_t *const bytes = (const uint8_t *)cases[i].bytes;
		struct wire wire = wire_over(bytes, cases[i].length);
		struct wire_field field;
		while (wire_next(&wire, &field))
			continue;
		assert_non_null(wire.broken);
		assert_int_equal(wire.at - bytes, cases[i].at);
		assert_false(wire_next(&wire, &field));
	}
}

/* Numbers of all lengths come back; the largest is ten bytes long. */
static void test_varints(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 64; bit++) {
		const uint64_t value = ((uint64_t)1 << bit) + (bit > 0);
		uint8_t bytes[10];
		size_t length = 0;
		uint64_t read;
		for (uint64_t rest = value; length == 0 || rest > 0; rest >>= 7)
			bytes[length++] = (uint8_t)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
		struct wire wire = wire_over(bytes, length);
		assert_true(wire_varint(&wire, &read) && read == value && wire_left(&wire) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_described), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_varints)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
