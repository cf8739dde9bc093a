/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiler's scratch, in which one schedule is added up. It is shared by compile.c (schedules), link_load.c (links,
 * and steps that come again), rounds.c (every rank to every other), trunks.c (messages between
 * the same leaves), level_loads.c, tiles.c, tile_links.c and turns.c
 * (networks that repeat themselves).
 */
#ifndef NETWORK_COST_COMPILER_H
#define NETWORK_COST_COMPILER_H

#include <stdint.h>
#include <string.h>

#include "network/cost/compile.h"

enum { FORKS_MAX = 4, DIGITS_MAX = 2 * RUNS_MAX + TURNS_MAX + 1 };

/* The load of one link in the current step. */
struct load {
	unsigned link;
	double share;           /* share of the vector */
	double most_s, least_s; /* longest and shortest start-up of the flows on it */
	double s_per_byte;
};

struct times {
	struct hull upper, lower;
};

/* A step as it was told, and its last repetition, which has `scale` times the bytes. */
struct step {
	unsigned ring;
	struct times flows; /* lines of single flows: no flow is faster than alone */
	struct times times; /* lines of flows and links, once `known` */
	double trip_s;      /* start-ups of one trip around a pipelined ring, once `known` */
	double emitted_reduce_share, emitted_memory_share;
	double repeat, scale, reduce_share, memory_share, wait_s;
	double carried;                      /* sum of repeat * scale over all repetitions that were added */
	double last_s, last_cap, last_alone; /* lines of the last flow that was included */
	bool open, known;
};

/*
 * Traffic from every rank of a group to every other, which several algorithms send: in P - 1 steps or in one, each
 * flow the whole vector. It holds as long as the members stay where they are.
 */
struct pairs {
	bool known;
	bool turned; /* made from devices that stand for all: without `shifts`, and links in no order; turns.c */
	bool all_differ; /* no device stands for others */
	double lanes;
	struct times shifts; /* sum of P - 1 steps, in step s to the rank s further on */
	struct times flows;  /* maximum over single flows */
	struct pair_load {
		double share, most_s, least_s;
	} * loads;              /* load of each link; NULL before the first group */
	unsigned *links, count; /* the links that are used */
};

/*
 * Digits of device numbers that turn. Among the images of a device, only the first one has 0 in all of these digits;
 * turns.c.
 */
struct turns {
	struct digit {
		unsigned step, radix;
	} digits[DIGITS_MAX];
	unsigned count;
	unsigned images; /* number of images of each device, itself included */
};

/* Sets of links that turns map onto each other. */
struct orbits {
	unsigned *of; /* orbit of each link; 0: none */
	struct orbit {
		unsigned same; /* the orbit that this has turned out to be, or itself */
		unsigned links;
		struct pair_load load; /* load of each of its links in one step */
	} * list;
	unsigned count;
	unsigned *links, link_count; /* links that have an orbit */
	unsigned *places; /* orbit of each link of a route whose images are visited; 0: it had one */
	unsigned *loaded, loaded_count;
};

/* Copies of a group that are images of each other. */
struct copies {
	bool looked, alike; /* examined for this group; the group has such copies */
	struct turns turns;
	struct orbits orbits;
};

/* Messages of the current step over one trunk, which are added to its links all together; trunks.c. */
struct trunk {
	unsigned from, to;                                 /* devices of the first message */
	unsigned ends[2];                                  /* leaves of senders and of receivers */
	double share;                                      /* sum over messages; 0: no trunk */
	double start_s, alone_s_per_byte, flow_s_per_byte; /* of each message */
};

/* The longest stems that are kept, and the trunks that are: one for each two of 128 leaves. */
enum { STEM_LINKS = 4, TRUNKS_MAX = 1 << 14 };
struct trunks {
	bool used; /* by the schedule that is being compiled */
	struct own {
		struct stem stem;
		bool known, sends, receives;              /* whether `stem`, `out` and `in` are filled */
		unsigned out[STEM_LINKS], in[STEM_LINKS]; /* links from the device, and to it */
	} * own; /* of each device; NULL before they are first used */
	struct trunk *table;
	unsigned *open, open_count; /* places in `table` with a trunk */
};

