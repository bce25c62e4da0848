// SPDX-License-Identifier: GPL-3.0-or-later
// What a thread keeps and a program may change in its middle: LibTorch's grad mode, inference mode, autocast
// and levels of torch.vmap, and the device of `with torch.device(...)`.
#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <memory>
#include <optional>
#include <vector>

namespace at::functorch {
struct DynamicLayer;
}

namespace fx {

/// What torch.inference_mode(isEnabled) sets on this thread as it is entered.
void setInferenceMode(bool isEnabled);

/// `with torch.device(...)`: where functions that make tensors from sizes and data make them unless they are
/// told. The innermost comes last.
std::vector<c10::Device>& deviceContexts();
/// None where no such region is entered.
std::optional<c10::Device> contextDevice();

/// The keys under which operators are recorded (core/capture/operator_recorder.h): no tensor has them.
inline constexpr c10::DispatchKeySet kRecordingKeys({c10::DispatchKey::TESTING_ONLY_GenericMode,
                                                     c10::DispatchKey::Fake});
/// Keys that are excluded while an operator is recorded below autograd, as Python's dispatch excludes them:
/// all above Python. The parts of a composite operator then do not materialize a ZeroTensor.
inline constexpr c10::DispatchKeySet kKeysAbovePython =
    (c10::DispatchKeySet(c10::DispatchKeySet::FULL) ^
     (c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, c10::DispatchKey::Python) |
      c10::DispatchKeySet(c10::DispatchKey::Python))) -
    kRecordingKeys;
/// While it lives this thread calls operators that are not recorded, and of which no mode of a program is
/// told.
class NotRecorded {
    c10::impl::ExcludeDispatchKeyGuard m_guard{kRecordingKeys |
                                               c10::DispatchKeySet(c10::DispatchKey::Python)};
};

struct ThreadModes {
    c10::AutogradState autograd;
    c10::impl::LocalDispatchKeySet keys; ///< which say, too, for which devices autocast is on
    c10::ScalarType cpuCast, cudaCast;
    bool isCastCached;
    int castDepth; ///< of autocast regions in each other
    std::shared_ptr<const std::vector<at::functorch::DynamicLayer>> levels; ///< null: none
    std::vector<c10::Device> devices;

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
