/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps against loops that ask one question after the other, by hand. */
#include "../test.h"

#include "base/arena.h"
#include "paradl/study.h"
#include "study/sweep.h"

static const char model_path[] = "models/resnet50.json", hw_path[] = "hw-profiles/abci.json";

/* -- values ------------------------------------------------------------------------------------------------ */

static const char *values_text(const char *text)
{
	static char joined[512];
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct values values;
	joined[0] = '\0';
	if (values_read(arena, "it", text, &values, &error))
		for (size_t i = 0; i < values.count; ++i)
			snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s",
				i > 0 ? "|" : "", values.items[i]);
	else
		snprintf(joined, sizeof joined, "error %d", (int)error.status);
	paradl_arena_free(arena);
	return joined;
}

static void test_values(void **state)
{
	static const char *const cases[][2] = {
		{"64", "64"},
		{"8,16, 24", "8|16|24"},
		{"4..64", "4|8|16|32|64"},
		{"4..60", "4|8|16|32"},
		{"4..64+20", "4|24|44|64"},
		{"1k..4k", "1000|2000|4000"},
		{"1..1000*10", "1|10|100|1000"},
		{"x0.5..x4", "x0.5|x1|x2|x4"},
		{"x0.8..x1.2+0.1", "x0.8|x0.9|x1|x1.1|x1.2"},
		{"12.5 GB/s..100 GB/s", "12.5 GB/s|25 GB/s|50 GB/s|100 GB/s"},
		{"2..8 us", "2 us|4 us|8 us"},
		{"fp16,bf16", "fp16|bf16"},
		{"./a.json,../b.json,c/../d.json", "./a.json|../b.json|c/../d.json"},
		{"{\"a\": [1, 2]},[3,4]", "{\"a\": [1, 2]}|[3,4]"},
		{"-20%,+20%", "-20%|+20%"},
		{"", "error 5"},
		{"4,,8", "error 5"},
		{"8..4", "error 5"},
		{"4..8*1", "error 5"},
		{"0..8", "error 5"},
		{"4..8+0", "error 5"},
		{"x1..4", "error 5"},
		{"1 GB/s..4 MB/s", "error 5"},
		{"1..1000000000+0.5", "error 5"},
	};
	(void)state;
	assert_int_equal(PARADL_USAGE, 5);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_string_equal(values_text(cases[i][0]), cases[i][1]);
}

/* -- rows against estimates by hand --------------------------------------------------------------------------- */

/* What the rows tell, and in which order they come. */
struct record {
	char *text;
	size_t length;
	unsigned long long next;
	unsigned long long ends_at; /* points after which it ends; 0: never */
};

/* Every number that decides about a row. */
static size_t row_text(char *text, size_t size, const struct paradl_sweep_row *row)
{
	const struct paradl_estimate *const e = row->estimate;
	const int length =
		e ? snprintf(text, size, "%llu %s %.17g %.17g: %.17g %.17g %.17g %.17g %.17g %s %d",
			    row->index, row->strategy, row->devices, row->batch, e->iteration_s,
			    e->exposed_communication_s, e->memory_bytes, e->samples_per_s, e->input_s,
			    e->limited_by.text, e->fits)
		  : snprintf(text, size, "%llu %s %.17g %.17g: %s", row->index, row->strategy, row->devices,
			    row->batch, row->reason);
	return (size_t)length;
}

static bool tell(void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination)
{
	char text[1024];
	(void)context;
	return write(destination, text, row_text(text, sizeof text, row));
}

static bool take(void *context, unsigned long long index, const char *text, size_t length)
{
	struct record *const record = context;
	assert_true(index == record->next);
	++record->next;
	record->text = realloc(record->text, record->length + length + 2);
	assert_non_null(record->text);
	memcpy(record->text + record->length, text, length);
	record->length += length;
	record->text[record->length++] = '\n';
	record->text[record->length] = '\0';
	return record->ends_at == 0 || record->next < record->ends_at;
}

static struct paradl_sweep_run run_of(struct record *record, unsigned threads)
{
	return (struct paradl_sweep_run){.threads = threads, .tell = tell, .take = take, .context = record};
}

static char *sweep_text(const struct paradl_sweep_request *request, unsigned threads)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct record record = {.text = NULL};
	struct paradl_sweep *const sweep = paradl_sweep_create(arena, request, &error);
	if (!sweep)
		fail_msg("%s", error.message);
	const struct paradl_sweep_run run = run_of(&record, threads);
	if (!paradl_sweep_run(sweep, &run, &error))
		fail_msg("%s", error.message);
	assert_true(record.next == paradl_sweep_count(sweep));
	paradl_arena_free(arena);
	return record.text;
}

