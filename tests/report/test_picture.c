/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ticks and labels as numbers; then every picture with names that would run commands, end strings, or drive a terminal if they
 * came to gnuplot as anything but text: drawn in an empty folder, nothing else may be in it afterwards.
 */
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/picture/canvas.h"
#include "report/picture/picture.h"
#include "report/study_text.h"

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

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static double next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static void test_tick_texts(void **state)
{
	(void)state;
	char text[TICK_TEXT];
	assert_string_equal(axis_tick_text(TICKS_TIME, 1e-5, text), "10 µs");
	assert_string_equal(axis_tick_text(TICKS_TIME, 60, text), "1 min");
	assert_string_equal(axis_tick_text(TICKS_TIME, 864000, text), "10 d");
	assert_string_equal(axis_tick_text(TICKS_BYTES, 65536, text), "64 KiB");
	assert_string_equal(axis_tick_text(TICKS_BYTES, 1, text), "1 B");
	assert_string_equal(axis_tick_text(TICKS_COUNT, 2e5, text), "200 k");
	assert_string_equal(axis_tick_text(TICKS_WHOLE, 4096, text), "4096");
	assert_string_equal(axis_tick_text(TICKS_PERCENT, -20, text), "−20 %");
	assert_string_equal(axis_tick_text(TICKS_TIME, 0, text), "0");
	assert_string_equal(axis_tick_text(TICKS_TIME, 100, text), "100 s");
	assert_string_equal(axis_tick_text(TICKS_TIME, 90, text), "1.5 min");
	assert_string_equal(axis_tick_text(TICKS_NUMBER, 0.25, text), "0.25");
}

/* Any range has two ticks or more, in order, inside, and with room between them. */
static void test_ticks(void **state)
{
	(void)state;
	static const struct axis kinds[] = {{NULL, 0, 0, 10, TICKS_TIME, 0}, {NULL, 0, 0, 10, TICKS_COUNT, 0},
		{NULL, 0, 0, 2, TICKS_BYTES, 0}, {NULL, 0, 0, 2, TICKS_WHOLE, 0},
		{NULL, 0, 0, 0, TICKS_NUMBER, 0}, {NULL, 0, 0, 0, TICKS_TIME, 0},
		{NULL, 0, 0, 0, TICKS_BYTES, 0}, {NULL, 0, 0, 10, TICKS_BYTES, 0}};
	enum { KINDS = sizeof kinds / sizeof kinds[0], TEXT_BYTES_MAX = 9 /* "1000 MiB" and less */ };
	uint64_t seed = 1;
	for (unsigned i = 0; i < 4000; i++) {
		struct axis axis = kinds[i % KINDS];
		struct range range = {0, 0};
		struct ticks ticks;
		const double apart = 0.03 + 0.07 * next_random(&seed);
		const double least = pow(10, 12 * next_random(&seed) - 6);
		range_add(&range, axis.base == 2 || axis.kind == TICKS_BYTES ? least * 1e7 : least);
		range_add(&range, range.least * pow(10, 6 * next_random(&seed)));
		axis_fit(&axis, range);
		assert_true(axis.least < range.least * (1 + 1e-9) && axis.most > range.most * (1 - 1e-9));
		axis_ticks(&axis, apart, &ticks);
		if (ticks.count < 2)
			fail_msg("kind %u, %g to %g: %zu ticks", axis.kind, axis.least, axis.most,
				ticks.count);
		for (size_t k = 0; k < ticks.count; k++) {
			const double share = axis_share(&axis, ticks.at[k]);
			assert_true(share >= -1e-6 && share <= 1 + 1e-6);
			if ((axis.kind == TICKS_TIME || axis.kind == TICKS_BYTES) && ticks.at[k] < 1e9) {
				char text[TICK_TEXT];
				if (strlen(axis_tick_text(axis.kind, ticks.at[k], text)) > TEXT_BYTES_MAX)
					fail_msg("kind %u, %g to %g: %s", axis.kind, axis.least, axis.most,
						text);
			}
			assert_true(
				k == 0 || share - axis_share(&axis, ticks.at[k - 1]) >= apart * (1 - 1e-6));
		}
	}
}

static double squares(const double *a, const double *b, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sum;
}

enum { PLACES = 7 };
static const double gap = 10;

static bool is_allowed(const double *places)
{
	for (size_t i = 1; i < PLACES; i++)
		if (places[i] - places[i - 1] < gap)
			return false;
	return places[0] >= 0;
}

