// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/run_modes.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

namespace fx {

const std::vector<std::string>& gradModeNames() {
    static const std::vector<std::string> kNames{"inference", "no_grad", "grad"};
    return kNames;
}

GradMode parseGradMode(const std::string& text) {
    const auto& names = gradModeNames();
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
        throw Error("grad mode " + text, "is not known").hint("use one of: " + join(names, ", "));
    return static_cast<GradMode>(found - names.begin());
}

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

namespace {

int autocastDepth() {
    const int inside = at::autocast::increment_nesting();
    at::autocast::decrement_nesting();
    return inside - 1;
}

} // namespace

RunModes::Snapshot RunModes::take() {
    namespace cast = at::autocast;
    return {c10::AutogradState::get_tls_state(), c10::impl::tls_local_dispatch_key_set(),
            cast::get_autocast_dtype(at::kCPU),  cast::get_autocast_dtype(at::kCUDA),
            cast::is_autocast_cache_enabled(),   autocastDepth()};
}

void RunModes::put(const Snapshot& snapshot) {
    namespace cast = at::autocast;
    for (int depth = autocastDepth(); depth < snapshot.castDepth; ++depth)
        cast::increment_nesting();
    for (int depth = autocastDepth(); depth > snapshot.castDepth; --depth)
        if (cast::decrement_nesting() == 0)
            cast::clear_cache();
    cast::set_autocast_dtype(at::kCPU, snapshot.cpuCast);
    cast::set_autocast_dtype(at::kCUDA, snapshot.cudaCast);
    cast::set_autocast_cache_enabled(snapshot.isCastCached);
    c10::AutogradState::set_tls_state(snapshot.autograd);
    c10::impl::_force_tls_local_dispatch_key_set(snapshot.keys);
}

void RunModes::start() const {
    setInferenceMode(m_mode == GradMode::Inference);
    if (m_mode == GradMode::NoGrad)
        c10::GradMode::set_enabled(false);
}

RunModes::Scope::Scope(RunModes& modes) : m_modes(modes), m_isOutermost(modes.m_depth++ == 0) {
    if (!m_isOutermost)
        return;
    modes.m_outer = take();
    if (modes.m_own)
        put(*modes.m_own);
    else
        modes.start();
}

RunModes::Scope::~Scope() {
    --m_modes.m_depth;
    if (!m_isOutermost)
        return;
    m_modes.m_own = take();
    put(*m_modes.m_outer);
}

} // namespace fx
