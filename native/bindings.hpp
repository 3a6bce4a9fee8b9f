// What the files that know Python share.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string_view>

#include "progress.hpp"

namespace treescore::python {

namespace nb = nanobind;

inline nb::bytes as_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

inline std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// Any object with the buffer protocol, held for as long as this lives.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::string_view text() const { return {static_cast<const char*>(view_.buf), static_cast<size_t>(view_.len)}; }
  std::span<const int64_t> numbers() const {
    return {static_cast<const int64_t*>(view_.buf), static_cast<size_t>(view_.len) / sizeof(int64_t)};
  }

 private:
  Py_buffer view_{};
};

// Lets Ctrl-C through while native code works.
inline void check_signals() {
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Runs work(progress) without the GIL. Ctrl-C ends it even if nobody watches how far it has come.
template <class Work>
void released(Progress* watched, const Work& work) {
  Progress unwatched;
  unwatched.poll = check_signals;
  const nb::gil_scoped_release release;
  work(watched ? *watched : unwatched);
}

void bind_sparseval(nb::module_& module);

}  // namespace treescore::python
