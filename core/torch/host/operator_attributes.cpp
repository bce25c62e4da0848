// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/operator_attributes.h"

#include "core/ir/argument_text.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/attributes.h"

namespace fx {

std::string packetOf(const Value& value) {
    const auto* space = value.as<NamespaceObject>();
    return space ? packetOf(space->path) : std::string();
}

std::string operatorText(Target target, bool isRepr) {
    const Argument value = FunctionValue{target};
    const auto name = [](NodeId) { return std::string(); };
    return isRepr ? reprText(value, name) : strText(value, name);
}

std::optional<Value> attributeOfOverload(Evaluator& evaluator, const Value& overload, Target target,
                                         const std::string& name) {
    if (name == "overloadpacket") {
        const std::string packet = target.name().substr(0, target.name().rfind('.'));
        const size_t dot = packet.rfind('.');
        return findAttributeOf(Object{NamespaceObject{packet.substr(0, dot)}}, packet.substr(dot + 1));
    }
    const TorchOperator* op = findOperator(target);
    if (!op)
        return std::nullopt;
    const c10::OperatorName& own = op->schema->operator_name();
    const size_t colons = own.name.find("::");
    if (name == "name" || name == "_name") {
        const Value text = makeText(c10::toString(own));
        return name == "_name"
                   ? text
                   : makeNative("name", [text](Evaluator&, Values&, NamedValues&) { return text; });
    }
    if (name == "namespace")
        return makeText(own.name.substr(0, colons));
    if (name == "_opname")
        return makeText(own.name.substr(colons + 2));
    if (name == "_overloadname")
        return makeText(own.overload_name.empty() ? "default" : own.overload_name);
    if (name == "_schema")
        return evaluator.call(
            evaluator.attribute(evaluator.modules().importModule("torch.fx.operator_schemas"), "_schema_of"),
            {overload});
    return std::nullopt;
}

std::optional<Value> attributeOfPacket(const std::string& packet, const std::string& name) {
    if (name == "_qualified_op_name")
        return makeText(packet);
    if (name != "overloads")
        return std::nullopt;
    return makeNative("overloads", [packet](Evaluator&, Values&, NamedValues&) -> Value {
        Values names;
        for (const TorchOperator* op : findOverloads(packet))
            names.push_back(
                makeText(op->schema->overload_name().empty() ? "default" : op->schema->overload_name()));
        return makeList(std::move(names));
    });
}

} // namespace fx