/* No small shift of a group of neighbours brings them nearer to where they were wanted. */
static void check_least(const double *wanted, const double *places, size_t first, size_t end, double shift)
{
	double other[PLACES];
	for (size_t i = 0; i < PLACES; i++)
		other[i] = places[i] + (i >= first && i < end ? shift : 0);
	if (is_allowed(other))
		assert_true(squares(other, wanted, PLACES) >= squares(places, wanted, PLACES) - 1e-9);
}

static void check_spread(const double *wanted)
{
	double places[PLACES];
	memcpy(places, wanted, sizeof places);
	spread(places, PLACES, gap, 0, 1000);
	for (size_t i = 1; i < PLACES; i++)
		assert_true(places[i] - places[i - 1] >= gap - 1e-9);
	for (size_t first = 0; first < PLACES; first++)
		for (size_t end = first + 1; end <= PLACES; end++) {
			check_least(wanted, places, first, end, -0.01);
			check_least(wanted, places, first, end, 0.01);
		}
}

/* Labels keep their gap and their order. */
static void test_spread(void **state)
{
	(void)state;
	uint64_t seed = 2;
	for (unsigned n = 0; n < 2000; n++) {
		double wanted[PLACES];
		double at = 0;
		for (size_t i = 0; i < PLACES; i++)
			wanted[i] = at += 30 * next_random(&seed);
		check_spread(wanted);
	}
	double crowded[] = {5, 5, 5}, alone[] = {3};
	spread(crowded, 3, 10, 0, 20);
	assert_close(crowded[0] + 1, 1, 1e-9);
	assert_close(crowded[2], 20, 1e-9);
	spread(alone, 1, 10, 5, 20);
	assert_close(alone[0], 5, 1e-9);
}

static void test_axes_of_plans(void **state)
{
	(void)state;
	struct report_sink sink = {.arena = arena};
	const char *options;
	assert_string_equal(
		picture_axes(&sink, "data=4,tensor=8,micro=1,zero=3", &options), "data=4,tensor=8");
	assert_string_equal(options, "micro=1,zero=3");
	assert_string_equal(picture_axes(&sink, "serial", &options), "serial");
	assert_string_equal(options, "");
	assert_string_equal(picture_axes(&sink, "data=2,spatial=2x2", &options), "data=2,spatial=2x2");
	assert_string_equal(picture_axes(&sink, "`touch x`,data=2", &options), "");
}

/* ---- hostile names ------------------------------------------------------------------------------------------ */

enum { NAMES = 14 };
static const char *const names[NAMES] = {"`touch pwned`", "'`touch pwned`'", "$(touch pwned)",
	"\"; system('touch pwned'); \"", "'; system(\"touch pwned\"); '", "'\n!touch pwned\n'",
	"@pwned %s %n %d", "\\", "\\'", "END_OF_DATA\n!touch pwned\n", "{/:Bold x_y^z}",
	"\033]0;x\007\xc2\x9b", "|touch pwned",
	"a name much longer than any that somebody would give to a model, a machine, a layer"};

/* Pieces of them, anyhow. */
static const char *hostile(uint64_t *seed)
{
	const char *text = "";
	const size_t count = 1 + (size_t)(4 * next_random(seed));
	for (size_t n = 0; n < count; n++) {
		const char *const piece = names[(size_t)(next_random(seed) * NAMES)];
		const size_t first =
			next_random(seed) < 0.7 ? 0 : (size_t)(next_random(seed) * (double)strlen(piece));
		text = arena_printf(arena, "%s%s", text, piece + first);
		assert_non_null(text);
	}
	return text;
}

struct documents {
	struct report_head head;
	struct paradl_estimate estimates[3];
	struct paradl_infeasible infeasible[2];
	struct paradl_ranking rankings[3];
	struct report_advice advice, sweep;
	struct paradl_map_cell cells[4];
	unsigned devices[2];
	struct paradl_search_request request;
	struct paradl_search found;
	struct report_search search;
	struct paradl_collective_row rows[3];
	double times[3];
	const char *variants[3];
	struct paradl_collective_choice choices[1];
	struct paradl_crossover crossovers[1];
	struct paradl_timing timing[2];
	struct paradl_timings timings;
	struct report_network network;
	struct report_collective collective;
	double bytes[3];
	struct paradl_fitted_curve curve;
	struct paradl_calibration calibration;
	struct report_calibration calibrated;
	struct report_tornado_row inputs[3];
	struct report_tornado tornado;
	struct paradl_event events[3];
	struct paradl_timeline timeline;
	struct report_timeline lanes;
	struct paradl_measured_row measured[3];
	struct paradl_score scores[2];
	struct paradl_validation validation;
	struct report_validation compared;
	struct paradl_model_info models[2];
	struct paradl_machine_info machines[2];
	struct paradl_compare_cell sides[4];
	struct paradl_comparison comparison;
	struct report_compare beside, alone;
	struct paradl_kernel_point points[3];
	struct paradl_kernel_roof roofs[3];
	struct paradl_kernels timed;
	struct report_kernels kernels;
};

