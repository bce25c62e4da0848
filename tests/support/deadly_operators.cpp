// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that no process survives, or that never return: for tests of what becomes of a run then.
#include <ATen/ATen.h>
#include <torch/library.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

at::Tensor abortNow(const at::Tensor&) {
    std::abort();
}

at::Tensor signalled(const at::Tensor& x, int64_t number) {
    std::raise(static_cast<int>(number));
    return x;
}

at::Tensor leave(const at::Tensor&, int64_t status) {
    ::_exit(static_cast<int>(status));
}

/// Takes memory that it uses, a little at a time, up to 64 GB.
at::Tensor fill(const at::Tensor& x) {
    for (int i = 0; i < 4096; ++i)
        if (void* block = std::malloc(1 << 24))
            std::memset(block, 1, 1 << 24);
    return x;
}

at::Tensor forever(const at::Tensor& x) {
    while (true)
        ::pause();
    return x;
}

int64_t deeper(int64_t depth) {
    volatile int64_t kept = depth; // so that it stays a call
    return kept < 0 ? 0 : deeper(kept + 1) + kept;
}

at::Tensor overflow(const at::Tensor& x) {
    return x + deeper(0);
}

} // namespace

TORCH_LIBRARY(fxdeadly, m) {
    m.def("abort(Tensor x) -> Tensor", abortNow);
    m.def("signal(Tensor x, int number) -> Tensor", signalled);
    m.def("leave(Tensor x, int status) -> Tensor", leave);
    m.def("fill(Tensor x) -> Tensor", fill);
    m.def("forever(Tensor x) -> Tensor", forever);
    m.def("overflow(Tensor x) -> Tensor", overflow);
}
