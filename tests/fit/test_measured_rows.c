/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "base/arena.h"
#include "fit/validate/measurements.h"

static bool read(struct paradl_arena *arena, const char *text, const struct paradl_lookup *lookup,
	struct measurements *measured, char *message, size_t size)
{
	struct paradl_error error = {0};
	struct csv csv;
	assert_true(csv_parse(arena, text, strlen(text), "m.csv", &csv, &error));
	*message = '\0';
	if (measurements_read(arena, &csv, lookup, measured, &error))
		return true;
	assert_int_equal(error.status, PARADL_SCHEMA);
	paradl_error_format(&error, message, size);
	return false;
}

static void reads_rows(void **state)
{
	(void)state;
	static const char text[] = "# ours\n"
				   "total_s,model,hw,strategy,batch,unit,seq,precision,set,compute_s,"
				   "communication_s,io_s,memory_bytes,framework,"
				   "includes,source,weather\n"
				   "1.5e-1,resnet50,abci,\"data=16,filter=4\",1024,iter,,,,0.1,0,0.02,1e9,"
				   "mine,everything,us,rain\n"
				   "\n"
				   "2,m/x.json,lab,serial,8,epoch,2048,fp16-mixed,old,,,,,,,,\n";
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_lookup lookup = {.directories = NULL};
	struct measurements measured;
	char message[1024];
	assert_true(read(arena, text, &lookup, &measured, message, sizeof message));
	assert_int_equal(measured.count, 2);
	const struct measurement *const first = &measured.rows[0], *const second = &measured.rows[1];
	assert_int_equal(first->row.line, 3);
	assert_string_equal(first->row.model, "resnet50");
	assert_string_equal(first->row.hw, "abci");
	assert_string_equal(first->row.strategy, "data=16,filter=4");
	assert_string_equal(first->row.framework, "mine");
	assert_string_equal(first->row.set, "all");
	assert_string_equal(first->row.includes, "everything");
	assert_string_equal(first->row.source, "us");
	assert_string_equal(first->precision, "");
	assert_close(first->tokens, -1, 0);
	assert_false(is_per_epoch(first));
	assert_close(first->row.batch, 1024, 0);
	assert_close(first->row.measured.total_s, 0.15, 0);
	assert_close(first->row.measured.compute_s, 0.1, 0);
	assert_close(first->row.measured.communication_s, 0, 0);
	assert_close(first->row.measured.memory_bytes, 1e9, 0);
	assert_close(first->row.projected.total_s, -1, 0);
	assert_int_equal(second->row.line, 5);
	assert_true(is_per_epoch(second));
	assert_close(second->tokens, 2048, 0);
	assert_string_equal(second->precision, "fp16-mixed");
	assert_string_equal(second->row.set, "old");
	assert_string_equal(second->row.framework, "");
	assert_close(second->row.measured.compute_s, -1, 0);
	assert_close(second->row.measured.memory_bytes, -1, 0);
	paradl_arena_free(arena);
}

static void replaces_machine_and_framework(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_lookup lookup = {.hw = "theirs", .framework = "other"};
	struct measurements measured;
	char message[1024];
	assert_true(read(arena, "model,strategy,batch,unit,total_s,framework\nm,serial,1,iter,1,f\n", &lookup,
		&measured, message, sizeof message)); /* without a column hw */
	assert_string_equal(measured.rows[0].row.hw, "theirs");
	assert_string_equal(measured.rows[0].row.framework, "other");
	paradl_arena_free(arena);
}

