"""Compilation by numba, imported where something has to be compiled that the library does not have."""

import os
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import infer, infer_global, make_intrinsic_template
from numba.np.arrayobj import make_array, populate_array

from dawn_env.native import sources
from dawn_env.support import compile_cache, compiled_code, device_functions
from dawn_env.support.cache_folder import make_folder

inner, inner_spliced = device_functions.inner, device_functions.inner_spliced


def compiled(function):
    """Entry point that is compiled by numba at its first call and kept on disk."""
    dispatcher = numba.njit(nogil=True, _nrt=False)(function)
    if folder := _cache_folder_of(function):
        compile_cache.enable_disk_cache(dispatcher, function, folder)
    return dispatcher


def address(function, argument_types) -> int:
    """Address of a compiled function for arguments of these types (``compiling.function_pointer``)."""
    result = function.get_compile_result(numba.void(*map(numba_type, argument_types)))
    return result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)


def _cache_folder_of(function) -> Path | None:
    """Cache folder for the sources, as they are now, of a plain ``function``.

    None for a function that was typed in, whose sources cannot be looked up, and where there is no such folder and none
    can be made. In a folder that cannot be written, what it holds is found all the same.
    """
    file = function.__code__.co_filename
    if not os.path.isfile(file):
        return None
    folder = compiled_code.CACHE_DIR / sources.source_digest(function.__module__, file)
    try:
        make_folder(folder)
    except OSError as error:
        compiled_code.say_not_kept(error.strerror or str(error))
        return None
    return folder


def numba_type(kind):
    """numba's type of one of ``compiling``'s: a dtype, or a ``Vector`` of one."""
    if isinstance(kind, compiled_code.Vector):
        return types.Array(numba.from_dtype(kind.dtype), 1, "C")
    return numba.from_dtype(kind)


# --- functions that are written in LLVM code ---------------------------------------------------------


def register_generated(function, make) -> None:
    """Register ``function`` for calls by compiled functions.

    ``make(context, arguments)`` gives its signature and its code.
    """
    template = make_intrinsic_template(function, make, function.__name__, prefer_literal=False)
    infer(template)
    infer_global(function, types.Function(template))


def contiguous_array(context, builder, kind, pointer, shape):
    """numba's array of contiguous elements at a pointer."""
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    populate_array(array, builder.bitcast(pointer, array.data.type), shape, strides, size, None)
    return array._getvalue()


def array_maker(dtype: np.dtype):
    """Code of ``compiling.array_at``."""
    held = types.Array(numba.from_dtype(dtype), 1, "C")

    def at(_, address, count):
        def generate(context, builder, _, values):
            pointer = builder.inttoptr(values[0], ir.IntType(8).as_pointer())
            return contiguous_array(context, builder, held, pointer, [values[1]])

        return held(types.intp, types.intp), generate

    return at


def record_bytes_maker():
    """Code of ``compiling.record_bytes``."""
    held = types.Array(types.int8, 1, "C")

    def record_bytes(_, record):
        def generate(context, builder, _, values):
            shape = [context.get_constant(types.intp, record.size)]
            return contiguous_array(context, builder, held, values[0], shape)

        return held(record), generate

    return record_bytes


def call_maker(argument_types):
    """Code of ``compiling.call_pointer``."""
    kinds = tuple(map(numba_type, argument_types))

    def call(_, address, *arguments):
        def generate(context, builder, signature, values):
            kind = ir.FunctionType(ir.VoidType(), [context.get_value_type(kind) for kind in kinds])
            function = builder.inttoptr(values[0], kind.as_pointer())
            builder.call(function, [builder.extract_value(values[1], at) for at in range(len(kinds))])
            return context.get_dummy_value()

        return types.void(types.intp, types.StarArgTuple.from_types(kinds)), generate

    return call


def clock_maker():
    """Code of ``compiling.read_clock``."""

    def clock(_):
        def generate(context, builder, _, __):
            kind = ir.FunctionType(ir.IntType(64), [])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.readcyclecounter"), [])

        return types.int64(), generate

    return clock
