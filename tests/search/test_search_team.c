/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads and processes share a search, and change nothing of its answer; nor does a process that is lost on the way. */
#include "oracle/oracle.h"
#include "search/networks.h"

#include <pthread.h>

#define KEYS ", \"training\": {\"overlap_gradients\": 0.5, \"host_layer\": \"0.1 ms\"}"

enum { MEMBERS_MOST = 3, COUNTS = 2 };
static const unsigned counts[COUNTS] = {4, 8};

static struct paradl_search_request question(unsigned goal)
{
	return (struct paradl_search_request){.devices = counts,
		.device_count = COUNTS,
		.batch = 16,
		.goal = (enum paradl_goal)goal,
		.keep = 4,
		.pareto = 1u << PARADL_TIME | 1u << PARADL_MEMORY,
		.map = 1u << PARADL_DATA | 1u << PARADL_TENSOR,
		.threads = 1};
}

/* Every number and every text that an estimate has. */
static const char *estimate_text(struct paradl_arena *arena, const struct paradl_estimate *e)
{
	char plan[PARADL_PLAN_TEXT];
	paradl_plan_format(&e->plan, plan, sizeof plan);
	const char *text = arena_printf(arena,
		"%s batch %.17g devices %u: %.17g %.17g %.17g s, %.17g %.17g bytes, %s, %.17g %.17g %.17g, "
		"%.17g "
		"%.17g %.17g %.17g, %u %.17g, %s %s %.17g, %d %.17g",
		plan, e->plan.batch, e->devices, e->iteration_s, e->iteration_quiet_s, e->epoch_s,
		e->memory_bytes, e->capacity_bytes, e->fits ? "fits" : "does not fit", e->compute_s,
		e->communication_s, e->exposed_communication_s, e->local_batch, e->micro_batches,
		e->energy_joule_per_epoch, e->cost_per_epoch, e->unchecked, e->error_share,
		e->gradient_algorithm ? e->gradient_algorithm : "",
		e->gradient_compression ? e->gradient_compression : "", e->gradient_messages,
		(int)e->limited_by.phase, e->limited_by.share);
	for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
		text = arena_printf(arena, "%s %.17g", text, e->phase_s[phase]);
	return text;
}

/* All of an answer, a line each. */
static const char *search_text(struct paradl_arena *arena, const struct paradl_search *search)
{
	const char *text = arena_printf(arena,
		"%zu %zu %zu %zu, %.17g %.17g %.17g %.17g, %.17g %.17g %.17g, %s", search->count,
		search->equal, search->front_count, search->cell_count, search->plans, search->evaluated,
		search->lower_bound, search->gap, search->cut[PARADL_CUT_DEGREES],
		search->cut[PARADL_CUT_MEMORY], search->cut[PARADL_CUT_BOUND], search->closest.reason);
	for (size_t i = 0; i < search->count; ++i)
		text = arena_printf(arena, "%s\n%s", text, estimate_text(arena, &search->results[i]));
	for (size_t i = 0; i < search->front_count; ++i)
		text = arena_printf(arena, "%s\n%s", text, estimate_text(arena, &search->front[i]));
	for (size_t i = 0; i < search->cell_count; ++i) {
		const struct paradl_map_cell *cell = &search->cells[i];
		text = arena_printf(arena, "%s\n%u %u %u %d %d %s", text, cell->devices, cell->degree[0],
			cell->degree[1], cell->runs, cell->fits,
			cell->runs ? estimate_text(arena, &cell->best) : "");
	}
	return text;
}

static struct paradl_oracle *make_oracle(struct setup *setup, const char *memory)
{
	const struct paradl_options options = {.ideal = false};
	return network_oracle(setup, NETWORK_EXPERTS, memory, KEYS, &options);
}

static const char *alone(struct setup *setup, const char *memory, const struct paradl_search_request *request)
{
	struct paradl_search search;
	if (!paradl_search(make_oracle(setup, memory), request, setup->arena, &search, &setup->error))
		fail_msg("%s", setup->error.message);
	assert_true(search.plans > 100);
	return search_text(setup->arena, &search);
}

static const char *const memories[] = {"10 TB", "700 MB", "1 MB"};

static void any_number_of_threads(void **state)
{
	struct setup *setup = *state;
	static const unsigned threads[] = {2, 3, 7};
	for (unsigned i = 0; i < 3; ++i)
		for (unsigned goal = PARADL_TIME; goal <= PARADL_ENERGY; ++goal) {
			struct paradl_search_request request = question(goal);
			const char *one = alone(setup, memories[i], &request);
			for (unsigned k = 0; k < 3; ++k) {
				request.threads = threads[k];
				assert_string_equal(alone(setup, memories[i], &request), one);
			}
		}
}

/* Where members meet: each leaves what it found, and the last one puts all of it together. */
struct table {
	pthread_mutex_t lock;
	pthread_cond_t full;
	unsigned size, waiting, rounds;
	unsigned lose_from; /* rounds from this one lack what the last member found; 0: none does */
	const void *mine[MEMBERS_MOST];
	size_t bytes[MEMBERS_MOST];
	unsigned char *all; /* of the last round */
	size_t all_bytes;
};

