// SPDX-License-Identifier: GPL-3.0-or-later
// Metadata of nodes as the dicts that a program reads and writes.
#include "core/fxpython/program_graph.h"
#include "core/fxpython/python_names.h"
#include "core/module/become.h"
#include "core/python/operators.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

Value dimensionValue(const Dimension& dimension) {
    if (const auto* size = std::get_if<int64_t>(&dimension))
        return makeInt(*size);
    const auto& symbolic = std::get<SymbolicInt>(dimension);
    return symbolic.hint ? makeInt(*symbolic.hint) : makeText(symbolic.formula);
}

Value sizesValue(const std::vector<Dimension>& sizes) {
    std::vector<int64_t> known;
    for (const Dimension& size : sizes) {
        const Value value = dimensionValue(size);
        if (!value.isInt())
            break;
        known.push_back(value.data().toInt());
    }
    if (known.size() == sizes.size())
        return Object{SizeObject{std::move(known)}};
    Values items;
    for (const Dimension& size : sizes)
        items.push_back(dimensionValue(size));
    return makeTuple(std::move(items));
}

/// The first of these that the strides are; None where sizes are not known.
Value memoryFormat(const TensorMeta& meta) {
    for (const std::vector<Dimension>* sizes : {&meta.shape, &meta.stride})
        for (const Dimension& size : *sizes)
            if (!std::holds_alternative<int64_t>(size))
                return {};
    if (meta.stride.size() != meta.shape.size())
        return {};
    const at::Tensor tensor = withoutData(meta);
    for (const at::MemoryFormat format :
         {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast, at::MemoryFormat::ChannelsLast3d})
        if (tensor.is_contiguous(format))
            return Object{Argument(format)};
    return {};
}

Value metadataOf(Evaluator& evaluator, const TensorMeta& meta) {
    Values strides;
    for (const Dimension& stride : meta.stride)
        strides.push_back(dimensionValue(stride));
    return evaluator.call(classOfFx(evaluator, "torch.fx.passes.shape_prop", "TensorMetadata"),
                          {sizesValue(meta.shape), Object{Argument(meta.dtype)},
                           c10::IValue(meta.requiresGrad), makeTuple(std::move(strides)), memoryFormat(meta),
                           c10::IValue(false), Object{DictObject()}});
}

Value described(Evaluator& evaluator, const ValueMeta& meta, bool isMetadata) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta.value))
        return isMetadata ? metadataOf(evaluator, *tensor) : Value(c10::IValue(withoutData(*tensor)));
    if (const auto* items = std::get_if<std::vector<ValueMeta>>(&meta.value)) {
        Values out;
        for (const ValueMeta& item : *items)
            out.push_back(described(evaluator, item, isMetadata));
        return makeTuple(std::move(out));
    }
    if (const auto* scalar = std::get_if<SymbolicScalar>(&meta.value)) {
        if (!scalar->hint)
            return makeText(scalar->formula);
        if (scalar->kind == SymbolicScalar::Kind::Int)
            return makeInt(static_cast<int64_t>(*scalar->hint));
        return scalar->kind == SymbolicScalar::Kind::Bool ? Value(c10::IValue(*scalar->hint != 0))
                                                          : Value(c10::IValue(*scalar->hint));
    }
    if (const auto* argument = std::get_if<Argument>(&meta.value); argument && !argument->node())
        return makeValue(*argument, nullptr);
    return {};
}

/// Kept by torch.export as a text that stands for something else
/// (core/torch/library/torch/fx/_exported_meta.py).
bool isExportedText(std::string_view key) {
    return key == meta::kTorchFunction || key == meta::kSourceFunction || key == meta::kFromNode ||
           key == meta::kCustom;
}

Value exportedTextValue(Evaluator& evaluator, const std::string& key, const std::string& text) {
    return evaluator.call(*evaluator.modules().libraryClass("torch.fx._exported_meta.value_of"),
                          {makeText(key), makeText(text)});
}

