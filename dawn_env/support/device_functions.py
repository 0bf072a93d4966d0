"""Inner functions: those that are only ever compiled into the entry points that call them.

numba makes machine code, and wrappers for Python and C, of every function for every combination of argument
types, and optimises each together with all that it calls. Of what is only called by other compiled functions none of
that is needed: the entry point is optimised as a whole. Without it the first compilation takes half as long, and the
code is as fast.

Nor do inner functions make arrays. So nobody counts references to the arrays they are given, which takes atomic
operations that cost more than a small loop: they were a third of the time in which an observation is written.
"""

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typing.templates import AbstractTemplate, infer_global, make_overload_template
from numba.core.untyped_passes import TranslateByteCode

from dawn_env.support.interrupts import heed_deferred

NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of numba: no wrappers for Python or C are compiled, because only compiled functions call the function."""


def inner(function, **options):
    """Register ``function`` for calls by compiled functions; called from Python it stays plain Python.

    ``options`` are numba's. Differs from ``numba.extending.register_jitable``: integers are passed with 64 bits; only
    the code that is built into callers is made; the function can neither make nor copy arrays; division by zero is
    unchecked, so that loops of divisions are vectorised.
    """
    options |= NO_WRAPPERS | {"nogil": True, "_nrt": False, "error_model": "numpy", "pipeline_class": InnerCompiler}
    template = make_overload_template(function, lambda *_, **__: function, options, strict=False, inline="never")
    infer_global(function, types.Function(type(template.__name__, (_Widening, template), {})))
    return function


def inner_spliced(function):
    """Compile like ``inner``, inlined at every call: for small functions of innermost loops."""
    return inner(function, forceinline=True)


class _Widening(AbstractTemplate):
    """A function that takes every signed integer, members of enumerations too, as ``int64``.

    So it is compiled once, and not once for each width of the fields it is given.
    """

    def _get_impl(self, args, kws):
        return super()._get_impl(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})


def _widened(kind):
    integer = isinstance(kind, types.IntEnumMember) or isinstance(kind, types.Integer) and kind.signed
    return types.int64 if integer else kind


class _InnerLibrary(JITCodeLibrary):
    """Code to be linked into callers: not optimised before it is there, and never made into machine code."""

    @property
    def codegen(self):
        return self  # for ``set_env`` below

    def set_env(self, _name, _environment) -> None:
        """Do nothing: there is no machine code."""

    def get_pointer_to_function(self, _name) -> int:
        """No address: there is no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _UseInnerLibrary(FunctionPass):
    _name = "use_inner_library"

    def __init__(self):
        super().__init__()

    def run_pass(self, state) -> bool:
        heed_deferred()  # nothing is half done here, and the next function is never far
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class InnerCompiler(CompilerBase):
    """Numba's compiler of functions, with the library to fill."""

    def define_pipelines(self):
        """numba's passes, and the one that chooses the library."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_UseInnerLibrary, TranslateByteCode)
        passes.finalize()
        return [passes]