struct member {
	struct table *table;
	struct paradl_team team;
	struct paradl_oracle *oracle;
	struct paradl_search_request request;
	struct paradl_arena *arena;
	const char *text;
	unsigned char *all;
};

static void table_gather(struct table *table)
{
	const bool loses = table->lose_from && table->rounds + 1 >= table->lose_from;
	const unsigned members = loses ? table->size - 1 : table->size;
	size_t bytes = 0;
	for (unsigned i = 0; i < members; ++i)
		bytes += table->bytes[i];
	free(table->all);
	table->all = malloc(bytes + 1);
	table->all_bytes = bytes;
	bytes = 0;
	for (unsigned i = 0; table->all && i < members; ++i) {
		memcpy(table->all + bytes, table->mine[i], table->bytes[i]);
		bytes += table->bytes[i];
	}
}

static bool exchange(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes)
{
	struct member *member = context;
	struct table *table = member->table;
	pthread_mutex_lock(&table->lock);
	const unsigned round = table->rounds;
	table->mine[member->team.rank] = mine;
	table->bytes[member->team.rank] = bytes;
	if (++table->waiting == table->size) {
		table_gather(table);
		table->waiting = 0;
		++table->rounds;
		pthread_cond_broadcast(&table->full);
	}
	while (table->rounds == round)
		pthread_cond_wait(&table->full, &table->lock);
	free(member->all);
	member->all = malloc(table->all_bytes + 1);
	if (member->all)
		memcpy(member->all, table->all, table->all_bytes);
	*all = member->all;
	*all_bytes = table->all_bytes;
	pthread_mutex_unlock(&table->lock);
	return member->all != NULL;
}

static void *member_run(void *context)
{
	struct member *member = context;
	struct paradl_search search;
	struct paradl_error error = {0};
	if (paradl_search(member->oracle, &member->request, member->arena, &search, &error))
		member->text = search_text(member->arena, &search);
	return NULL;
}

/* All members say the same as one process alone. */
static void check_team(struct setup *setup, const char *memory, struct paradl_search_request request,
	unsigned size, unsigned lose_from)
{
	struct table table = {.size = size, .lose_from = lose_from};
	struct member members[MEMBERS_MOST];
	pthread_t threads[MEMBERS_MOST];
	const char *one = alone(setup, memory, &request);
	const struct paradl_oracle *oracle = make_oracle(setup, memory);
	assert_int_equal(pthread_mutex_init(&table.lock, NULL), 0);
	assert_int_equal(pthread_cond_init(&table.full, NULL), 0);
	for (unsigned i = 0; i < size; ++i) {
		struct member *member = &members[i];
		*member = (struct member){.table = &table,
			.team = {.rank = i, .size = size, .exchange = exchange, .context = member},
			.request = request,
			.arena = paradl_arena_create()};
		member->oracle = oracle_clone(oracle, member->arena, &setup->error);
		assert_non_null(member->oracle);
		member->request.team = &member->team;
	}
	for (unsigned i = 0; i < size; ++i)
		assert_int_equal(pthread_create(&threads[i], NULL, member_run, &members[i]), 0);
	for (unsigned i = 0; i < size; ++i)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_true(table.rounds >= lose_from);
	for (unsigned i = 0; i < size; ++i) {
		assert_non_null(members[i].text);
		assert_string_equal(members[i].text, one);
		paradl_arena_free(members[i].arena);
		free(members[i].all);
	}
	free(table.all);
	pthread_cond_destroy(&table.full);
	pthread_mutex_destroy(&table.lock);
}

static void any_number_of_processes(void **state)
{
	for (unsigned i = 0; i < 3; ++i)
		for (unsigned size = 2; size <= MEMBERS_MOST; ++size) {
			check_team(*state, memories[i], question(PARADL_TIME), size, 0);
			check_team(*state, memories[i], question(PARADL_ENERGY), size, 0);
		}
}

static void lost_processes(void **state)
{
	for (unsigned size = 2; size <= MEMBERS_MOST; ++size)
		for (unsigned from = 1; from <= 4; ++from)
			check_team(*state, memories[1], question(PARADL_TIME), size, from);
}

static bool refuse(void *context, const void *mine, size_t bytes, const void **all, size_t *all_bytes)
{
	(void)context, (void)mine, (void)bytes;
	*all = NULL;
	*all_bytes = 0;
	return false;
}

static void nobody_can_be_reached(void **state)
{
	struct setup *setup = *state;
	const struct paradl_team team = {.size = 2, .exchange = refuse};
	struct paradl_search_request request = question(PARADL_TIME);
	struct paradl_search search;
	request.team = &team;
	assert_false(paradl_search(
		make_oracle(setup, memories[0]), &request, setup->arena, &search, &setup->error));
	assert_int_equal(setup->error.status, PARADL_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(any_number_of_threads),
		setup_test(any_number_of_processes),
		setup_test(lost_processes),
		setup_test(nobody_can_be_reached),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
