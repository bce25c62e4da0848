// SPDX-License-Identifier: GPL-3.0-or-later
// x[index] and x[index] = value. Of a tensor as TorchScript takes them apart: numbers select, slices cut,
// None makes a dimension, and tensors index what is left.
#include "core/base/error.h"
#include "core/io/script/graph_lowering.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

struct GraphLowering::Indexed {
    Lowered view;                      ///< by all that is no tensor
    std::vector<JitValue*> dimensions; ///< for each dimension of it up to the last that is indexed, or null
};

namespace {

bool isEllipsisArgument(const Argument& argument) {
    return argument.as<EllipsisValue>();
}

/// A list of whole numbers, which counts as a tensor of them.
std::optional<at::Tensor> indexList(const Argument& argument) {
    const auto* list = argument.as<ListValue>();
    std::vector<int64_t> numbers;
    for (const Argument& item : list ? list->items : Arguments())
        if (const auto* number = item.as<int64_t>())
            numbers.push_back(*number);
    return list && numbers.size() == list->items.size() ? std::optional(at::tensor(numbers, at::kLong))
                                                        : std::nullopt;
}

} // namespace

GraphLowering::Indexed GraphLowering::indexed(const Lowered& tensor, const Argument& index) {
    const auto* several = index.as<TupleValue>();
    const Arguments items = several ? several->items : Arguments{index};
    const auto dots = std::ranges::find_if(items, isEllipsisArgument);
    Indexed out{tensor, {}};
    const auto place = [&](int64_t dim) { return constant(dim); };
    /// Does what an item says to one dimension; whether the dimension is still there.
    const auto apply = [&](const Argument& item, int64_t dim) {
        if (item.isNone()) {
            out.view = callNamed("aten::unsqueeze", {out.view, place(dim)});
            return true;
        }
        if (const auto* slice = item.as<SliceValue>()) {
            std::vector<Lowered> args{out.view, place(dim)};
            for (const Argument& part : slice->parts)
                args.push_back(lowered(part));
            if (slice->parts[2].isNone())
                args.back() = constant(int64_t(1));
            const bool isAll =
                slice->parts[0].isNone() && slice->parts[1].isNone() && slice->parts[2].isNone();
            if (!isAll || items.size() == 1)
                out.view = callNamed("aten::slice", args);
            return true;
        }
        const Lowered number = lowered(item);
        if (number.kind != ArgumentKind::Int)
            throw Error("", "indexes with a value that TorchScript does not take for an index");
        out.view = callNamed("aten::select", {out.view, place(dim), number});
        return false;
    };
    const auto tensorOf = [&](const Argument& item) -> JitValue* {
        if (const std::optional<at::Tensor> list = indexList(item))
            return constant(*list).value;
        const Lowered value = item.node() ? lowered(item) : Lowered();
        return isTensor(value) ? value.value : nullptr;
    };
    int64_t dim = 0;
    for (auto item = items.begin(); item != dots; ++item) {
        if (JitValue* tensorIndex = tensorOf(*item)) {
            out.dimensions.resize(static_cast<size_t>(dim));
            out.dimensions.push_back(tensorIndex);
            ++dim;
        } else if (apply(*item, dim)) {
            ++dim;
        }
    }
    int64_t fromEnd = 1;
    for (auto item = items.end(); dots != items.end() && item != dots + 1;) {
        --item;
        if (tensorOf(*item))
            throw Error("",
                        "indexes with a tensor behind '...', where TorchScript cannot tell the dimension");
        if (apply(*item, -fromEnd))
            ++fromEnd;
    }
    return out;
}

Lowered GraphLowering::subscript(const Lowered& object, const Argument& index) {
    const auto* number = index.as<int64_t>();
    if (object.form == Lowered::Form::Dict) {
        const auto key = std::ranges::find(object.keys, index);
        if (key == object.keys.end())
            throw Error("", "reads a key that the dict does not have");
        return object.parts[static_cast<size_t>(key - object.keys.begin())];
    }
    const auto at = [&](size_t size) {
        const int64_t place = *number < 0 ? *number + static_cast<int64_t>(size) : *number;
        if (place < 0 || place >= static_cast<int64_t>(size))
            throw Error("", "reads item " + std::to_string(*number) + " of " + std::to_string(size));
        return static_cast<size_t>(place);
    };
    if (object.form != Lowered::Form::Single && number)
        return object.parts[at(object.parts.size())];
    if (isTensor(object)) {
        const Indexed parts = indexed(object, index);
        if (parts.dimensions.empty())
            return parts.view;
        std::vector<JitValue*> tensors;
        for (JitValue* tensor : parts.dimensions)
            tensors.push_back(tensor ? tensor : constant(c10::IValue()).value);
        torch::jit::Node* list =
            m_to.insertNode(m_to.createList(c10::OptionalType::create(c10::TensorType::get()), tensors));
        list->setSourceRange(m_range);
        return callNamed("aten::index", {parts.view, loweredValue(list->output())});
    }
    JitValue* held = single(object);
    if (const auto tuple = held->type()->cast<c10::TupleType>(); tuple && number) {
        const size_t place = at(tuple->elements().size());
        torch::jit::Node* read = m_to.insertNode(m_to.createTupleIndex(
            held, m_to.insertConstant(static_cast<int64_t>(place)), tuple->elements()[place]));
        read->setSourceRange(m_range);
        return loweredValue(read->output());
    }
    if (const auto* slice = index.as<SliceValue>()) {
        std::vector<Lowered> args{object};
        for (const Argument& part : slice->parts)
            args.push_back(lowered(part));
        if (slice->parts[2].isNone())
            args.back() = constant(int64_t(1));
        return callNamed("aten::slice", args);
    }
    return callNamed("aten::__getitem__", {object, lowered(index)});
}

void GraphLowering::setSubscript(const Lowered& object, const Argument& index, const Argument& argument) {
    if (!isTensor(object))
        throw Error("", "sets an item of a value that is no tensor, which is not written");
    const Indexed parts = indexed(object, index);
    const Lowered value = lowered(argument);
    if (parts.dimensions.empty()) {
        callNamed(isTensor(value) ? "aten::copy_" : "aten::fill_", {parts.view, value});
        return;
    }
    Lowered given = value;
    if (!isTensor(value))
        given = callNamed("aten::tensor", {value},
                          {{"dtype", callNamed("prim::dtype", {parts.view})},
                           {"device", callNamed("prim::device", {parts.view})}});
    std::vector<JitValue*> tensors;
    for (JitValue* tensor : parts.dimensions)
        tensors.push_back(tensor ? tensor : constant(c10::IValue()).value);
    torch::jit::Node* list =
        m_to.insertNode(m_to.createList(c10::OptionalType::create(c10::TensorType::get()), tensors));
    callNamed("aten::index_put_", {parts.view, loweredValue(list->output()), given});
}

} // namespace fx
