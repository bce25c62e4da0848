// SPDX-License-Identifier: GPL-3.0-or-later
// What a device can do, in a few numbers, and how long an operator takes there by them: as long as its
// arithmetic or its bytes take, whichever is more (the roofline), and the cost of a launch before that.
#pragma once

#include "core/passes/costs/graph_costs.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct Device {
    std::string name, title;                 ///< "h100", "NVIDIA H100 SXM"
    std::map<c10::ScalarType, double> flops; ///< at best in a second, by the dtype computed in
    double bandwidth = 0;                    ///< bytes in a second, from and to its memory
    double launch = 0;                       ///< seconds before an operator begins
    uint64_t memory = 0;                     ///< bytes
    /// Of what fits into it: bytes, and bytes in a second. None where there is no such memory to speak of.
    uint64_t cache = 0;
    double cacheBandwidth = 0;

    /// In a dtype that it has no number for it is as fast as in float32.
    double flopsOf(c10::ScalarType dtype) const;
};

/// The names of those that come along.
std::vector<std::string> deviceNames();
/// One of those, or a file that describes one. Throws an Error for what is neither.
Device findDevice(const std::string& nameOrFile);
/// A description as the files have it. Throws an Error at `place` for what is none.
Device readDevice(std::string_view json, const std::string& place);
std::string deviceJson(const Device& device);

/// What an operator waits for most.
enum class Bound { Nothing, Overhead, Memory, Compute };
std::string_view boundName(Bound bound); ///< "memory"

struct Prediction {
    double overhead = 0, memory = 0, compute = 0; ///< seconds, of which the last two overlap
    double seconds = 0;
    Bound bound() const;
    Prediction& operator+=(const Prediction& other);
};

/// What it reads and writes, where what is floating is held in that dtype; none: as it is.
double bytesOf(const OperatorCost& cost, std::optional<c10::ScalarType> dtype);

/// `dtype`: computed and held in this one instead, where it is a floating one; none: as it is.
Prediction predict(const Device& device, const OperatorCost& cost,
                   std::optional<c10::ScalarType> dtype = std::nullopt);
Prediction predict(const Device& device, const NodeCost& cost,
                   std::optional<c10::ScalarType> dtype = std::nullopt);

/// FLOPs for each byte, and how many FLOPs in a second that allows: a point on the roof.
struct RooflinePoint {
    double intensity = 0, attainable = 0;
};
RooflinePoint rooflinePoint(const Device& device, uint64_t flops, uint64_t bytes, c10::ScalarType dtype);

} // namespace fx
