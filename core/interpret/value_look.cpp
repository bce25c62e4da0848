// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/value_look.h"

#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/live_evaluator.h"
#include "core/torch/values/real_numbers.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

at::Tensor requireTensor(const Value& value, const char* what) {
    if (!value.isTensor() || !value.data().toTensor().defined())
        throw Error("", std::string(what) + " gives a " + typeName(value) + ", and no tensor");
    return value.data().toTensor();
}

/// In the shape of the first, by broadcasting; a view.
at::Tensor inShapeOf(const at::Tensor& first, const at::Tensor& other) {
    if (first.sizes() == other.sizes())
        return other;
    try {
        return other.expand(first.sizes());
    } catch (const c10::Error&) {
        throw Error("", "it is held against a value of another shape: " +
                            valueMetaText(ValueMeta{fx::describe(other)}) + " beside " +
                            valueMetaText(ValueMeta{fx::describe(first)}));
    }
}

void compare(const at::Tensor& tensor, const at::Tensor& other, const TensorView& view,
             const std::function<bool()>& isGivenUp, Inspection& out) {
    const at::Tensor fitting = inShapeOf(tensor, other);
    out.other = pictureOf(fitting, view);
    out.difference = differenceOf(*out.picture, *out.other);
    // Both in the same steps.
    at::Tensor a = sliceable(tensor), b = sliceable(fitting);
    for (int64_t axis = 0; axis < a.dim() && a.numel() > kMostElements; ++axis) {
        const int64_t step = std::min(a.size(axis), (a.numel() + kMostElements - 1) / kMostElements);
        a = a.slice(axis, 0, std::nullopt, step);
        b = b.slice(axis, 0, std::nullopt, step);
    }
    out.differenceStatistics = statisticsOf(realNumbers(a, view.part) - realNumbers(b, view.part), isGivenUp);
}

} // namespace

void lookAt(const Value& value, const ValueView& view, const Model& model, const EvaluateOver& evaluate,
            Inspection& out, const std::function<bool()>& isGivenUp) {
    out.value = describeValue(value);
    try {
        guarded([&] {
            Value shown = value;
            if (!trim(view.expression).empty()) {
                shown = evaluate(view.expression, value, "view");
                out.value = describeValue(shown);
            }
            if (!shown.isTensor()) {
                out.text = valueText(shown);
                return;
            }
            const at::Tensor tensor = requireTensor(shown, "the view");
            out.quantization = quantizationText(tensor);
            out.statistics = statisticsOf(tensor, isGivenUp);
            out.picture = pictureOf(tensor, view.picture);
            Value slice = shown;
            if (!trim(view.index).empty())
                slice = evaluate("value[" + view.index + ']', shown, "index");
            out.sample = sampleOf(requireTensor(slice, "the index"));
            if (const std::string other(trim(view.other)); !other.empty()) {
                const TensorId named = model.resolve(model.root(), other).tensor;
                const Value against = named ? Value(c10::IValue(model.tensor(named).value()))
                                            : evaluate(other, value, "comparison");
                compare(tensor, requireTensor(against, "what it is held against"), view.picture, isGivenUp,
                        out);
            }
        });
    } catch (const Error& error) {
        out.fault = error.message().substr(0, error.message().find('\n'));
    } catch (const Cancelled&) { // whoever asks next sees it
    }
}

std::optional<TensorPicture> thumbnailOf(const Value& value) {
    if (!value.isTensor() || !value.data().toTensor().defined())
        return std::nullopt;
    std::optional<TensorPicture> out;
    try {
        guarded([&] {
            const c10::NoGradGuard noGrad;
            out = pictureOf(value.data().toTensor(), {}, kThumbnailCells);
        });
    } catch (const Error&) {
        return std::nullopt; // of such as have no numbers
    }
    return out->cells.empty() ? std::nullopt : out;
}

Inspection inspectTensor(const Model& model, const Inspect& request) {
    Inspection out;
    out.request = request.request;
    out.tensor = request.tensor;
    if (static_cast<size_t>(request.tensor.value) >= model.tensorCount()) {
        out.absence = "it is not in the model";
        return out;
    }
    const EvaluateOver evaluate = [](const std::string& expression, const Value& value,
                                     const std::string& place) {
        LiveEvaluator evaluator(
            [&](const std::string& name) { return name == "value" ? std::optional(value) : std::nullopt; });
        return evaluator.evaluate(expression, place);
    };
    try {
        guarded([&] {
            const c10::NoGradGuard noGrad;
            lookAt(Value(c10::IValue(model.tensor(request.tensor).value())), request.view, model, evaluate,
                   out);
        });
    } catch (const Error& error) {
        out.absence = shownPart(briefFault(error.explanation()), kErrorLimits);
    }
    return out;
}

} // namespace fx
