// SPDX-License-Identifier: GPL-3.0-or-later
// The devices that this machine and this LibTorch can compute on.
#pragma once

#include <c10/core/Device.h>

#include <string>
#include <vector>

namespace fx {

/// "cpu", and "cuda:0" and so on where there are any.
std::vector<std::string> availableDevices();
/// Throws an Error for a name that is no device, and for a device that is not there.
c10::Device parseDevice(const std::string& text);

} // namespace fx