/* A run of messages between ranks, as in messages.h. */
struct emitted {
	unsigned from, to, count, from_stride, to_stride;
	double share;
	/*
	 * Every `turn`th message of the run: their senders are from_apart devices apart, their receivers to_apart,
	 * and from the first message on there are `places` such messages; tiles.c.
	 */
	unsigned turn, places, from_apart, to_apart;
	unsigned alike; /* tiles that see the same of the run, if it stays in each of them; else 0 */
};

/* Tiles, which are like parts of the network (tiles.c), and the cables in them (tile_links.c). */
struct tiles {
	bool looked, found;
	bool match; /* cables inside one tile correspond to those inside another */
	unsigned devices, count;
	unsigned char *height;          /* cables from each vertex to the nearest device */
	unsigned short *owner;          /* the tile that each vertex is in */
	unsigned *inside, inside_count; /* cables inside each tile, tile after tile */
	unsigned *place; /* index of each cable among those of its tile; UINT_MAX: it leaves its tile */
	uint64_t *sums;  /* hash of what each tile sees of the current step */
	uint64_t *parts; /* hash of what each tile sees of one run */
	unsigned *touched, touched_count; /* tiles that see the run */
	bool *seen;                       /* whether each tile sees anything */
	struct tile_kind {
		unsigned tile, count; /* one tile of the kind, and how many there are */
	} * kinds;
	unsigned kind_count;
	struct load *base; /* load that runs which all tiles see alike put on the links of one tile */
	unsigned base_count;
};

/* Loads of a step on a tree of levels; level_loads.c. A message takes at most two links at each level, and two buses. */
enum { FEW_MESSAGES = 32, FEW_LINKS = FEW_MESSAGES * (2 * LEVELS_MAX + 2) };
struct level_loads {
	double *shares;             /* share of the vector on each link */
	unsigned char *levels;      /* bits of the levels that each link's messages cross */
	double largest[LEVELS_MAX]; /* largest message of each level, as a share of the vector */
	bool few;                   /* few messages: their links are in `list` */
	unsigned listed, list[FEW_LINKS];
};

/*
 * The times of a step that was routed once for this group. Steps like it have all shares larger or smaller by one
 * factor.
 */
struct memo {
	uint64_t hash;
	unsigned flows; /* number of its runs of flows; 0: no memo */
	double unit;    /* share of its first flow */
	double trip_s;
	struct times times;
};

enum { TOLD_FIRST = 1 << 10, TOLD_MAX = 1 << 17, MEMOS_MAX = 1 << 9 };

struct compiler {
	struct schedule schedule; /* first: the listener's functions get its address */
	const struct network *network;
	const struct graph *graph;
	struct path path;
	struct load
		*loads; /* of the links that the current step uses, in the order in which it came to them */
	unsigned load_count;
	unsigned *place;            /* index in `loads` of each link that is there */
	double *carried;            /* share of the vector that each link carried in all steps so far */
	unsigned *ever, ever_count; /* links that carried something */
	struct pairs pairs;
	struct orbits orbits; /* of the traffic from every rank to every other */
	struct copies copies;
	struct tiles tiles;
	struct level_loads level_loads;
	struct trunks trunks;
	/* State of the schedule that is being compiled. */
	struct group placed; /* the group whose members `devices` has */
	bool placed_whole; /* whether they are placed for links, too, for which no copies stand for others */
	unsigned *devices; /* device of rank r in copy s of the group: [s * size + r] */
	unsigned *base;    /* scratch: where copies begin */
	unsigned turn,
		apart; /* the rank `turn` ranks after another is `apart` devices further; 0: not everywhere */
	bool times_only, links_only;
	unsigned size, siblings, end; /* end: no member's device has this number, or a higher one */
	double active;                /* devices of the plan, or those of the period that stands for them */
	double bytes;
	double lanes; /* lanes that a flow fills inside a node: the library's channels */
	bool message; /* point-to-point: fills its links; a library's collective keeps to one flow's rate */
	struct trip *trips; /* start-ups of each copy in this step */
	bool pipelines;     /* rings pay start-ups once per trip, not in every step */
	struct step step;
	struct times stack[2 * FORKS_MAX + 1];
	unsigned depth;
	double steps;
	/* With times only, a step's flows are kept until the step ends, for it may be a step that is known. */
	struct memo *memos;      /* NULL: nothing is kept */
	struct emitted *emitted; /* runs that are kept; grows in `arena` */
	struct paradl_arena *arena;
	unsigned emitted_count, emitted_room, memo_count;
	uint64_t emitted_hash, emitted_back; /* hashes of the flows, and of the same ones reversed */
	bool both_ways;    /* half of the step's flows are kept: the others are the same ones reversed */
	double memo_lanes; /* value of `lanes` for which the memos were made */
	bool memo_stale;   /* members moved while memos were not in use */
};

