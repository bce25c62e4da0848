// SPDX-License-Identifier: GPL-3.0-or-later
// The table of opcodes.
#include "core/ir/opcode.h"

namespace fx {

const std::array<OpcodeInfo, 6>& opcodes() {
    static constexpr std::array<OpcodeInfo, 6> kOpcodes{{
        {Opcode::Placeholder, "placeholder", "an input of the graph"},
        {Opcode::GetAttr, "get_attr", "reads a parameter, buffer or submodule"},
        {Opcode::CallFunction, "call_function", "calls a function"},
        {Opcode::CallMethod, "call_method", "calls a method of its first argument"},
        {Opcode::CallModule, "call_module", "calls a submodule"},
        {Opcode::Output, "output", "returns the result"},
    }};
    return kOpcodes;
}

const OpcodeInfo& info(Opcode opcode) {
    return opcodes()[static_cast<size_t>(opcode)];
}

std::string_view opcodeName(Opcode opcode) {
    return info(opcode).name;
}

std::optional<Opcode> opcodeFromName(std::string_view name) {
    for (const OpcodeInfo& row : opcodes())
        if (row.name == name)
            return row.opcode;
    return std::nullopt;
}

} // namespace fx
