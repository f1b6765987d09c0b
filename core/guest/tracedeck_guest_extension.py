# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's part for solutions in C++ and CUDA with the torch binding: they were compiled ahead (core/build), as a Python
module. Stands before tracedeck_guest.py in one text and uses its names."""
import importlib.machinery
import importlib.util


def load_extension(library, symbol, entry):
    """The function `entry` of a compiled module whose start symbol is `symbol` (PyInit_<name>). torch is imported already: the
    module's libraries are found among its own."""
    name = symbol.removeprefix("PyInit_")
    loader = importlib.machinery.ExtensionFileLoader(name, library)
    try:
        module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, library, loader=loader))
        loader.exec_module(module)
    except ImportError as error:
        raise LoadError("the compiled module can't be loaded: %s" % error) from error
    function = getattr(module, entry, None)
    if not callable(function):
        raise LoadError('the compiled module defines no function %r: add m.def("%s", …) to its PYBIND11_MODULE' % (entry, entry))
    return function