/// nn_module_stack: key to (path, class); the class by its name where it is not known here, and in a graph
/// that torch.export has written.
Value stackValue(Evaluator& evaluator, ProgramGraph& graph, const ModuleStack& stack, bool isExported) {
    DictObject out;
    for (const ModuleFrame& frame : stack) {
        std::optional<Value> type;
        if (!isExported && graph.knows(Target(frame.type)))
            type = graph.function(evaluator, frame.type);
        else if (!isExported && frame.type.starts_with("torch."))
            type = evaluator.modules().libraryClass(frame.type);
        out.set(frame.key, makeTuple({makeText(frame.path), type ? *type : makeText(frame.type)}));
    }
    if (isExported)
        return Object{std::move(out)};
    const Value ordered = evaluator.attribute(evaluator.modules().importModule("collections"), "OrderedDict");
    return evaluator.call(ordered, {Object{std::move(out)}});
}

/// Of such a dict; none for any other value.
std::optional<ModuleStack> stackOf(Evaluator& evaluator, const Value& value) {
    const auto* dict = plainOf(value).as<DictObject>();
    if (!dict)
        return std::nullopt;
    ModuleStack out;
    for (const DictObject::Entry& entry : dict->entries()) {
        const std::optional<Values> parts = itemsOf(entry.value);
        if (!entry.key.isString() || !parts || parts->size() != 2 || !(*parts)[0].isString())
            return std::nullopt;
        const Value& type = (*parts)[1];
        if (!type.isString() && !type.as<ClassObject>())
            return std::nullopt;
        out.push_back({entry.key.text(), (*parts)[0].text(),
                       type.isString() ? type.text()
                                       : evaluator.attribute(type, "__module__").text() + '.' +
                                             evaluator.attribute(type, "__qualname__").text()});
    }
    return out;
}

std::optional<TensorMeta> tensorMetaOf(Evaluator& evaluator, const Value& value) {
    if (plainOf(value).isTensor()) {
        TensorMeta out = describeSymbolic(plainOf(value).data().toTensor());
        if (const std::optional<Value> device = evaluator.findAttribute(value, "fake_device"))
            out.device = device->data().toDevice();
        return out;
    }
    const std::optional<Value> shape = evaluator.findAttribute(value, "shape"),
                               dtype = evaluator.findAttribute(value, "dtype"),
                               stride = evaluator.findAttribute(value, "stride"),
                               grad = evaluator.findAttribute(value, "requires_grad");
    const auto* leaf = dtype ? dtype->as<Argument>() : nullptr;
    if (!shape || !stride || !grad || !leaf || !leaf->as<c10::ScalarType>())
        return std::nullopt;
    TensorMeta out;
    out.dtype = *leaf->as<c10::ScalarType>();
    for (const auto& [from, to] : {std::pair(&*shape, &out.shape), std::pair(&*stride, &out.stride)})
        for (const Value& item : itemsOf(*from).value_or(Values())) {
            if (!item.isInt())
                return std::nullopt;
            to->emplace_back(item.data().toInt());
        }
    out.requiresGrad = grad->isBool() && grad->data().toBool();
    return out;
}

std::optional<ValueMeta> valueMetaOf(Evaluator& evaluator, const Value& value) {
    if (std::optional<TensorMeta> tensor = tensorMetaOf(evaluator, value))
        return ValueMeta{std::move(*tensor)};
    if (const std::optional<Values> items = itemsOf(value); items && !items->empty()) {
        std::vector<ValueMeta> out;
        for (const Value& item : *items) {
            std::optional<ValueMeta> known = valueMetaOf(evaluator, item);
            if (!known)
                return std::nullopt;
            out.push_back(std::move(*known));
        }
        return ValueMeta{std::move(out)};
    }
    if (const SymbolicNumber* number = symbolicNumber(value)) {
        using Kind = SymbolicNumber::Kind;
        const auto kind = number->kind() == Kind::Int    ? SymbolicScalar::Kind::Int
                          : number->kind() == Kind::Bool ? SymbolicScalar::Kind::Bool
                                                         : SymbolicScalar::Kind::Float;
        return ValueMeta{SymbolicScalar{kind, evaluator.str(value), number->hint()}};
    }
    if (std::optional<Argument> plain = plainArgument(value))
        return ValueMeta{std::move(*plain)};
    return std::nullopt;
}

