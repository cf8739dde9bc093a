/* SPDX-License-Identifier: BSD-3-Clause */
/* What cut layers cut off, send and put together. Buffers to send and to receive into are the trainer's scratch. */
#include "step/passes.h"
#include "step/trainer.h"

static size_t plane(const struct part *part)
{
	return part->here.x[1] * part->here.x[2] * part->here.channels;
}

/* The first and the last rows of pieces `rows` long, to or from the two buffers of faces. */
static struct blocks face_blocks(const struct part *part, size_t count, size_t rows, bool out)
{
	const size_t face = part->face * plane(part), step = rows * plane(part);
	return (struct blocks){count, face, out ? step : face, out ? face : step};
}

static struct faces faces_of(const struct trainer *trainer, const struct part *part, size_t count)
{
	const size_t items = count * part->face * plane(part);
	float *at = trainer->scratch[1];
	return (struct faces){at, at + items, at + 2 * items, at + 3 * items, items};
}

static void fill_halos(
	struct trainer *trainer, const struct part *part, size_t count, const float *x, float *padded)
{
	const size_t row = plane(part), whole = part->top + part->rows + part->bottom;
	const struct blocks own = {count, part->rows * row, part->rows * row, whole * row};
	const struct blocks out = face_blocks(part, count, part->rows, true);
	const struct blocks in = face_blocks(part, count, whole, false);
	const struct faces faces = faces_of(trainer, part, count);
	float *to_before = trainer->scratch[1], *to_after = to_before + faces.count;
	pass_blocks(&own, x, padded + part->top * row);
	if (part->top)
		pass_blocks(&out, x, to_before);
	if (part->bottom)
		pass_blocks(&out, x + (part->rows - part->face) * row, to_after);
	exchange_faces(&trainer->assignment.peers, &faces, &trainer->phase_s[PHASE_HALOS]);
	if (part->top)
		pass_blocks(&in, faces.from_before, padded);
	if (part->bottom)
		pass_blocks(&in, faces.from_after, padded + (part->top + part->rows) * row);
}

void cut_return_halos(struct trainer *trainer, unsigned layer, size_t count, const float *padded, float *dx)
{
	const struct part *part = &trainer->parts[layer];
	const size_t row = plane(part), whole = part->top + part->rows + part->bottom;
	const struct blocks own = {count, part->rows * row, whole * row, part->rows * row};
	const struct blocks out = face_blocks(part, count, whole, true);
	const struct blocks in = face_blocks(part, count, part->rows, false);
	const struct faces faces = faces_of(trainer, part, count);
	float *to_before = trainer->scratch[1], *to_after = to_before + faces.count;
	if (part->top)
		pass_blocks(&out, padded, to_before);
	if (part->bottom)
		pass_blocks(&out, padded + (part->top + part->rows) * row, to_after);
	exchange_faces(&trainer->assignment.peers, &faces, &trainer->phase_s[PHASE_HALOS]);
	pass_blocks(&own, padded + part->top * row, dx);
	if (part->top)
		pass_blocks_add(&in, faces.from_before, dx);
	if (part->bottom)
		pass_blocks_add(&in, faces.from_after, dx + (part->rows - part->face) * row);
}

const float *cut_input(struct trainer *trainer, unsigned layer, size_t first, size_t count)
{
	const struct part *part = &trainer->parts[layer];
	const float *x = trainer->x[layer] + first * part->x_items;
	if (!part->kept_items)
		return x;
	float *kept = part->kept + first * part->kept_items;
	if (trainer->assignment.axis == AXIS_SPATIAL) {
		fill_halos(trainer, part, count, x, kept);
	} else {
		const size_t all = trainer->network->layers[layer].shape.channels;
		const struct channels channels = {
			count * part->x_items / all, all, part->first_channel, part->here.channels};
		pass_slice(&channels, x, kept);
	}
	return kept;
}

/* Every rank's share of the channels of `rows` positions, side by side. */
static void gather_shares(struct trainer *trainer, const struct part *part, size_t rows, size_t all,
	const float *mine, float *whole)
{
	float *received = trainer->scratch[1];
	const size_t block = rows * part->share;
	exchange_allgather(mine, received, block, &trainer->phase_s[PHASE_ACTIVATIONS]);
	for (size_t rank = 0; rank < trainer->assignment.peers.count; ++rank) {
		const size_t first = rank * part->share, rest = all - first;
		const struct channels channels = {rows, all, first, rest < part->share ? rest : part->share};
		pass_merge(&channels, received + rank * block, whole);
	}
}

void cut_gather_filters(struct trainer *trainer, unsigned layer, size_t count, const float *mine, float *y)
{
	const struct part *part = &trainer->parts[layer];
	const size_t all = trainer->network->layers[layer].shape.filters;
	gather_shares(trainer, part, count * part->y_items / all, all, mine, y);
}

void cut_gather_channels(struct trainer *trainer, unsigned layer, size_t count, const float *mine, float *dx)
{
	const struct part *part = &trainer->parts[layer];
	const size_t all = trainer->network->layers[layer].shape.channels;
	gather_shares(trainer, part, count * part->x_items / all, all, mine, dx);
}

/* Rows of one rank's piece among whole samples. */
static struct blocks piece_blocks(const struct trainer *trainer, bool together)
{
	const size_t piece = trainer->parts[trainer->gather - 1].y_items;
	const size_t whole = trainer->parts[trainer->gather].x_items;
	return (struct blocks){trainer->samples, piece, together ? piece : whole, together ? whole : piece};
}

void cut_gather_pieces(struct trainer *trainer)
{
	const struct blocks blocks = piece_blocks(trainer, true);
	const size_t items = blocks.count * blocks.length;
	exchange_allgather(trainer->piece, trainer->scratch[1], items, &trainer->phase_s[PHASE_ACTIVATIONS]);
	for (size_t rank = 0; rank < trainer->assignment.peers.count; ++rank)
		pass_blocks(&blocks, trainer->scratch[1] + rank * items,
			trainer->x[trainer->gather] + rank * blocks.length);
}

void cut_scatter_pieces(struct trainer *trainer, const float *dx, float *piece)
{
	const struct blocks blocks = piece_blocks(trainer, false);
	const size_t items = blocks.count * blocks.length;
	for (size_t rank = 0; rank < trainer->assignment.peers.count; ++rank)
		pass_blocks(&blocks, dx + rank * blocks.length, trainer->scratch[1] + rank * items);
	exchange_reduce_scatter(trainer->scratch[1], piece, items, &trainer->phase_s[PHASE_ACTIVATIONS]);
}
