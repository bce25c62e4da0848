// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/device.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/mapped_file.h"
#include "core/ir/dtype.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace fx {

/// Of core/analyze/devices.
std::string_view analyzeDeviceText(std::string_view file);

namespace {

constexpr std::array kDevices{"a100", "h100", "rtx4090", "t4", "v100"};

double positive(const JsonDocument& document, const Json& at) {
    const double number = document.number(at);
    if (!(number > 0))
        document.fail(at, "is not above zero");
    return number;
}

} // namespace

double Device::flopsOf(c10::ScalarType dtype) const {
    const auto found = flops.find(dtype);
    return found == flops.end() ? flops.at(c10::ScalarType::Float) : found->second;
}

std::vector<std::string> deviceNames() {
    return {kDevices.begin(), kDevices.end()};
}

Device readDevice(std::string_view json, const std::string& place) {
    const JsonDocument document(json, place);
    const Json& root = document.object(document.root());
    Device out;
    out.name = std::filesystem::path(place).stem().string();
    out.title = document.string(document.member(root, "title"));
    const Json& flops = document.object(document.member(root, "flops"));
    for (const auto& [name, number] : flops.items()) {
        const std::optional<c10::ScalarType> dtype = dtypeFromName(name);
        if (!dtype)
            document.fail(flops, "'" + name + "' is no dtype");
        out.flops[*dtype] = positive(document, number);
    }
    document.member(flops, "float32"); // which stands for those that are not there
    out.bandwidth = positive(document, document.member(root, "bandwidth"));
    out.launch = document.number(document.member(root, "launch"));
    if (out.launch < 0)
        document.fail(root, "launch is below zero");
    out.memory = static_cast<uint64_t>(positive(document, document.member(root, "memory")));
    if (const Json* cache = document.find(root, "cache")) {
        out.cache = static_cast<uint64_t>(positive(document, document.member(*cache, "bytes")));
        out.cacheBandwidth = positive(document, document.member(*cache, "bandwidth"));
    }
    return out;
}

std::string deviceJson(const Device& device) {
    Json flops = Json::object();
    for (const auto& [dtype, number] : device.flops)
        flops[dtypeText(dtype).substr(6)] = number; // without "torch."
    Json out = {{"title", device.title},
                {"flops", std::move(flops)},
                {"bandwidth", device.bandwidth},
                {"launch", device.launch},
                {"memory", device.memory}};
    if (device.cache)
        out["cache"] = {{"bytes", device.cache}, {"bandwidth", device.cacheBandwidth}};
    return jsonText(out, 2) + '\n';
}

Device findDevice(const std::string& nameOrFile) {
    if (std::ranges::find(kDevices, nameOrFile) != kDevices.end())
        return readDevice(analyzeDeviceText(nameOrFile + ".json"), nameOrFile);
    if (!nameOrFile.ends_with(".json"))
        throw Error("device '" + nameOrFile + "'", "is not known")
            .hint("the devices are: " + join(kDevices, ", ") +
                  "; or give a .json that describes one, as --save-device writes it");
    return readDevice(readFile(nameOrFile), nameOrFile);
}

std::string_view boundName(Bound bound) {
    static constexpr std::string_view kNames[] = {"", "overhead", "memory", "compute"};
    return kNames[static_cast<size_t>(bound)];
}

Bound Prediction::bound() const {
    if (seconds <= 0)
        return Bound::Nothing;
    if (overhead >= std::max(memory, compute))
        return Bound::Overhead;
    return memory >= compute ? Bound::Memory : Bound::Compute;
}

Prediction& Prediction::operator+=(const Prediction& other) {
    overhead += other.overhead;
    memory += other.memory;
    compute += other.compute;
    seconds += other.seconds;
    return *this;
}

double bytesOf(const OperatorCost& cost, std::optional<c10::ScalarType> dtype) {
    auto floating = static_cast<double>(cost.floating.total());
    if (dtype && c10::isFloatingType(cost.dtype))
        floating *=
            static_cast<double>(c10::elementSize(*dtype)) / static_cast<double>(c10::elementSize(cost.dtype));
    return floating + static_cast<double>(cost.other.total());
}

Prediction predict(const Device& device, const OperatorCost& cost, std::optional<c10::ScalarType> dtype) {
    const double bytes = bytesOf(cost, dtype);
    const bool isCached = device.cache && bytes <= static_cast<double>(device.cache);
    const bool isRecast = dtype && c10::isFloatingType(cost.dtype);
    Prediction out;
    out.overhead = device.launch;
    out.memory = bytes / (isCached ? device.cacheBandwidth : device.bandwidth);
    out.compute = static_cast<double>(cost.flops) / device.flopsOf(isRecast ? *dtype : cost.dtype);
    out.seconds = out.overhead + std::max(out.memory, out.compute);
    return out;
}

Prediction predict(const Device& device, const NodeCost& cost, std::optional<c10::ScalarType> dtype) {
    Prediction out;
    for (const OperatorCost& one : cost.operators)
        out += predict(device, one, dtype);
    return out;
}

RooflinePoint rooflinePoint(const Device& device, uint64_t flops, uint64_t bytes, c10::ScalarType dtype) {
    if (bytes == 0)
        return {};
    const double intensity = static_cast<double>(flops) / static_cast<double>(bytes);
    return {intensity, std::min(device.flopsOf(dtype), intensity * device.bandwidth)};
}

} // namespace fx
