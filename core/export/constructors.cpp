// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/constructors.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/restored_values.h"
#include "core/ir/argument_text.h"
#include "core/module/model.h"
#include "core/module/scopes.h"
#include "core/torch/values/thread_modes.h"
#include "core/trace/recorded_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Where a parameter is not an attribute of its own name.
struct Rule {
    std::string_view types;      ///< names of classes, separated by spaces
    std::string_view parameters; ///< parameter=source, separated by spaces
};
/// A source is a path to an attribute of the module or of one below it; ?path: whether there is such a
/// tensor;
/// @path: the module there; -path: a list without its last item; none: leave the parameter out.
constexpr Rule kRules[] = {
    {"MultiheadAttention", "bias=?in_proj_bias add_bias_kv=?bias_k"},
    {"TransformerEncoderLayer TransformerDecoderLayer",
     "d_model=self_attn.embed_dim nhead=self_attn.num_heads dim_feedforward=linear1.out_features "
     "dropout=dropout.p "
     "layer_norm_eps=norm1.eps batch_first=self_attn.batch_first bias=?linear1.bias"},
    {"TransformerEncoder", "encoder_layer=@layers.0 norm=@norm"},
    {"TransformerDecoder", "decoder_layer=@layers.0 norm=@norm"},
    {"Transformer",
     "num_encoder_layers=encoder.num_layers num_decoder_layers=decoder.num_layers "
     "dim_feedforward=encoder.layers.0.linear1.out_features dropout=encoder.layers.0.dropout.p "
     "activation=encoder.layers.0.activation layer_norm_eps=encoder.norm.eps "
     "norm_first=encoder.layers.0.norm_first bias=?encoder.layers.0.linear1.bias"},
    {"AdaptiveLogSoftmaxWithLoss", "cutoffs=-cutoffs"},
    {"RNN LSTM GRU RNNBase", "mode=none"},
    // of torch.ao.nn.quantized
    {"Linear LinearReLU", "dtype=_packed_params.dtype"},
    {"RNNCell LSTMCell GRUCell", "dtype=weight_dtype"},
};
constexpr std::string_view kAbsent = "none";

std::string_view sourceFor(std::string_view type, std::string_view parameter) {
    for (const Rule& rule : kRules) {
        const auto types = split(rule.types, ' ');
        if (std::ranges::find(types, type) == types.end())
            continue;
        for (std::string_view pair : split(rule.parameters, ' '))
            if (const size_t equals = pair.find('='); pair.substr(0, equals) == parameter)
                return pair.substr(equals + 1);
    }
    return {};
}

/// Equal as a default: (1, 1) stands for 1.
bool isDefault(Evaluator& evaluator, const Value& value, const Value& otherwise) {
    const std::optional<Values> items = otherwise.isInt() ? itemsOf(value) : std::nullopt;
    if (items && !items->empty())
        return std::ranges::all_of(*items,
                                   [&](const Value& item) { return isDefault(evaluator, item, otherwise); });
    if (value.isNone() != otherwise.isNone() || value.isBool() != otherwise.isBool())
        return false;
    if (value.object() || otherwise.object())
        return recordedValue(evaluator, value) == recordedValue(evaluator, otherwise);
    try {
        return areEqual(evaluator, value, otherwise);
    } catch (const Error&) {
        return false;
    }
}

} // namespace

bool isMadeOnMeta(std::string_view type) {
    return !type.starts_with("torch.ao.") && !type.starts_with("torch.nn.quantized.");
}

Constructors::Constructors(const Model& model, PackageNames& names,
                           std::function<std::string(const Argument&)> write)
    : m_model(model), m_names(names), m_write(std::move(write)), m_sources(model.sources()) {
    m_torch.addTo(m_evaluator);
    m_tracing.addTo(m_evaluator);
    m_sources.addTo(m_evaluator);
}

std::optional<Value> Constructors::classOf(ModuleId module) {
    const std::string& type = m_model.module(module).type;
    std::optional<Value> found = m_evaluator.modules().libraryClass(type);
    if (!found && !type.starts_with("torch.") && contains(type, "."))
        found = m_sources.find(m_evaluator, type);
    return found && found->as<ClassObject>() ? found : std::nullopt;
}

std::optional<std::string> Constructors::className(ModuleId module) {
    const std::string& type = m_model.module(module).type;
    const std::optional<Value> found = classOf(module);
    if (!found)
        return std::nullopt;
    if (!type.starts_with("torch."))
        return type;
    const size_t last = type.rfind('.');
    for (size_t dot = type.find('.', 6); dot < last; dot = type.find('.', dot + 1)) {
        const std::string package = type.substr(0, dot);
        try {
            const auto shorter =
                m_evaluator.findAttribute(m_evaluator.modules().importModule(package), type.substr(last + 1));
            if (shorter && shorter->object() == found->object())
                return package + type.substr(last);
        } catch (const Error&) {
            continue; // no module of that name
        }
    }
    return type;
}

