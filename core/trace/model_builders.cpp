// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/model_builders.h"

#include "core/base/text.h"
#include "core/python/evaluator.h"
#include "core/torch/host/nn_modules.h"

#include <algorithm>

namespace fx {

namespace {

/// Asks a package, in the language in which it answers. The arguments that a call must have are known where
/// they are annotated with a class of the package that needs none itself, as configurations are; the class of
/// a model may have that annotation instead of its __init__.
constexpr const char* kAskPackage = R"py(
import inspect
from torch import nn


def models_of(package):
    parts = [package]
    if inspect.ismodule(models := getattr(package, "models", None)):
        parts.append(models)
    return _listed(parts) or _found(parts)


def _listed(parts):
    for part in parts:
        names, makers = getattr(part, "list_models", None), ("create_model", "get_model")
        maker = next((each for each in makers if inspect.isfunction(getattr(part, each, None))), None)
        if inspect.isfunction(names) and maker and not _needed(names):
            return [f"{maker}({_quoted(name)})" for name in names()]
    return []


def _quoted(name):
    return repr(name) if '"' in name or repr(name)[1:-1] != name else f'"{name}"'


def _found(parts):
    functions, classes, seen = [], [], set()
    for part in parts:
        for name in dir(part):
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            try:
                thing = getattr(part, name)
                if _is_model(thing):
                    kind = classes if _is_of(thing, parts[0]) else None
                else:
                    kind = functions if inspect.isfunction(thing) and _makes_model(name, thing, parts[-1]) else None
                if kind is not None and (arguments := _arguments(thing, parts)) is not None:
                    kind.append(f"{name}({arguments})")
            except Exception:
                pass  # what cannot be looked at here cannot be opened either
    return functions + classes


def _is_of(thing, package):
    return f"{thing.__module__}.".startswith(f"{package.__name__}.")


def _is_model(thing):
    return isinstance(thing, type) and issubclass(thing, nn.Module)


def _makes_model(name, function, models):
    hints = function.__annotations__
    if "return" not in hints:
        return name.islower() and models.__name__.endswith(".models") and _is_of(function, models)
    if isinstance(made := hints["return"], str):
        names = inspect.unwrap(function).__globals__
        first, *rest = made.split(".")
        made = names.get(first)
        for each in rest:
            made = getattr(made, each)
    return _is_model(made)


def _needed(thing):
    return [parameter for parameter in inspect.signature(thing).parameters.values()
            if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)]


def _arguments(thing, parts):
    given = []
    for parameter in _needed(thing):
        kind = _hint(thing, parameter)
        name = getattr(kind, "__name__", "")
        if not any(getattr(part, name, None) is kind for part in parts) or not inspect.isclass(kind) or _needed(kind):
            return None
        given.append(f"{parameter.name}={name}()" if parameter.kind == parameter.KEYWORD_ONLY else f"{name}()")
    return ", ".join(given)


def _hint(thing, parameter):
    hints = [vars(each).get("__annotations__", {}) for each in getattr(thing, "__mro__", ())]
    known = [each[parameter.name] for each in hints if parameter.name in each]
    return parameter.annotation if parameter.annotation is not parameter.empty or not known else known[0]
)py";

std::vector<std::string> expressionsOfPackage(Evaluator& evaluator, const Value& package) {
    static const auto text = parseSource(kAskPackage, "<models of a package>");
    const Value asks = evaluator.modules().runModule(text, "_models_of_package");
    std::vector<std::string> out;
    for (const Value& expression : evaluator.items(evaluator.callMethod(asks, "models_of", {package})))
        out.push_back(expression.text());
    if (const DefinitionIndex* index = out.empty() ? evaluator.modules().deferred(package) : nullptr)
        return index->configuredModels();
    return out;
}

std::vector<std::string> expressionsOfFile(const SourceModuleObject& source) {
    std::vector<std::string> out, classes, functions;
    for (const DictObject::Entry& entry : source.dict.as<DictObject>()->entries()) {
        const std::string& name = entry.key.text();
        if (name.starts_with('_'))
            continue;
        const auto* type = entry.value.as<ClassObject>();
        const auto* function = entry.value.as<DefinedObject>();
        if (isModuleInstance(entry.value))
            out.push_back(name);
        else if (type && type->data->isModule() && type->data->module == source.name)
            classes.push_back(name + "()");
        else if (function && function->function->module == source.name)
            functions.push_back(name);
    }
    out.insert(out.end(), classes.begin(), classes.end());
    out.insert(out.end(), functions.begin(), functions.end());
    return out;
}

} // namespace

std::vector<std::string> modelExpressions(Evaluator& evaluator, const Value& module) {
    if (evaluator.findAttribute(module, "__path__"))
        return expressionsOfPackage(evaluator, module);
    const auto* source = module.as<SourceModuleObject>();
    return source ? expressionsOfFile(*source) : std::vector<std::string>();
}

std::string shortList(const std::vector<std::string>& expressions) {
    constexpr size_t kMost = 12;
    const size_t shown = std::min(kMost, expressions.size());
    std::string out =
        join(std::vector(expressions.begin(), expressions.begin() + static_cast<ptrdiff_t>(shown)), ", ");
    if (shown < expressions.size())
        out += " and " + std::to_string(expressions.size() - shown) + " more";
    return out;
}

} // namespace fx
