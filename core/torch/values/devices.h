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

/// The device itself, if calls may name it: without CUDA, PyTorch's error.
c10::Device usableDevice(c10::Device device);
/// The accelerator of that number, as PyTorch reads `device=0`.
c10::Device acceleratorDevice(int64_t index);

} // namespace fx
