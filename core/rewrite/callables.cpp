// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/callables.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/dialect.h"
#include "core/module/scopes.h"
#include "core/python/defined_function.h"
#include "core/python/evaluator.h"
#include "core/python/tree.h"
#include "core/rewrite/source_functions.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/signatures.h"
#include "core/torch/host/constructor_types.h"
#include "core/torch/host/function_table.h"
#include "core/torch/host/torch_hosts.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <sstream>

namespace fx {

namespace {

bool isPublic(std::string_view name) {
    return !name.empty() && !name.starts_with('_');
}

bool beginsWithCapital(std::string_view name) {
    return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
}

bool isCalled(FunctionKind kind) {
    return kind == FunctionKind::Builtin || kind == FunctionKind::Native || kind == FunctionKind::Python ||
           kind == FunctionKind::Switch || kind == FunctionKind::Body;
}

void addFunctions(std::vector<Callable>& out, const std::string& module, const std::string& shown) {
    const std::vector<std::string_view>* names = namesOfModule(module);
    if (!names)
        return;
    for (const std::string_view name : *names) {
        const FunctionRow* row = isPublic(name) ? findFunction(module + '.' + std::string(name)) : nullptr;
        if (row && isCalled(row->kind))
            out.push_back(
                {Callable::Kind::Function, shown + '.' + std::string(name), "function of " + module});
    }
}

void addMethods(std::vector<Callable>& out) {
    for (const std::string_view name : namesOfTensor()) {
        const FunctionRow* row = isPublic(name) ? findTensorMember(name) : nullptr;
        if (row && isCalled(row->kind))
            out.push_back({Callable::Kind::Method, '.' + std::string(name), "method of Tensor"});
    }
}

void addOperators(std::vector<Callable>& out) {
    std::vector<Callable> found;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
        const std::string target = operatorTarget(name).name();
        constexpr std::string_view kAten = "torch.ops.aten.", kAll = "torch.ops.";
        const bool isAten = target.starts_with(kAten);
        const std::string_view below = std::string_view(target).substr(kAll.size());
        const bool isInternal = below.starts_with("prim") || below.starts_with("profiler.") ||
                                contains(below, "._") || contains(name.overload_name, "out");
        if (!isInternal)
            found.push_back(
                {Callable::Kind::Operator, isAten ? target.substr(kAll.size()) : target, "operator"});
    }
    std::ranges::sort(found, {}, &Callable::text);
    out.insert(out.end(), found.begin(), found.end());
}

void addModules(std::vector<Callable>& out, const Model& model, ModuleId module) {
    model.forEachModule(module, [&](ModuleId id, const std::string& path) {
        // Graphs of their own are run, and what only holds others cannot be.
        if (id != module && !path.empty() && model.module(id).type.starts_with("torch.nn.modules") &&
            !model.module(id).graph && model.module(id).children.empty())
            out.push_back({Callable::Kind::Module, "self." + path,
                           shortTypeName(model.module(id).type) + " of the model"});
    });
    for (const std::string_view name : *namesOfModule("torch.nn"))
        if (const FunctionRow* row =
                beginsWithCapital(name) ? findFunction("torch.nn." + std::string(name)) : nullptr;
            row && row->kind == FunctionKind::Class && row->target.name().starts_with("torch.nn.modules."))
            out.push_back({Callable::Kind::NewModule, "nn." + std::string(name), "a new module"});
}

std::string typeText(const SignatureParameter& parameter) {
    using enum ParameterType;
    static const std::pair<ParameterType, const char*> kNames[] = {{Tensor, "Tensor"},
                                                                   {Scalar, "number"},
                                                                   {Int, "int"},
                                                                   {SymInt, "int"},
                                                                   {Float, "float"},
                                                                   {TensorList, "Tensors"},
                                                                   {IntList, "ints"},
                                                                   {FloatList, "floats"},
                                                                   {ScalarList, "numbers"},
                                                                   {Generator, "Generator"},
                                                                   {Bool, "bool"},
                                                                   {DType, "dtype"},
                                                                   {Layout, "layout"},
                                                                   {Device, "device"},
                                                                   {Text, "str"},
                                                                   {MemoryFormat, "memory_format"}};
    for (const auto& [type, name] : kNames)
        if (type == parameter.type)
            return parameter.takesNumbers ? std::string(name) + " or number" : name;
    return "";
}

std::vector<CallForm> formsOf(const SignatureGroup& group, bool isMethod) {
    std::vector<CallForm> out;
    for (const CallSignature& signature : group.signatures) {
        if (signature.isHidden || signature.isDeprecated)
            continue;
        CallForm form;
        if (isMethod)
            form.parameters.push_back({"self", "Tensor", "", false, false});
        for (const SignatureParameter& each : signature.parameters)
            if (each.name != "out")
                form.parameters.push_back({std::string(each.name), typeText(each),
                                           std::string(each.defaultText), each.isKeywordOnly, false});
        out.push_back(std::move(form));
    }
    return out;
}

std::string plainDefault(const c10::IValue& value) {
    std::ostringstream out;
    out << value;
    return value.isBool() ? (value.toBool() ? "True" : "False") : out.str();
}

CallForm formOf(const c10::FunctionSchema& schema) {
    CallForm out;
    for (const c10::Argument& argument : schema.arguments()) {
        CallParameter parameter{argument.name(), argument.type()->annotation_str(), "", argument.kwarg_only(),
                                false};
        if (argument.default_value())
            parameter.defaultText = plainDefault(*argument.default_value());
        out.parameters.push_back(std::move(parameter));
    }
    return out;
}

CallForm formOf(const FunctionRow& row) {
    CallForm out;
    for (const Parameter& each : row.parameters) {
        if (each.kind == ParameterKind::VarPositional || each.kind == ParameterKind::VarKeyword) {
            out.takesMore |= each.kind == ParameterKind::VarPositional;
            continue;
        }
        CallParameter parameter{std::string(each.name), "", "", each.kind == ParameterKind::KeywordOnly,
                                false};
        if (each.defaultValue)
            parameter.defaultText = reprText(*each.defaultValue, [](NodeId) { return std::string(); });
        out.parameters.push_back(std::move(parameter));
    }
    return out;
}

/// Of a method of one of torch.nn's classes, without its self. `text`: of the source that holds it.
void addParameters(CallForm& out, const DefinedFunction& function, bool isMaking) {
    using ParameterKind = FunctionTree::Parameter::Kind;
    const std::string& text = function.file->text;
    const auto written = [&](const std::vector<Expression>& part) {
        return part.empty() ? std::string() : text.substr(part[0].begin, part[0].end - part[0].begin);
    };
    const auto& parameters = function.tree->parameters;
    for (size_t i = 1; i < parameters.size(); ++i) {
        const FunctionTree::Parameter& each = parameters[i];
        if (each.kind == ParameterKind::Args || each.kind == ParameterKind::Kwargs) {
            out.takesMore |= each.kind == ParameterKind::Args;
            continue;
        }
        out.parameters.push_back({each.name, written(each.annotation), written(each.defaultValue),
                                  each.kind == ParameterKind::KeywordOnly, isMaking});
    }
}

/// As far as a literal tells it.
std::string typeOfDefault(const std::string& text) {
    if (text == "True" || text == "False")
        return "bool";
    const bool isText = !text.empty() && (text[0] == '\'' || text[0] == '"');
    const bool isNumber = text.find_first_of("0123456789") == 0;
    return isText ? "str" : !isNumber ? "" : text.find_first_of(".e") == std::string::npos ? "int" : "float";
}

CallForm formOfMethod(const std::string& type, const char* method, bool isMaking) {
    CallForm out;
    TorchHosts torch;
    Evaluator evaluator;
    torch.addTo(evaluator);
    guarded([&] {
        const std::optional<Value> found = evaluator.modules().libraryClass(type);
        const std::optional<Value> function = found ? evaluator.findAttribute(*found, method) : std::nullopt;
        if (const auto* defined = function ? function->as<DefinedObject>() : nullptr)
            addParameters(out, *defined->function, isMaking);
    });
    return out;
}

CallForm formOfConstructor(const std::string& type) {
    CallForm out = formOfMethod(type, "__init__", true);
    for (CallParameter& each : out.parameters) {
        if (each.type.empty())
            each.type = constructorType(type, each.name);
        if (each.type.empty())
            each.type = typeOfDefault(each.defaultText);
    }
    return out;
}

CallForm formOfModule(const std::string& type, bool isNew) {
    CallForm out = isNew ? formOfConstructor(type) : CallForm();
    const CallForm calling = formOfMethod(type, "forward", false);
    out.parameters.insert(out.parameters.end(), calling.parameters.begin(), calling.parameters.end());
    out.takesMore |= calling.takesMore;
    // Where and in which dtype the weights are made follows the model.
    std::erase_if(out.parameters, [](const CallParameter& each) {
        return each.isMaking && (each.name == "device" || each.name == "dtype");
    });
    return out;
}

bool takesTensorsAlone(const CallForm& form) {
    return std::ranges::all_of(form.parameters, [](const CallParameter& each) {
        return !each.defaultText.empty() || each.type.starts_with("Tensor");
    });
}

std::vector<CallForm> formsOfFunction(const std::string& name) {
    const FunctionRow* row = findFunction(name);
    if (row && row->kind == FunctionKind::Switch && row->choice)
        row = findFunction(row->choice->ifTrue);
    if (!row)
        return {};
    if (const SignatureGroup* group = findSignatures(row->target.name()))
        return formsOf(*group, false);
    return row->parameters.empty() ? std::vector<CallForm>() : std::vector{formOf(*row)};
}

} // namespace