static void needs_columns(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"hw,strategy,batch,unit,total_s", "m.csv: has no column \"model\""},
		{"modle,hw,strategy,batch,unit,total_s",
			"m.csv: has no column \"model\"; is \"modle\" meant to be it?"},
		{"model,strategy,batch,unit,total_s", "m.csv: has no column \"hw\""},
		{"model,hw,batch,unit,total_s", "m.csv: has no column \"strategy\""},
		{"model,hw,strategy,unit,total_s", "m.csv: has no column \"batch\""},
		{"model,hw,strategy,batch,total_s", "m.csv: has no column \"unit\""},
		{"model,hw,strategy,batch,unit,io_s", "m.csv: has no column \"total_s\""},
		{"Model,hw,strategy,batch,unit,total_s",
			"m.csv: has no column \"model\"; is \"Model\" meant to be it?"},
		{"model,hw,strategy,batch,unit,total_s", "m.csv: has no rows under its header"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_lookup lookup = {.directories = NULL};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct measurements measured;
		char message[1024];
		assert_false(read(arena, cases[i][0], &lookup, &measured, message, sizeof message));
		assert_string_equal(message, cases[i][1]);
	}
	paradl_arena_free(arena);
}

static void says_which_cell_is_wrong(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{",h,serial,8,iter,,,,,,", "\"model\": is empty"},
		{"m,,serial,8,iter,,,,,,", "\"hw\": is empty"},
		{"m,h,,8,iter,,,,,,", "\"strategy\": is empty"},
		{"m,h,serial,,iter,,,,,,",
			"\"batch\": is empty; it is the samples of one iteration over all devices"},
		{"m,h,serial,0,iter,,,,,,", "\"batch\": \"0\" is not above 0"},
		{"m,h,serial,-8,iter,,,,,,", "\"batch\": \"-8\" is not above 0"},
		{"m,h,serial,8.5,iter,,,,,,",
			"\"batch\": \"8.5\" is not a whole number of samples up to 1e15"},
		{"m,h,serial,1e16,iter,,,,,,",
			"\"batch\": \"1e16\" is not a whole number of samples up to 1e15"},
		{"m,h,serial,eight,iter,,,,,,", "\"batch\": \"eight\" is not a number"},
		{"m,h,serial,8,,,,,,,", "\"unit\": is empty; write iter, epoch or request"},
		{"m,h,serial,8,s,,,,,,", "\"unit\": \"s\" is none of iter, epoch and request"},
		{"m,h,serial,8,iter,x,,,,,", "\"seq\": \"x\" is not a number"},
		{"m,h,serial,8,iter,,0.1 s,,,,", "\"compute_s\": \"0.1 s\" is not a number"},
		{"m,h,serial,8,iter,,,-0.1,,,", "\"communication_s\": \"-0.1\" is negative"},
		{"m,h,serial,8,iter,,,,nan,,", "\"io_s\": \"nan\" is not a number"},
		{"m,h,serial,8,iter,,,,,0,", "\"total_s\": \"0\" is not above 0"},
		{"m,h,serial,8,iter,,,,,-0,", "\"total_s\": \"-0\" is not above 0"},
		{"m,h,serial,8,iter,,,,,1e400,", "\"total_s\": \"1e400\" is too large"},
		{"m,h,serial,8,iter,,,,,1e19,", "\"total_s\": \"1e19\" is too large"},
		{"m,h,serial,8,iter,,,,,\"1,5\",", "\"total_s\": \"1,5\" is not a number"},
		{"m,h,serial,8,iter,,,,, 1,", "\"total_s\": \" 1\" is not a number"},
		{"m,h,serial,8,iter,,,,,,16 GB", "\"memory_bytes\": \"16 GB\" is not a number"},
		{"m,h,serial,8,iter,,,,,,0", "\"memory_bytes\": \"0\" is not above 0"},
	};
	static const char head[] =
		"model,hw,strategy,batch,unit,seq,compute_s,communication_s,io_s,total_s,memory_bytes\n"
		"m,h,serial,8,iter,1,0,0,0,1,1\n";
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_lookup lookup = {.directories = NULL};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct measurements measured;
		char text[512], message[1024], want[1024];
		snprintf(text, sizeof text, "%s%s\n", head, cases[i][0]);
		snprintf(want, sizeof want, "m.csv:3:1: column %s", cases[i][1]);
		read(arena, text, &lookup, &measured, message, sizeof message);
		assert_string_equal(message, want);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_rows),
		cmocka_unit_test(replaces_machine_and_framework),
		cmocka_unit_test(needs_columns),
		cmocka_unit_test(says_which_cell_is_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
