/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What titles of pictures say of the model and the machine. */
#ifndef REPORT_PICTURE_HEAD_H
#define REPORT_PICTURE_HEAD_H

#include "report/picture/picture.h"
#include "report/typeset.h"

/* "ResNet-50 on ABCI" and the rest, which is seen in whole: long names give way. */
const char *picture_title(struct report_sink *sink, const struct report_head *head, const char *rest);
/* "ImageNet · REST · fp32 · 16.0 GiB/GPU · NOTE"; "" leaves a part out. */
const char *picture_subtitle(
	struct report_sink *sink, const struct report_head *head, const char *rest, const char *note);
const char *picture_plan(struct report_sink *sink, const struct paradl_plan *plan);
/* "data=64,tensor=8" of the plan's text, and in *options what else is in it; "" when there is nothing. */
const char *picture_axes(struct report_sink *sink, const char *plan, const char **options);

#endif
