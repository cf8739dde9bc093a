/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/option.h"

struct values {
	bool flag, brief, whole;
	const char *text, *optional;
	double count, tokens, ratio, seconds;
	struct option_counts counts;
	int choice;
};

static const char *choice(size_t index)
{
	static const char *const names[] = {"time", "memory", NULL};
	return names[index];
}

#define AT(field) .offset = offsetof(struct values, field)

static const struct option_row rows[] = {
	{.name = "flag", .letter = 'f', .kind = OPTION_FLAG, AT(flag), .commands = "go stay"},
	{.name = "text",
		.formerly = "string",
		.letter = 't',
		.kind = OPTION_TEXT,
		AT(text),
		.argument = "T",
		.commands = "go"},
	{.name = "plot", .kind = OPTION_OPTIONAL_TEXT, AT(optional), .argument = "F", .commands = "go"},
	{.name = "count",
		.kind = OPTION_COUNT,
		AT(count),
		.argument = "N",
		.min = 1,
		.max = 1e6,
		.initial = "7",
		.commands = "go"},
	{.name = "counts", .kind = OPTION_COUNTS, AT(counts), .argument = "N", .min = 1, .commands = "go"},
	{.name = "choice",
		.kind = OPTION_CHOICE,
		AT(choice),
		.argument = "C",
		.choice = choice,
		.initial = "memory",
		.commands = "go"},
	{.name = "ratio", .kind = OPTION_RATIO, AT(ratio), .argument = "R", .max = 1, .commands = "go"},
	{.name = "wait",
		.kind = OPTION_QUANTITY,
		AT(seconds),
		.argument = "T",
		.dimension = DIMENSION_TIME,
		.formerly = "waits",
		.formerly_unit = "d",
		.commands = "go"},
	{.name = "batch",
		.kind = OPTION_COUNT,
		AT(count),
		.offset_tokens = offsetof(struct values, tokens),
		.argument = "N",
		.min = 1,
		.commands = "go"},
	{.name = "only-stay", .kind = OPTION_FLAG, AT(flag), .commands = "stay"},
	{.name = "whole",
		.letter = 'w',
		.kind = OPTION_FLAG,
		AT(whole),
		.offset_letter = offsetof(struct values, brief),
		.commands = "go"},
};
static const struct option_row further[] = {{.name = "far", .kind = OPTION_FLAG, AT(flag), .commands = "go"}};
static const struct option_table rest = {further, 1, NULL};
static const struct option_table *const others[] = {&rest, NULL};
static const struct option_table table = {rows, sizeof rows / sizeof rows[0], others};

struct parsed {
	bool ok;
	struct values values;
	struct option_operands operands;
	struct paradl_error error;
};

static struct paradl_arena *arena;

static int start(void **state)
{
	(void)state;
	arena = paradl_arena_create();
	return arena ? 0 : -1;
}

static int finish(void **state)
{
	(void)state;
	paradl_arena_free(arena);
	return 0;
}

/* Arguments in one line, apart by blanks. */
static struct parsed parse(const char *line)
{
	struct parsed parsed = {.ok = false};
	const char *items[16];
	struct option_words words = {items, 0};
	while (*line) {
		const size_t length = strcspn(line, " ");
		items[words.count++] = arena_copy(arena, line, length);
		line += length + strspn(line + length, " ");
	}
	parsed.ok =
		option_parse(&table, "go", &words, arena, &parsed.values, &parsed.operands, &parsed.error);
	return parsed;
}

static void refuse(const char *line, const char *part)
{
	const struct parsed parsed = parse(line);
	if (parsed.ok || parsed.error.status != PARADL_USAGE || !strstr(parsed.error.message, part))
		fail_msg("%s: %s", line, parsed.ok ? "accepted" : parsed.error.message);
}

static void test_defaults(void **state)
{
	(void)state;
	const struct parsed parsed = parse("");
	assert_true(parsed.ok);
	assert_close(parsed.values.count, 7, 0);
	assert_int_equal(parsed.values.choice, 1);
	assert_false(parsed.values.flag);
	assert_null(parsed.values.text);
	assert_int_equal(parsed.values.counts.count, 0);
}

static void test_spellings(void **state)
{
	static const char *const spellings[] = {"--flag --text x --count 9 one two",
		"one -f -t x two --count=9", "-ftx one two --count 9",
		"--text=x --flag one --count 8 --count 9 -- two", "one --text x -f --count=9 two"};
	(void)state;
	for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
		const struct parsed parsed = parse(spellings[i]);
		assert_true(parsed.ok);
		assert_true(parsed.values.flag);
		assert_string_equal(parsed.values.text, "x");
		assert_close(parsed.values.count, 9, 0);
		assert_int_equal(parsed.operands.count, 2);
		assert_string_equal(parsed.operands.items[0], "one");
		assert_string_equal(parsed.operands.items[1], "two");
	}
}

