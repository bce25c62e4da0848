// SPDX-License-Identifier: GPL-3.0-or-later
// torch.fx's CodeGen and _PyTreeCodeGen (C1, C3, C16).
#include "core/codegen/signature_code.h"

#include "core/base/text.h"

#include <algorithm>

namespace fx {

namespace {

std::string plainDefinition(std::vector<std::string> parameters, const std::string& returnAnnotation) {
    if (parameters.empty() || parameters[0] != "self")
        parameters.insert(parameters.begin(), "self");
    return "def forward(" + join(parameters, ", ") + ')' + returnAnnotation + ':';
}

/// The line that flattens the arguments into the placeholders.
std::string bindings(const Signature& signature, const std::vector<std::string>& parameters) {
    std::string out;
    std::vector<std::string> bare;
    std::string annotated;
    for (const std::string& parameter : parameters) {
        bare.push_back(parameter.substr(0, parameter.find(':')));
        if (contains(parameter, ":"))
            annotated += parameter + "; ";
    }
    if (!annotated.empty())
        out += "\n    " + annotated + '\n';

    const std::vector<std::string>& names = signature.argumentNames;
    std::string call = '[' + join(names, ", ") + "], self._in_spec";
    if (signature.hasKeywords()) {
        const size_t count = std::min(signature.inputs.children[0].children.size(), names.size());
        const std::vector<std::string> positional(names.begin(),
                                                  names.begin() + static_cast<std::ptrdiff_t>(count));
        const Arguments& keys = signature.inputs.children[1].keys;
        std::vector<std::string> keywords;
        for (size_t i = 0; i < keys.size() && count + i < names.size(); ++i)
            if (const auto* key = keys[i].as<std::string>())
                keywords.push_back('\'' + *key + "':" + names[count + i]);
        call = "([" + join(positional, ", ") + "], {" + join(keywords, ", ") + "}), self._in_spec";
    }
    return out + "\n    " + join(bare, ", ") + ", = fx_pytree.tree_flatten_spec(" + call + ')';
}

} // namespace

std::string definitionCode(const std::optional<Signature>& signature, std::vector<std::string> parameters,
                           const std::string& returnAnnotation) {
    if (!signature)
        return plainDefinition(std::move(parameters), returnAnnotation);
    const bool hasSelf = !signature->argumentNames.empty() && signature->argumentNames[0] == "self";
    if (hasSelf)
        parameters.insert(parameters.begin(), "self");
    std::string out = plainDefinition(signature->argumentNames, returnAnnotation);
    return parameters.empty() ? out : out + bindings(*signature, parameters);
}

std::string returnCode(const std::optional<Signature>& signature, const std::string& expression) {
    if (signature && signature->outputs)
        return "return pytree.tree_unflatten(" + expression + ", self._out_spec)";
    return "return " + expression;
}

} // namespace fx
