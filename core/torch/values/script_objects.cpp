// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/script_objects.h"

#include "core/base/error.h"
#include "core/python/evaluator.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/convert.h"
#include "core/torch/values/generators.h"

#include <ATen/ATen.h>
#include <ATen/core/class_type.h>
#include <ATen/quantized/Quantizer.h>
#include <torch/custom_class.h>

namespace fx {

namespace {

using c10::IValue;

constexpr std::string_view kClasses = "torch.classes.", kMangled = "__torch__.";
constexpr const char* kTensor = "tensor";
constexpr const char* kObject = "object";
constexpr int kDeepest = 8;

[[noreturn]] void misfit(const std::string& type) {
    throw Error("", "the state of an object of " + type + " is not what its class writes");
}

/// The numbers of a convolution's state, where there are as many as it will read: the count of dimensions k,
/// then strides, paddings, dilations and output paddings of k numbers each, groups and a flag.
bool isConvState(const Values& state, int64_t dimensions) {
    const std::optional<Values> tensors = state.size() == 3 ? itemsOf(state[1]) : std::nullopt;
    const std::optional<Values> biases = tensors ? itemsOf(state[2]) : std::nullopt;
    if (!biases || tensors->size() != 2 || biases->size() != 1 || !state[0].isString() ||
        state[0].text() != "2" || !(*tensors)[0].isTensor() || !(*tensors)[1].isTensor())
        return false;
    const at::Tensor& numbers = (*tensors)[0].data().toTensor();
    return numbers.scalar_type() == at::kShort && numbers.dim() == 1 && numbers.is_contiguous() &&
           numbers.numel() == 4 * dimensions + 3 && numbers[0].item<int64_t>() == dimensions &&
           (*tensors)[1].data().toTensor().dim() == dimensions + 2;
}

/// Which a convolution's class does not say, as it reads older states as well.
c10::TypePtr convStateType() {
    const auto listOf = [](c10::TypePtr type) { return c10::ListType::create(std::move(type)); };
    return c10::TupleType::create({c10::StringType::get(), listOf(c10::TensorType::get()),
                                   listOf(c10::OptionalType::create(c10::TensorType::get()))});
}

bool isLinearState(const Values& state) {
    return state.size() == 2 && state[0].isTensor() && state[0].data().toTensor().dim() == 2;
}

bool areSizes(const Values& state, std::initializer_list<size_t> sizes) {
    size_t at = 0;
    for (const size_t size : sizes) {
        const std::optional<Values> items = ++at < state.size() ? itemsOf(state[at]) : std::nullopt;
        if (!items || items->size() != size)
            return false;
    }
    return at + 1 == state.size();
}

bool isEmbeddingState(const Values& state) {
    return areSizes(state, {1, 0, 1});
}

bool isCellState(const Values& state) {
    if (state.empty() || !state[0].isString())
        return false;
    return state[0].text() == "quantized_dynamic"
               ? areSizes(state, {2, 0, 1, 2})
               : state[0].text() == "quantized_fp16" && areSizes(state, {0, 0, 0, 2});
}

struct KnownClass {
    std::string_view type;
    bool (*fits)(const Values& state);
    std::vector<std::string> tensors; ///< what people call the tensors of the state, in its order
    std::vector<std::string> objects;
};

/// The classes whose objects are made from a file: what they read of a state is checked before.
const KnownClass* findClass(std::string_view type) {
    static const KnownClass kKnown[] = {
        {"torch.classes.quantized.LinearPackedParamsBase", isLinearState, {"weight", "bias"}, {}},
        {"torch.classes.quantized.Conv2dPackedParamsBase",
         [](const Values& state) { return isConvState(state, 2); },
         {"configuration", "weight", "bias"},
         {}},
        {"torch.classes.quantized.Conv3dPackedParamsBase",
         [](const Values& state) { return isConvState(state, 3); },
         {"configuration", "weight", "bias"},
         {}},
        {"torch.classes.quantized.EmbeddingPackedParamsBase", isEmbeddingState, {"weight"}, {}},
        {"torch.classes.rnn.CellParamsBase", isCellState, {"bias_ih", "bias_hh"}, {"packed_ih", "packed_hh"}},
    };
    for (const KnownClass& known : kKnown)
        if (known.type == type)
            return &known;
    return nullptr;
}

std::string publicName(std::string_view qualified) {
    if (qualified.starts_with(kMangled))
        qualified.remove_prefix(kMangled.size());
    return std::string(qualified);
}

bool isRecordClass(const InstanceObject& instance) {
    return instance.type.as<ClassObject>()->data->name == std::string_view("ScriptObject");
}

/// What a pickle writes of an object: (state, class).
std::optional<std::pair<Value, std::string>> recordOf(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    if (!instance || !isRecordClass(*instance))
        return std::nullopt;
    const auto* fields = instance->dict.as<DictObject>();
    const Value* state = fields ? fields->find("_state") : nullptr;
    const Value* type = fields ? fields->find("_class") : nullptr;
    if (!state || !type || !type->isString())
        return std::nullopt;
    return std::pair(*state, publicName(type->text()));
}

Value stateOf(const IValue& object) {
    const c10::ClassTypePtr type = object.toObjectRef().type();
    const torch::jit::Function* method = type->findMethod("__getstate__");
    if (!method)
        throw Error("", "an object of " + publicName(type->name()->qualifiedName()) + " has no state");
    IValue state;
    guarded([&] { state = (*const_cast<torch::jit::Function*>(method))({object}); });
    return state;
}

/// Gives the tensor numbers of its own: those of an embedding's weight are memory of the object, which may be
/// gone before it.
void takeQuantizer(const at::Tensor& tensor) {
    if (tensor.is_quantized() && tensor.qscheme() != at::kPerTensorAffine)
        at::set_quantizer_(
            tensor, at::make_per_channel_affine_quantizer(tensor.q_per_channel_scales().clone(),
                                                          tensor.q_per_channel_zero_points().clone(),
                                                          tensor.q_per_channel_axis(), tensor.scalar_type()));
}

class PartsReader {
public:
    explicit PartsReader(ScriptObjectParts& out) : m_out(out), m_known(findClass(out.type)) {}

