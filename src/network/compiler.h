/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compile.c (schedules), load.c (links, and steps that come again) and rounds.c (every rank to every other)
 * share: the scratch in which one schedule is added up.
 */
#ifndef NETWORK_COMPILER_H
#define NETWORK_COMPILER_H

#include <stdint.h>
#include <string.h>

#include "network/compile.h"
#include "network/trip.h"

enum { FORKS_MAX = 4, DIGITS_MAX = 2 * RUNS_MAX + TURNS_MAX + 1 };

/* What one link carries in the current step. */
struct load {
	unsigned link;
	double share;           /* of the vector */
	double most_s, least_s; /* start-ups of the flows on it */
	double s_per_byte;
};

struct times {
	struct hull upper, lower;
};

/* A step as it was told, and its last repetition, of `scale` times the bytes. */
struct step {
	unsigned ring;
	struct times flows; /* of single flows: no flow is faster than alone */
	struct times times; /* of flows and links, once `known` */
	double trip_s;      /* start-ups of one trip around a pipelined ring, then */
	double told_reduce_share, told_memory_share;
	double repeat, scale, reduce_share, memory_share, wait_s;
	double carried;                      /* repeat * scale of all repetitions that are in the sum */
	double last_s, last_cap, last_alone; /* lines of the last flow that was included */
	bool open, known;
};

/*
 * Every rank of a group to every other, which is what several algorithms do: in P - 1 steps or in one, each flow the whole
 * vector. Holds as long as the members stay where they are.
 */
struct pairs {
	bool known;
	bool turned;     /* from devices that stand for all: without shifts, and links in no order; turns.c */
	bool all_differ; /* no device stands for others */
	double lanes;
	struct times shifts; /* the sum of P - 1 steps, in step s to the rank s further on */
	struct times flows;  /* the maximum over single flows */
	struct pair_load {
		double share, most_s, least_s;
	} * loads;              /* of each link; NULL before the first group */
	unsigned *links, count; /* that are used */
};

/* Digits of device numbers that turn, and of no device but the first one of its images any is more than 0; turns.c. */
struct turns {
	struct digit {
		unsigned step, radix;
	} digits[DIGITS_MAX];
	unsigned count;
	unsigned images; /* of each device, itself included */
};

/* Links that turns map onto each other. */
struct orbits {
	unsigned *of; /* by link; 0: none */
	struct orbit {
		unsigned same; /* the orbit that this has turned out to be, or itself */
		unsigned links;
		struct pair_load load; /* of one step */
	} * list;
	unsigned count;
	unsigned *links, link_count; /* that have one */
	unsigned *places; /* of each link of a route whose images are looked at; 0: it has one already */
	unsigned *loaded, loaded_count;
};

/* Copies of a group that are images of each other. */
struct copies {
	bool looked, alike; /* at this group; it has such copies */
	struct turns turns;
	struct orbits orbits;
};

/* A run of messages between ranks; schedule.h. */
struct told {
	unsigned from, to, count, from_stride, to_stride;
	double share;
	/* Devices of every `turn`th message are so far apart; so many of these from the first on; tiles.c. */
	unsigned turn, places, from_apart, to_apart;
	unsigned alike; /* so many parts see the same of it, which stays in each of them; 0: it is not so */
};

/* Like parts of the network; tiles.c, and tile_links.c for those of the network itself. */
struct tiles {
	bool looked, found;
	bool match; /* which cable inside one part is which of another is known */
	unsigned devices, count;
	unsigned char *height;            /* of each vertex: cables to the nearest device */
	unsigned short *owner;            /* the part that each vertex is in */
	unsigned *inside, inside_count;   /* cables inside each part, part after part */
	unsigned *place;                  /* of each cable among those; UINT_MAX: it leaves its part */
	uint64_t *sums;                   /* what each part sees of the current step, as one number */
	uint64_t *parts;                  /* of one run of it */
	unsigned *touched, touched_count; /* parts that see it */
	bool *seen;                       /* whether each part sees anything */
	struct tile_kind {
		unsigned tile, count; /* one of them, and how many there are */
	} * kinds;
	unsigned kind_count;
	struct load *base; /* what runs that all parts see alike put on the links of one */
	unsigned base_count;
};

/* Steps on a tree of levels; level_loads.c. */
struct level_loads {
	double *shares;             /* of the vector, on each link */
	unsigned char *levels;      /* of each link: bits of the levels that its messages cross */
	double largest[LEVELS_MAX]; /* message of each level */
};

