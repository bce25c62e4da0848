// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/annotate_types.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/passes/clean/call_names.h"
#include "core/passes/clean/call_signatures.h"
#include "core/passes/clean/state_reads.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/jit_type.h>

namespace fx {

namespace {

using TypeText = std::optional<std::string>;
constexpr const char* kTensorAnnotation = "torch.Tensor";

TypeText typeOfPlain(const Argument& value) {
    return value.visit(Overloaded{
        [](bool) -> TypeText { return "bool"; }, [](int64_t) -> TypeText { return "int"; },
        [](double) -> TypeText { return "float"; }, [](const std::string&) -> TypeText { return "str"; },
        [](const std::complex<double>&) -> TypeText { return "complex"; },
        [](const c10::Device&) -> TypeText { return "torch.device"; },
        [](const auto&) -> TypeText { return std::nullopt; }});
}

/// The type of a recorded value.
TypeText typeOfValue(const ValueMeta& value) {
    if (std::get_if<TensorMeta>(&value.value))
        return kTensorAnnotation;
    if (const auto* number = std::get_if<SymbolicScalar>(&value.value))
        return number->kind == SymbolicScalar::Kind::Int     ? "int"
               : number->kind == SymbolicScalar::Kind::Float ? "float"
                                                             : "bool";
    if (const auto* plain = std::get_if<Argument>(&value.value))
        return typeOfPlain(*plain);
    return std::nullopt;
}

/// What an operator returns: of one tensor its type.
TypeText typeOfOperator(Target target) {
    const TorchOperator* op = findOperator(target);
    if (!op || op->schema->returns().size() != 1)
        return std::nullopt;
    switch (op->schema->returns()[0].type()->kind()) {
    case c10::TypeKind::TensorType:
        return kTensorAnnotation;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
        return "int";
    case c10::TypeKind::FloatType:
        return "float";
    case c10::TypeKind::BoolType:
        return "bool";
    default:
        return std::nullopt;
    }
}

class Annotator {
public:
    Annotator(Edit& edit, bool takesValues) : m_edit(edit), m_takesValues(takesValues) {}

    void run(PassContext& context) {
        size_t count = 0;
        for (const Node& node : m_edit.graph()) {
            if (node.type || node.opcode == Opcode::Output)
                continue;
            TypeText type = declared(node);
            const ValueMeta* value = m_takesValues && !type ? knownValue(node.meta) : nullptr;
            if (value)
                type = typeOfValue(*value);
            if (!type)
                continue;
            m_edit.setType(node.id, std::move(type));
            ++count;
        }
        context.results.push_back(plural(count, "node") + " typed");
    }

private:
    TypeText declared(const Node& node) {
        switch (node.opcode) {
        case Opcode::CallFunction:
            if (node.target.isOperatorOverload())
                return typeOfOperator(node.target);
            return node.target.name().starts_with("torch.nn.functional.")
                       ? m_signatures.returnsOfFunction(node.target)
                       : std::nullopt;
        case Opcode::CallModule: {
            const Module* module = calledModule(m_edit.model(), m_edit.module(), node);
            return module && !module->graph ? m_signatures.returnsOfForward(module->type) : std::nullopt;
        }
        case Opcode::GetAttr: {
            const Attribute found = m_edit.model().resolve(m_edit.module(), node.target.name());
            return found.tensor  ? TypeText(kTensorAnnotation)
                   : found.value ? typeOfPlain(*found.value)
                                 : std::nullopt;
        }
        default:
            return std::nullopt;
        }
    }

    Edit& m_edit;
    CallSignatures m_signatures;
    const bool m_takesValues;
};

} // namespace

void runAnnotateTypes(Edit& edit, const PassOptions& options, PassContext& context) {
    Annotator(edit, options.flag("values")).run(context);
}

} // namespace fx
