// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/input_names.h"

#include "core/base/error.h"
#include "core/interpret/graph_inputs.h"

#include <algorithm>
#include <optional>
#include <set>

namespace fx {

namespace {

using FoundInputs = std::vector<const ModelInput*>;

/// The first position whose input stands at another one before it.
std::optional<size_t> firstTwice(const FoundInputs& found) {
    std::set<const ModelInput*> before;
    for (size_t i = 0; i < found.size(); ++i)
        if (found[i] && !before.insert(found[i]).second)
            return i;
    return std::nullopt;
}

} // namespace

std::vector<const ModelInput*> inputsNamed(const Model& model, const std::vector<ModelInput>& inputs,
                                           const std::vector<std::string>& names) {
    const auto parameterOf = [&](const ModelInput& input) {
        const std::string& target = model.graph().node(input.node).target.name();
        return target.substr(static_cast<size_t>(starsOf(target)));
    };
    FoundInputs found, byParameter;
    for (const std::string& name : names) {
        const auto node = std::ranges::find(inputs, name, &ModelInput::name);
        const auto parameter = std::ranges::find(inputs, name, parameterOf);
        byParameter.push_back(parameter == inputs.end() ? nullptr : &*parameter);
        found.push_back(node == inputs.end() ? byParameter.back() : &*node);
    }
    const std::optional<size_t> twice = firstTwice(found);
    if (!twice)
        return found;
    if (std::ranges::find(byParameter, nullptr) == byParameter.end() && !firstTwice(byParameter))
        return byParameter;
    const ModelInput& input = *found[*twice];
    throw Error("input '" + input.name + "'",
                "is given twice, by its name and as '" + parameterOf(input) + "'");
}

} // namespace fx