/* The times of a step that was routed once for this group; others like it have all shares larger or smaller by one factor. */
struct memo {
	uint64_t hash;
	unsigned flows; /* 0: no memo */
	double unit;    /* its first flow's share */
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
	unsigned *place;            /* of each link in the loads, if it is one of these */
	double *carried;            /* by each link, in all steps so far */
	unsigned *ever, ever_count; /* links that carried something */
	struct pairs pairs;
	struct orbits orbits; /* of every rank to every other */
	struct copies copies;
	struct tiles tiles;
	struct level_loads level_loads;
	/* of the schedule being compiled */
	const struct group *group;
	unsigned *devices; /* of rank r in copy s of the group: [s * size + r] */
	unsigned *base;    /* scratch: where copies begin */
	unsigned turn,
		apart; /* a rank is `apart` devices before the one `turn` ranks on; 0: nothing of the kind */
	bool times_only;
	unsigned size, siblings;
	double active; /* devices of the plan */
	double bytes;
	double lanes; /* that a flow fills inside a node: the library's channels */
	bool message; /* point-to-point: fills its links; a library's collective keeps to one flow's rate */
	struct trip *trips; /* of each copy in this step */
	bool pipelines;     /* rings pay start-ups once a trip, not every step */
	struct step step;
	struct times stack[2 * FORKS_MAX + 1];
	unsigned depth;
	double steps;
	/* Times only: a step's flows are kept until it ends, for it may be one that is known. */
	struct memo *memos; /* NULL: not kept */
	struct told *told;  /* grows, in `arena` */
	struct paradl_arena *arena;
	unsigned told_count, told_room, memo_count;
	uint64_t told_hash, told_back; /* of the flows, and of the same ones the other way */
	bool both_ways;    /* of the current step's flows half are told: the others are the same ones back */
	double memo_lanes; /* that the memos are of */
	bool memo_stale;   /* members moved while memos were not looked at */
};

/* Flows of the current step, in ranks, for every copy of the group. */
void run_route(struct compiler *compiler, const struct told *run);
/* Keeps the times of the current step, and finds its trip. */
void step_know(struct compiler *compiler, struct times times);

/* Of another group than before, all memos are forgotten. */
void memo_begin(struct compiler *compiler, bool same_group);
/* Keeps a run for later; false: nothing is kept, or there were too many and all of them are routed now. */
bool memo_tell(struct compiler *compiler, const struct told *run);
/* Routes what was kept, as if it had not been. */
void memo_give_up(struct compiler *compiler);
/* Times of the current step, whose flows were kept: of a step like it, or routed if it is new. */
void memo_know(struct compiler *compiler);

/* Whether steps of the group are of many flows on like parts. */
bool tiles_wanted(const struct compiler *compiler);
/* Times of the current step, whose flows were kept, from one part of each kind. False: the network has none, or they are not alike. */
bool tiles_times(struct compiler *compiler, struct times *times);

/* Times of the current step, whose flows were kept, on a tree of levels. False: the network is none, or out of memory. */
bool levels_times(struct compiler *compiler, struct times *times);

/* Finds the parts of the network's links. False: out of memory, or some cable belongs to no part. */
bool tile_links_find(struct compiler *compiler);
/* Returns the part of a link; of one between two parts, that which sends over it. */
unsigned tile_of_link(const struct compiler *compiler, unsigned link);
/* Returns the link that is to this part what a link is to its own; UINT_MAX: it leaves its part. */
unsigned tile_link_moved(const struct compiler *compiler, unsigned link, unsigned tile);

static inline uint64_t mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* What is the same in steps of other sizes: a share as a multiple of the first flow's. */
static inline uint64_t ratio_bits(double share, double first)
{
	const double ratio = share / first;
	uint64_t bits;
	memcpy(&bits, &ratio, sizeof bits);
	return bits;
}

/* The last lines that counted: most links add nothing to these. */
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

/* Routes one message of the current step and adds it to the links; its start-up also to *trip unless NULL. */
void flow_add(struct compiler *compiler, unsigned from, unsigned to, double share, struct trip *trip);

/* Adds a link that the current step does not use yet. */
struct load *load_add(struct compiler *compiler, unsigned link, const struct load *load);
/* Begins the flows of a step with empty links. */
void flows_begin(struct compiler *compiler);
/* Times of the current step: of its flows and of the links they load, which then have carried it so many times. */
struct times flows_times(struct compiler *compiler, double carried);
/* Where flows go both ways and half of them were routed: adds to each link what its other direction carries. */
void loads_mirror(struct compiler *compiler);
/* This share of the vector went over a link. */
void link_carry(struct compiler *compiler, unsigned link, double share);

/* Every rank to every other in the current step. */
void pairs_add(struct compiler *compiler, double share);
/* Learns `pairs`, with the times of `shifts` or without, unless it is too much or of no use; between steps. */
bool pairs_learn(struct compiler *compiler, bool shifts);
/* Times of the current step, whose flows were kept, from copies of the group that stand for all. False: there are none such. */
bool turns_times(struct compiler *compiler, struct times *times);
/* Learns loads of links and times of flows from devices that stand for all; false: there are none such, and `pairs` has rubbish. */
bool turns_pairs(struct compiler *compiler);
/* One round of all copies, in the current step. */
void round_add(struct compiler *compiler, enum rounds rounds, unsigned by, double share);
/* Every so many rounds are routed and stand for all. */
unsigned rounds_every(const struct compiler *compiler);

/* Sums over the links that the schedule used, and forgets them. */
void links_sum(struct compiler *compiler, struct compiled *compiled);

#endif
