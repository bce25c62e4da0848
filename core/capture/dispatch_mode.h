// SPDX-License-Identifier: GPL-3.0-or-later
// While somebody watches what is called, LibTorch does some things in another way than at other times: what
// it computes of several tensors it does not write into one of them, it reshapes by a view, and autograd says
// what it keeps. It asks whether one of Python's dispatch modes is on; this is one, without Python.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>

#include <functional>

namespace c10 {
class OperatorHandle;
}

namespace fx {

class DispatchMode {
public:
    /// On in this thread while it lives. `detach`: what autograd keeps of a tensor.
    explicit DispatchMode(std::function<at::Tensor(const at::Tensor&)> detach);
    /// None is on while it lives.
    DispatchMode();
    /// What a program does in the place of each operator that LibTorch calls below autograd, on its
    /// arguments; this mode is off meanwhile.
    using Dispatch = std::function<void(const c10::OperatorHandle&, torch::jit::Stack&)>;
    explicit DispatchMode(Dispatch dispatch);
    ~DispatchMode();
    DispatchMode(const DispatchMode&) = delete;
    DispatchMode& operator=(const DispatchMode&) = delete;

private:
    c10::impl::TorchDispatchModeTLS m_before;
    bool m_isDispatching = false;
};

} // namespace fx
