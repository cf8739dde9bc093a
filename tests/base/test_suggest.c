/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/names.h"

static const char *const words[] = {
	"data", "spatial", "pipeline", "filter", "channel", "stride", "kernel", "dp"};
enum { COUNT = sizeof words / sizeof words[0] };

static void finds_what_was_meant(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"strid", "stride"},    /* one missing */
		{"stridde", "stride"},  /* one too many */
		{"stripe", "stride"},   /* one wrong */
		{"stirde", "stride"},   /* two swapped: distance 1 */
		{"srtied", "stride"},   /* two swaps: distance 2, 6 letters */
		{"piplin", "pipeline"}, /* two missing */
		{"kernel", "kernel"},   /* itself */
		{"dta", "data"},        /* 3 letters allow 1 */
		{"pip", "pipeline"},    /* the only one that begins so */
	};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		const char *const found = suggest(pairs[i][0], words, COUNT);
		assert_non_null(found);
		assert_string_equal(found, pairs[i][1]);
	}
}

static void does_not_guess(void **state)
{
	(void)state;
	static const char *const unknown[] = {
		"", "d",              /* a third of 1 is 0 */
		"dq",                 /* a third of 2 is 0 */
		"dt",                 /* dp is one away, but 2 letters allow none */
		"dtaa1",              /* two away, but 5 letters allow 1 */
		"padding", "spaXXXl", /* three away */
	};
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		assert_null(suggest(unknown[i], words, COUNT));
	assert_null(suggest("data", words, 0));
	static const char *const alike[] = {"imagenet-1k", "imagenet-21k", "in"};
	assert_null(suggest("imagenet", alike, 3)); /* two begin so */
	assert_null(suggest("i", alike + 2, 1));
}

static void the_nearest_wins_then_the_first(void **state)
{
	(void)state;
	static const char *const near[] = {"bandwidths", "bandwidth", "bandwidtj"};
	assert_string_equal(suggest("bandwidth", near, 3), "bandwidth");
	assert_string_equal(suggest("bandwidtz", near, 3), "bandwidth");
	static const char *const equal[] = {"abcdex", "abcdey"};
	assert_string_equal(suggest("abcdef", equal, 2), "abcdex");
}

static void long_words_are_left_alone(void **state)
{
	(void)state;
	char word[200];
	memset(word, 'a', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	const char *const candidates[] = {word};
	assert_null(suggest(word, candidates, 1));
	word[64] = '\0';
	assert_ptr_equal(suggest(word, candidates, 1), word);
	word[65] = '\0';
	assert_null(suggest("aaaaab", candidates, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_meant),
		cmocka_unit_test(does_not_guess),
		cmocka_unit_test(the_nearest_wins_then_the_first),
		cmocka_unit_test(long_words_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