static void make_plans(struct documents *d, uint64_t *seed)
{
	struct paradl_error error;
	static const char *const plans[] = {"data=4", "data=2,pipeline=2,micro=1", "data=8"};
	d->head = (struct report_head){
		.model = {.name = hostile(seed), .dataset = hostile(seed), .samples = 1000},
		.machine = {.name = hostile(seed),
			.currency = hostile(seed),
			.memory_bytes = 16e9,
			.price_per_device_hour = 1},
		.precision = "fp32"};
	for (size_t i = 0; i < 3; i++) {
		struct paradl_estimate *const estimate = &d->estimates[i];
		paradl_plan_parse(plans[i], &estimate->plan, &error);
		estimate->plan.batch = 64;
		estimate->devices = (unsigned)paradl_plan_devices(&estimate->plan);
		estimate->iteration_s = 1.0 / (double)(i + 2);
		estimate->epoch_s = 20 * estimate->iteration_s;
		estimate->phase_s[PARADL_FORWARD] = 0.3 * estimate->iteration_s;
		estimate->phase_s[PARADL_BACKWARD] = 0.7 * estimate->iteration_s;
		estimate->samples_per_s = 64 / estimate->iteration_s;
		estimate->cost_per_epoch = (double)(i + 1);
		estimate->memory.weights_bytes = estimate->memory_bytes = 1e9 * (double)(8 + 6 * i);
		estimate->capacity_bytes = 16e9;
	}
	for (size_t i = 0; i < 2; i++) {
		snprintf(d->infeasible[i].family, sizeof d->infeasible[i].family, "pipeline");
		snprintf(d->infeasible[i].strategy, sizeof d->infeasible[i].strategy, "%s", hostile(seed));
		snprintf(d->infeasible[i].reason, sizeof d->infeasible[i].reason, "%s", hostile(seed));
	}
	const struct paradl_estimate *const results[] = {d->estimates, d->estimates + 2, NULL};
	for (unsigned i = 0; i < 3; i++)
		d->rankings[i] = (struct paradl_ranking){.devices = 4U << i,
			.batch = 64,
			.results = results[i],
			.count = 2 - i,
			.infeasible = d->infeasible,
			.infeasible_count = 2,
			.evaluated = 9,
			.margin = i ? 0 : 1.2,
			.goal = PARADL_TIME};
	d->advice = (struct report_advice){
		.head = &d->head, .rankings = d->rankings, .count = 1, .unfit = d->estimates + 1};
	d->sweep = (struct report_advice){
		.head = &d->head, .rankings = d->rankings, .count = 3, .is_sweep = true};
	d->devices[0] = 4;
	d->devices[1] = 8;
	d->request = (struct paradl_search_request){.devices = d->devices,
		.device_count = 2,
		.pareto = 1u << PARADL_TIME | 1u << PARADL_COST,
		.map = 1u << PARADL_DATA | 1u << PARADL_PIPELINE};
	for (size_t i = 0; i < 4; i++)
		d->cells[i] =
			(struct paradl_map_cell){4, {1u << i, 4u >> i}, i != 1, i != 2, d->estimates[i % 3]};
	d->found = (struct paradl_search){.results = d->estimates,
		.count = 3,
		.front = d->estimates,
		.front_count = 3,
		.cells = d->cells,
		.cell_count = 4};
	d->search = (struct report_search){.head = &d->head, .request = &d->request, .search = &d->found};
}

