"""The list of exported functions fits the functions, compiled or not."""

import pytest

from dawn_env.native.exports import EXPORTS, TUPLES, named


@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export.name)
def test_a_declaration_has_the_parameters_of_its_function(export):
    function = named(export.source)
    code = getattr(function, "py_func", function).__code__
    assert len(export.parameters) == code.co_argcount
    for parameter in export.parameters:
        if parameter.fields:
            names = named(TUPLES[parameter.kind][0])._fields
            assert len(parameter.fields) == len(names)
        else:
            assert parameter.dtype.itemsize
