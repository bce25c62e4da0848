// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/signature_call.h"

#include "core/base/error.h"
#include "core/ir/dtype.h"
#include "core/torch/operators.h"
#include "core/torch/unpack.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <sstream>

namespace fx {

using c10::IValue;

namespace {

/// Where one argument of the operator comes from.
struct Source {
    enum class Kind : uint8_t { Constant, Self, Parameter, OutItem };
    Kind kind = Kind::Constant;
    bool isOptionalList = false; ///< of tensors, each of which may be missing
    size_t parameter = 0;
    size_t item = 0;
    IValue constant; ///< also for a parameter that is not given
};

} // namespace

struct CallPlan {
    const TorchOperator* op = nullptr;
    std::vector<Source> sources;                                    ///< one for each argument of the operator
    std::optional<size_t> out, dtype, layout, device, requiresGrad; ///< parameters that are no argument of it
    std::shared_ptr<c10::TupleType> named;                          ///< of results that have names
    bool returnsFirst = false; ///< in-place on a list of tensors: Python gets that list again
};

namespace {

constexpr size_t kNowhere = static_cast<size_t>(-1);

size_t indexOf(const CallSignature& signature, std::string_view name) {
    const auto found = std::ranges::find(signature.parameters, name, &SignatureParameter::name);
    return found == signature.parameters.end() ? kNowhere
                                               : static_cast<size_t>(found - signature.parameters.begin());
}

/// The parameter that an argument of the operator is called: functions call self `input`.
size_t parameterFor(const CallSignature& signature, std::string_view argument) {
    const size_t at = indexOf(signature, argument);
    return at == kNowhere && argument == "self" ? indexOf(signature, "input") : at;
}

const TorchOperator& operatorNamed(std::string_view name) {
    const std::string whole = std::string("torch.ops.aten.").append(name);
    const TorchOperator* op =
        findOperator(name.find('.') == std::string_view::npos ? whole + ".default" : whole);
    if (!op)
        throw Error("", "this LibTorch has no operator aten::" + std::string(name));
    return *op;
}

bool isOptionalTensorList(const c10::Argument& argument) {
    const auto* list = argument.real_type()->castRaw<c10::ListType>();
    return list && list->getElementType()->kind() == c10::TypeKind::OptionalType;
}

/// The type of results that have names, (values, indices); null if any has none.
std::shared_ptr<c10::TupleType> namedResults(const c10::FunctionSchema& schema, bool isOut) {
    std::vector<std::string> names;
    std::vector<c10::TypePtr> types;
    for (const c10::Argument& result : schema.returns()) {
        if (result.name().empty() || schema.returns().size() < 2)
            return nullptr;
        names.push_back(result.name());
        types.push_back(result.type());
    }
    const std::string function = schema.name().substr(schema.name().rfind(':') + 1) + (isOut ? "_out" : "");
    return names.empty() ? nullptr
                         : c10::TupleType::createNamed(c10::QualifiedName("torch.return_types." + function),
                                                       names, types);
}

class Planner {
public:
    Planner(const CallSignature& signature, bool isOut) : m_signature(signature), m_isOut(isOut) {
        m_plan.op = &operatorNamed(isOut ? signature.outOp : signature.op);
    }

    CallPlan make() {
        const std::vector<c10::Argument>& arguments = m_plan.op->schema->arguments();
        size_t outs = 0, next = 0;
        const auto countOuts =
            std::ranges::count_if(arguments, [](const c10::Argument& a) { return a.is_out(); });
        for (const c10::Argument& argument : arguments) {
            Source& source = m_plan.sources.emplace_back();
            source.isOptionalList = isOptionalTensorList(argument);
            if (argument.default_value())
                source.constant = *argument.default_value();
            if (m_isOut && argument.is_out() && countOuts > 1)
                source = {Source::Kind::OutItem, false, indexOf(m_signature, "out"), outs++, {}};
            else if (next < m_signature.handedOn.size() && !argument.is_out())
                readHandedOn(source, m_signature.handedOn[next++]);
            else
                point(source, argument.name());
        }
        readOptions();
        m_plan.named = namedResults(*m_plan.op->schema, m_isOut);
        m_plan.returnsFirst = m_plan.op->schema->returns().empty() && !arguments.empty() &&
                              m_signature.name.starts_with("_foreach_");
        return std::move(m_plan);
    }

private:
    void point(Source& source, std::string_view name) const {
        const size_t parameter = parameterFor(m_signature, name);
        if (parameter != kNowhere) {
            source.kind = Source::Kind::Parameter;
            source.parameter = parameter;
            readDefault(source, m_signature.parameters[parameter]);
        } else if (name == "self") {
            source.kind = Source::Kind::Self;
        }
    }
    /// The parser reads the default of an int as a number even where it is a name: the reduction of a loss is
    /// 0 then.
    static void readDefault(Source& source, const SignatureParameter& parameter) {
        const bool isInt = parameter.type == ParameterType::Int || parameter.type == ParameterType::SymInt;
        if (isInt && parameter.isOptional() && parameter.defaultText != "None")
            source.constant = IValue(int64_t(std::atol(std::string(parameter.defaultText).c_str())));
    }
    void readHandedOn(Source& source, std::string_view word) const {
        if (word == "1")
            source.constant = IValue(int64_t(1));
        else
            point(source, word);
    }
    /// Parameters that say what tensor is made, where the operator itself does not take them.
    void readOptions() {
        const auto unless = [&](std::string_view name) -> std::optional<size_t> {
            const size_t at = indexOf(m_signature, name);
            const auto& sources = m_plan.sources;
            const bool isTaken = std::ranges::any_of(sources, [&](const Source& s) {
                return s.kind == Source::Kind::Parameter && s.parameter == at;
            });
            return at == kNowhere || isTaken ? std::nullopt : std::optional(at);
        };
        m_plan.requiresGrad = unless("requires_grad");
        if (!m_isOut)
            return;
        m_plan.out = indexOf(m_signature, "out");
        m_plan.dtype = unless("dtype");
        m_plan.layout = unless("layout");
        m_plan.device = unless("device");
    }

