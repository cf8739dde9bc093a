/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published curves of ABCI's V nodes as samples, fitted, and carried on to more nodes: allreduces and broadcasts of NCCL and
 * of MPI on device and host memory, known at 1, 2 and 4 nodes, predicted at 8.
 */
#include "fit/published.h"

#include "fit/calibration.h"
#include "fit/synthetic.h"
#include "network/cost/measured_curves.h"

enum { PER_NODE = 4, KNOWN_NODES = 4, NODES = 8 };

struct family {
	const char *id, *library, *bench;
	enum operation operation;
};
static const struct family families[] = {
	{"abci_v_allreduce_nccl", "nccl 2.8.4", "allreduce", ALLREDUCE},
	{"abci_v_allreduce_mpi", "open mpi 4.0.5", "allreduce", ALLREDUCE},
	{"abci_v_allreduce_mpi_cpu", "open mpi 4.0.5 on hosts", "allreduce", ALLREDUCE},
	{"abci_v_bcast_nccl", "nccl 2.8.4", "broadcast", BROADCAST},
	{"abci_v_bcast_mpi", "open mpi 4.0.5", "broadcast", BROADCAST},
	{"abci_v_bcast_mpi_cpu", "open mpi 4.0.5 on hosts", "broadcast", BROADCAST},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const struct published_curve *published_find(
	const struct published *published, const char *family, unsigned nodes)
{
	char id[80];
	snprintf(id, sizeof id, "%s_n%u_g%u", family, nodes, nodes * PER_NODE);
	for (size_t i = 0; i < published->count; ++i)
		if (strcmp(published->curves[i].id, id) == 0)
			return &published->curves[i];
	return NULL;
}

/* Points of a family at up to KNOWN_NODES nodes, as the samples of one launch. */
static size_t points_fill(struct paradl_arena *arena, const struct published *published,
	const struct family *family, struct synthetic_point *points)
{
	size_t count = 0;
	for (unsigned nodes = 1; nodes <= KNOWN_NODES; nodes *= 2) {
		const struct published_curve *curve = published_find(published, family->id, nodes);
		assert_non_null(curve);
		for (unsigned i = 0; curve && i < curve->points; ++i)
			points[count++] = (struct synthetic_point){
				arena_printf(arena, "%s/%ux%u/%.0f", family->bench, nodes, curve->devices,
					curve->bytes[i]),
				family->bench,
				arena_printf(arena,
					"\"library\":\"%s\",\"buffer\":\"%s\",\"nodes\":%u,\"devices\":%u,"
					"\"bytes\":%.0f",
					family->library, curve->buffer, nodes, curve->devices,
					curve->bytes[i]),
				curve->time_s[i]};
	}
	return count;
}

/* A machine that has only these curves. */
static void machine_of(
	struct paradl_arena *arena, const struct paradl_calibration *fitted, struct paradl_machine *machine)
{
	struct measured_curve *curves = arena_alloc(arena, fitted->curve_count, sizeof *curves);
	assert_non_null(curves);
	for (size_t i = 0; i < fitted->curve_count; ++i) {
		const struct paradl_fitted_curve *curve = &fitted->curves[i];
		curves[i] = (struct measured_curve){curve->operation, curve->library, curve->nodes,
			curve->devices, {curve->bytes, curve->time_s, curve->point_count}};
	}
	*machine = (struct paradl_machine){.curves = curves, .curve_count = (unsigned)fitted->curve_count};
}

static unsigned family_errors(struct paradl_arena *arena, const struct published *published,
	const struct family *family, double *errors)
{
	static struct synthetic_point points[3 * PUBLISHED_POINTS_MAX];
	const struct synthetic exact = {.bimodal_launch = 1, .launches = 1, .samples = 1};
	const struct published_curve *truth = published_find(published, family->id, NODES);
	struct paradl_calibration fitted;
	struct paradl_machine machine;
	char paths[1][64];
	if (!truth)
		fail_msg("no curve of %s at %d nodes", family->id, NODES);
	const size_t count = points_fill(arena, published, family, points);
	synthetic_fit(
		arena, paths, synthetic_write(&exact, points, count, false, paths), false, NULL, &fitted);
	assert_int_equal(fitted.curve_count, 3);
	machine_of(arena, &fitted, &machine);
	for (unsigned i = 0; i < truth->points; ++i) {
		struct measured_time time;
		assert_true(measured_s(
			&machine, family->operation, NODES, NODES * PER_NODE, truth->bytes[i], NULL, &time));
		assert_int_equal(time.origin, EXTRAPOLATED);
		errors[i] = fabs(time.seconds / truth->time_s[i] - 1);
	}
	return truth->points;
}

static void more_nodes_than_measured(void **unused)
{
	(void)unused;
	static double all[FAMILIES * PUBLISHED_POINTS_MAX];
	struct paradl_arena *arena = paradl_arena_create();
	struct published published;
	size_t count = 0;
	published_load(arena, &published);
	for (unsigned f = 0; f < FAMILIES; ++f) {
		double errors[PUBLISHED_POINTS_MAX];
		const unsigned points = family_errors(arena, &published, &families[f], errors);
		memcpy(all + count, errors, points * sizeof *errors);
		count += points;
		print_message("# %s: %.1f %%\n", families[f].id, 100 * robust_median(errors, points));
	}
	assert_true(count >= FAMILIES * 24);
	const double median = robust_median(all, count);
	print_message("# %zu times: %.1f %%\n", count, 100 * median);
	assert_true(median <= 0.08);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(more_nodes_than_measured)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
