// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.export and torch.fx record of with-blocks: calls that enter and leave a mode of autograd or
// autocast. They act on the thread that runs; RunModes keeps that apart from who runs it.
#pragma once

#include "core/python/value.h"

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace fx {

using RegionFunction = Value (*)(const Values& args, const NamedValues& kwargs);

/// The function behind "torch._C._set_grad_enabled", "torch.amp.autocast_mode._enter_autocast" and their
/// like; null for any other.
RegionFunction findRegion(Target target);

/// What torch.autocast sets, and how it was before.
class AutocastRegion {
public:
    /// The arguments of torch.autocast; it holds from here on.
    AutocastRegion(const std::string& deviceType, std::optional<c10::ScalarType> dtype, bool isEnabled,
                   std::optional<bool> isCached);
    void leave();

private:
    c10::DeviceType m_device;
    bool m_wasEnabled, m_wasCached;
    c10::ScalarType m_dtypeBefore;
};

} // namespace fx
