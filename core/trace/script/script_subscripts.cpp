// SPDX-License-Identifier: GPL-3.0-or-later
// Subscripts of tensors: TorchScript takes x[:, 0, None] apart into slice, select, unsqueeze and index; here
// they become one operator.getitem again.
#include "core/trace/script/script_calls.h"

#include <ATen/ATen.h>

#include <limits>

namespace fx {

namespace {

constexpr int64_t kMostDimensions = 64;

bool isPart(const torch::jit::Node& node) {
    const auto kind = node.kind();
    return kind == c10::aten::slice || kind == c10::aten::select || kind == c10::aten::unsqueeze ||
           kind == c10::aten::index;
}

Value wholeSlice() {
    return Object{SliceObject{}};
}

} // namespace

Value ScriptSubscripts::finish(const ScriptCall& call, const Subscript& subscript) {
    const Value index = subscript.items.size() == 1 ? subscript.items[0] : makeTuple(subscript.items);
    return call.record(Opcode::CallFunction, "operator.getitem", {subscript.base, index});
}

std::optional<Value> ScriptSubscripts::record(const ScriptCall& call) {
    const auto& [state, node, name, inputs] = call;
    if (!isPart(node) || inputs.size() < 2 || !node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get()))
        return std::nullopt;
    const ScriptPlace& place = call.place();
    const bool isCall = !place.text.empty() && !place.text.ends_with(']');
    const auto known = m_open.find(node.inputs()[0]);
    const bool goesOn = known != m_open.end();
    if (isCall && !goesOn)
        return std::nullopt;
    // Without source, an unsqueeze alone is a call.
    if (place.text.empty() && !goesOn && name == "unsqueeze")
        return std::nullopt;
    Subscript subscript = goesOn ? known->second : Subscript{inputs[0], {}, 0};
    const auto flush = [&]() -> std::optional<Value> {
        // Something that no subscript says in this place: the parts so far are one, this is a call.
        if (!goesOn)
            return std::nullopt;
        Values args = inputs;
        args[0] = finish(call, subscript);
        m_open.erase(node.inputs()[0]);
        return recordDefault({state, node, name, args});
    };
    if (name == "index") {
        const auto* indices = inputs[1].as<SequenceObject>();
        if (!indices || static_cast<int64_t>(indices->items.size()) < subscript.dims)
            return flush();
        for (size_t i = 0; i < indices->items.size(); ++i) {
            const bool isNone = indices->items[i].isNone();
            if (static_cast<int64_t>(i) < subscript.dims && !isNone)
                return flush();
            if (static_cast<int64_t>(i) >= subscript.dims)
                subscript.items.push_back(isNone ? wholeSlice() : indices->items[i]);
        }
        subscript.dims = std::numeric_limits<int64_t>::max() / 2; // nothing may follow
    } else {
        if (!inputs[1].isInt())
            return flush();
        const int64_t dim = inputs[1].data().toInt();
        const bool isFromEnd = dim < 0;
        if (isFromEnd && (goesOn || name == "unsqueeze" || dim != -1))
            return flush();
        if (!isFromEnd && (dim < subscript.dims || dim > kMostDimensions))
            return flush();
        if (isFromEnd)
            subscript.items.push_back(Object{Argument(EllipsisValue())});
        for (; !isFromEnd && subscript.dims < dim; ++subscript.dims)
            subscript.items.push_back(wholeSlice());
        if (name == "select") {
            subscript.items.push_back(inputs[2]);
        } else if (name == "unsqueeze") {
            subscript.items.emplace_back();
            ++subscript.dims;
        } else {
            const auto isInt = [](const Value& v, int64_t number) {
                return v.isInt() && v.data().toInt() == number;
            };
            Value start = inputs[2], stop = inputs[3], step = inputs[4];
            if (isInt(stop, std::numeric_limits<int64_t>::max()))
                stop = Value();
            if (isInt(step, 1))
                step = Value();
            if (isInt(start, 0) && place.text.empty())
                start = Value();
            subscript.items.push_back(Object{SliceObject{start, stop, step}});
            ++subscript.dims;
        }
        if (isFromEnd)
            subscript.dims = std::numeric_limits<int64_t>::max() / 2;
    }
    m_open.erase(node.inputs()[0]);
    // Another part of the same expression, and nobody else, reads this one.
    const auto& uses = node.output()->uses();
    if (uses.size() == 1 && uses[0].offset == 0 && isPart(*uses[0].user) &&
        uses[0].user->inputs()[0] == node.output() && uses[0].user->owningBlock() == node.owningBlock()) {
        const ScriptPlace& next = state.tracer.placeOfNode(*uses[0].user);
        if (next.line == place.line && next.column == place.column && next.text == place.text &&
            next.file == place.file) {
            m_open[node.output()] = subscript;
            return subscript.base;
        }
    }
    return finish(call, subscript);
}

} // namespace fx
