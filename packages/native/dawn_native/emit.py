"""LLVM code of the exported functions, and machine code for each target.

The code is taken before it is optimised, so that each target is optimised for itself, and without reference counts,
so that nothing of Python or numba is needed. Run as a module in a process of its own: code that numba has compiled
otherwise before would not be what is wanted here.
"""

import gc
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler_lock import global_compiler_lock

from dawn_env.errors import DawnError
from dawn_env.support import compiling
from dawn_env.support.device_functions import NO_WRAPPERS, InnerCompiler
from dawn_env.support.numba_backend import contiguous_array
from dawn_native.exports import EXPORTS, TUPLES, Export, Parameter, named


class BuildError(DawnError):
    """A library that could not be built."""


_INT32, _INT64 = ir.IntType(32), ir.IntType(64)


@dataclass(frozen=True)
class Target:
    """A machine to compile for, and the name of its library."""

    file: str
    triple: str
    cpu: str = "generic"
    features: str = ""
    relocation: str = "pic"


_WASM = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext"
"""What browsers and Node have had since 2021."""
TARGETS = {
    "linux-x86-64-v2": Target("libdawn-v2.so", "x86_64-unknown-linux-gnu", "x86-64-v2"),
    "linux-x86-64-v3": Target("libdawn-v3.so", "x86_64-unknown-linux-gnu", "x86-64-v3"),
    "linux-arm64": Target("libdawn.so", "aarch64-unknown-linux-gnu"),
    "macos-arm64": Target("libdawn.dylib", "arm64-apple-macosx11.0.0", "apple-m1"),
    "windows-x86-64": Target("dawn.dll", "x86_64-pc-windows-msvc", "x86-64-v2"),
    "wasm32": Target("dawn.wasm", "wasm32-unknown-unknown", "generic", _WASM, "static"),
}


# --- LLVM code -----------------------------------------------------------------------------------


@global_compiler_lock
def engine_module() -> llvm.ModuleRef:
    """The exported functions and what they call, not optimised, for no target yet."""
    compiling.backend()  # which lets compiled functions call inner ones
    results = [_compiled(export) for export in EXPORTS]
    module = llvm.parse_assembly(str(_interface_module(results)))
    for result in results:
        result.library.finalize()
        module.link_in(llvm.parse_assembly(result.library.get_llvm_str()))
    module.verify()
    return module


def _compiled(export: Export):
    function = named(export.source)
    options = NO_WRAPPERS | {"nogil": True, "_nrt": False, "pipeline_class": InnerCompiler}
    compiled = numba.njit(**options)(getattr(function, "py_func", function))
    return compiled.get_compile_result(numba.core.typing.signature(None, *map(_numba_type, export.parameters)))


def _numba_type(parameter: Parameter):
    if parameter.fields:
        return types.NamedTuple(list(map(_numba_type, parameter.fields)), named(TUPLES[parameter.kind]))
    kind = numba.from_dtype(parameter.dtype)
    if parameter.kind == "int32_t" and not parameter.dimensions:
        return types.int64  # as compiled functions take all integers
    return types.Array(kind, parameter.dimensions, "C") if parameter.dimensions else kind


def _interface_module(results) -> ir.Module:
    """Build the C interface: for each export one function that calls it and one that returns its address."""
    module = ir.Module("interface")
    for export, result in zip(EXPORTS, results, strict=True):
        _c_function(module, export, result)
        _pointer_function(module, export, result)
    return module


def _call(builder, result, arguments):
    """Call a compiled function; its status and result."""
    context, descriptor = result.target_context, result.fndesc
    kind = context.call_conv.get_function_type(descriptor.restype, descriptor.argtypes)
    function = cgutils.get_or_insert_function(builder.module, kind, descriptor.llvm_func_name)
    return context.call_conv.call_function(builder, function, descriptor.restype, descriptor.argtypes, arguments)


def _c_function(module: ir.Module, export: Export, result) -> None:
    context, argument_types = result.target_context, result.fndesc.argtypes
    pairs = list(zip(export.parameters, argument_types, strict=True))
    kinds = [kind for parameter, numba_kind in pairs for kind in _c_types(context, parameter, numba_kind)]
    function = ir.Function(module, ir.FunctionType(_INT32, kinds), export.name)
    builder, given = ir.IRBuilder(function.append_basic_block()), iter(function.args)
    arguments = [_argument(context, builder, parameter, kind, given) for parameter, kind in pairs]
    status, value = _call(builder, result, arguments)
    good = ir.Constant(_INT32, 0) if result.fndesc.restype == types.none else _as_int32(builder, value)
    builder.ret(builder.select(status.is_error, ir.Constant(_INT32, -1), good))