/// Those of the constructor, or those of the call.
static std::string parametersText(const CallForm& form, bool isMaking) {
    std::vector<std::string> parts;
    for (const CallParameter& each : form.parameters)
        if (each.isMaking == isMaking)
            parts.push_back(each.name + (each.type.empty() ? "" : ": " + each.type) +
                            (each.defaultText.empty() ? "" : " = " + each.defaultText));
    return '(' + join(parts, ", ") + (form.takesMore ? ", *more)" : ")");
}

std::string CallForm::text() const {
    return parametersText(*this, false);
}

std::string signatureText(const Callable& callable, const Model& model, ModuleId module) {
    const std::vector<CallForm> forms = formsOf(callable, model, module);
    if (forms.empty())
        return {};
    const std::string first = parametersText(forms[0], callable.kind == Callable::Kind::NewModule);
    return forms.size() > 1 ? first + " +" + std::to_string(forms.size() - 1) : first;
}

std::vector<Callable> callables(const Model& model, ModuleId module) {
    std::vector<Callable> out;
    addModules(out, model, module);
    for (const SourceFunction& each : sourceFunctions(model))
        if (isPublic(each.name.substr(each.module.size() + 1)))
            out.push_back({Callable::Kind::Function, each.name, "function of " + each.module});
    addFunctions(out, "torch", "torch");
    addFunctions(out, "torch.nn.functional", "F");
    for (const char* each : {"torch.linalg", "torch.fft", "torch.special"})
        addFunctions(out, each, each);
    addMethods(out);
    addOperators(out);
    if (isOfOperators(model.graph(module)))
        std::ranges::stable_partition(
            out, [](const Callable& each) { return each.kind == Callable::Kind::Operator; });
    return out;
}

