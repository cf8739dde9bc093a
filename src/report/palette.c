/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/palette.h"

#define COMPUTE       "█", '#', "compute"
#define COMMUNICATION "▒", '=', "communication"
#define WAITING       "░", '.', "bubble"

const struct phase_look phase_looks[PARADL_PHASE_COUNT] = {
	[PARADL_FORWARD] = {"forward", 0x0072B2, 25, COMPUTE},
	[PARADL_BACKWARD] = {"backward", 0x56B4E9, 74, COMPUTE},
	[PARADL_RECOMPUTE] = {"recompute", 0x003F63, 23, COMPUTE},
	[PARADL_WEIGHT_UPDATE] = {"weight update", 0x009E73, 36, COMPUTE},
	[PARADL_GRADIENT_EXCHANGE] = {"gradient exchange", 0xE69F00, 178, COMMUNICATION},
	[PARADL_ACTIVATION_EXCHANGE] = {"activation exchange", 0xD55E00, 166, COMMUNICATION},
	[PARADL_HALO_EXCHANGE] = {"halo exchange", 0xCC79A7, 175, COMMUNICATION},
	[PARADL_STAGE_TRANSFER] = {"stage transfer", 0xF0E442, 227, COMMUNICATION},
	[PARADL_BUBBLE] = {"bubble", 0xBDBDBD, 250, WAITING},
};
