// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/host/operator_attributes.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/python/classes.h"
#include "core/python/types/support.h"
#include "core/torch/bind/binding.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operator_bounds.h"
#include "core/torch/bind/operator_results.h"
#include "core/torch/bind/operators.h"
#include "core/torch/values/attributes.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>

namespace fx {

namespace {

constexpr std::string_view kOps = "torch.ops.";

Value native(const char* name, NativeObject::Call call) {
    return makeNative(name, std::move(call));
}

Value nativeText(const char* name, std::string text) {
    return native(name,
                  [text = std::move(text)](Evaluator&, Values&, NamedValues&) { return makeText(text); });
}

std::string overloadName(const c10::FunctionSchema& schema) {
    return schema.overload_name().empty() ? "default" : schema.overload_name();
}

/// The parts of "torch.ops.aten.add.Tensor", which the names of operators of absent libraries have, too.
std::vector<std::string> partsOf(Target target) {
    std::vector<std::string> out;
    for (const std::string_view part : split(std::string_view(target.name()).substr(kOps.size()), '.'))
        out.emplace_back(part);
    return out;
}

c10::DispatchKey dispatchKey(Evaluator& evaluator, const Value& key) {
    if (key.isString())
        return c10::parseDispatchKey(key.text());
    const Value number = evaluator.attribute(key, "value");
    return static_cast<c10::DispatchKey>(number.data().toInt());
}

bool hasKernel(const TorchOperator& op, c10::DispatchKey key) {
    const auto handle = c10::Dispatcher::singleton().findSchema(op.schema->operator_name());
    return handle && handle->hasKernelForDispatchKey(key);
}

/// As PyTorch has it: something is an alias, and nothing of what is so is written.
bool isView(const c10::FunctionSchema& schema) {
    bool isAlias = false, isWritten = false;
    for (const c10::Argument& argument : schema.arguments())
        if (const c10::AliasInfo* alias = argument.alias_info()) {
            isAlias = true;
            isWritten |= alias->isWrite();
        }
    return isAlias && !isWritten;
}

Value tagsOf(Evaluator& evaluator, const c10::OperatorName& name) {
    Values out;
    const auto handle = c10::Dispatcher::singleton().findSchema(name);
    if (!handle)
        return makeList({});
    const Value type = evaluator.attribute(evaluator.modules().importModule("torch"), "Tag");
    for (const at::Tag tag : handle->getTags())
        out.push_back(evaluator.call(type, {makeInt(static_cast<int64_t>(tag))}));
    return makeList(std::move(out));
}

/// What the operator's own kernel in terms of other operators computes; NotImplemented where it has none.
Value decomposed(Evaluator& evaluator, OperatorResults& results, const TorchOperator& op, Values& args,
                 NamedValues& kwargs) {
    constexpr auto kComposite = c10::DispatchKey::CompositeImplicitAutograd;
    if (!hasKernel(op, kComposite))
        return *evaluator.builtins().find("NotImplemented");
    TorchOperator composite = op;
    composite.call = callWithinBounds(
        *op.schema, [handle = *c10::Dispatcher::singleton().findSchema(op.schema->operator_name())](
                        torch::jit::Stack& stack) { handle.callBoxedForDispatchKey(kComposite, stack); });
    unwrap(args, kwargs);
    Value result;
    guarded([&] { result = callOverload(composite, args, kwargs); });
    return results.toPython(evaluator, std::move(result));
}

Value schemaOf(Evaluator& evaluator, const Value& overload) {
    const Value schemas = evaluator.modules().importModule("torch.fx.operator_schemas");
    return evaluator.call(evaluator.attribute(schemas, "_schema_of"), {overload});
}

Value packetValue(Target overload) {
    return Object{FunctionObject{Target(overload.name().substr(0, overload.name().rfind('.')))}};
}

std::optional<Value> attributeOfOverload(Evaluator& evaluator, OperatorResults& results,
                                         const Value& overload, Target target, const std::string& name) {
    if (name == "overloadpacket" || name == "_overloadpacket")
        return packetValue(target);
    if (name == "op" || name == "_op")
        return overload;
    const std::vector<std::string> parts = partsOf(target);
    if (name == "__name__")
        return makeText(parts[1] + '.' + parts[2]);
    const std::string own = parts[0] + "::" + parts[1] + (parts[2] == "default" ? "" : '.' + parts[2]);
    if (name == "name")
        return nativeText("name", own);
    if (name == "_name" || name == "__qualname__")
        return makeText(own);
    if (name == "namespace" || name == "_namespace")
        return makeText(parts[0]);
    if (name == "_opname")
        return makeText(parts[1]);
    if (name == "_overloadname")
        return makeText(parts[2]);
    if (name == "_defined_in_python")
        return makeBool(false);
    const TorchOperator* op = findOperator(target);
    if (!op)
        return std::nullopt;
    if (name == "_schema")
        return schemaOf(evaluator, overload);
    if (name == "is_view")
        return makeBool(isView(*op->schema));
    if (name == "tags" || name == "_tags")
        return tagsOf(evaluator, op->schema->operator_name());
    if (name == "has_kernel_for_dispatch_key")
        return native("has_kernel_for_dispatch_key", [op](Evaluator& e, Values& args, NamedValues&) {
            requireArguments("has_kernel_for_dispatch_key", args, 1, 1);
            return makeBool(hasKernel(*op, dispatchKey(e, args[0])));
        });
    if (name == "_can_decompose")
        return native("_can_decompose", [op](Evaluator&, Values&, NamedValues&) {
            return makeBool(hasKernel(*op, c10::DispatchKey::CompositeImplicitAutograd));
        });
    if (name == "decompose")
        return native("decompose", [op, &results](Evaluator& e, Values& args, NamedValues& kwargs) {
            return decomposed(e, results, *op, args, kwargs);
        });
    return std::nullopt;
}

std::optional<Value> attributeOfPacket(Evaluator& evaluator, const Value& packet, Target target,
                                       const std::string& name) {
    const std::string qualified = packetOf(target.name());
    if (name == "_qualified_op_name")
        return makeText(qualified);
    if (name == "__name__")
        return makeText(std::string(target.functionName()));
    if (name == "op" || name == "_op")
        return packet;
    const bool isList = name == "overloads" || name == "op_overloads";
    if (isList || name == "_overload_names" || name == "_schemas") {
        Values names, operators;
        DictObject schemas;
        for (const TorchOperator* op : findOverloads(qualified)) {
            const std::string own = op->schema->overload_name();
            const Value overload = Object{FunctionObject{operatorTarget(op->schema->operator_name())}};
            names.push_back(makeText(isList ? overloadName(*op->schema) : own));
            operators.push_back(overload);
            if (name == "_schemas")
                schemas.set(own, schemaOf(evaluator, overload));
        }
        if (name == "_schemas")
            return Value(Object{std::move(schemas)});
        if (name == "_overload_names")
            return makeList(std::move(names));
        return native(name.c_str(),
                      [items = name == "overloads" ? names : operators](Evaluator&, Values&, NamedValues&) {
                          return makeList(Values(items));
                      });
    }
    return findAttributeOf(packet, name);
}

std::optional<Value> attributeOfHigherOrder(Target target, const std::string& name) {
    const std::string own(target.functionName());
    if (name == "__name__" || name == "_name")
        return makeText(own);
    if (name == "name")
        return nativeText("name", own);
    if (name == "__module__")
        return makeText("torch.ops.higher_order");
    if (name == "namespace" || name == "_ns")
        return makeText("higher_order");
    return std::nullopt;
}

} // namespace

std::string_view operatorClass(Target target) {
    if (!target.name().starts_with(kOps))
        return {};
    return target.isHigherOrder()        ? "HigherOrderOperator"
           : target.isOperatorOverload() ? "OpOverload"
                                         : "OpOverloadPacket";
}

void addOperatorClasses(Evaluator& evaluator) {
    for (const auto& [name, base] : {std::pair("OperatorBase", "object"),
                                     {"OpOverload", "OperatorBase"},
                                     {"OpOverloadPacket", "object"},
                                     {"HigherOrderOperator", "OperatorBase"}}) {
        evaluator.types().add(name, base).module = "torch._ops";
        evaluator.builtins().erase(name);
    }
    // (name, number) of each key of the dispatcher.
    evaluator.builtins().set(
        "_dispatch_keys", native("_dispatch_keys", [](Evaluator&, Values&, NamedValues&) {
            Values out;
            for (int key = 0; key <= static_cast<int>(c10::DispatchKey::EndOfAliasKeys); ++key)
                if (const std::string name = c10::toString(static_cast<c10::DispatchKey>(key));
                    !name.starts_with("UNKNOWN"))
                    out.push_back(makeTuple({makeText(name), makeInt(key)}));
            return makeList(std::move(out));
        }));
}

bool isHigherOrderName(std::string_view name) {
    static constexpr std::array<std::string_view, 41> kNames = {"_export_tracepoint",
                                                                "aoti_call_delegate",
                                                                "associative_scan",
                                                                "auto_functionalized",
                                                                "auto_functionalized_v2",
                                                                "autograd_function_apply",
                                                                "call_torchbind",
                                                                "cond",
                                                                "custom_function_call",
                                                                "dynamo_bypassing_wrapper",
                                                                "executorch_call_delegate",
                                                                "flat_apply",
                                                                "flex_attention",
                                                                "flex_attention_backward",
                                                                "foreach_map",
                                                                "graphsafe_run_with_rng_state",
                                                                "hints_wrapper",
                                                                "inductor_compiled_code",
                                                                "inline_asm_elementwise",
                                                                "invoke_leaf_function",
                                                                "invoke_quant",
                                                                "invoke_quant_packed",
                                                                "invoke_subgraph",
                                                                "local_map_hop",
                                                                "map_impl",
                                                                "out_dtype",
                                                                "print",
                                                                "run_and_save_rng_state",
                                                                "run_const_graph",
                                                                "run_dtensor_rng_op",
                                                                "run_with_rng_state",
                                                                "scan",
                                                                "strict_mode",
                                                                "tag_activation_checkpoint",
                                                                "while_loop",
                                                                "while_loop_stack_output",
                                                                "with_effects",
                                                                "wrap",
                                                                "wrap_activation_checkpoint",
                                                                "wrap_with_autocast",
                                                                "wrap_with_set_grad_enabled"};
    return std::ranges::binary_search(kNames, name);
}

std::string operatorText(Evaluator& evaluator, const Value& operation, Target target, bool isRepr) {
    if (target.isHigherOrder() && isRepr)
        return defaultRepr(evaluator, operation);
    if (operatorClass(target) == "OpOverloadPacket")
        return isRepr ? "<OpOverloadPacket(op='" + target.name().substr(kOps.size()) + "')>"
                      : target.name().substr(kOps.size());
    const Argument value = FunctionValue{target};
    const auto name = [](NodeId) { return std::string(); };
    return isRepr ? reprText(value, name) : strText(value, name);
}

Value attributeOfOperator(Evaluator& evaluator, OperatorResults& results, const Value& operation,
                          Target target, const std::string& name) {
    const std::string_view type = operatorClass(target);
    if (name == "__class__")
        return evaluator.typeOf(operation);
    const bool isPacket = type == "OpOverloadPacket";
    std::optional<Value> found = target.isHigherOrder() ? attributeOfHigherOrder(target, name)
                                 : isPacket
                                     ? attributeOfPacket(evaluator, operation, target, name)
                                     : attributeOfOverload(evaluator, results, operation, target, name);
    if (found)
        return std::move(*found);
    if (name == "__module__")
        return makeText("torch._ops." + partsOf(target).front());
    if (const Value* ofClass = evaluator.classOf(operation).find(name))
        return bindAttribute(evaluator, *ofClass, operation, evaluator.typeOf(operation));
    if (isPacket && !name.starts_with("__"))
        raise("AttributeError", "The underlying op of '" + operatorText(evaluator, operation, target, false) +
                                    "' has no overload name '" + name + '\'');
    raise("AttributeError", '\'' + std::string(type) + "' object has no attribute '" + name + '\'');
}

} // namespace fx
