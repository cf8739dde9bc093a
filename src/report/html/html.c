/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html/html.h"

#include <stdint.h>
#include <string.h>

static const char style[] =
	"body{font:16px/1.5 system-ui,'Liberation Sans',Arial,sans-serif;color:#111827;background:#fff;"
	"max-width:1100px;margin:2rem auto;padding:0 1.25rem}"
	"h1{font-size:1.7rem;line-height:1.2;margin:0 0 .25rem}h2{font-size:1.2rem;margin:2.5rem 0 .5rem;"
	"border-bottom:1px solid #e5e7eb;padding-bottom:.25rem}.faint{color:#4b5563}.lead{font-size:1.15rem}"
	"code,pre,.code{font-family:ui-monospace,'Liberation Mono',monospace;font-size:.88em}"
	"pre{background:#f3f4f6;padding:.75rem 1rem;overflow-x:auto;border-radius:4px}"
	"table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
	"th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #e5e7eb;vertical-align:top}"
	"th{color:#374151;font-weight:600}.right{text-align:right;white-space:nowrap}"
	"code,.code{overflow-wrap:anywhere}td.code{min-width:10rem}"
	".scroll{overflow-x:auto}figure{margin:1.25rem 0}figure img{width:100%;min-width:46rem;height:auto}"
	"figcaption{color:#4b5563;font-size:.9rem}.cards{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem "
	"0;padding:0}"
	".cards div{border:1px solid #d1d5db;border-radius:6px;padding:.5rem .9rem;min-width:9rem}"
	".cards b{display:block;font-size:1.25rem}.cards span{color:#4b5563;font-size:.85rem}"
	".bar{display:flex;height:.9rem;margin-top:.35rem;min-width:12rem}.bar i{display:block;height:100%}"
	".key i{display:inline-block;width:.8rem;height:.8rem;margin:0 .3rem 0 .9rem;vertical-align:-.05rem}"
	"@media(max-width:40rem){body{margin:1rem auto;padding:0 .75rem}"
	"table{font-size:.82rem}th,td{padding:.3rem .25rem}td{overflow-wrap:break-word}}"
	"@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}h2,th,td{border-color:#"
	"374151}"
	"th{color:#d1d5db}.faint,figcaption,.cards span{color:#9ca3af}pre{background:#1f2937}.cards "
	"div{border-"
	"color:#4b5563}figure img{filter:invert(.93) hue-rotate(180deg)}}"
	"@media print{body{margin:0;max-width:none}section{break-inside:avoid}}";

void html_text(struct report_sink *sink, const char *text)
{
	for (const char *at = typeset_clean(sink, text); *at; at++)
		switch (*at) {
		case '&':
			fputs("&amp;", sink->file);
			break;
		case '<':
			fputs("&lt;", sink->file);
			break;
		case '>':
			fputs("&gt;", sink->file);
			break;
		case '"':
			fputs("&quot;", sink->file);
			break;
		default:
			putc(*at, sink->file);
		}
}

void html_element(struct report_sink *sink, const char *tag, const char *text)
{
	fprintf(sink->file, "<%s>", tag);
	html_text(sink, text);
	fprintf(sink->file, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

void html_begin(struct report_sink *sink, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; img-src data:\">\n",
		sink->file);
	html_element(sink, "title", title);
	fprintf(sink->file, "<style>%s</style>\n</head>\n<body>\n", style);
}

void html_end(struct report_sink *sink)
{
	fputs("</body>\n</html>\n", sink->file);
}

void html_section(struct report_sink *sink, const char *heading)
{
	fputs("<section>\n", sink->file);
	html_element(sink, "h2", heading);
}

void html_section_end(struct report_sink *sink)
{
	fputs("</section>\n", sink->file);
}

static const char *class_of(enum html_align align)
{
	static const char *const classes[] = {
		[HTML_LEFT] = "", [HTML_RIGHT] = " class=\"right\"", [HTML_CODE] = " class=\"code\""};
	return classes[align];
}

void html_table_begin(struct report_sink *sink, const struct html_column *columns, size_t count)
{
	fputs("<div class=\"scroll\"><table>\n<tr>", sink->file);
	for (size_t i = 0; i < count; i++) {
		fprintf(sink->file, "<th%s>", columns[i].align == HTML_RIGHT ? class_of(HTML_RIGHT) : "");
		html_text(sink, columns[i].title);
		fputs("</th>", sink->file);
	}
	fputs("</tr>\n", sink->file);
}

/* Writes text as code: long plans and paths may break after a comma or a slash. */
static void write_code(struct report_sink *sink, const char *text)
{
	while (*text) {
		const size_t length = strcspn(text, ",/");
		html_text(sink, typeset(sink, "%.*s", (int)(length + (text[length] != '\0')), text));
		text += length + (text[length] != '\0');
		if (*text)
			fputs("<wbr>", sink->file);
	}
}

void html_cell(struct report_sink *sink, enum html_align align, const char *text)
{
	fprintf(sink->file, "<td%s>", class_of(align));
	if (align == HTML_CODE)
		write_code(sink, text);
	else
		html_text(sink, text);
	fputs("</td>", sink->file);
}

void html_table_end(struct report_sink *sink)
{
	fputs("</table></div>\n", sink->file);
}

/* Writes bytes in base64 (RFC 4648), padded with '='. */
static void write_base64(FILE *file, const char *bytes, size_t length)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < length; i += 3) {
		uint32_t group = 0;
		for (size_t j = 0; j < 3; j++)
			group = group << 8 | (i + j < length ? (unsigned char)bytes[i + j] : 0U);
		for (size_t j = 0; j < 4; j++)
			putc(i + j < length + 1 ? digits[group >> (18 - 6 * j) & 63] : '=', file);
	}
}

void html_figure(struct report_sink *sink, const char *svg, size_t length, const char *caption)
{
	fputs("<figure><div class=\"scroll\"><img alt=\"", sink->file);
	html_text(sink, caption);
	fputs("\" src=\"data:image/svg+xml;base64,", sink->file);
	write_base64(sink->file, svg, length);
	fputs("\"></div>", sink->file);
	html_element(sink, "figcaption", caption);
	fputs("</figure>\n", sink->file);
}