static void make_networks(struct documents *d, uint64_t *seed)
{
	for (size_t i = 0; i < 3; i++) {
		d->bytes[i] = 1024.0 * (double)(1u << 4 * i);
		d->times[i] = 1e-5 * (double)(i + 1);
		d->variants[i] = "";
		d->rows[i] = (struct paradl_collective_row){.bytes = d->bytes[i],
			.time_s = d->times[i],
			.model_s = d->times[i],
			.origin = i ? PARADL_MODELLED : PARADL_MEASURED};
	}
	d->choices[0] = (struct paradl_collective_choice){
		.algorithm = hostile(seed), .time_s = d->times, .least_s = d->times, .variants = d->variants};
	d->crossovers[0].bytes = 4096;
	d->timing[0] = (struct paradl_timing){1024, 2e-5, 1};
	d->timing[1] = (struct paradl_timing){65536, 4e-5, 2};
	d->timings = (struct paradl_timings){hostile(seed), d->timing, 2, 4, 0};
	d->network.info.name = hostile(seed);
	d->network.table = (struct paradl_collective_table){.ranks = 4,
		.concurrent = 1,
		.rows = d->rows,
		.row_count = 3,
		.choices = d->choices,
		.choice_count = 1,
		.crossovers = d->crossovers,
		.crossover_count = 1};
	d->collective = (struct report_collective){.head = &d->head,
		.networks = &d->network,
		.count = 1,
		.placement = hostile(seed),
		.timings = &d->timings};
	d->curve = (struct paradl_fitted_curve){.operation = hostile(seed),
		.library = hostile(seed),
		.buffer = hostile(seed),
		.nodes = 1,
		.devices = 4,
		.groups = 1,
		.bytes = d->bytes,
		.time_s = d->times,
		.point_count = 3};
	d->calibration =
		(struct paradl_calibration){.hosts = hostile(seed), .curves = &d->curve, .curve_count = 1};
	d->calibrated = (struct report_calibration){.head = &d->head, .calibration = &d->calibration};
}

static void make_others(struct documents *d, uint64_t *seed)
{
	for (size_t i = 0; i < 3; i++)
		d->inputs[i] = (struct report_tornado_row){hostile(seed),
			i == 2 ? -HUGE_VAL : -0.1 * (double)i, 0.05, hostile(seed), hostile(seed)};
	d->tornado = (struct report_tornado){
		&d->head, hostile(seed), hostile(seed), hostile(seed), 0.2, d->inputs, 3};
	d->events[0] = (struct paradl_event){0, 1, 0, 0, 0, PARADL_WORK_FORWARD};
	d->events[1] = (struct paradl_event){1, 2, 0, 0, 0, PARADL_WORK_UPDATE};
	d->events[2] = (struct paradl_event){1, 2, 1, 1, 0, PARADL_WORK_FORWARD};
	d->timeline = (struct paradl_timeline){2, 1, 1, d->events, 3, 2, 2, 2};
	d->lanes = (struct report_timeline){&d->head, &d->estimates[1].plan, &d->timeline};
	for (size_t i = 0; i < 3; i++)
		d->measured[i] = (struct paradl_measured_row){.model = hostile(seed),
			.hw = hostile(seed),
			.strategy = hostile(seed),
			.family = hostile(seed),
			.set = hostile(seed),
			.measured = {.total_s = (double)(i + 1)},
			.projected = {.total_s = 2}};
	d->scores[0].name = d->measured[0].set;
	d->scores[1].name = hostile(seed);
	d->validation = (struct paradl_validation){.rows = d->measured,
		.count = 3,
		.by_set = d->scores,
		.set_count = 2,
		.by_strategy = d->scores,
		.strategy_count = 2};
	d->compared = (struct report_validation){.head = &d->head, .validation = &d->validation};
}