/* The same row, asked for by hand. */
static void add_by_hand(struct record *record, struct paradl_oracle *oracle, const char *plan_text,
	double devices, double batch)
{
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	char text[1024];
	assert_true(paradl_plan_parse(plan_text, &plan, &error));
	plan.batch = batch;
	const bool runs = paradl_estimate(oracle, &plan, &estimate, &error);
	const struct paradl_sweep_row row = {.index = record->next,
		.strategy = plan_text,
		.devices = devices,
		.batch = batch,
		.estimate = runs ? &estimate : NULL,
		.reason = error.message};
	take(record, record->next, text, row_text(text, sizeof text, &row));
}

static struct paradl_oracle *oracle_changed(struct paradl_arena *arena, const char *change)
{
	struct paradl_error error = {0};
	const struct paradl_options options = {0};
	const struct paradl_changes *const changes = paradl_changes_parse(arena, &change, 1, &error);
	const struct paradl_model *const model =
		changes ? paradl_model_load(arena,
				  &(struct paradl_source){.path = model_path, .changes = changes}, &error)
			: NULL;
	const struct paradl_machine *const machine =
		model ? paradl_machine_load(
				arena, &(struct paradl_source){.path = hw_path, .changes = changes}, &error)
		      : NULL;
	struct paradl_oracle *const oracle =
		machine ? paradl_oracle_create(arena, model, machine, NULL, &options, &error) : NULL;
	if (!oracle)
		fail_msg("%s", error.message);
	return oracle;
}

/* GPUs, then batches, then bandwidths, then plans: four loops. */
static void test_loops(void **state)
{
	static const unsigned gpus[] = {4, 6, 16, 4096, 8192};
	static const double batches[] = {64, 1000};
	static const char *const rates[] = {"x0.5", "x1", "x2"};
	static const struct paradl_sweep_dimension dimensions[] = {
		{"gpus", "4,6,16,4096,8192"}, {"batch", "64,1000"}, {"hw.levels.1.bandwidth", "x0.5..x2"}};
	static const char *const asked_strategies[] = {"data=*;data=*,spatial=2", "filter=16"};
	const struct paradl_sweep_request request = {.dimensions = dimensions,
		.dimension_count = 3,
		.model = model_path,
		.hw = hw_path,
		.strategies = asked_strategies,
		.strategy_count = 2};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_oracle *oracles[3];
	struct record record = {.text = NULL};
	char change[64], plan[64];
	(void)state;
	for (unsigned k = 0; k < 3; ++k) {
		snprintf(change, sizeof change, "hw.levels.1.bandwidth=%s", rates[k]);
		oracles[k] = oracle_changed(arena, change);
	}
	for (unsigned i = 0; i < 5; ++i)
		for (unsigned j = 0; j < 2; ++j)
			for (unsigned k = 0; k < 3; ++k) {
				snprintf(plan, sizeof plan, "data=%u", gpus[i]);
				add_by_hand(&record, oracles[k], plan, gpus[i], batches[j]);
				snprintf(plan, sizeof plan, "data=%u,spatial=2", gpus[i] / 2);
				add_by_hand(&record, oracles[k], plan, gpus[i], batches[j]);
				if (gpus[i] == 16) {
					add_by_hand(&record, oracles[k], "filter=16", 16, batches[j]);
					continue;
				}
				const struct paradl_sweep_row row = {.index = record.next,
					.strategy = "filter=16",
					.devices = gpus[i],
					.reason = plan};
				char text[256];
				snprintf(plan, sizeof plan, "takes 16 GPUs, not %u", gpus[i]);
				take(&record, record.next, text, row_text(text, sizeof text, &row));
			}
	for (unsigned threads = 1; threads <= 3; ++threads) {
		char *const text = sweep_text(&request, threads);
		assert_string_equal(text, record.text);
		free(text);
	}
	assert_true(record.next == 5 * 2 * 3 * 3);
	free(record.text);
	paradl_arena_free(arena);
}

