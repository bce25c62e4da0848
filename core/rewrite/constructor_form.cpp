// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/constructor_form.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/parse_expression.h"
#include "core/rewrite/made_module.h"

#include <algorithm>

namespace fx {

namespace {

std::string textOf(const std::string& source, const Expression& part) {
    return source.substr(part.begin, part.end - part.begin);
}

/// False where an argument has no place of its own in the form.
bool fill(ConstructorForm& out, const std::string& source, const Expression& call) {
    const std::vector<CallParameter>& parameters = out.form.parameters;
    const size_t places =
        static_cast<size_t>(std::ranges::count(parameters, false, &CallParameter::isByName));
    out.texts.assign(parameters.size(), "");
    std::vector<std::string> more;
    for (size_t i = 1; i < call.children.size(); ++i) {
        const Expression& argument = call.children[i];
        if (argument.kind == Expression::Kind::Keyword) {
            const auto parameter = std::ranges::find(parameters, argument.text, &CallParameter::name);
            if (parameter == parameters.end())
                return false;
            out.texts[static_cast<size_t>(parameter - parameters.begin())] =
                textOf(source, argument.children[0]);
        } else if (argument.kind == Expression::Kind::DoubleStarred) {
            return false;
        } else if (i - 1 < places && argument.kind != Expression::Kind::Starred) {
            out.texts[i - 1] = textOf(source, argument);
        } else if (out.form.takesMore) {
            more.push_back(textOf(source, argument));
        } else {
            return false;
        }
    }
    if (out.form.takesMore)
        out.texts.push_back(join(more, ", "));
    return true;
}

} // namespace

std::optional<ConstructorForm> constructorForm(const std::string& call) {
    try {
        const std::string source(trim(call)), type = constructedClass(source);
        if (type.empty())
            return std::nullopt;
        const Expression tree = parseExpression(source, "the call");
        ConstructorForm out{textOf(source, tree.children[0]), makingForm(type), {}};
        const bool isKnown = out.form.takesMore || !out.form.parameters.empty();
        return isKnown && fill(out, source, tree) ? std::optional(std::move(out)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt; // it is still being typed
    }
}

std::string constructorCall(const ConstructorForm& form) {
    std::vector<std::string> given;
    bool isByName = false;
    for (size_t i = 0; i < form.texts.size(); ++i) {
        const CallParameter* parameter =
            i < form.form.parameters.size() ? &form.form.parameters[i] : nullptr; // else *more
        const std::string text(trim(form.texts[i]));
        if (text.empty())
            isByName = true; // what follows can go by name alone
        else if (parameter && (isByName || parameter->isByName))
            given.push_back(parameter->name + '=' + text);
        else
            given.push_back(text);
    }
    return form.callee + '(' + join(given, ", ") + ')';
}

} // namespace fx