    const CallSignature& m_signature;
    const bool m_isOut;
    CallPlan m_plan;
};

/// The parameter that takes the results, if the overload has one.
size_t outParameter(const CallSignature& signature) {
    if (signature.outOp.empty())
        return kNowhere;
    if (const size_t at = indexOf(signature, "out"); at != kNowhere)
        return at;
    // A single result may have another name: it is the operator's.
    for (const c10::Argument& argument : operatorNamed(signature.outOp).schema->arguments())
        if (argument.is_out())
            return indexOf(signature, argument.name());
    return kNowhere;
}

const CallPlan& planOf(const CallSignature& signature, bool isOut) {
    PlanSlot& slot = isOut ? signature.outPlan : signature.plan;
    if (const CallPlan* plan = slot.plan.load(std::memory_order_acquire))
        return *plan;
    static std::mutex mutex;
    static std::deque<CallPlan> plans;
    std::lock_guard lock(mutex);
    if (!slot.plan.load())
        slot.plan.store(&plans.emplace_back(Planner(signature, isOut).make()), std::memory_order_release);
    return *slot.plan.load();
}

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

IValue outItem(const ParsedCall& call, const Source& source, size_t wanted) {
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

IValue argumentFrom(const Source& source, const CallPlan& plan, const ParsedCall& call, const Value* self) {
    switch (source.kind) {
    case Source::Kind::Constant:
        return source.constant;
    case Source::Kind::Self:
        return plainOf(*self).data();
    case Source::Kind::OutItem:
        return outItem(call, source, plan.sources.back().item + 1);
    case Source::Kind::Parameter:
        break;
    }
    if (!call.isGiven(source.parameter))
        return source.constant;
    IValue value = unpack(call, source.parameter);
    return source.isOptionalList ? asOptionalTensors(value) : value;
}

IValue listAsTuple(IValue value) {
    if (value.isTensor() && !value.toTensor().defined())
        return {}; // what an operator leaves out is None in Python
    if (!value.isList())
        return value;
    std::vector<IValue> items;
    for (const IValue& item : value.toListRef())
        items.push_back(item);
    return c10::ivalue::Tuple::create(std::move(items));
}

} // namespace

Value wrapResults(const CallPlan& plan, std::vector<IValue>& stack) {
    if (stack.empty())
        return {};
    if (stack.size() > 1) {
        for (IValue& item : stack)
            item = listAsTuple(std::move(item));
        return IValue(plan.named ? c10::ivalue::Tuple::createNamed(std::move(stack), plan.named)
                                 : c10::ivalue::Tuple::create(std::move(stack)));
    }
    IValue& only = stack.front();
    if (only.isTensor())
        return only.toTensor().defined() ? Value(std::move(only)) : Value();
    if (only.isList())
        return listAsTuple(std::move(only));
    const c10::TypeKind kind = plan.op->schema->returns()[0].real_type()->kind();
    if (only.isInt() && kind == c10::TypeKind::ScalarTypeType)
        return Object{Argument(static_cast<c10::ScalarType>(only.toInt()))};
    return std::move(only);
}

Value callSignature(const ParsedCall& call, const Value* self) {
    const CallSignature& signature = *call.signature;
    const size_t out = outParameter(signature);
    const CallPlan& plan = planOf(signature, out != kNowhere && call.isGiven(out));
    if (plan.dtype)
        checkOut(plan, call);
    std::vector<IValue> stack;
    stack.reserve(plan.sources.size());
    for (const Source& source : plan.sources)
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
