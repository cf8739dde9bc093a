/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text, tables and bars. The reports belong to the program, not to the library, so their sources are taken in here. */
#include <math.h>

#include "test.h"

/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "report/palette.c"
#include "report/table.c"
#include "report/typeset.c"
/* NOLINTEND(bugprone-suspicious-include) */

static struct report_sink sink;
static char *written;
static size_t written_length;

static int start(void **state)
{
	(void)state;
	sink = (struct report_sink){.arena = paradl_arena_create(), .style = {.width = 40}};
	sink.file = open_memstream(&written, &written_length);
	return sink.arena && sink.file ? 0 : -1;
}

static int finish(void **state)
{
	(void)state;
	fclose(sink.file);
	free(written);
	paradl_arena_free(sink.arena);
	return 0;
}

static void renew(void)
{
	fclose(sink.file);
	free(written);
	sink.file = open_memstream(&written, &written_length);
	assert_non_null(sink.file);
}

static const char *output(void)
{
	fflush(sink.file);
	return written;
}

static void test_clean(void **state)
{
	(void)state;
	assert_string_equal(typeset_clean(&sink, "plain ×"), "plain ×");
	assert_string_equal(typeset_clean(&sink, "a\033[31mb\nc\td\x7f"), "a?[31mb?c?d?");
	assert_string_equal(typeset_clean(&sink, "\xff\xc3."), "??.");
	assert_string_equal(typeset_clean(&sink, "\xc2\x9b"
						 "31m"),
		"?31m");
	sink.style.ascii = true;
	assert_string_equal(typeset_clean(&sink, "1.5× ≥ 7 → … ±9 ü"), "1.5x >= 7 -> ... +-9 ?");
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(typeset_width(""), 0);
	assert_int_equal(typeset_width("abc"), 3);
	assert_int_equal(typeset_width("×…█"), 3);
	assert_int_equal(typeset_width("日本"), 4);
	assert_int_equal(typeset_width("e\xcc\x81"), 1);
	assert_int_equal(typeset_width("\033[38;5;25mab\033[0m"), 2);
	assert_int_equal(typeset_width("\033"), 0);
}

static void test_cut(void **state)
{
	(void)state;
	assert_string_equal(typeset_cut(&sink, "abcdef", 6), "abcdef");
	assert_string_equal(typeset_cut(&sink, "abcdef", 5), "abcd…");
	assert_string_equal(typeset_cut(&sink, "abc def", 5), "abc…");
	assert_string_equal(typeset_cut(&sink, "日本語", 5), "日本…");
	assert_string_equal(typeset_cut(&sink, "日本語", 4), "日…");
	sink.style.ascii = true;
	assert_string_equal(typeset_cut(&sink, "abcdef", 5), "ab...");
}

static void test_numbers(void **state)
{
	(void)state;
	assert_string_equal(typeset_count(&sink, 64), "64");
	assert_string_equal(typeset_count(&sink, 25557032), "25.6 M");
	assert_string_equal(typeset_count(&sink, 999999), "1.00 M");
	assert_string_equal(typeset_count(&sink, 12345), "12.3 k");
	assert_string_equal(typeset_count(&sink, 8.03e9), "8.03 B");
	assert_string_equal(typeset_count(&sink, 15e12), "15.0 T");
	assert_string_equal(typeset_count(&sink, 4e15), "4000 T");
	assert_string_equal(typeset_scaled(&sink, 8.03e9), "8.03 G");
	assert_string_equal(typeset_scaled(&sink, 4e21), "4000 E");
	assert_string_equal(typeset_whole(&sink, 0), "0");
	assert_string_equal(typeset_whole(&sink, 999), "999");
	assert_string_equal(typeset_whole(&sink, 37040), "37,040");
	assert_string_equal(typeset_whole(&sink, 1234567), "1,234,567");
	assert_string_equal(typeset_percent(&sink, 0.614), "61 %");
	assert_string_equal(typeset_percent(&sink, 0.0614), "6.1 %");
	assert_string_equal(typeset_percent(&sink, 1), "100 %");
	assert_string_equal(typeset_money(&sink, 0.235, "EUR"), "0.235 EUR");
	assert_string_equal(typeset_money(&sink, 77.941, "JPY"), "77.94 JPY");
	assert_string_equal(typeset_money(&sink, 123456, NULL), "123,456 ");
	assert_string_equal(typeset_quantity(&sink, -1, DIMENSION_TIME), "-");
}