/* The best of a family is what advice has first; without families, of all. */
static void test_families(void **state)
{
	static const struct paradl_sweep_dimension dimensions[] = {
		{"gpus", "4,64"}, {"precision", "fp32,fp16-mixed"}};
	static const char *const families[] = {"data,data+spatial", "filter"};
	static const char *const each[] = {"data", "data+spatial", "filter", NULL};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct record records[2] = {{.text = NULL}, {.text = NULL}};
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = model_path}, &error);
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = hw_path}, &error);
	(void)state;
	for (unsigned devices = 4; devices <= 64; devices *= 16)
		for (unsigned mixed = 0; mixed < 2; ++mixed) {
			const struct paradl_options options = {.override_precision = true,
				.precision = mixed ? PARADL_FP16_MIXED : PARADL_FP32};
			struct paradl_oracle *const oracle =
				paradl_oracle_create(arena, model, machine, NULL, &options, &error);
			for (unsigned i = 0; i < 4; ++i) {
				const struct paradl_request request = {
					.devices = devices, .strategies = each[i]};
				struct record *const record = &records[each[i] == NULL];
				struct paradl_ranking ranking;
				char text[1024], plan[PARADL_PLAN_TEXT];
				assert_true(paradl_advise(
					oracle, &request, PARADL_RANKED_ALL, arena, &ranking, &error));
				struct paradl_sweep_row row = {.index = record->next,
					.strategy = plan,
					.devices = devices,
					.batch = ranking.batch};
				if (ranking.count > 0) {
					row.estimate = &ranking.results[0];
					paradl_plan_format(&row.estimate->plan, plan, sizeof plan);
				} else {
					row.strategy = ranking.infeasible[0].strategy;
					row.reason = ranking.infeasible[0].reason;
				}
				take(record, record->next, text, row_text(text, sizeof text, &row));
			}
		}
	for (unsigned all = 0; all < 2; ++all) {
		const struct paradl_sweep_request request = {.dimensions = dimensions,
			.dimension_count = 2,
			.model = model_path,
			.hw = hw_path,
			.strategies = families,
			.strategy_count = all ? 0 : 2};
		for (unsigned threads = 1; threads <= 2; ++threads) {
			char *const text = sweep_text(&request, threads);
			assert_string_equal(text, records[all].text);
			free(text);
		}
		free(records[all].text);
	}
	paradl_arena_free(arena);
}

/* -- threads, teams, beginnings ------------------------------------------------------------------------------- */

static unsigned draw(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % below;
}

/* Grids of 2 to 4 dimensions in any order. */
static void grid_draw(unsigned *seed, struct paradl_sweep_dimension dimensions[4], size_t *count)
{
	static const struct paradl_sweep_dimension all[] = {{"gpus", "2..64"}, {"batch", "64,128,1000"},
		{"precision", "fp32,bf16,fp16-mixed"}, {"hw.levels.1.latency", "x1..x4"},
		{"device.peak.*", "x0.5,x1"}, {"framework", "deepspeed,chainermn"}, {"algo", "ring,auto"},
		{"hw.levels.0.bandwidth", "25 GB/s..50 GB/s"}, {"per-gpu", "8,32"}};
	const size_t kinds = sizeof all / sizeof *all;
	bool used[sizeof all / sizeof *all] = {false};
	used[draw(seed, 2) ? 1 : kinds - 1] = true; /* batch or per-gpu */
	*count = 0;
	for (const size_t wanted = 2 + draw(seed, 3); *count < wanted;) {
		const size_t kind = draw(seed, (unsigned)kinds);
		if (!used[kind])
			dimensions[(*count)++] = all[kind];
		used[kind] = true;
	}
}

static const char *const here[] = {".", NULL};

static struct paradl_sweep_request request_draw(
	unsigned *seed, struct paradl_sweep_dimension dimensions[4], const char **strategy)
{
	static const char *const plans[] = {"data=8;data=4,spatial=2;pipeline=4", "data=16"};
	size_t count;
	grid_draw(seed, dimensions, &count);
	*strategy = plans[draw(seed, 2)];
	return (struct paradl_sweep_request){.dimensions = dimensions,
		.dimension_count = count,
		.model = model_path,
		.hw = hw_path,
		.directories = here,
		.strategies = strategy,
		.strategy_count = 1};
}

static void test_threads(void **state)
{
	unsigned seed = 7;
	(void)state;
	for (unsigned grid = 0; grid < 12; ++grid) {
		struct paradl_sweep_dimension dimensions[4];
		const char *strategy;
		const struct paradl_sweep_request request = request_draw(&seed, dimensions, &strategy);
		char *const one = sweep_text(&request, 1);
		for (unsigned threads = 2; threads <= 3; ++threads) {
			char *const more = sweep_text(&request, threads);
			assert_string_equal(more, one);
			free(more);
		}
		free(one);
	}
}