/* Two models on two machines, one of which runs neither; and one model on one machine. */
static void make_comparison(struct documents *d, uint64_t *seed)
{
	static const double samples[] = {1e6, 2e6};
	for (size_t i = 0; i < 2; i++) {
		d->models[i].name = hostile(seed);
		d->machines[i].name = hostile(seed);
	}
	for (size_t i = 0; i < 4; i++) {
		struct paradl_compare_cell *const cell = &d->sides[i];
		*cell = (struct paradl_compare_cell){.model = i / 2,
			.machine = i % 2,
			.devices = 4,
			.runs = i % 2 == 0,
			.estimate = d->estimates[0],
			.amounts =
				{[PARADL_AMOUNT_TIME] = {100, 80, 130}, [PARADL_AMOUNT_COST] = {10, 5, 20}},
			.cost_compares = true,
			.ranks = {[PARADL_AMOUNT_TIME] = i % 2 == 0, [PARADL_AMOUNT_COST] = i % 2 == 0}};
		snprintf(cell->reason, sizeof cell->reason, "%s", hostile(seed));
	}
	d->comparison = (struct paradl_comparison){
		.cells = d->sides, .model_count = 2, .device_count = 1, .machine_count = 2};
	d->beside = (struct report_compare){.head = &d->head,
		.models = d->models,
		.machines = d->machines,
		.samples = samples,
		.currency = hostile(seed),
		.comparison = &d->comparison};
	struct paradl_comparison *const one = arena_alloc(arena, 1, sizeof *one);
	assert_non_null(one);
	*one = (struct paradl_comparison){
		.cells = d->sides, .model_count = 1, .device_count = 1, .machine_count = 1};
	d->alone = d->beside;
	d->alone.comparison = one;
}

/* Two devices, of one of which nothing is known. */
static void make_kernels(struct documents *d, uint64_t *seed)
{
	const char *const devices[] = {hostile(seed), hostile(seed)};
	for (size_t i = 0; i < 3; i++)
		d->points[i] = (struct paradl_kernel_point){
			devices[i / 2], hostile(seed), hostile(seed), "", 1e12, 1e9, 1e-3, 1.1e-3};
	d->roofs[0] = (struct paradl_kernel_roof){devices[0], d->points[0].precision, "flop/s", 1e15};
	d->roofs[1] = (struct paradl_kernel_roof){devices[0], "memory", "B/s", 1e12};
	d->roofs[2] = (struct paradl_kernel_roof){devices[1], "memory", "B/s", 0};
	d->timed = (struct paradl_kernels){
		.points = d->points, .point_count = 3, .roofs = d->roofs, .roof_count = 3};
	d->kernels = (struct report_kernels){.head = &d->head, .kernels = &d->timed};
}

static size_t files_here(void)
{
	size_t count = 0;
	DIR *const folder = opendir(".");
	assert_non_null(folder);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	for (const struct dirent *entry; (entry = readdir(folder));)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

static void leave(const char *here, const char *folder)
{
	assert_int_equal(chdir(here), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_hostile_names(void **state)
{
	(void)state;
	char folder[] = "/tmp/paradl-picture-XXXXXX", here[1024];
	uint64_t seed = 3;
	assert_non_null(getcwd(here, sizeof here));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (unsigned round = 0; round < 3; round++) {
		struct documents *const d = arena_alloc(arena, 1, sizeof *d);
		assert_non_null(d);
		make_plans(d, &seed);
		make_networks(d, &seed);
		make_others(d, &seed);
		make_comparison(d, &seed);
		make_kernels(d, &seed);
		const struct {
			const struct picture *picture;
			const void *what;
		} drawn[] = {{&picture_ranking, &d->advice}, {&picture_ranking, &d->sweep},
			{&picture_scaling, &d->sweep}, {&picture_memory, &d->advice},
			{&picture_pareto, &d->search}, {&picture_map, &d->search},
			{&picture_timeline, &d->lanes}, {&picture_collective, &d->collective},
			{&picture_calibration, &d->calibrated}, {&picture_measured, &d->compared},
			{&picture_tornado, &d->tornado}, {&picture_machines, &d->beside},
			{&picture_machines, &d->alone}, {&picture_kernels, &d->kernels}};
		for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
			struct paradl_error error;
			const char *svg = NULL;
			size_t length = 0;
			const bool made =
				picture_svg(arena, drawn[i].picture, drawn[i].what, &svg, &length, &error);
			if (!made && strcmp(error.message, "gnuplot not found") == 0) {
				leave(here, folder);
				skip();
			}
			if (!made)
				fail_msg("%s: %s", drawn[i].picture->name, error.message);
			assert_non_null(strstr(svg, "</svg>"));
			assert_int_equal(files_here(), 0);
			if (!picture_draw(arena, drawn[i].picture, drawn[i].what, "a.png", &error))
				fail_msg("%s: %s", drawn[i].picture->name, error.message);
			assert_int_equal(files_here(), 3);
			remove("a.png");
			remove("a.gp");
			remove("a.dat");
		}
	}
	leave(here, folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tick_texts),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_spread),
		cmocka_unit_test_setup_teardown(test_axes_of_plans, start, finish),
		cmocka_unit_test_setup_teardown(test_hostile_names, start, finish),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