bool Constructors::overrides(ModuleId module, const std::string& method) {
    const std::optional<Value> type = classOf(module);
    const std::optional<Value> base = m_evaluator.modules().libraryClass(kPlainModule);
    const Value* own = type ? type->as<ClassObject>()->data->find(method) : nullptr;
    const Value* usual = base ? base->as<ClassObject>()->data->find(method) : nullptr;
    return own && (!usual || own->object() != usual->object());
}

/// Those of the first constructor, from the class upwards, that names its parameters.
std::vector<Constructors::Parameter> Constructors::parametersOf(const Value& type) {
    std::vector<Parameter> out;
    bool hasOwn = false; // further parameters go through **kwargs
    Values classes{type};
    const Values& mro = type.as<ClassObject>()->data->mro;
    classes.insert(classes.end(), mro.begin(), mro.end());
    for (const Value& each : classes) {
        const auto* held = each.as<ClassObject>();
        const Value* init = held ? held->data->own("__init__") : nullptr;
        const auto* function = init ? init->as<DefinedObject>() : nullptr;
        if (!function || held->data->qualifiedName == "Module")
            continue;
        using Kind = FunctionTree::Parameter::Kind;
        const auto& parameters = function->function->tree->parameters;
        const bool isOpen = std::ranges::any_of(parameters, [](const auto& parameter) {
            return parameter.kind == Kind::Args || parameter.kind == Kind::Kwargs;
        });
        for (size_t i = 1; i < parameters.size(); ++i) {
            if (parameters[i].kind == Kind::Args || parameters[i].kind == Kind::Kwargs)
                continue;
            if (std::ranges::none_of(out, [&](const Parameter& p) { return p.name == parameters[i].name; }))
                out.push_back({parameters[i].name, parameters[i].kind == Kind::KeywordOnly || hasOwn,
                               function->function->defaults[i]});
        }
        hasOwn |= !out.empty();
        if (!isOpen)
            break;
    }
    return out;
}

std::optional<Constructors::Chosen> Constructors::chosen(const Argument& value) {
    std::optional<Value> made = restoredValue(
        m_evaluator, value, [this](const std::string& name) { return m_sources.find(m_evaluator, name); });
    return made ? std::optional(Chosen{m_write(value), std::move(*made)}) : std::nullopt;
}

std::optional<Constructors::Chosen> Constructors::fromRule(ModuleId module, std::string_view source) {
    const char kind = source[0];
    const std::string path(kind == '?' || kind == '@' || kind == '-' ? source.substr(1) : source);
    const Attribute found = m_model.resolve(module, path);
    if (kind == '?')
        return Chosen{found.tensor ? "True" : "False", c10::IValue(bool(found.tensor))};
    if (kind == '@') {
        if (!found.module)
            return std::nullopt;
        std::optional<Constructed> made = construct(found.module);
        return made ? std::optional(Chosen{made->expression, made->instance}) : std::nullopt;
    }
    if (!found.value)
        return std::nullopt;
    if (kind != '-')
        return chosen(*found.value);
    const Arguments* items = found.value->items();
    return items && !items->empty() ? chosen(ListValue{Arguments(items->begin(), items->end() - 1)})
                                    : std::nullopt;
}

std::optional<Constructors::Chosen> Constructors::argumentFor(ModuleId id, const std::string& parameter,
                                                              const Value* otherwise) {
    const Module& module = m_model.module(id);
    const std::string_view source = sourceFor(shortTypeName(module.type), parameter);
    if (source == kAbsent)
        return std::nullopt;
    if (!source.empty())
        return fromRule(id, source);
    const std::string ending =
        parameter.ends_with('_') ? parameter.substr(0, parameter.size() - 1) : parameter;
    for (const std::string& name : {parameter, ending}) {
        if (const Argument* value = module.value(name))
            return chosen(*value);
        const NamedTensor* tensor = module.tensor(name);
        const bool isFlag = otherwise && otherwise->isBool();
        if (tensor && isFlag)
            return Chosen{tensor->tensor ? "True" : "False", c10::IValue(bool(tensor->tensor))};
        if (tensor && tensor->tensor) {
            const TensorMeta& meta = m_model.tensor(tensor->tensor).meta();
            Arguments shape;
            std::vector<int64_t> sizes;
            for (const Dimension& dimension : meta.shape)
                if (const auto* size = std::get_if<int64_t>(&dimension)) {
                    shape.emplace_back(*size);
                    sizes.push_back(*size);
                }
            return Chosen{"torch.empty(" + reprText(TupleValue{shape}, nullptr) + ')',
                          c10::IValue(at::empty(sizes, at::kMeta))};
        }
    }
    return std::nullopt;
}

