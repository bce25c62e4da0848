// SPDX-License-Identifier: GPL-3.0-or-later
// The six opcodes of a graph and what there is to say about each, in one table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fx {

enum class Opcode : uint8_t { Placeholder, GetAttr, CallFunction, CallMethod, CallModule, Output };

struct OpcodeInfo {
    Opcode opcode;
    std::string_view name;    ///< torch.fx's word: "call_function"
    std::string_view meaning; ///< one line for people
};

const std::array<OpcodeInfo, 6>& opcodes();
const OpcodeInfo& info(Opcode opcode);
std::string_view opcodeName(Opcode opcode);
std::optional<Opcode> opcodeFromName(std::string_view name);

} // namespace fx