static void test_wrapping(void **state)
{
	(void)state;
	typeset_labelled(&sink, "best", "one two three four five six seven eight nine");
	assert_string_equal(output(), " best        one two three four five six\n"
				      "             seven eight nine\n");
}

static void add(struct table *table, const char *a, const char *b, const char *c)
{
	const char **const cells = table_row(table);
	cells[0] = a;
	cells[1] = b;
	cells[2] = c;
}

/* 1 + 8 + 2 + 5 + 2 + 18 = 36 columns. */
static void make_table(struct table *table)
{
	static const struct table_column columns[] = {
		{"name", TABLE_LEFT, 0, 0}, {"n", TABLE_RIGHT, 1, 0}, {"why", TABLE_LEFT, 2, 6}};
	table_start(table, &sink);
	for (size_t i = 0; i < 3; i++)
		table_column(table, &columns[i]);
	add(table, "a", "1", "for a good reason");
	add(table, "data=256", "12345", "for another reason");
	add(table, "b", "", "");
}

static void test_table(void **state)
{
	struct table table;
	(void)state;
	make_table(&table);
	assert_int_equal(table_width(&table), 36);
	table_print(&table);
	assert_string_equal(output(), " name          n  why\n"
				      " a             1  for a good reason\n"
				      " data=256  12345  for another reason\n"
				      " b\n");
}

static void test_narrow_tables(void **state)
{
	struct table table;
	(void)state;
	sink.style.width = 26;
	make_table(&table);
	table_print(&table);
	assert_string_equal(output(), " name          n  why\n"
				      " a             1  for a g…\n"
				      " data=256  12345  for ano…\n"
				      " b\n");
	renew();
	sink.style.width = 20; /* less than 6 columns for "why" */
	make_table(&table);
	table_print(&table);
	assert_true(table.hidden[2]);
	assert_string_equal(output(), " name          n\n a             1\n data=256  12345\n b\n");
	renew();
	sink.style.width = 5; /* the name stays whatever happens */
	make_table(&table);
	table_print(&table);
	assert_string_equal(output(), " name\n a\n data=256\n b\n");
}

/* A wide column that goes leaves room for a narrow one that matters less. */
static void test_room_is_used(void **state)
{
	static const struct table_column columns[] = {{"name", TABLE_LEFT, 0, 0}, {"small", TABLE_LEFT, 3, 0},
		{"a very wide column", TABLE_LEFT, 2, 0}};
	struct table table;
	(void)state;
	sink.style.width = 20;
	table_start(&table, &sink);
	for (size_t i = 0; i < 3; i++)
		table_column(&table, &columns[i]);
	table_print(&table);
	assert_string_equal(output(), " name  small\n");
}

static void test_bars(void **state)
{
	double phase_s[PARADL_PHASE_COUNT] = {0};
	(void)state;
	phase_s[PARADL_FORWARD] = 2;
	phase_s[PARADL_BACKWARD] = 3;
	phase_s[PARADL_GRADIENT_EXCHANGE] = 4;
	phase_s[PARADL_BUBBLE] = 1;
	assert_string_equal(bar_phases(&sink, phase_s, 10, 10), "█████▒▒▒▒░");
	assert_string_equal(
		bar_phases(&sink, phase_s, 20, 10), "███▒▒"); /* 2.5, 4.5 and 5 columns, rounded */
	assert_string_equal(bar_phases(&sink, phase_s, 5, 10), "█████████▸");
	assert_string_equal(bar_phases(&sink, phase_s, 1e9, 10), "█");
	sink.style.ascii = true;
	assert_string_equal(bar_phases(&sink, phase_s, 10, 10), "#####====.");
	assert_string_equal(bar_phases(&sink, phase_s, 5, 10), "#########>");
}

