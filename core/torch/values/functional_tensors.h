// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch's functionalization: a tensor in a wrapper, on which what writes into it is done by operators that
// write nowhere. What was written is then in another tensor than the one that was wrapped.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace fx {

/// What the wrapper holds now, all that was written into its views with it. Any other tensor is itself.
at::Tensor functionalValue(const at::Tensor& tensor);
/// Writes into the tensor that was wrapped what the wrapper holds, where that is another.
void writeBack(const at::Tensor& wrapped, const at::Tensor& wrapper);

/// While it lives what is made on this thread is wrapped, too. Views stay views.
class FunctionalizeScope {
public:
    FunctionalizeScope();
    ~FunctionalizeScope();
    FunctionalizeScope(const FunctionalizeScope&) = delete;
    FunctionalizeScope& operator=(const FunctionalizeScope&) = delete;

private:
    c10::impl::IncludeDispatchKeyGuard m_key;
    bool m_before;
};

} // namespace fx
