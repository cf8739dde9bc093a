#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks libparadl from another language: binding.py /usr/share/paradl '{"ask": "estimate", ...}'"""
import ctypes
import json
import sys


class Question(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("length", ctypes.c_size_t),
                ("directories", ctypes.POINTER(ctypes.c_char_p)), ("threads", ctypes.c_uint)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("line", ctypes.c_int), ("column", ctypes.c_int),
                ("path", ctypes.c_char * 512), ("pointer", ctypes.c_char * 256),
                ("message", ctypes.c_char * 512), ("hint", ctypes.c_char * 256)]


library = ctypes.CDLL("libparadl.so.1")
library.paradl_arena_create.restype = ctypes.c_void_p
library.paradl_arena_free.argtypes = [ctypes.c_void_p]
library.paradl_ask.restype = ctypes.c_void_p
library.paradl_ask.argtypes = [ctypes.c_void_p, ctypes.POINTER(Question), ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(Error)]


def ask(directory, question):
    """Returns the document that answers a question; ValueError where there is no answer."""
    text, error, length = json.dumps(question).encode(), Error(), ctypes.c_size_t()
    directories = (ctypes.c_char_p * 2)(directory.encode(), None)
    arena = library.paradl_arena_create()
    try:
        answer = library.paradl_ask(arena, Question(text, len(text), directories, 0), length, error)
        if not answer:
            raise ValueError(error.message.decode())
        return json.loads(ctypes.string_at(answer, length.value))
    finally:
        library.paradl_arena_free(arena)


if __name__ == "__main__":
    best = ask(sys.argv[1], json.loads(sys.argv[2]))["results"][0]
    print(best["strategy"], best["iteration_s"], "s")