static void test_operands(void **state)
{
	(void)state;
	const struct parsed parsed = parse("- -- --flag -f");
	assert_true(parsed.ok);
	assert_false(parsed.values.flag);
	assert_int_equal(parsed.operands.count, 3);
	assert_string_equal(parsed.operands.items[0], "-");
	assert_string_equal(parsed.operands.items[2], "-f");
}

static void test_letter_of_its_own(void **state)
{
	(void)state;
	const struct parsed brief = parse("-w"), whole = parse("--whole"), both = parse("-fw --whole");
	assert_true(brief.values.brief && !brief.values.whole);
	assert_true(whole.values.whole && !whole.values.brief);
	assert_true(both.values.whole && both.values.brief && both.values.flag);
}

static void test_optional_value(void **state)
{
	(void)state;
	assert_null(parse("").values.optional);
	const struct parsed alone = parse("--plot x.png");
	assert_string_equal(alone.values.optional, "");
	assert_int_equal(alone.operands.count, 1);
	assert_string_equal(parse("--plot=x.png").values.optional, "x.png");
}

static void test_refusals(void **state)
{
	(void)state;
	refuse("--flg", "did you mean '--flag'?");
	refuse("--fla", "did you mean '--flag'?");
	refuse("--cou 3", "unknown option '--cou'");
	refuse("--only-stay", "unknown option '--only-stay' for go");
	refuse("-x", "unknown option '-x'");
	refuse("--flag=1", "takes no value");
	refuse("--text", "needs a value: --text T");
	refuse("--text --flag", "needs a value");
	refuse("-t", "needs a value");
	refuse("--a-name-that-is-longer-than-any-option-could-be", "unknown option");
	refuse("--count 0", "from 1 to 1000000, is 0");
}

static void test_counts(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {{"1", 1}, {"256", 256}, {"32k", 32000}, {"32K", 32000}, {"64Ki", 65536}, {"1e6", 1e6},
		{"0.5M", 500000}, {"1.5k", 1500}, {"2E3", 2000}, {"300B", 300e9}};
	static const char *const bad[] = {"", "x", "1.5", "1x", "-1", "+1", "1e", "0x10", "nan", "inf", "1kk",
		"1ki2", "1 k", "1e400", ".5", "1ik", "k", "B", "1Bi", "1b"};
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		double value = -1;
		if (!option_count_parse(good[i].text, strlen(good[i].text), &value))
			fail_msg("%s is refused", good[i].text);
		assert_close(value, good[i].value, 0);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		double value = -1;
		if (option_count_parse(bad[i], strlen(bad[i]), &value))
			fail_msg("%s is taken for %g", bad[i], value);
	}
	refuse("--count 2M", "from 1 to 1000000, is 2000000");
}

static void test_tokens(void **state)
{
	(void)state;
	assert_close(parse("--batch 4Mtokens").values.tokens, 4e6, 0);
	assert_close(parse("--batch=2Ktokens").values.tokens, 2000, 0);
	assert_close(parse("--batch 64").values.tokens, 0, 0);
	assert_close(parse("--batch 64").values.count, 64, 0);
	assert_close(parse("--batch 64 --batch 4Mtokens").values.count, 0, 0);
	assert_close(parse("--batch 4Mtokens --batch 64").values.tokens, 0, 0);
	refuse("--batch tokens", "or of tokens: '4M tokens'");
	refuse("--batch 0tokens", "at least 1");
	refuse("--count 4tokens", "not a whole number");
}

static void expect_counts(const char *text, const double *values, size_t count)
{
	const struct parsed parsed = parse(arena_printf(arena, "--counts %s", text));
	if (!parsed.ok || parsed.values.counts.count != count)
		fail_msg("%s gives %zu counts", text, parsed.values.counts.count);
	for (size_t i = 0; i < count; i++)
		assert_close(parsed.values.counts.values[i], values[i], 0);
}

static void test_ranges(void **state)
{
	(void)state;
	expect_counts("64", (const double[]){64}, 1);
	expect_counts("24,8,16,8", (const double[]){8, 16, 24}, 3);
	expect_counts("4..32", (const double[]){4, 8, 16, 32}, 4);
	expect_counts("3..25", (const double[]){3, 6, 12, 24}, 4);
	expect_counts("4..16+4", (const double[]){4, 8, 12, 16}, 4);
	expect_counts("1,4..8,6..6", (const double[]){1, 4, 6, 8}, 4);
	refuse("--counts 8..4", "not a count");
	refuse("--counts 4..", "not a count");
	refuse("--counts 4..8+", "not a count");
	refuse("--counts 4,,8", "not a count");
	refuse("--counts 0", "at least 1");
	refuse("--counts 1..1e15+1", "more than 256 values");
}