    Argument read(const Value& value, int depth) {
        if (depth > kDeepest)
            misfit(m_out.type);
        if (const Value plain = plainOf(value); plain.isTensor()) {
            takeQuantizer(plain.data().toTensor());
            return reference(kTensor, m_out.tensors, value, m_known ? m_known->tensors : kNone);
        }
        if (isScriptObject(value))
            return reference(kObject, m_out.objects, value, m_known ? m_known->objects : kNone);
        if (const std::optional<Values> items = itemsOf(value)) {
            Arguments parts;
            for (const Value& item : *items)
                parts.push_back(read(item, depth + 1));
            const auto* sequence = value.as<SequenceObject>();
            if (sequence ? sequence->isList : !value.isData() || value.data().isList())
                return ListValue{std::move(parts)};
            return TupleValue{std::move(parts)};
        }
        if (value.isInt())
            return value.data().toInt();
        if (value.isDouble())
            return value.data().toDouble();
        if (value.isBool())
            return value.data().toBool();
        if (value.isString())
            return value.text();
        if (!value.isNone())
            misfit(m_out.type);
        return {};
    }

private:
    static inline const std::vector<std::string> kNone;

    Argument reference(const char* kind, std::vector<std::pair<std::string, Value>>& parts,
                       const Value& value, const std::vector<std::string>& names) {
        const size_t index = parts.size();
        const std::string name =
            index < names.size() ? names[index] : std::string(kind) + '_' + std::to_string(index);
        parts.emplace_back(name, value);
        return DictValue{{{Argument(kind), Argument(name)}}};
    }

    ScriptObjectParts& m_out;
    const KnownClass* m_known;
};

Value valueOf(const Argument& state, const std::function<Value(const std::string&)>& part) {
    if (const auto* dict = state.as<DictValue>()) {
        const std::string* name = dict->items.size() == 1 ? dict->items[0].second.as<std::string>() : nullptr;
        return name ? part(*name) : Value();
    }
    if (const Arguments* items = state.items()) {
        Values out;
        for (const Argument& item : *items)
            out.push_back(valueOf(item, part));
        return makeTuple(std::move(out));
    }
    return makeValue(state, nullptr);
}

} // namespace

bool isScriptClass(std::string_view moduleType) {
    return moduleType.starts_with(kClasses) || moduleType == kGeneratorType;
}

bool isScriptObject(const Value& value) {
    if (value.isData())
        return isGenerator(value) || (value.data().isObject() && torch::isCustomClass(value.data()));
    const auto* instance = value.as<InstanceObject>(); // asked of every attribute of every module
    return instance && isRecordClass(*instance) && recordOf(value);
}

const void* scriptObjectIdentity(const Value& object) {
    if (object.object())
        return object.object().get();
    if (isGenerator(object))
        return object.data().toGenerator().unsafeGetGeneratorImpl();
    return object.data().toObject().get();
}

ScriptObjectParts scriptObjectParts(const Value& object) {
    ScriptObjectParts out;
    if (isGenerator(object)) {
        out.type = kGeneratorType;
        if (Value state = generatorState(object); !state.isNone())
            out.tensors.emplace_back("state", std::move(state));
        return out;
    }
    Value state;
    if (const auto record = recordOf(object)) {
        state = record->first;
        out.type = record->second;
    } else {
        state = stateOf(object.data());
        out.type = publicName(object.data().toObjectRef().type()->name()->qualifiedName());
    }
    out.state = PartsReader(out).read(state, 0);
    return out;
}

Value makeScriptObject(const std::string& type, const Argument& state,
                       const std::function<Value(const std::string& name)>& part) {
    if (type == kGeneratorType)
        return generatorWithState(part("state"));
    const KnownClass* known = findClass(type);
    const c10::ClassTypePtr made = known ? torch::getCustomClass(std::string(kMangled) + type) : nullptr;
    const torch::jit::Function* method = made ? made->findMethod("__setstate__") : nullptr;
    if (!method)
        throw Error("", "objects of " + type + " cannot be used here").hint("run the graph in Python");
    const Value value = valueOf(state, part);
    const std::optional<Values> items = itemsOf(value);
    const c10::TypePtr& taken = method->getSchema().arguments().at(1).type();
    const std::optional<Converted> converted =
        convert(value, taken->kind() == c10::TypeKind::AnyType ? convStateType() : taken);
    if (!items || !known->fits(*items) || !converted)
        misfit(type);
    const IValue object(c10::make_intrusive<c10::ivalue::Object>(
        c10::StrongTypePtr(std::shared_ptr<torch::jit::CompilationUnit>(), made), 1));
    guarded([&] { (*const_cast<torch::jit::Function*>(method))({object, converted->value}); });
    return object;
}

} // namespace fx
