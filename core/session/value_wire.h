// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of values and places of nodes on the wire (wire.h), for all messages that have some.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/io/argument_json.h"
#include "core/process/wire.h"

#include <concepts>

namespace fx {

inline auto fields(NodeRef& x) {
    return std::tie(x.module, x.node);
}
inline void putWire(WireWriter& writer, const c10::Device& device) {
    writer.put(std::tuple(static_cast<int8_t>(device.type()), device.index()));
}

inline void getWire(WireReader& reader, c10::Device& device) {
    std::tuple<int8_t, c10::DeviceIndex> parts;
    reader.get(parts);
    const auto [type, index] = parts;
    if (type < 0 || type >= c10::COMPILE_TIME_MAX_DEVICE_TYPES || index < -1)
        WireReader::fail();
    device = c10::Device(static_cast<c10::DeviceType>(type), index);
}

template <>
inline constexpr c10::ScalarType kLast<c10::ScalarType> = c10::ScalarType::NumOptions;
template <>
inline constexpr c10::Layout kLast<c10::Layout> = c10::Layout::NumOptions;
template <>
inline constexpr SymbolicScalar::Kind kLast<SymbolicScalar::Kind> = SymbolicScalar::Kind::Bool;
/// No argument of a value's description is a node. What converts to one is none.
inline void putWire(WireWriter& writer, const std::same_as<Argument> auto& argument) {
    writer.putBytes(
        cborBytes(toJson(argument, [](NodeId) -> int64_t { throw Error("", "a value holds a node"); })));
}
inline void getWire(WireReader& reader, Argument& argument) {
    const JsonDocument json = JsonDocument::ofCbor(reader.getBytes(), "a value");
    argument = argumentFromJson(json, json.root(),
                                [](int64_t) -> NodeId { throw Error("", "a value holds a node"); });
}
inline auto fields(NoneValue&) {
    return std::tie();
}
inline auto fields(SymbolicInt& x) {
    return std::tie(x.formula, x.hint);
}
inline auto fields(TensorMeta& x) {
    return std::tie(x.dtype, x.shape, x.stride, x.device, x.layout, x.requiresGrad);
}
inline auto fields(SymbolicScalar& x) {
    return std::tie(x.kind, x.formula, x.hint);
}
inline auto fields(ValueMeta& x) {
    return std::tie(x.value);
}

} // namespace fx