std::vector<CallForm> formsOf(const Callable& callable, const Model& model, ModuleId module) {
    std::vector<CallForm> out;
    const std::string& text = callable.text;
    switch (callable.kind) {
    case Callable::Kind::Function:
        out = formsOfFunction(text.starts_with("F.") ? "torch.nn.functional" + text.substr(1) : text);
        if (out.empty())
            for (const SourceFunction& each : sourceFunctions(model))
                if (each.name == text)
                    out = {each.form};
        break;
    case Callable::Kind::Method: {
        const std::string name = text.substr(1);
        if (const SignatureGroup* group = findSignatures("torch.Tensor", name))
            out = formsOf(*group, true);
        else if (const FunctionRow* row = findTensorMember(name); row && !row->parameters.empty())
            out = {formOf(*row)};
        break;
    }
    case Callable::Kind::Operator:
        if (const TorchOperator* op = findOperator(text.starts_with("torch.") ? text : "torch.ops." + text))
            out = {formOf(*op->schema)};
        break;
    case Callable::Kind::Module:
        if (const Attribute found = model.resolve(module, text.substr(5)); found.module)
            out = {formOfModule(model.module(found.module).type, false)};
        break;
    case Callable::Kind::NewModule:
        if (const FunctionRow* row = findFunction("torch." + text))
            out = {formOfModule(row->target.name(), true)};
        break;
    }
    std::ranges::stable_partition(out, takesTensorsAlone);
    return out;
}

CallForm makingForm(const std::string& type) {
    const FunctionRow* row = findFunction(type);
    return formOfConstructor(row ? row->target.name() : type);
}

std::string callText(const Callable& callable, const CallForm& form, const std::vector<std::string>& texts) {
    std::vector<std::string> making, calling;
    std::string self;
    bool isByNameNow[2] = {false, false};
    for (size_t i = 0; i < form.parameters.size() && i < texts.size(); ++i) {
        const CallParameter& parameter = form.parameters[i];
        const std::string text(trim(texts[i]));
        bool& isByName = isByNameNow[parameter.isMaking ? 1 : 0];
        if (callable.kind == Callable::Kind::Method && i == 0) {
            self = text;
            continue;
        }
        if (text.empty()) {
            isByName = true; // what follows can go by name alone
            continue;
        }
        (parameter.isMaking ? making : calling)
            .push_back(isByName || parameter.isByName ? parameter.name + '=' + text : text);
    }
    for (size_t i = form.parameters.size(); i < texts.size(); ++i) // *more
        if (const std::string text(trim(texts[i])); !text.empty())
            calling.push_back(text);
    const std::string call = '(' + join(calling, ", ") + ')';
    if (callable.kind == Callable::Kind::NewModule)
        return callable.text + '(' + join(making, ", ") + ')' + call;
    return self + callable.text + call;
}

} // namespace fx
