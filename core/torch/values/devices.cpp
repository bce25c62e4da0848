// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/devices.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

int cudaCount() {
    return at::hasCUDA() ? static_cast<int>(at::getNumGPUs()) : 0;
}

} // namespace

std::vector<std::string> availableDevices() {
    std::vector<std::string> out{"cpu"};
    for (int i = 0; i < cudaCount(); ++i)
        out.push_back("cuda:" + std::to_string(i));
    return out;
}

c10::Device parseDevice(const std::string& text) {
    try {
        const c10::Device device(text);
        if (device.is_cpu() || device.is_meta())
            return device;
        if (device.is_cuda()) {
            if (!at::hasCUDA())
                throw Error("device " + text, "this LibTorch is built without CUDA")
                    .hint("run on cpu, or build fxscope against a CUDA build of LibTorch");
            const int index = device.has_index() ? device.index() : 0;
            if (index >= cudaCount())
                throw Error("device " + text,
                            "this machine has " + plural(static_cast<uint64_t>(cudaCount()), "GPU"))
                    .hint("run on one of: " + join(availableDevices(), ", "));
            return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
        }
    } catch (const c10::Error&) {
        throw Error("device " + text, "is no device").hint("use one of: " + join(availableDevices(), ", "));
    }
    throw Error("device " + text, "is not supported").hint("use one of: " + join(availableDevices(), ", "));
}

c10::Device usableDevice(c10::Device device) {
    if (device.is_cuda() && !at::hasCUDA())
        throw Error("", "Torch not compiled with CUDA enabled")
            .kind("AssertionError")
            .hint("run on cpu, or build fxscope against a CUDA build of LibTorch");
    if (device.is_cuda() && cudaCount() == 0)
        throw Error("", "Found no NVIDIA driver on your system").kind("RuntimeError").hint("run on cpu");
    return device;
}

c10::Device acceleratorDevice(int64_t index) {
    if (index < 0)
        throw Error("", "Device index must not be negative").kind("RuntimeError");
    if (!at::hasCUDA())
        throw Error("", "Cannot access accelerator device when none is available.").kind("RuntimeError");
    return usableDevice({c10::kCUDA, static_cast<c10::DeviceIndex>(index)});
}

} // namespace fx
