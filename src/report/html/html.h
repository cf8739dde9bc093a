/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the elements of a self-contained HTML page: the page has no scripts and no fonts, and it loads nothing
 * from elsewhere. All text is escaped. Then writes whole pages of them.
 */
#ifndef REPORT_HTML_HTML_H
#define REPORT_HTML_HTML_H

#include "report/typeset.h"

void html_begin(struct report_sink *sink, const char *title);
void html_end(struct report_sink *sink);

/* Writes escaped text, for use between tags or in an attribute in double quotes. */
void html_text(struct report_sink *sink, const char *text);
/* Writes <tag>text</tag>; the tag may have attributes: "td class=\"number\"". */
void html_element(struct report_sink *sink, const char *tag, const char *text);
/* Begins a section with its heading; html_section_end closes it. */
void html_section(struct report_sink *sink, const char *heading);
void html_section_end(struct report_sink *sink);

enum html_align { HTML_LEFT, HTML_RIGHT, HTML_CODE };
struct html_column {
	const char *title;
	enum html_align align;
};
void html_table_begin(struct report_sink *sink, const struct html_column *columns, size_t count);
void html_cell(struct report_sink *sink, enum html_align align, const char *text);
void html_table_end(struct report_sink *sink);

/*
 * Writes an SVG drawing of `length` bytes into the page itself. The caption stands under it, and is its
 * alternative text for screen readers.
 */
void html_figure(struct report_sink *sink, const char *svg, size_t length, const char *caption);

/*
 * Writes the whole page of an advice: the answer, drawings, rankings, details of the best plan, the command that
 * starts it, assumptions and inputs.
 */
void html_page(struct report_sink *sink, const struct report_page *page);

/* Writes the whole page that compares machines side by side: drawings, tables, assumptions and inputs. */
void html_compare(struct report_sink *sink, const struct report_compare *report,
	const struct report_figure *figures, size_t figure_count);
/* Writes the end of a page: assumptions, warnings, the command, and the input files with their checksums. */
void html_foot(struct report_sink *sink, const struct report_head *head);

/* Writes the table of plans that run, best first, with a bar of phases for each. */
void html_ranking(struct report_sink *sink, const struct report_advice *advice);
/* Writes the table of plans that do not run, with the reason and what would make each run. */
void html_infeasible(struct report_sink *sink, const struct paradl_ranking *ranking);
/* Writes the table of the best plan for each number of GPUs. */
void html_scaling(struct report_sink *sink, const struct report_advice *scaling);
/* Writes the table of the phases of a plan, with the formulas of their terms. */
void html_phases(struct report_sink *sink, const struct report_estimate *report);

#endif