/* A run that ends anywhere and goes on later has told the same. */
static void test_goes_on(void **state)
{
	unsigned seed = 11;
	struct paradl_sweep_dimension dimensions[4];
	const char *strategy;
	const struct paradl_sweep_request request = request_draw(&seed, dimensions, &strategy);
	char *const whole = sweep_text(&request, 2);
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_sweep *const sweep = paradl_sweep_create(arena, &request, &error);
	(void)state;
	for (unsigned long long cut = 1; cut < paradl_sweep_count(sweep); cut += 3) {
		struct record record = {.ends_at = cut};
		struct paradl_sweep_run run = run_of(&record, 2);
		assert_false(paradl_sweep_run(sweep, &run, &error));
		assert_int_equal(error.status, PARADL_OK);
		assert_true(record.next == cut);
		record.ends_at = 0;
		run.first = cut;
		assert_true(paradl_sweep_run(sweep, &run, &error));
		assert_string_equal(record.text, whole);
		free(record.text);
	}
	paradl_arena_free(arena);
	free(whole);
}

/* The others of this team are lost at once: what they should do is done all the same. */
static bool exchange_alone(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes)
{
	void **const kept = context;
	free(*kept);
	*kept = malloc(bytes);
	assert_non_null(*kept);
	memcpy(*kept, mine, bytes);
	*all = *kept;
	*all_bytes = bytes;
	return true;
}

static void test_lost(void **state)
{
	unsigned seed = 5;
	struct paradl_sweep_dimension dimensions[4];
	const char *strategy;
	const struct paradl_sweep_request request = request_draw(&seed, dimensions, &strategy);
	char *const whole = sweep_text(&request, 1);
	(void)state;
	for (unsigned rank = 0; rank < 3; ++rank) {
		void *kept = NULL;
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct record record = {.text = NULL};
		const struct paradl_team team = {
			.rank = rank, .size = 3, .exchange = exchange_alone, .context = &kept};
		struct paradl_sweep_run run = run_of(&record, 2);
		run.team = &team;
		struct paradl_sweep *const sweep = paradl_sweep_create(arena, &request, &error);
		assert_true(paradl_sweep_run(sweep, &run, &error));
		assert_string_equal(record.text, whole);
		free(record.text);
		free(kept);
		paradl_arena_free(arena);
	}
	free(whole);
}

/* -- what is refused -------------------------------------------------------------------------------------------- */

static void refused(const char *key, const char *values, const char *strategy, const char *message)
{
	const struct paradl_sweep_dimension dimensions[] = {{key, values}};
	const struct paradl_sweep_request request = {.dimensions = dimensions,
		.dimension_count = key != NULL,
		.model = model_path,
		.hw = hw_path,
		.directories = here,
		.strategies = &strategy,
		.strategy_count = strategy != NULL};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	assert_null(paradl_sweep_create(arena, &request, &error));
	if (!strstr(error.message, message))
		fail_msg("%s, not %s", error.message, message);
	paradl_arena_free(arena);
}

static void test_refused(void **state)
{
	(void)state;
	refused("gpuz", "1", "data=2", "did you mean 'gpus'");
	refused("gpus", "1.5", "data=2", "whole number");
	refused("gpus", "x2", "data=2", "whole number");
	refused("gpus", "8..4", "data=2", "cannot be");
	refused("precision", "fp17", "data=2", "precision cannot be 'fp17'");
	refused("framework", "nothing", "data=2", "nothing");
	refused("hw.levels.9.bandwidth", "x2", "data=2", "levels.9");
	refused("hw.levels.1.bandwidth", "1 GB/s,2 GBps", "data=2", "GBps");
	refused("where.is.it", "1", "data=2", "changes nothing that is known");
	refused("batch", "1..2\n", "data=2", "");
	refused("gpus", "4", "data=*,spatial=*", "one whole degree");
	refused("gpus", "4", "data=2*", "one whole degree");
	refused("gpus", "4", "sideways", "not a strategy");
	refused("batch", "4", "data=*", "as many as there are GPUs");
	refused("batch", "4", "data", "how many GPUs");
	refused("zero", "0,1", "data", "how many GPUs");
	refused("data", "1,2", "data=4", "given twice");
	refused(NULL, NULL, NULL, "how many GPUs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
