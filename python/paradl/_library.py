# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of libparadl that Python calls, as paradl.h declares them."""
import ctypes
import os
import pathlib
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("line", ctypes.c_int), ("column", ctypes.c_int), ("path", ctypes.c_char * 512),
                ("pointer", ctypes.c_char * 256), ("message", ctypes.c_char * 512), ("hint", ctypes.c_char * 256)]


class _Question(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("length", ctypes.c_size_t), ("directories", ctypes.POINTER(ctypes.c_char_p)),
                ("threads", ctypes.c_uint)]


class _ImportOptions(ctypes.Structure):
    _fields_ = [("format", ctypes.c_char_p), ("layer_config", ctypes.c_char_p), ("dataset", ctypes.c_bool), ("weights", ctypes.c_char_p),
                ("input", ctypes.c_char_p), ("shapes", ctypes.POINTER(ctypes.c_char_p)), ("shape_count", ctypes.c_size_t),
                ("assume", ctypes.c_char_p), ("text_only", ctypes.c_bool)]


class _Findings(ctypes.Structure):
    _fields_ = [("format", ctypes.c_char_p), ("warnings", ctypes.POINTER(ctypes.c_char_p)), ("count", ctypes.c_size_t),
                ("note", ctypes.c_char_p)]


NO_TOOL = 7  # PARADL_NO_TOOL


class Error(ValueError):
    """A question without an answer: `message` says why, `hint` what to do about it, the rest where in which file."""

    def __init__(self, error):
        self.status, self.line, self.column = error.status, error.line, error.column
        for name in ("path", "pointer", "message", "hint"):
            setattr(self, name, getattr(error, name).decode("utf-8", "replace"))
        text = ctypes.create_string_buffer(2048)
        _lib.paradl_error_format(ctypes.byref(error), text, len(text))
        super().__init__(text.value.decode("utf-8", "replace") + (f" ({self.hint})" if self.hint else ""))


def _load():
    """The library of this package; where that has none, the one that is installed."""
    folder = ".paradl.mesonpy.libs"
    places = [HERE.parent / folder, pathlib.Path(sysconfig.get_path("platlib")) / folder]
    inside = [path for place in places for path in sorted(place.glob("libparadl.so*"))]
    return ctypes.CDLL(str(inside[0]) if inside else "libparadl.so.1")


def _declare(name, result, *arguments):
    function = getattr(_lib, name)
    function.restype, function.argtypes = result, arguments


_lib = _load()
_declare("paradl_version", ctypes.c_char_p)
_declare("paradl_arena_create", ctypes.c_void_p)
_declare("paradl_arena_free", None, ctypes.c_void_p)
_declare("paradl_error_format", ctypes.c_int, ctypes.POINTER(_Error), ctypes.c_char_p, ctypes.c_size_t)
_declare("paradl_file_give", ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
_declare("paradl_ask", ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Question), ctypes.POINTER(ctypes.c_size_t),
         ctypes.POINTER(_Error))
_declare("paradl_import", ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_ImportOptions),
         ctypes.POINTER(_Findings), ctypes.POINTER(_Error))


def version():
    """The library's version."""
    return _lib.paradl_version().decode()


def directories():
    """Where models/, datasets/ and hw-profiles/ are looked for, in the command's order."""
    home = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), ".local", "share")
    asked = [path for path in os.environ.get("PARADL_PATH", "").split(":") if path]
    return [".", *asked, os.path.join(home, "paradl"), str(HERE / "data")]


class _Arena:
    """Memory of one question."""

    def __enter__(self):
        self.arena = _lib.paradl_arena_create()
        if not self.arena:
            raise MemoryError
        return self.arena

    def __exit__(self, *_):
        _lib.paradl_arena_free(self.arena)


def ask(text, threads):
    """The answer to a question, both as text."""
    error, length = _Error(), ctypes.c_size_t()
    encoded, paths = text.encode(), [os.fsencode(path) for path in directories()]
    question = _Question(encoded, len(encoded), (ctypes.c_char_p * (len(paths) + 1))(*paths, None), threads)
    with _Arena() as arena:
        answer = _lib.paradl_ask(arena, ctypes.byref(question), ctypes.byref(length), ctypes.byref(error))
        if not answer:
            raise Error(error)
        return ctypes.string_at(answer, length.value).decode()


def imported(path, text, assume):
    """A file of another tool as native text, and what importing it warned of."""
    error, findings = _Error(), _Findings()
    options = _ImportOptions(assume=assume.encode() if assume else None)
    with _Arena() as arena:
        if text is not None and not _lib.paradl_file_give(arena, os.fsencode(path), text.encode(), len(text.encode())):
            raise MemoryError
        native = _lib.paradl_import(arena, os.fsencode(path), ctypes.byref(options), ctypes.byref(findings), ctypes.byref(error))
        if native is None:
            raise Error(error)
        return native.decode(), [findings.warnings[i].decode() for i in range(findings.count)]
