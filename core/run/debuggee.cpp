// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/debuggee.h"

#include <tuple>

namespace fx {

bool RunRequest::computesAs(const RunRequest& other) const {
    const auto key = [](const RunRequest& x) {
        return std::tie(x.inputs, x.inputsFile, x.device, x.gradMode, x.seed, x.isOutsideAllowed, x.libraries,
                        x.loss);
    };
    return key(*this) == key(other);
}

bool needsNoRun(const DebugCommand& command) {
    const auto* inspect = std::get_if<Inspect>(&command);
    const auto* save = std::get_if<SaveValue>(&command);
    return inspect ? inspect->tensor && !inspect->isGradient : save && save->tensor && !save->isGradient;
}

int requestOf(const DebugCommand& command) {
    return std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.request; })
                return kind.request;
            else
                return 0;
        },
        command);
}

std::string describePending(const std::vector<DebugCommand>& asked) {
    for (const DebugCommand& command : asked) {
        if (const auto* evaluate = std::get_if<Evaluate>(&command))
            return " while it evaluated " + evaluate->expression;
        if (const auto* set = std::get_if<SetValue>(&command))
            return " while it evaluated " + set->expression;
        if (std::get_if<Inspect>(&command))
            return " while it looked at a value";
        if (const auto* save = std::get_if<SaveValue>(&command))
            return " while it wrote " + save->path;
    }
    return {};
}

void settleAsked(std::vector<DebugCommand>& asked, const DebugEvent& event) {
    std::erase_if(asked, [&](const DebugCommand& command) {
        if (std::get_if<Paused>(&event))
            return std::get_if<Jump>(&command) || std::get_if<GoBack>(&command);
        const bool isInspection = std::get_if<Inspect>(&command) != nullptr;
        if (const auto* answer = std::get_if<Answer>(&event))
            return !isInspection && requestOf(command) == answer->request;
        const auto* inspection = std::get_if<Inspection>(&event);
        // Those before it that were not begun are not answered.
        return inspection && isInspection && requestOf(command) <= inspection->request;
    });
}

std::optional<DebugEvent> refusalOf(const DebugCommand& command, const std::string& why) {
    if (const auto* inspect = std::get_if<Inspect>(&command)) {
        Inspection none;
        none.request = inspect->request;
        none.node = inspect->node;
        none.tensor = inspect->tensor;
        none.absence = why;
        return none;
    }
    if (const int request = requestOf(command))
        return Answer{request, why, true};
    return std::nullopt;
}

} // namespace fx
