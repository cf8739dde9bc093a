# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers: the documents of the library with their members as attributes, none of them copied or named here."""
import base64
import collections.abc
import difflib
import html
import json

from . import _library


def _wrap(value, kind):
    if isinstance(value, dict):
        return (kind or Record)(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return Records(value, kind or Record)
    return value


def _flat(data, prefix=""):
    """Members of members side by side, their names joined with dots, as pandas has them."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _lines(record):
    """The lines of a record in a table: one, or one for each of its own rows."""
    rows = record.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return [dict(_flat(record))]
    common = {key: value for key, value in _flat(record) if not isinstance(value, list)}
    return [{**common, **dict(_flat(row))} for row in rows]


def _table(rows, columns):
    def cell(value):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        shown = f"{value:,.4g}" if isinstance(value, float) else "" if value is None else str(value)
        return f'<td style="text-align:{"right" if number else "left"}">{html.escape(shown)}</td>'
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(cell(row.get(name)) for name in columns) + "</tr>" for row in rows)
    return f'<div style="overflow-x:auto"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


class Record(collections.abc.Mapping):
    """An object of a document: its members are attributes and items."""

    __slots__ = ("_data",)
    _kinds = {}  # of the members that are records themselves

    def __init__(self, data):
        self._data = data

    def __getitem__(self, name):
        return _wrap(self._data[name], self._kinds.get(name))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            near = difflib.get_close_matches(name, self._data, 1)
            raise AttributeError(f"{type(self).__name__} has no '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")) from None

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)

    def __dir__(self):
        return [*super().__dir__(), *self._data]

    def __reduce__(self):
        return type(self), (self._data,)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._data.items() if not isinstance(value, (dict, list)))})"

    def to_dict(self):
        """The object as json.loads() made it."""
        return self._data

    def _repr_html_(self):
        rows = dict(_flat(self._data))
        return _table([{"": key, "value": value} for key, value in rows.items() if not isinstance(value, list)], ["", "value"])


class Records(collections.abc.Sequence):
    """A list of records."""

    __slots__ = ("_rows", "_kind")

    def __init__(self, rows, kind):
        self._rows, self._kind = rows, kind

    def __getitem__(self, index):
        return Records(self._rows[index], self._kind) if isinstance(index, slice) else self._kind(self._rows[index])

    def __len__(self):
        return len(self._rows)

    def __reduce__(self):
        return type(self), (self._rows, self._kind)

    def __eq__(self, other):
        return list(self._rows) == list(other._rows if isinstance(other, Records) else other)

    def __repr__(self):
        return f"[{', '.join(map(repr, self))}]"

    def to_pandas(self):
        """A data frame with a row for each record; members of members are columns such as "memory.weights_bytes". Records with `rows`
        of their own, as the networks of a collective, have a row for each of these, behind what holds for all of them."""
        import pandas
        return pandas.DataFrame([line for row in self._rows for line in _lines(row)])

    def _repr_html_(self):
        rows = [dict(_flat(row)) for row in self._rows]
        columns = dict.fromkeys(key for row in rows for key, value in row.items() if not isinstance(value, list))
        return _table(rows, list(columns))


class Answer(Record):
    """What the library answers to `question`."""

    __slots__ = ("question",)
    _rows = ()  # names of the lists that the document may have its table in

    def __init__(self, data, question=None):
        super().__init__(data)
        self.question = question

    def __reduce__(self):
        return type(self), (self._data, self.question)

    @property
    def rows(self):
        """The records that the answer is about: plans, machines, points, ..."""
        for name in self._rows:
            if self._data.get(name):
                return self[name]
        return Records([], Record)

    def to_pandas(self):
        """`rows` as a data frame."""
        return self.rows.to_pandas()

    def _as(self, form, **options):
        from ._query import threads
        return _library.ask(json.dumps({**self.question, "as": form, **options}), threads)

    def text(self):
        """What the command says on a terminal."""
        return self._as("text")

    def csv(self):
        """What the command prints with --csv."""
        return self._as("csv")

    def svg(self, picture=None):
        """The answer as a picture, or the one of that name ("memory"): needs gnuplot, which paradl[notebook] brings."""
        return self._as("svg", **({"picture": picture} if picture else {}))

    def __str__(self):
        return self.text()

    def __repr__(self):
        return self.text().rstrip("\n") if self.question else super().__repr__()

    def _repr_svg_(self):
        try:
            return self.svg()
        except _library.Error:
            return None  # the command draws no picture, or there is no gnuplot

    def _repr_html_(self):
        text = f'<pre style="overflow-x:auto;line-height:1.25">{html.escape(self.text())}</pre>'
        svg = self._repr_svg_()
        if svg is None:
            return text
        data = base64.b64encode(svg.encode()).decode()
        return f'{text}<img alt="picture of the answer" style="max-width:100%;background:#fff" src="data:image/svg+xml;base64,{data}">'
