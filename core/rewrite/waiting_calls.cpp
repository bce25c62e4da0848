// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/waiting_calls.h"

#include "core/base/text.h"
#include "core/rewrite/argument_places.h"

#include <map>
#include <optional>

namespace fx {

std::vector<std::string> missingArguments(const std::vector<CallForm>& forms, const Node& call) {
    std::optional<std::vector<std::string>> fewest;
    for (const CallForm& form : forms) {
        std::vector<std::string> missing;
        for (size_t i = 0; i < form.parameters.size(); ++i) {
            const CallParameter& each = form.parameters[i];
            const bool isGiven = (i < call.args.size() && !each.isByName) || call.keyword(each.name);
            if (each.defaultText.empty() && !isGiven)
                missing.push_back(each.name);
        }
        if (!fewest || missing.size() < fewest->size())
            fewest = std::move(missing);
    }
    return fewest.value_or(std::vector<std::string>());
}

std::vector<LintFault> waitingCalls(const Model& model, ModuleId module) {
    std::vector<LintFault> out;
    std::map<std::pair<Opcode, std::string>, std::vector<CallForm>> known; // by what is called
    for (const Node& node : model.graph(module)) {
        // What a module takes is looked up in its source: only where nothing is given is it worth that.
        const bool isLooked = node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod ||
                              (node.opcode == Opcode::CallModule && node.args.empty() && node.kwargs.empty());
        // A graph in a compiler's log is shown and never called.
        if (!isLooked || node.meta.find(meta::kLogStage))
            continue;
        const auto [found, isNew] = known.try_emplace({node.opcode, node.target.name()});
        if (isNew)
            found->second = formsOfCall(model, module, node);
        if (const std::vector<std::string> missing = missingArguments(found->second, node); !missing.empty())
            out.push_back({node.id, "waits for " + join(missing, ", ")});
    }
    return out;
}

} // namespace fx