def _c_types(context, parameter: Parameter, kind) -> list[ir.Type]:
    """LLVM's types of a parameter in C."""
    if parameter.fields:
        fields = zip(parameter.fields, kind, strict=True)
        return [one for field, field_kind in fields for one in _c_types(context, field, field_kind)]
    if parameter.dimensions:
        return [context.get_data_type(kind.dtype).as_pointer()] + [_INT32] * parameter.dimensions
    return [_INT32 if parameter.kind in ("int32_t", "bool") else context.get_value_type(kind)]


def _argument(context, builder, parameter: Parameter, kind, given):
    """Value that a compiled function takes for a parameter, from the ``given`` arguments in C."""
    if parameter.fields:
        fields = zip(parameter.fields, kind, strict=True)
        return context.make_tuple(builder, kind, [_argument(context, builder, *field, given) for field in fields])
    value = next(given)
    if parameter.dimensions:
        shape = [builder.sext(next(given), _INT64) for _ in range(parameter.dimensions)]
        return contiguous_array(context, builder, kind, value, shape)
    if parameter.kind == "int32_t":
        return builder.sext(value, _INT64)
    return builder.trunc(value, context.get_value_type(kind)) if parameter.kind == "bool" else value


def _as_int32(builder, value):
    """A result, int64 or bool, as int32."""
    return (builder.trunc if value.type.width > _INT32.width else builder.zext)(value, _INT32)


def _pointer_function(module: ir.Module, export: Export, result) -> None:
    """A function as compiled loops call it (``compiling.call_pointer``), and another that returns its address."""
    context, arguments = result.target_context, result.fndesc.argtypes
    kind = ir.FunctionType(ir.VoidType(), [context.get_value_type(argument) for argument in arguments])
    function = ir.Function(module, kind, f"{export.name}_inner")
    builder = ir.IRBuilder(function.append_basic_block())
    _call(builder, result, list(function.args))  # whatever it returns
    builder.ret_void()
    getter = ir.Function(module, ir.FunctionType(_INT64, []), f"{export.name}_pointer")
    builder = ir.IRBuilder(getter.append_basic_block())
    builder.ret(builder.ptrtoint(function, _INT64))


# --- machine code --------------------------------------------------------------------------------

ALLOWED = {"memcpy", "memmove", "memset"}
"""What exported functions may need of the machine they run on."""
_INSTRUCTIONS = {"sqrt"}
"""Functions of the C library that every target has as an instruction."""


def exported_names() -> list[str]:
    """Symbols of the library."""
    return [f"{export.name}{ending}" for export in EXPORTS for ending in ("", "_pointer")]


_CLOCK = re.compile(r"(?:tail |notail )?call i64 @llvm\.readcyclecounter\(\)(?: #\d+)?")


def checked_symbols(needed: set[str]) -> None:
    """Raise ``BuildError`` unless all these symbols are ``ALLOWED``."""
    if needed - ALLOWED:
        raise BuildError(f"exported functions need {', '.join(sorted(needed - ALLOWED))}")


def target_machine(target: Target) -> llvm.TargetMachine:
    """LLVM's code generator for a target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc=target.relocation, codemodel="default"
    )


def emit_object(code: bytes, target: Target) -> bytes:
    """Object file of the LLVM ``code`` of ``engine_module``; raises ``BuildError`` where it needs anything else."""
    machine = target_machine(target)
    module = llvm.parse_bitcode(code)
    if not target.triple.startswith("x86_64"):  # elsewhere a process may not read the processor's clock
        module = llvm.parse_assembly(_CLOCK.sub("add i64 0, 0", str(module)))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    exported = set(exported_names())
    for item in [*module.functions, *module.global_variables]:
        if not item.is_declaration:
            item.linkage = "external" if item.name in exported else "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
    builder.getModulePassManager().run(module, builder)
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
    checked_symbols(
        {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")} - _INSTRUCTIONS
    )
    return machine.emit_object(module)


def main(out: str, code: str = "", name: str = "") -> None:
    """Write the bitcode of ``engine_module``, or with ``name`` the object file of that target, made of bitcode."""
    Path(out).write_bytes(emit_object(Path(code).read_bytes(), TARGETS[name]) if name else engine_module().as_bitcode())


if __name__ == "__main__":
    gc.disable()  # a compilation keeps what it makes: a sixth of its time went to looking for garbage
    main(*sys.argv[1:])
