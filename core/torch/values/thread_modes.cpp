// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/thread_modes.h"

#include <ATen/autocast_mode.h>
#include <ATen/functorch/DynamicLayer.h>
#include <c10/core/InferenceMode.h>

namespace fx {

namespace autocast = at::autocast;

void setInferenceMode(bool isEnabled) {
    // The guard does it, and undoes it; what it has done in between is put back for good.
    c10::AutogradState autograd = c10::AutogradState::get_tls_state();
    c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
    {
        const c10::InferenceMode guard(isEnabled);
        autograd = c10::AutogradState::get_tls_state();
        keys = c10::impl::tls_local_dispatch_key_set();
    }
    c10::AutogradState::set_tls_state(autograd);
    c10::impl::_force_tls_local_dispatch_key_set(keys);
}

std::vector<c10::Device>& deviceContexts() {
    thread_local std::vector<c10::Device> devices;
    return devices;
}

std::optional<c10::Device> contextDevice() {
    return deviceContexts().empty() ? std::nullopt : std::optional(deviceContexts().back());
}

namespace {

int autocastDepth() {
    const int inside = autocast::increment_nesting();
    autocast::decrement_nesting();
    return inside - 1;
}

} // namespace

ThreadModes ThreadModes::take() {
    ThreadModes out{c10::AutogradState::get_tls_state(),
                    c10::impl::tls_local_dispatch_key_set(),
                    autocast::get_autocast_dtype(at::kCPU),
                    autocast::get_autocast_dtype(at::kCUDA),
                    autocast::is_autocast_cache_enabled(),
                    autocastDepth(),
                    nullptr,
                    deviceContexts()};
    if (const auto& levels = at::functorch::getDynamicLayerStack(); !levels.empty())
        out.levels = std::make_shared<const std::vector<at::functorch::DynamicLayer>>(levels);
    return out;
}

void ThreadModes::put() const {
    deviceContexts() = devices;
    for (int depth = autocastDepth(); depth < castDepth; ++depth)
        autocast::increment_nesting();
    for (int depth = autocastDepth(); depth > castDepth; --depth)
        if (autocast::decrement_nesting() == 0)
            autocast::clear_cache();
    if (levels || !at::functorch::getDynamicLayerStack().empty())
        at::functorch::setDynamicLayerStack(levels ? *levels : std::vector<at::functorch::DynamicLayer>());
    autocast::set_autocast_dtype(at::kCPU, cpuCast);
    autocast::set_autocast_dtype(at::kCUDA, cudaCast);
    autocast::set_autocast_cache_enabled(isCastCached);
    c10::AutogradState::set_tls_state(autograd);
    c10::impl::_force_tls_local_dispatch_key_set(keys);
}

} // namespace fx