/// What tells one value from all others that are alive; null for plain numbers and texts.
const void* identityIn(const Value& value) {
    if (const SymbolicNumber* number = symbolicNumber(value))
        return number;
    return value.isTensor() ? static_cast<const void*>(value.data().toTensor().unsafeGetTensorImpl())
                            : value.object().get();
}

bool isExportedNode(const Node& node) {
    return node.meta.find<std::string>(meta::kTorchFunction) || node.meta.find<std::string>(meta::kFromNode);
}

/// The symbols of the formulas in it, with what those that stand alone were.
void addSymbols(SymbolEnvironment& symbols, const ValueMeta& meta) {
    forEachFormula(meta, [&](const std::string& formula, std::optional<int64_t> hint) {
        parseFormula(formula, [&](const std::string& name) {
            symbols.symbol(name, name == formula ? hint : std::nullopt);
            return Formula::symbol(name);
        });
    });
}

} // namespace

const std::shared_ptr<SymbolEnvironment>& ProgramGraph::symbols() {
    if (!m_symbols) {
        m_symbols = std::make_shared<SymbolEnvironment>();
        for (const Node& node : graph())
            if (const auto* value = node.meta.find<ValueMeta>(meta::kValue))
                addSymbols(*m_symbols, *value);
    }
    return m_symbols;
}

bool ProgramGraph::isExported() {
    if (!m_isExported)
        m_isExported = std::ranges::any_of(graph(), isExportedNode);
    return *m_isExported;
}

Value ProgramGraph::exportedValue(Evaluator& evaluator, const ValueMeta& meta) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta.value)) {
        if (m_fakeMode.isNone())
            m_fakeMode =
                evaluator.call(classOfFx(evaluator, "torch._subclasses.fake_tensor", "FakeTensorMode"), {});
        at::Tensor empty = withoutData(*tensor, *symbols());
        if (tensor->requiresGrad && (empty.is_floating_point() || empty.is_complex()))
            empty.set_requires_grad(true);
        return evaluator.call(classOfFx(evaluator, "torch._subclasses.fake_tensor", "FakeTensor"),
                              {m_fakeMode, c10::IValue(empty), c10::IValue(tensor->device)});
    }
    if (const auto* items = std::get_if<std::vector<ValueMeta>>(&meta.value)) {
        Values out;
        for (const ValueMeta& item : *items)
            out.push_back(exportedValue(evaluator, item));
        return makeTuple(std::move(out));
    }
    const auto* scalar = std::get_if<SymbolicScalar>(&meta.value);
    if (scalar && scalar->kind == SymbolicScalar::Kind::Int)
        if (const c10::SymNode number = symbols()->number(scalar->formula))
            return symbolicValue(number);
    if (scalar && scalar->kind == SymbolicScalar::Kind::Float)
        return symbolicValue(SymbolicNumber::ofFloat(symbols(), scalar->formula, scalar->hint));
    return described(evaluator, meta, false);
}

namespace {

/// Whether what a call gives is one list, of which the metadata has a tuple.
bool givesList(const Node& node) {
    const TorchOperator* op = node.opcode == Opcode::CallFunction ? findOperator(node.target) : nullptr;
    return op && op->schema->returns().size() == 1 &&
           op->schema->returns()[0].type()->kind() == c10::TypeKind::ListType;
}

} // namespace

