/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the titles of pictures, which name the model and the machine, and the texts of plans. */
#ifndef REPORT_PICTURE_PICTURE_HEAD_H
#define REPORT_PICTURE_PICTURE_HEAD_H

#include "report/picture/picture.h"
#include "report/typeset.h"

/* Returns "ResNet-50 on ABCI" followed by the rest. The rest is never cut: long names are. */
const char *picture_title(struct report_sink *sink, const struct report_head *head, const char *rest);
/* Returns "ImageNet · REST · fp32 · 16.0 GiB/GPU · NOTE"; "" leaves a part out. */
const char *picture_subtitle(
	struct report_sink *sink, const struct report_head *head, const char *rest, const char *note);
const char *picture_plan(struct report_sink *sink, const struct paradl_plan *plan);
/*
 * Returns the axes of a plan's text, "data=64,tensor=8", and stores in *options the rest of the text; each is ""
 * where there is nothing.
 */
const char *picture_axes(struct report_sink *sink, const char *plan, const char **options);

#endif
