// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that no process survives, or that never return: for tests of what becomes of a run then.
#include <ATen/ATen.h>
#include <torch/library.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
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

/// Cuts the page that this process shares with the one that watches it, and makes it grow.
at::Tensor cut(const at::Tensor& x) {
    constexpr int kMost = 64;
    for (int descriptor = 0; descriptor < kMost; ++descriptor) {
        char name[64] = {};
        const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
        if (::readlink(link.c_str(), name, sizeof name - 1) <= 0 || !std::strstr(name, "fxscope position"))
            continue;
        for (const off_t size : {off_t(1) << 40, off_t(0)})
            if (::ftruncate(descriptor, size) == 0)
                return x + 1;
    }
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
    m.def("cut(Tensor x) -> Tensor", cut);
    m.def("overflow(Tensor x) -> Tensor", overflow);
}
