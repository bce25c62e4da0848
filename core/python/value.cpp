// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/value.h"

#include "core/base/error.h"
#include "core/ir/torch_constants.h"
#include "core/python/evaluator.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>

namespace fx {

void raise(std::string_view kind, const std::string& message) {
    throw Error("", message).kind(kind);
}

int64_t RangeObject::length() const {
    if (step > 0)
        return start < stop ? (stop - start - 1) / step + 1 : 0;
    return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

bool Value::isSame(const Value& other) const {
    if (m_object == other.m_object)
        return m_object || m_data.is(other.m_data);
    // There is one Ellipsis and one torch.float32, however often they are written.
    const auto *leaf = as<Argument>(), *otherLeaf = other.as<Argument>();
    if (leaf && otherLeaf)
        return *leaf == *otherLeaf;
    if (const auto* function = as<FunctionObject>(), *otherFunction = other.as<FunctionObject>();
        function && otherFunction)
        return function->target == otherFunction->target;
    const auto isEmptyTuple = [](const Value& value) {
        const auto* sequence = value.as<SequenceObject>();
        return sequence && !sequence->isList && sequence->items.empty();
    };
    return isEmptyTuple(*this) && isEmptyTuple(other);
}

thread_local constinit int64_t Object::t_alive = 0;

namespace {

thread_local int t_falling = 0;                              ///< destructors of objects within each other
thread_local std::vector<Object::Kind>* t_pending = nullptr; ///< what waits to be destroyed

} // namespace

Object::~Object() {
    constexpr int kDeepest = 40;
    --t_alive;
    if (t_falling >= kDeepest) {
        if (!t_pending)
            t_pending = new std::vector<Kind>;
        t_pending->push_back(std::move(kind));
        return;
    }
    ++t_falling;
    kind.emplace<NamespaceObject>();
    if (t_falling == 1)
        while (t_pending && !t_pending->empty()) {
            const Kind next = std::move(t_pending->back());
            t_pending->pop_back();
        }
    if (--t_falling == 0)
        delete std::exchange(t_pending, nullptr);
}

Value makeTuple(Values items) {
    return Object{SequenceObject{std::move(items), false}};
}

Value makeList(Values items) {
    return Object{SequenceObject{std::move(items), true}};
}

Value makeSequence(Values items, bool isList) {
    // Only lists of one kind and tuples of data have a form in LibTorch that Python's functions share.
    const bool isData =
        std::all_of(items.begin(), items.end(), [](const Value& item) { return item.isData(); });
    if (!isData || isList)
        return Object{SequenceObject{std::move(items), isList}};
    std::vector<c10::IValue> data;
    for (const Value& item : items)
        data.push_back(item.data());
    return c10::IValue(c10::ivalue::Tuple::create(std::move(data)));
}

Value makeDict(std::vector<std::pair<Value, Value>> items) {
    DictObject dict;
    for (auto& [key, value] : items)
        dict.set(key, std::move(value));
    return Object{std::move(dict)};
}

Value makeValue(const Argument& argument, const std::function<Value(NodeId)>& nodeValue) {
    if (const auto* node = argument.as<NodeId>()) {
        if (!nodeValue)
            throw Error("", "is the value of a node where a constant is wanted");
        return nodeValue(*node);
    }
    if (argument.isNone())
        return {};
    if (const auto* value = argument.as<bool>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<int64_t>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<double>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<std::complex<double>>())
        return c10::IValue(c10::complex<double>(*value));
    if (const auto* value = argument.as<std::string>())
        return c10::IValue(*value);
    if (const auto* value = argument.as<c10::Device>())
        return c10::IValue(*value);
    if (const auto* items = argument.items()) {
        Values values;
        for (const Argument& item : *items)
            values.push_back(makeValue(item, nodeValue));
        return makeSequence(std::move(values), argument.as<ListValue>() != nullptr);
    }
    if (const auto* dict = argument.as<DictValue>()) {
        std::vector<std::pair<Value, Value>> items;
        for (const auto& [key, item] : dict->items)
            items.emplace_back(makeValue(key, nodeValue), makeValue(item, nodeValue));
        return makeDict(std::move(items));
    }
    if (const auto* slice = argument.as<SliceValue>())
        return Object{SliceObject{makeValue(slice->parts[0], nodeValue),
                                  makeValue(slice->parts[1], nodeValue),
                                  makeValue(slice->parts[2], nodeValue)}};
    if (const auto* range = argument.as<RangeValue>()) {
        Values values;
        for (int64_t i = range->start; range->step > 0 ? i < range->stop : i > range->stop; i += range->step)
            values.push_back(c10::IValue(i));
        return makeSequence(std::move(values), true);
    }
    if (const auto* function = argument.as<FunctionValue>())
        return Object{FunctionObject{function->target}};
    // A member of IntEnum or StrEnum is the number or text that it prints as.
    if (const auto* member = argument.as<EnumValue>(); member && !member->text.empty()) {
        int64_t number = 0;
        const char* end = member->text.data() + member->text.size();
        const auto [last, fault] = std::from_chars(member->text.data(), end, number);
        return fault == std::errc() && last == end ? makeInt(number) : makeText(member->text);
    }
    return Object{argument};
}

const Value& plainOf(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    return instance && !instance->payload.isNone() ? instance->payload : value;
}

std::optional<Values> itemsOf(const Value& given) {
    const Value& value = plainOf(given);
    if (const auto* sequence = value.as<SequenceObject>())
        return sequence->items;
    Values items;
    if (const auto* size = value.as<SizeObject>()) {
        for (int64_t i : size->sizes)
            items.emplace_back(c10::IValue(i));
        return items;
    }
    if (!value.isData())
        return std::nullopt;
    if (value.data().isTuple()) {
        for (const c10::IValue& item : value.data().toTupleRef().elements())
            items.emplace_back(item);
        return items;
    }
    if (value.data().isList()) {
        for (const c10::IValue& item : value.data().toListRef())
            items.emplace_back(item);
        return items;
    }
    return std::nullopt;
}

namespace {

/// A name for each kind of object that has no class of its own.
std::string kindName(const Object& object) {
    struct Name {
        std::string operator()(const Argument& leaf) const {
            if (leaf.as<c10::ScalarType>())
                return "torch.dtype";
            if (leaf.as<c10::Layout>())
                return "torch.layout";
            if (leaf.as<c10::MemoryFormat>())
                return "torch.memory_format";
            if (isQScheme(leaf))
                return "torch.qscheme";
            if (const auto* opaque = leaf.as<OpaqueValue>(); opaque && opaque->text == "NotImplemented")
                return "NotImplementedType";
            return leaf.as<EllipsisValue>() ? "ellipsis" : "object";
        }
        std::string operator()(const SequenceObject& s) const { return s.isList ? "list" : "tuple"; }
        std::string operator()(const DictObject&) const { return "dict"; }
        std::string operator()(const SetObject& s) const { return s.isFrozen ? "frozenset" : "set"; }
        std::string operator()(const SliceObject&) const { return "slice"; }
        std::string operator()(const RangeObject&) const { return "range"; }
        std::string operator()(const BytesObject& b) const { return b.isArray ? "bytearray" : "bytes"; }
        std::string operator()(const BigIntObject&) const { return "int"; }
        std::string operator()(const SizeObject&) const { return "torch.Size"; }
        std::string operator()(const FunctionObject&) const { return "builtin_function_or_method"; }
        std::string operator()(const MethodObject&) const { return "builtin_function_or_method"; }
        std::string operator()(const NamespaceObject&) const { return "module"; }
        std::string operator()(const ModuleObject&) const { return "module"; }
        std::string operator()(const NativeObject&) const { return "builtin_function_or_method"; }
        std::string operator()(const DefinedObject&) const { return "function"; }
        std::string operator()(const BoundMethodObject& m) const {
            return m.function.as<NativeObject>() ? "builtin_function_or_method" : "method";
        }
        std::string operator()(const ClassObject& c) const {
            const auto* meta = c.data->metaclass.as<ClassObject>();
            return meta ? meta->data->name : "type";
        }
        std::string operator()(const InstanceObject& i) const { return i.type.as<ClassObject>()->data->name; }
        std::string operator()(const SourceModuleObject&) const { return "module"; }
        std::string operator()(const PropertyObject&) const { return "property"; }
        std::string operator()(const StaticMethodObject&) const { return "staticmethod"; }
        std::string operator()(const ClassMethodObject&) const { return "classmethod"; }
        std::string operator()(const SuperObject&) const { return "super"; }
        std::string operator()(const AliasObject& alias) const {
            return alias.origin.isNone() ? "types.UnionType" : "types.GenericAlias";
        }
        std::string operator()(const IteratorObject& i) const { return i.typeName; }
        std::string operator()(const GeneratorObject&) const { return "generator"; }
        std::string operator()(const CellObject&) const { return "cell"; }
        std::string operator()(const ProxyObject& p) const {
            return p.attribute.empty() ? "Proxy" : "Attribute";
        }
        std::string operator()(const HandleObject& handle) const { return handle.typeName; }
    };
    return std::visit(Name(), object.kind);
}

} // namespace

std::string typeName(const Value& value) {
    if (value.object())
        return kindName(*value.object());
    const c10::IValue& data = value.data();
    if (data.isNone())
        return "NoneType";
    if (data.isTensor())
        return "Tensor";
    if (data.isBool())
        return "bool";
    if (data.isInt())
        return "int";
    if (data.isDouble())
        return "float";
    if (data.isComplexDouble())
        return "complex";
    if (data.isString())
        return "str";
    if (data.isTuple())
        return "tuple";
    if (data.isList())
        return "list";
    if (data.isDevice())
        return "torch.device";
    if (data.isGenerator())
        return "torch._C.Generator";
    if (data.isStorage())
        return "torch.storage.UntypedStorage";
    if (data.isSymInt() || data.isSymFloat() || data.isSymBool())
        return data.isSymInt() ? "torch.SymInt" : data.isSymFloat() ? "torch.SymFloat" : "torch.SymBool";
    return data.tagKind();
}

namespace {

bool isTrueObject(const Value& value) {
    if (const auto* sequence = value.as<SequenceObject>())
        return !sequence->items.empty();
    if (const auto* dict = value.as<DictObject>())
        return !dict->empty();
    if (const auto* set = value.as<SetObject>())
        return !set->table.empty();
    if (const auto* size = value.as<SizeObject>())
        return !size->sizes.empty();
    if (const auto* range = value.as<RangeObject>())
        return range->length() > 0;
    if (const auto* bytes = value.as<BytesObject>())
        return !bytes->bytes.empty();
    return true;
}

} // namespace

bool isTrue(const Value& value) {
    if (!value.isData())
        return isTrueObject(value);
    const c10::IValue& data = value.data();
    if (data.isNone())
        return false;
    if (data.isBool())
        return data.toBool();
    if (data.isInt())
        return data.toInt() != 0;
    if (data.isDouble())
        return data.toDouble() != 0;
    if (data.isComplexDouble())
        return data.toComplexDouble() != c10::complex<double>();
    if (data.isString())
        return !data.toStringRef().empty();
    if (data.isTensor()) {
        const at::Tensor& tensor = data.toTensor();
        if (tensor.numel() == 0)
            raise("RuntimeError", "Boolean value of Tensor with no values is ambiguous");
        if (tensor.numel() > 1)
            raise("RuntimeError", "Boolean value of Tensor with more than one value is ambiguous");
        return tensor.is_nonzero();
    }
    if (data.isTuple())
        return !data.toTupleRef().elements().empty();
    if (data.isList())
        return !data.toListRef().empty();
    return true;
}

} // namespace fx
