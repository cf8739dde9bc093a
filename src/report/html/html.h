/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the elements of a self-contained HTML page: the page has no scripts and no fonts, and it loads nothing
 * from elsewhere. All text is escaped.
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

#endif