static void test_other_kinds(void **state)
{
	(void)state;
	assert_close(parse("--ratio 15%").values.ratio, 0.15, 1e-15);
	assert_close(parse("--ratio 0.15").values.ratio, 0.15, 1e-15);
	refuse("--ratio 150%", "from 0 to 1");
	refuse("--ratio 15%%", "not a share");
	refuse("--ratio x", "not a share");
	assert_close(parse("--wait 1.5ms").values.seconds, 1.5e-3, 1e-15);
	refuse("--wait 3", "--wait needs a unit");
	assert_int_equal(parse("--choice time").values.choice, 0);
	refuse("--choice tim", "did you mean 'time'?");
	refuse("--choice else", "it is one of time, memory");
}

static void test_money(void **state)
{
	static const struct option_row row = {.name = "budget", .kind = OPTION_MONEY, .min = 1};
	static const struct {
		const char *text;
		double amount;
		const char *currency;
	} cases[] = {{"250000", 250e3, ""}, {"250k", 250e3, ""}, {"3M USD", 3e6, "USD"}, {"3M", 3e6, ""},
		{"3MUSD", 3e6, "USD"}, {"3 MUSD", 3e6, "USD"}, {"3e6 USD", 3e6, "USD"},
		{"500 kUSD", 500e3, "USD"}, {"1.5 M EUR ", 1.5e6, "EUR"}, {"2B JPY", 2e9, "JPY"},
		{"12 MUR", 12, "MUR"}, {"1234.50 CHF", 1234.5, "CHF"}};
	static const char *const refused[] = {"", "USD", "$3M", "-3 USD", "3M US", "3M usd", "3 million",
		"3KiUSD", "3M USD now", "USD 3M", "0 USD", "0.5", "1e400", "kUSD"};
	struct paradl_error error;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct option_money money = {.amount = 0};
		assert_true(option_store(&row, cases[i].text, &money, &error));
		assert_close(money.amount, cases[i].amount, 1e-12);
		assert_string_equal(money.currency, cases[i].currency);
	}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct option_money money = {.amount = 7};
		assert_false(option_store(&row, refused[i], &money, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		assert_close(money.amount, 7, 0);
	}
}

static void test_older_spellings(void **state)
{
	(void)state;
	const struct parsed now = parse("--text x --wait 2d");
	assert_int_equal(now.operands.outdated_count, 0);
	const struct parsed before = parse("--string x one --waits=2 --string y");
	assert_true(before.ok);
	assert_string_equal(before.values.text, "y");
	assert_close(before.values.seconds, now.values.seconds, 0);
	assert_int_equal(before.operands.count, 1);
	assert_int_equal(before.operands.outdated_count, 2);
	assert_ptr_equal(before.operands.outdated[0], &rows[1]);
	assert_ptr_equal(before.operands.outdated[1], &rows[7]);
	refuse("--strin x", "unknown option '--strin' for go");
	refuse("--string", "--text needs a value");
	refuse("--waits x", "--wait");
	assert_ptr_equal(option_find(&table, "go", "string"), &rows[1]);
	assert_null(option_find(&table, "stay", "string"));
}

static void test_applies(void **state)
{
	(void)state;
	assert_true(option_applies(&rows[0], "go"));
	assert_true(option_applies(&rows[0], "stay"));
	assert_false(option_applies(&rows[0], "g"));
	assert_false(option_applies(&rows[0], "stays"));
	assert_ptr_equal(option_find(&table, "stay", "only-stay"), &rows[9]);
	assert_null(option_find(&table, "go", "only-stay"));
}

static void test_following_table(void **state)
{
	(void)state;
	const size_t count = sizeof rows / sizeof rows[0];
	assert_ptr_equal(option_at(&table, count - 1), &rows[count - 1]);
	assert_ptr_equal(option_at(&table, count), &further[0]);
	assert_null(option_at(&table, count + 1));
	assert_false(parse("").values.flag);
	assert_true(parse("--far").values.flag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_letter_of_its_own),
		cmocka_unit_test(test_optional_value),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_other_kinds),
		cmocka_unit_test(test_money),
		cmocka_unit_test(test_older_spellings),
		cmocka_unit_test(test_applies),
		cmocka_unit_test(test_following_table),
	};
	return cmocka_run_group_tests(tests, start, finish);
}