std::optional<Constructed> Constructors::attempt(ModuleId module, const Value& type, const std::string& name,
                                                 bool isShort) {
    Call given, shorter; // shorter: without what stands for None, as the stride of a pool does
    bool arePositional = true;
    for (const Parameter& parameter : parametersOf(type)) {
        if (parameter.name == "device")
            continue;
        const Value* otherwise = parameter.otherwise ? &*parameter.otherwise : nullptr;
        const std::optional<Chosen> argument = argumentFor(module, parameter.name, otherwise);
        const bool isAbsent =
            sourceFor(shortTypeName(m_model.module(module).type), parameter.name) == kAbsent;
        if (!argument && !otherwise && !isAbsent)
            return std::nullopt;
        if (!argument || (otherwise && isShort && isDefault(m_evaluator, argument->value, *otherwise))) {
            arePositional &= isAbsent;
            continue;
        }
        arePositional &= !parameter.isKeywordOnly && !otherwise && given.args.size() < 2;
        for (Call* call : {&given, &shorter}) {
            if (call == &shorter && isShort && otherwise && otherwise->isNone())
                continue;
            if (arePositional)
                call->args.push_back(argument->value);
            else
                call->kwargs.emplace_back(parameter.name, argument->value);
            call->texts.push_back((arePositional ? "" : parameter.name + '=') + argument->text);
        }
    }
    const std::optional<Value> instance = instanceOf(module, type, given);
    if (!instance)
        return std::nullopt;
    const Call* best = &given;
    if (shorter.texts.size() < given.texts.size())
        if (const std::optional<Value> same = instanceOf(module, type, shorter);
            same && areAlike(*instance, *same))
            best = &shorter;
    return Constructed{m_names.expression(name, "") + '(' + join(best->texts, ", ") + ')', *instance};
}

std::optional<Value> Constructors::instanceOf(ModuleId module, const Value& type, const Call& call) {
    try {
        const KeptModes kept;
        if (isMadeOnMeta(m_model.module(module).type))
            deviceContexts().push_back(c10::Device(c10::kMeta));
        m_evaluator.startRequest();
        return m_evaluator.runOutside([&] { return m_evaluator.call(type, call.args, call.kwargs); });
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Whether two instances hold equal plain attributes, and tensors of equal shapes.
bool Constructors::areAlike(const Value& a, const Value& b) {
    const DictObject& left = *a.as<InstanceObject>()->dict.as<DictObject>();
    const DictObject& right = *b.as<InstanceObject>()->dict.as<DictObject>();
    for (const TextKey& table : {kParameterTable, kBufferTable})
        for (const DictObject::Entry& entry : moduleTable(a, table)->entries()) {
            const Value* other = moduleTable(b, table)->find(entry.key.text());
            const Value &mine = plainOf(entry.value), &theirs = other ? plainOf(*other) : entry.value;
            if (!other || mine.isTensor() != theirs.isTensor() ||
                (mine.isTensor() && mine.data().toTensor().sizes() != theirs.data().toTensor().sizes()))
                return false;
        }
    return left.size() == right.size() &&
           std::ranges::all_of(left.entries(), [&](const DictObject::Entry& entry) {
               const Value* other = right.find(entry.key.text());
               return other && recordedValue(m_evaluator, entry.value) == recordedValue(m_evaluator, *other);
           });
}

std::optional<Constructed> Constructors::construct(ModuleId module) {
    const std::optional<Value> type = classOf(module);
    const std::optional<std::string> name = type ? className(module) : std::nullopt;
    if (!name)
        return std::nullopt;
    std::optional<Constructed> made = attempt(module, *type, *name, true);
    return made ? made : attempt(module, *type, *name, false);
}

std::optional<Constructed> Constructors::constructAs(ModuleId module, const std::string& type) {
    const size_t dot = type.rfind('.');
    const std::optional<Value> found = m_evaluator.findAttribute(
        m_evaluator.modules().importModule(type.substr(0, dot)), type.substr(dot + 1));
    return found && found->as<ClassObject>() ? attempt(module, *found, type, true) : std::nullopt;
}

std::optional<std::string> constructorText(const Model& model, ModuleId module) {
    PackageNames names(model.sources());
    Constructors constructors(model, names, [](const Argument& value) {
        return reprText(value, [](NodeId) { return std::string(); });
    });
    const std::optional<Constructed> made = constructors.construct(module);
    return made ? std::optional(made->expression) : std::nullopt;
}

} // namespace fx
