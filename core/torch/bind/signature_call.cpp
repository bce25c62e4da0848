// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/signature_call.h"

#include "core/base/error.h"
#include "core/ir/dtype.h"
#include "core/ir/torch_constants.h"
#include "core/torch/bind/call_plan.h"
#include "core/torch/bind/unpack.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <sstream>

namespace fx {

using c10::IValue;

namespace {

/// A given out= must be what the other options say.
void checkOut(const CallPlan& plan, const ParsedCall& call) {
    if (!plan.dtype || !call.isGiven(*plan.out) || !plainOf(*call.values[*plan.out]).isTensor())
        return;
    const at::Tensor& out = plainOf(*call.values[*plan.out]).data().toTensor();
    std::ostringstream text;
    if (const auto dtype = unpackDType(call, *plan.dtype); dtype && *dtype != out.scalar_type())
        text << "dtype " << *dtype << " does not match dtype of out parameter (" << out.scalar_type() << ')';
    else if (plan.layout && call.isGiven(*plan.layout) &&
             *call.values[*plan.layout]->as<Argument>()->as<c10::Layout>() != out.layout())
        text << "layout " << *call.values[*plan.layout]->as<Argument>()->as<c10::Layout>()
             << " does not match layout of out parameter (" << out.layout() << ')';
    else if (const auto device = plan.device ? unpackDevice(call, *plan.device) : std::nullopt;
             device && device->type() != out.device().type())
        text << "device type " << device->type() << " does not match device type of out parameter ("
             << out.device().type() << ')';
    if (!text.str().empty())
        raise("RuntimeError", text.str());
}

IValue outItem(const ParsedCall& call, const ArgumentSource& source, size_t wanted) {
    const ListItems items(*call.values[source.parameter]);
    if (items.values().size() != wanted)
        raise("TypeError", "expected tuple of " + std::to_string(wanted) + " elements but got " +
                               std::to_string(items.values().size()));
    return plainOf(items.values()[source.item]).data();
}

IValue asOptionalTensors(const IValue& list) {
    c10::List<std::optional<at::Tensor>> out;
    for (const at::Tensor& tensor : list.toTensorVector())
        out.push_back(tensor);
    return out;
}

IValue argumentFrom(const ArgumentSource& source, const CallPlan& plan, const ParsedCall& call,
                    const Value* self) {
    switch (source.kind) {
    case ArgumentSource::Kind::Constant:
        return source.constant;
    case ArgumentSource::Kind::Self:
        return plainOf(*self).data();
    case ArgumentSource::Kind::OutItem:
        return outItem(call, source, plan.sources.back().item + 1);
    case ArgumentSource::Kind::Parameter:
        break;
    }
    if (!call.isGiven(source.parameter)) {
        const bool isDevice = call.signature->parameters[source.parameter].type == ParameterType::Device;
        const std::optional<c10::Device> device =
            isDevice ? unpackDevice(call, source.parameter) : std::nullopt;
        return device ? IValue(*device) : source.constant;
    }
    IValue value = unpack(call, source.parameter);
    return source.isOptionalList ? asOptionalTensors(value) : value;
}

/// Lists become tuples; what an operator leaves out is None in Python.
void makePythons(IValue& value) {
    if (value.isTensor()) {
        if (!value.toTensor().defined())
            value = IValue();
    } else if (value.isList()) {
        value = c10::ivalue::Tuple::create(value.toListRef().vec());
    }
}

/// Up to three items need no memory of their own.
c10::ivalue::TupleElements takeElements(std::vector<IValue>& stack) {
    if (stack.size() == 2)
        return c10::ivalue::TupleElements(std::move(stack[0]), std::move(stack[1]));
    if (stack.size() == 3)
        return c10::ivalue::TupleElements(std::move(stack[0]), std::move(stack[1]), std::move(stack[2]));
    return c10::ivalue::TupleElements(std::move(stack));
}

} // namespace

Value wrapResults(const CallPlan& plan, std::vector<IValue>& stack) {
    if (stack.empty())
        return {};
    if (stack.size() > 1) {
        std::ranges::for_each(stack, makePythons);
        return IValue(plan.named ? c10::ivalue::Tuple::createNamed(takeElements(stack), plan.named)
                                 : c10::ivalue::Tuple::create(takeElements(stack)));
    }
    IValue& only = stack.front();
    makePythons(only);
    const c10::TypeKind kind = plan.op->schema->returns()[0].real_type()->kind();
    if (only.isInt() && kind == c10::TypeKind::ScalarTypeType)
        return Object{Argument(static_cast<c10::ScalarType>(only.toInt()))};
    if (only.isInt() && kind == c10::TypeKind::QSchemeType)
        return Object{Argument(qschemeArgument(static_cast<c10::QScheme>(only.toInt())))};
    return std::move(only);
}

Value callSignature(const ParsedCall& call, const Value* self) {
    const CallSignature& signature = *call.signature;
    const CallPlan& usual = planOf(signature, false);
    const bool hasOut = usual.results && call.isGiven(*usual.results);
    const CallPlan& plan = hasOut ? planOf(signature, true) : usual;
    if (plan.dtype)
        checkOut(plan, call);
    std::vector<IValue> stack;
    stack.reserve(plan.sources.size());
    for (const ArgumentSource& source : plan.sources)
        stack.push_back(argumentFrom(source, plan, call, self));
    plan.op->call(stack);
    if (plan.returnsFirst)
        return *call.values[0];
    Value result = wrapResults(plan, stack);
    if (plan.requiresGrad && unpackBool(call, *plan.requiresGrad, false) && result.isTensor())
        result.data().toTensor().set_requires_grad(true);
    return result;
}

} // namespace fx
