// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/call_plan.h"

#include "core/base/error.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>

namespace fx {

using c10::IValue;

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
            ArgumentSource& source = m_plan.sources.emplace_back();
            source.isOptionalList = isOptionalTensorList(argument);
            if (argument.default_value())
                source.constant = *argument.default_value();
            if (m_isOut && argument.is_out() && countOuts > 1)
                source = {ArgumentSource::Kind::OutItem, false, indexOf(m_signature, "out"), outs++, {}};
            else if (next < m_signature.handedOn.size() && !argument.is_out())
                readHandedOn(source, m_signature.handedOn[next++]);
            else
                point(source, argument.name());
        }
        readOptions();
        m_plan.results = resultsParameter();
        m_plan.named = namedResults(*m_plan.op->schema, m_isOut);
        m_plan.returnsFirst = m_plan.op->schema->returns().empty() && !arguments.empty() &&
                              m_signature.name.starts_with("_foreach_");
        return std::move(m_plan);
    }

private:
    void point(ArgumentSource& source, std::string_view name) const {
        const size_t parameter = parameterFor(m_signature, name);
        if (parameter != kNowhere) {
            source.kind = ArgumentSource::Kind::Parameter;
            source.parameter = parameter;
            readDefault(source, m_signature.parameters[parameter]);
            readMaking(source, m_signature.parameters[parameter]);
        } else if (name == "self") {
            source.kind = ArgumentSource::Kind::Self;
        }
    }
    /// The parser reads the default of an int as a number even where it is a name: the reduction of a loss is
    /// 0 then.
    static void readDefault(ArgumentSource& source, const SignatureParameter& parameter) {
        const bool isInt = parameter.type == ParameterType::Int || parameter.type == ParameterType::SymInt;
        if (isInt && parameter.isOptional() && parameter.defaultText != "None")
            source.constant = IValue(int64_t(std::atol(std::string(parameter.defaultText).c_str())));
    }
    /// What PyTorch's functions in C say of a new tensor where the program says nothing: those that make it
    /// like another leave the device to that.
    void readMaking(ArgumentSource& source, const SignatureParameter& parameter) const {
        if (parameter.name == "pin_memory" && parameter.defaultText == "False")
            source.constant = IValue(false);
        const bool isLike = m_signature.name.ends_with("_like") || m_signature.name.starts_with("new_");
        if (parameter.name == "device" && parameter.type == ParameterType::Device && !isLike &&
            m_plan.op->schema->arguments().front().name() != "self")
            source.constant = IValue(c10::Device(c10::kCPU));
    }
    void readHandedOn(ArgumentSource& source, std::string_view word) const {
        if (word == "1")
            source.constant = IValue(int64_t(1));
        else
            point(source, word);
    }
    /// The parameter that takes the results. A single one may have another name than out: it is the
    /// operator's.
    std::optional<size_t> resultsParameter() const {
        if (m_signature.outOp.empty())
            return std::nullopt;
        size_t at = indexOf(m_signature, "out");
        if (at == kNowhere)
            for (const c10::Argument& argument : operatorNamed(m_signature.outOp).schema->arguments())
                at = argument.is_out() ? indexOf(m_signature, argument.name()) : at;
        return at == kNowhere ? std::nullopt : std::optional(at);
    }
    /// Parameters that say what tensor is made, where the operator itself does not take them.
    void readOptions() {
        const auto unless = [&](std::string_view name) -> std::optional<size_t> {
            const size_t at = indexOf(m_signature, name);
            const auto& sources = m_plan.sources;
            const bool isTaken = std::ranges::any_of(sources, [&](const ArgumentSource& s) {
                return s.kind == ArgumentSource::Kind::Parameter && s.parameter == at;
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

} // namespace

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

} // namespace fx