/*
 * Finds the routes of a run of flows of the current step, given in ranks, for every copy of the group, and adds
 * their loads.
 */
void run_route(struct compiler *compiler, const struct emitted *run);
/* Keeps the times of the current step, and computes the start-ups of its trip. */
void step_know(struct compiler *compiler, struct times times);

/* Begins a schedule; forgets all memos if they are of another group or of other lanes. */
void memo_begin(struct compiler *compiler, bool same_group);
/* Keeps a run for later. False: nothing is kept, or there were too many runs and all of them are routed now. */
bool memo_emit(struct compiler *compiler, const struct emitted *run);
/* Gives up on looking the step up: routes the runs that were kept, as if they had not been. */
void memo_give_up(struct compiler *compiler);
/*
 * Finds the times of the current step, whose flows were kept: those of a step like it, or by routing if it is new.
 */
void memo_know(struct compiler *compiler);

/* Returns whether the group's steps may be of many flows on enough like tiles. */
bool tiles_wanted(const struct compiler *compiler);
/*
 * Finds the times of the current step, whose flows were kept, from one tile of each kind. False: the network or the
 * step has too few tiles or flows, or the tiles are not alike.
 */
bool tiles_times(struct compiler *compiler, struct times *times);

/*
 * Finds the times of the current step, whose flows were kept, on a tree of levels. False: the network is no such
 * tree, the message is point-to-point, or out of memory.
 */
bool levels_times(struct compiler *compiler, struct times *times);

/* Finds the tiles of the network's links. False: out of memory, too many tiles, or some cable belongs to no tile. */
bool tile_links_find(struct compiler *compiler);
/* Returns the tile of a link; for a link between two tiles, the tile that sends over it. */
unsigned tile_of_link(const struct compiler *compiler, unsigned link);
/* Returns the link of `tile` that corresponds to this link of its own tile; UINT_MAX: the link leaves its tile. */
unsigned tile_link_moved(const struct compiler *compiler, unsigned link, unsigned tile);

static inline uint64_t mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* Returns the bits of a share as a multiple of the first flow's share, which is the same in steps of other sizes. */
static inline uint64_t ratio_bits(double share, double first)
{
	const double ratio = share / first;
	uint64_t bits;
	memcpy(&bits, &ratio, sizeof bits);
	return bits;
}

/* Returns the greatest common divisor, at least 1. */
static inline unsigned common_divisor(unsigned a, unsigned b)
{
	while (b > 0) {
		const unsigned rest = a % b;
		a = b;
		b = rest;
	}
	return a > 0 ? a : 1;
}

/* The last lines that were included: most links add nothing to these. */
struct peaks {
	struct line high, low;
};
static const struct peaks peaks_none = {{-1, -1}, {-1, -1}};

static inline void load_include(const struct load *load, struct peaks *peaks, struct times *times)
{
	const double s_per_byte = load->share * load->s_per_byte;
	if (s_per_byte > peaks->high.b_s_per_byte || load->most_s > peaks->high.a_s) {
		peaks->high = (struct line){load->most_s, s_per_byte};
		hull_include(&times->upper, peaks->high);
	}
	if (s_per_byte > peaks->low.b_s_per_byte || load->least_s > peaks->low.a_s) {
		peaks->low = (struct line){load->least_s, s_per_byte};
		hull_include(&times->lower, peaks->low);
	}
}

