// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/purity.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <unordered_set>

namespace fx {

namespace {

/// Functions with a lasting effect, by torch.fx's own list, and those that always draw random numbers.
bool isListed(Target target) {
    static const std::unordered_set<Target> kImpure = {
        "torch._assert",
        "torch._assert_async",
        "torch.ops.aten._assert_async.msg",
        "torch.ops.aten._assert_scalar.default",
        "torch.ops.aten._assert_tensor_metadata.default",
        "torch.ops.aten.sym_constrain_range.default",
        "torch.ops.aten.sym_constrain_range_for_size.default",
        "torch.ops.profiler._record_function_enter",
        "torch.ops.profiler._record_function_enter.default",
        "torch.ops.profiler._record_function_enter_new",
        "torch.ops.profiler._record_function_enter_new.default",
        "torch.ops.profiler._record_function_exit",
        "torch.ops.profiler._record_function_exit._RecordFunction",
        "torch.ops.inductor.accumulate_grad_.default",
        "torch.ops.inductor.resize_storage_bytes_.default",
        "torch.ops.aten._print.default",
        "torch.ops.aten._linalg_check_errors.default",
        "torch.ops.higher_order.print",
        "torch.ops.higher_order.call_torchbind",
        "torch.ops.higher_order.invoke_leaf_function",
        "torch.ops.prims._sink_tokens.default",
        "torch._functorch.predispatch._jvp_increment_nesting",
        "torch._functorch.predispatch._jvp_decrement_nesting",
        "torch._functorch.predispatch._enter_dual_level",
        "torch._functorch.predispatch._exit_dual_level",
        "operator.setitem",
        "torch._C._set_grad_enabled",
        "torch.amp.autocast_mode._enter_autocast",
        "torch.amp.autocast_mode._exit_autocast",
        "torch.rand",
        "torch.randn",
        "torch.randint",
        "torch.randperm",
        "torch.rand_like",
        "torch.randn_like",
        "torch.randint_like",
        "torch.normal",
        "torch.poisson",
        "torch.bernoulli",
        "torch.multinomial",
    };
    return kImpure.contains(target);
}

} // namespace

bool drawsRandomNumbers(const TorchOperator& op) {
    const auto handle = c10::Dispatcher::singleton().findSchema(op.schema->operator_name());
    if (!handle)
        return false;
    const auto& tags = handle->getTags();
    return std::find(tags.begin(), tags.end(), at::Tag::nondeterministic_seeded) != tags.end();
}

bool mutatesArguments(Target target) {
    const TorchOperator* op = findOperator(target);
    return op && op->schema->is_mutable();
}

bool isImpure(const Model& model, ModuleId module, const Node& node, bool countsDraws) {
    switch (node.opcode) {
    case Opcode::Placeholder:
    case Opcode::Output:
        return true;
    case Opcode::CallModule: {
        const ModuleId callee = model.resolve(module, node.target.name()).module;
        const Argument* flag = callee ? model.module(callee).value("_is_impure") : nullptr;
        return flag && flag->as<bool>() && *flag->as<bool>();
    }
    case Opcode::CallFunction: {
        const TorchOperator* op = findOperator(node.target);
        return isListed(node.target) ||
               (op && (op->schema->is_mutable() || (countsDraws && drawsRandomNumbers(*op))));
    }
    case Opcode::GetAttr:
    case Opcode::CallMethod:
        return false;
    }
    return false;
}

} // namespace fx
