// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/shape_prop.h"

#include "core/torch/values/value_text.h"

namespace fx {

void ShapeObserver::afterNode(const Interpreter& interpreter, const Node& node, const Value& value) {
    m_shapes[{interpreter.module(), node.id}] = describeValue(value);
}

Value propagateShapes(Edit& edit, GraphInputs inputs, RunSettings settings, Observer* watcher) {
    ShapeObserver observer;
    const auto context = std::make_shared<RunContext>(edit.model(), settings);
    context->observers.push_back(&observer);
    if (watcher)
        context->observers.push_back(watcher);
    const ModuleId root = edit.module();
    Value result = Interpreter(context, root).run(std::move(inputs));
    for (const auto& [key, value] : observer.shapes()) {
        if (edit.module() != key.first)
            edit.enter(key.first);
        edit.setMeta(key.second, meta::kTensorMeta, value);
    }
    edit.enter(root);
    return result;
}

std::optional<uint64_t> byteCount(const ValueMeta& value) {
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value)) {
        uint64_t count = c10::elementSize(tensor->dtype);
        for (const Dimension& dimension : tensor->shape) {
            const auto* size = std::get_if<int64_t>(&dimension);
            if (!size)
                return std::nullopt;
            count *= static_cast<uint64_t>(*size);
        }
        return count;
    }
    uint64_t total = 0;
    if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value))
        for (const ValueMeta& item : *items) {
            const std::optional<uint64_t> one = byteCount(item);
            if (!one)
                return std::nullopt;
            total += *one;
        }
    return total;
}

} // namespace fx
