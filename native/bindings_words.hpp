// Alignment of words for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace treescore {

void bind_words(nanobind::module_& module);

}  // namespace treescore
