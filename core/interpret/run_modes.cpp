// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/run_modes.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <c10/core/GradMode.h>

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

void RunModes::start() const {
    setInferenceMode(m_mode == GradMode::Inference);
    if (m_mode == GradMode::NoGrad)
        c10::GradMode::set_enabled(false);
}

RunModes::Scope::Scope(RunModes& modes)
    : m_modes(modes), m_isOutermost(modes.m_depth++ == 0), m_reach(modes.m_reach) {
    if (!m_isOutermost)
        return;
    modes.m_outer = ThreadModes::take();
    if (modes.m_own)
        modes.m_own->put();
    else
        modes.start();
}

RunModes::Scope::~Scope() {
    --m_modes.m_depth;
    if (!m_isOutermost)
        return;
    m_modes.m_own = ThreadModes::take();
    m_modes.m_outer->put();
}

} // namespace fx
