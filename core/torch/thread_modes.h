// SPDX-License-Identifier: GPL-3.0-or-later
// What LibTorch keeps by thread and a program may change in its middle: grad mode, inference mode, autocast
// and the levels of torch.vmap.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <memory>
#include <vector>

namespace at::functorch {
struct DynamicLayer;
}

namespace fx {

/// What torch.inference_mode(isEnabled) sets on this thread as it is entered.
void setInferenceMode(bool isEnabled);

struct ThreadModes {
    c10::AutogradState autograd;
    c10::impl::LocalDispatchKeySet keys; ///< which say, too, for which devices autocast is on
    c10::ScalarType cpuCast, cudaCast;
    bool isCastCached;
    int castDepth; ///< of autocast regions in each other
    std::shared_ptr<const std::vector<at::functorch::DynamicLayer>> levels; ///< null: none

    static ThreadModes take();
    void put() const;
};

/// Puts the modes of this thread back at its end, whatever a program has left behind.
class KeptModes {
public:
    KeptModes() : m_before(ThreadModes::take()) {}
    ~KeptModes() { m_before.put(); }
    KeptModes(const KeptModes&) = delete;
    KeptModes& operator=(const KeptModes&) = delete;

private:
    ThreadModes m_before;
};

} // namespace fx
