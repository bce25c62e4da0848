// SPDX-License-Identifier: GPL-3.0-or-later
// torch.fx's CodeGen and _PyTreeCodeGen (C1, C3, C16).
#include "core/codegen/signature_code.h"

#include "core/base/text.h"
#include "core/codegen/written_names.h"

#include <algorithm>

namespace fx {

namespace {

std::string plainDefinition(std::vector<std::string> parameters, const std::string& returnAnnotation) {
    if (parameters.empty() || parameters[0] != "self")
        parameters.insert(parameters.begin(), "self");
    return "def forward(" + join(parameters, ", ") + ')' + returnAnnotation + ':';
}

/// The line that flattens the arguments into the placeholders.
std::string bindings(const Signature& signature, const std::vector<std::string>& names,
                     const std::vector<ParameterText>& parameters) {
    std::string out, annotated;
    std::vector<std::string> bare;
    for (const ParameterText& parameter : parameters) {
        bare.push_back(parameter.name + (parameter.type.empty() ? "" : " "));
        if (!parameter.type.empty())
            annotated += parameter.text() + "; ";
    }
    if (!annotated.empty())
        out += "\n    " + annotated + '\n';

    std::string call = '[' + join(names, ", ") + "], self._in_spec";
    if (signature.hasKeywords()) {
        const size_t count = std::min(signature.inputs.children[0].children.size(), names.size());
        const std::vector<std::string> positional(names.begin(),
                                                  names.begin() + static_cast<std::ptrdiff_t>(count));
        const Arguments& keys = signature.inputs.children[1].keys;
        std::vector<std::string> keywords;
        for (size_t i = 0; i < keys.size() && count + i < names.size(); ++i)
            if (const auto* key = keys[i].as<std::string>())
                keywords.push_back(pythonRepr(*key) + ':' + names[count + i]);
        call = "([" + join(positional, ", ") + "], {" + join(keywords, ", ") + "}), self._in_spec";
    }
    return out + "\n    " + join(bare, ", ") + ", = fx_pytree.tree_flatten_spec(" + call + ')';
}

} // namespace

std::string definitionCode(const std::optional<Signature>& signature,
                           const std::vector<ParameterText>& parameters,
                           const std::string& returnAnnotation) {
    if (!signature) {
        std::vector<std::string> texts;
        for (const ParameterText& parameter : parameters)
            texts.push_back(parameter.text());
        return plainDefinition(std::move(texts), returnAnnotation);
    }
    const std::vector<std::string> names = parameterNames(signature->argumentNames);
    const std::string out = plainDefinition(names, returnAnnotation);
    std::vector<ParameterText> flat = parameters;
    if (!names.empty() && names[0] == "self")
        flat.insert(flat.begin(), ParameterText{"self", {}, {}});
    return flat.empty() ? out : out + bindings(*signature, names, flat);
}

std::string returnCode(const std::optional<Signature>& signature, const std::string& expression) {
    if (signature && signature->outputs)
        return "return pytree.tree_unflatten(" + expression + ", self._out_spec)";
    return "return " + expression;
}

} // namespace fx