Value ProgramGraph::meta(Evaluator& evaluator, const Value& node, NodeId id) {
    DictObject& fields = *node.as<InstanceObject>()->dict.as<DictObject>();
    if (const Value* known = fields.find("_fx_meta"))
        return *known;
    DictObject out;
    const bool isExported = id && isExportedNode(graph().node(id));
    if (id)
        for (const auto& [key, shared] : graph().node(id).meta.entries()) {
            if (m_hidesStackTraces && key == meta::kStackTrace)
                continue;
            const MetaValue& found = shared;
            Value value;
            if (const auto* flag = std::get_if<bool>(&found))
                value = c10::IValue(*flag);
            else if (const auto* text = std::get_if<std::string>(&found))
                value = isExportedText(key) ? exportedTextValue(evaluator, key, *text) : makeText(*text);
            else if (const auto* meta = std::get_if<ValueMeta>(&found))
                value = key == meta::kValue && (m_symbols || this->isExported())
                            ? exportedValue(evaluator, *meta)
                            : described(evaluator, *meta, key == meta::kTensorMeta);
            else if (const auto* tensor = std::get_if<TensorMeta>(&found))
                value = metadataOf(evaluator, *tensor);
            else if (const auto* stack = std::get_if<ModuleStack>(&found))
                value = stackValue(evaluator, *this, *stack, isExported);
            else if (const auto* argument = std::get_if<Argument>(&found))
                value = this->value(evaluator, *argument);
            if (key == meta::kValue && givesList(graph().node(id)) && value.as<SequenceObject>())
                value = makeList(value.as<SequenceObject>()->items);
            if (const void* identity = identityIn(value))
                m_metaValues[identity] = {value, shared};
            out.set(key, std::move(value));
        }
    const Value made = Object{std::move(out)};
    fields.set("_fx_meta", made);
    return made;
}

void ProgramGraph::storeMeta(Evaluator& evaluator, std::vector<std::string>* lost) {
    std::vector<std::pair<NodeId, Meta>> changed;
    for (const Node& node : graph()) {
        const size_t index = static_cast<size_t>(node.id.value);
        const Value object = index < m_nodes.size() ? m_nodes[index] : Value();
        const Value* dict =
            object.isNone() ? nullptr : object.as<InstanceObject>()->dict.as<DictObject>()->find("_fx_meta");
        const auto* entries = dict ? plainOf(*dict).as<DictObject>() : nullptr;
        if (!entries)
            continue;
        Meta meta;
        if (m_hidesStackTraces)
            meta.set(meta::kStackTrace, node.meta.shared(meta::kStackTrace));
        for (const auto& [key, value, hash] : entries->entries()) {
            if (!key.isString())
                continue;
            const std::string& name = key.text();
            if (const auto known = m_metaValues.find(identityIn(value)); known != m_metaValues.end()) {
                const MetaValue& before = known->second.second;
                const auto* text = std::get_if<std::string>(&before);
                // A dict, into which a program may have written.
                if (name != meta::kCustom || !text ||
                    areEqual(evaluator, exportedTextValue(evaluator, name, *text), value)) {
                    meta.set(name, known->second.second);
                    continue;
                }
            }
            // A source is of this session: what a file says of one was met above.
            if (name == meta::kFromNode)
                continue;
            if (std::optional<ModuleStack> stack;
                name == meta::kModuleStack && (stack = stackOf(evaluator, value))) {
                meta.set(name, std::move(*stack));
                continue;
            }
            if (value.isBool())
                meta.set(name, value.data().toBool());
            else if (value.isString())
                meta.set(name, value.text());
            else if (name == meta::kTensorMeta || name == meta::kValue) {
                if (std::optional<ValueMeta> known = valueMetaOf(evaluator, value))
                    meta.set(name, std::move(*known));
            } else if (std::optional<Argument> plain = plainArgument(value)) {
                meta.set(name, Argument(std::move(*plain)));
            } else if (lost) {
                lost->push_back(node.name + ".meta[" + evaluator.repr(key) + ']');
            }
        }
        if (!(meta == node.meta))
            changed.emplace_back(node.id, std::move(meta));
    }
    for (const auto& [id, meta] : changed)
        replaceMeta(*m_edit, id, meta);
}

} // namespace fx