/*
 * Finds the route of one message of the current step and adds its share to the links. If `trip` is not NULL, the
 * start-up is added to *trip and not to the links.
 */
void flow_add(struct compiler *compiler, unsigned from, unsigned to, double share, struct trip *trip);

/* Decides whether the schedule's messages are added by trunks, and makes room for these; called before its first step. */
void trunks_begin(struct compiler *compiler);
/* Adds a message as flow_add does, by its trunk where it has one; its links are right after trunks_load. */
void flow_join(struct compiler *compiler, unsigned from, unsigned to, double share);
/* Adds to links what trunks carry. */
void trunks_load(struct compiler *compiler);

/*
 * Adds a share to a link's load, and returns the link's seconds per byte. A place may be left from a step before:
 * then another link has it now, or none.
 */
static inline double link_load(struct compiler *compiler, unsigned link, double share, double start_s)
{
	const unsigned place = compiler->place[link], count = compiler->load_count;
	struct load *load = &compiler->loads[place];
	if (place < count && load->link == link) {
		load->share += share;
		load->most_s = start_s > load->most_s ? start_s : load->most_s;
		load->least_s = start_s < load->least_s ? start_s : load->least_s;
		return load->s_per_byte;
	}
	load = &compiler->loads[count];
	compiler->place[link] = count;
	compiler->load_count = count + 1;
	load->link = link;
	load->share = share;
	load->most_s = load->least_s = start_s;
	return load->s_per_byte = graph_hop(compiler->graph, link)->s_per_byte;
}

/* Includes the lines of one flow, unless they are no more than those of the flow before, as most are. */
static inline void flow_include(struct step *step, double start_s, double cap, double alone)
{
	if (start_s <= step->last_s && cap <= step->last_cap && alone <= step->last_alone)
		return;
	step->last_s = start_s;
	step->last_cap = cap;
	step->last_alone = alone;
	hull_include(&step->flows.upper, (struct line){start_s, cap});
	hull_include(&step->flows.lower, (struct line){start_s, alone});
}

/* Adds a link that the current step does not use yet, with its load. */
struct load *load_add(struct compiler *compiler, unsigned link, const struct load *load);
/* Begins the flows of a step with empty links. */
void flows_begin(struct compiler *compiler);
/*
 * Returns the times of the current step, of its flows and of the links that they load; these links then have carried
 * the load `carried` times.
 */
struct times flows_times(struct compiler *compiler, double carried);
/* Adds to each link what its reverse carries, where flows go both ways and only half of them were routed. */
void loads_mirror(struct compiler *compiler);
/* Adds a share of the vector to what a link has carried. */
void link_carry(struct compiler *compiler, unsigned link, double share);

/* Adds messages from every rank to every other to the current step. */
void pairs_add(struct compiler *compiler, double share);
/*
 * Fills `pairs`, with the times of `shifts` or without, unless that takes too many routes or is of no use; called
 * between steps. Returns whether it is filled.
 */
bool pairs_learn(struct compiler *compiler, bool shifts);
/*
 * Finds the times of the current step, whose flows were kept, from copies of the group that stand for all. False:
 * there are no such copies.
 */
bool turns_times(struct compiler *compiler, struct times *times);
/*
 * Fills the loads of `pairs` and the times of flows from devices that stand for all. False: there are no such
 * devices, and `pairs` is invalid.
 */
bool turns_pairs(struct compiler *compiler);
/* Adds one round of all copies to the current step: `by` is the distance of the round. */
void round_add(struct compiler *compiler, enum rounds rounds, unsigned by, double share);
/* Returns n, where only every nth round is routed and stands for those around it. */
unsigned rounds_every(const struct compiler *compiler);

/* Adds up watts, joules and traffic over the links that the schedule used, and forgets what they carried. */
void links_sum(struct compiler *compiler, struct compiled *compiled);

#endif
