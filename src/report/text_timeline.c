/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_timeline() prints a step of a pipeline, with a lane of blocks for each stage. */

#include "report/palette.h"
#include "report/text.h"

enum { LANES_MAX = 32, LABEL_COLUMNS = 11 };

static const char *mark(struct report_sink *sink, unsigned look)
{
	const struct lane_look *const own = &lane_looks[look];
	if (sink->style.ascii)
		return typeset(sink, "%c", own->ascii);
	if (sink->style.colors == COLORS_NONE || look == LANE_IDLE)
		return own->shade;
	return typeset_phase(sink, &phase_looks[own->phase], NULL, "█");
}

static void print_lane(
	struct report_sink *sink, unsigned device, const unsigned char *looks, size_t columns, bool *used)
{
	fprintf(sink->file, " %-*s", LABEL_COLUMNS - 1, typeset(sink, "stage %u", device + 1));
	for (size_t i = 0; i < columns; i++) {
		used[looks[i]] = true;
		fputs(mark(sink, looks[i]), sink->file);
	}
	putc('\n', sink->file);
}

static void print_legend(struct report_sink *sink, const bool *used)
{
	for (unsigned i = 0; i < LANE_LOOKS; i++)
		if (used[i])
			fprintf(sink->file, " %s %s ", mark(sink, i), lane_looks[i].label);
}

void text_timeline(struct report_sink *sink, const struct report_timeline *report)
{
	const size_t columns =
		sink->style.width > LABEL_COLUMNS + 20 ? sink->style.width - LABEL_COLUMNS : 20;
	unsigned char *const looks = arena_alloc(sink->arena, columns, 1);
	bool used[LANE_LOOKS] = {false};
	size_t next = 0;
	sink->out_of_memory |= !looks;
	if (!looks)
		return;
	const struct paradl_timeline *const timeline = report->timeline;
	const unsigned each = (timeline->devices + LANES_MAX - 1) / LANES_MAX;
	putc('\n', sink->file);
	for (unsigned device = 0; device < timeline->devices; device += each) {
		next = lane_columns(timeline, next, device, looks, columns);
		print_lane(sink, device, looks, columns, used);
	}
	fprintf(sink->file, "\n a column is %s; %s idle%s\n",
		typeset_quantity(sink, timeline->end_s / (double)columns, DIMENSION_TIME),
		typeset_percent(sink, lane_idle_share(timeline)),
		timeline->end_s > timeline->step_s * (1 + 1e-9) ? "; devices begin the next step early" : "");
	print_legend(sink, used);
	putc('\n', sink->file);
}