/* What compute hides is not drawn: of gradients by name, of the other exchanges as much of each. */
static void test_shown_phases(void **state)
{
	(void)state;
	const struct paradl_estimate estimate = {.phase_s = {[PARADL_FORWARD] = 2,
							 [PARADL_GRADIENT_EXCHANGE] = 4,
							 [PARADL_ACTIVATION_EXCHANGE] = 1,
							 [PARADL_STAGE_TRANSFER] = 3,
							 [PARADL_BUBBLE] = 1},
		.communication_s = 8,
		.exposed_communication_s = 3,
		.gradient_hidden_s = 3,
		.iteration_s = 6};
	const double wanted_s[PARADL_PHASE_COUNT] = {[PARADL_FORWARD] = 2,
		[PARADL_GRADIENT_EXCHANGE] = 0.6,
		[PARADL_ACTIVATION_EXCHANGE] = 0.6,
		[PARADL_STAGE_TRANSFER] = 1.8,
		[PARADL_BUBBLE] = 1};
	double shown_s[PARADL_PHASE_COUNT];
	phases_shown(&estimate, shown_s);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		assert_true(fabs(shown_s[i] - wanted_s[i]) < 1e-12);
}

static void test_coloured_bars(void **state)
{
	double phase_s[PARADL_PHASE_COUNT] = {0};
	(void)state;
	sink.style.colors = COLORS_256;
	phase_s[PARADL_FORWARD] = 1;
	phase_s[PARADL_BACKWARD] = 1;
	/* One column: half of each phase, the boundary drawn by a half block on the other's colour. */
	assert_string_equal(bar_phases(&sink, phase_s, 2, 1), "\033[38;5;25;48;5;74m▌\033[0m");
	assert_string_equal(bar_phases(&sink, phase_s, 16, 1), "\033[38;5;25m▏\033[0m");
	assert_int_equal(typeset_width(bar_phases(&sink, phase_s, 2, 12)), 12);
	bool used[PARADL_PHASE_COUNT] = {[PARADL_FORWARD] = true, [PARADL_BUBBLE] = true};
	assert_string_equal(
		bar_legend(&sink, used), "\033[38;5;25m█\033[0m forward  \033[38;5;250m█\033[0m bubble");
	sink.style.colors = COLORS_NONE;
	used[PARADL_BACKWARD] = true;
	assert_string_equal(bar_legend(&sink, used), "█ compute  ░ bubble");
}

static void test_out_of_memory(void **state)
{
	struct table table;
	(void)state;
	paradl_arena_free(sink.arena);
	sink.arena = arena_create_limited(64);
	table_start(&table, &sink);
	for (size_t i = 0; i < 3; i++)
		add(&table, "x", "y", "z");
	assert_true(sink.out_of_memory);
	assert_string_equal(typeset(&sink, "%0200d", 1), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_clean, start, finish),
		cmocka_unit_test_setup_teardown(test_width, start, finish),
		cmocka_unit_test_setup_teardown(test_cut, start, finish),
		cmocka_unit_test_setup_teardown(test_numbers, start, finish),
		cmocka_unit_test_setup_teardown(test_wrapping, start, finish),
		cmocka_unit_test_setup_teardown(test_table, start, finish),
		cmocka_unit_test_setup_teardown(test_narrow_tables, start, finish),
		cmocka_unit_test_setup_teardown(test_room_is_used, start, finish),
		cmocka_unit_test_setup_teardown(test_bars, start, finish),
		cmocka_unit_test_setup_teardown(test_shown_phases, start, finish),
		cmocka_unit_test_setup_teardown(test_coloured_bars, start, finish),
		cmocka_unit_test_setup_teardown(test_out_of_memory, start, finish),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
