// SPDX-License-Identifier: GPL-3.0-or-later
// From names to callables: Python's own functions first, then operators, then what PyTorch binds in C.
#include "core/torch/bind/call.h"

#include "core/base/current_work.h"
#include "core/base/error.h"
#include "core/torch/bind/argument_faults.h"
#include "core/torch/bind/binding.h"
#include "core/torch/bind/hand_bound.h"
#include "core/torch/bind/operators.h"
#include "core/torch/bind/python_functions.h"
#include "core/torch/bind/signature_call.h"
#include "core/torch/host/function_table.h"
#include "core/torch/host/torch_faults.h"
#include "core/torch/values/attributes.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

void guarded(const std::function<void()>& work) {
    try {
        work();
    } catch (const c10::Error& error) {
        throw Error("", pythonMessage(error)).kind(pythonKind(error));
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error("", "not enough memory");
    } catch (const std::exception& error) {
        throw Error("", error.what()).kind("RuntimeError");
    }
}

namespace {

/// "add" of "torch.Tensor.add", a method that is called as a function; empty for others.
std::string_view methodName(std::string_view function) {
    for (const std::string_view prefix : {"torch.Tensor.", "torch._C.TensorBase."})
        if (function.starts_with(prefix))
            return function.substr(prefix.size());
    return {};
}

/// The overloads of a method, or of the method that it is another name of, as __neg__ is of neg.
const SignatureGroup* findMethodSignatures(std::string_view name) {
    if (const SignatureGroup* group = findSignatures("torch.Tensor", name))
        return group;
    const FunctionRow* row = findTensorMember(name);
    return row && row->kind == FunctionKind::Builtin ? findSignatures("torch.Tensor", row->target.name())
                                                     : nullptr;
}

} // namespace

// Functions that are Python in PyTorch, and that the library has no text for, mean what they call.
const SignatureGroup* signaturesOfFunction(const std::string& name) {
    if (!methodName(name).empty()) // its overloads leave self out
        return nullptr;
    if (const SignatureGroup* group = findSignatures(name))
        return group;
    if (name.starts_with("torch._")) // torch.segment_reduce calls itself torch._segment_reduce
        if (const FunctionRow* row = findFunction("torch." + name.substr(7));
            row && row->target.name() == name)
            return findSignatures(row->publicName);
    if (const FunctionRow* row = findFunction(name); row && row->target.name() != name)
        if (const SignatureGroup* group = findSignatures(row->target.name()))
            return group;
    const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
    for (const std::string_view module : {"torch._VF.", "torch._C._VariableFunctions.", "torch.functional."})
        if (name.size() == module.size() + last.size() && name.starts_with(module))
            return findSignatures("torch", last);
    if (name.starts_with("torch.nn.functional.")) {
        const SignatureGroup* group = findSignatures("torch._C._nn", last);
        return group ? group : findSignatures("torch", last);
    }
    return nullptr;
}

namespace {

Value callBoundTo(const SignatureGroup& group, const Value* self, const Values& args,
                  const NamedValues& kwargs) {
    const ParsedCall call = parseArguments(group, args, kwargs);
    if (!call.signature->op.empty())
        return callSignature(call, self);
    if (const HandBound function = findHandBound(self != nullptr, group.name))
        return function(call, self);
    throw Error("",
                "not supported: " + std::string(self ? "torch.Tensor." : "torch.") + std::string(group.name));
}

Value callUnbound(const std::string& method, const Values& args, const NamedValues& kwargs) {
    if (args.empty())
        raise("TypeError", "unbound method TensorBase." + method + "() needs an argument");
    if (!plainOf(args[0]).isTensor())
        raise("TypeError", "descriptor '" + method +
                               "' for 'torch._C.TensorBase' objects doesn't apply to a '" +
                               pythonTypeName(args[0]) + "' object");
    return callMethod(args[0], method, Values(args.begin() + 1, args.end()), kwargs);
}

Value callNamed(Target target, const Values& args, const NamedValues& kwargs) {
    const std::string& name = target.name();
    const Callee callee = findCallee(target);
    if (callee.python)
        return callee.python(args, kwargs);
    if (callee.op)
        return callOverload(*callee.op, args, kwargs);
    if (const std::string_view method = methodName(name); !method.empty())
        return callUnbound(std::string(method), args, kwargs);
    if (callee.signatures)
        return callBoundTo(*callee.signatures, nullptr, args, kwargs);
    if (!callee.overloads.empty())
        return callPacket(callee.overloads, args, kwargs);
    Error unknown("", "no operator or function named '" + name + "' is known here");
    if (name.starts_with("torch.ops."))
        throw std::move(unknown)
            .hint("load the library that registers it, or run the graph in Python")
            .code(ErrorCode::NeedsLibrary);
    throw std::move(unknown).hint("run the graph in Python");
}

} // namespace

Value callFunction(Target target, const Values& args, const NamedValues& kwargs) {
    const NotedScope noted(currentWork.call, target.name().c_str());
    Value result;
    guarded([&] { result = callNamed(target, args, kwargs); });
    return result;
}

Callee findCallee(Target target) {
    const std::string& name = target.name();
    Callee out{.python = findPythonFunction(name)};
    if (out.python)
        return out;
    if ((out.op = findOperator(target)))
        return out;
    if (const std::string_view method = methodName(name); !method.empty()) {
        if ((out.signatures = findMethodSignatures(method)))
            out.method = method;
    } else if (!(out.signatures = signaturesOfFunction(name))) {
        out.overloads = findOverloads(packetOf(name));
    }
    return out;
}

std::vector<const TorchOperator*> Callee::operators() const {
    if (op)
        return {op};
    if (!signatures)
        return overloads;
    std::vector<const TorchOperator*> out;
    for (const CallSignature& signature : signatures->signatures) {
        const std::string path = "torch.ops.aten." + std::string(signature.op);
        const bool isNamed = signature.op.find('.') != std::string_view::npos;
        out.push_back(signature.op.empty() ? nullptr
                                           : findOperator(Target(isNamed ? path : path + ".default")));
    }
    return out;
}

bool isKnownFunction(Target target) {
    return bool(findCallee(target));
}

OperatorEffect effectOfFunction(Target target) {
    OperatorEffect most = OperatorEffect::Pure;
    for (const TorchOperator* op : findCallee(target).operators())
        most = std::max(most, op ? op->effect : OperatorEffect::Pure);
    return most;
}

namespace {

Value callTensorMethod(const Value& self, const std::string& name, const Values& args,
                       const NamedValues& kwargs) {
    if (const SignatureGroup* group = findMethodSignatures(name)) {
        if (group->takesNothing)
            requireNothing(name, args, kwargs);
        return callBoundTo(*group, &self, args, kwargs);
    }
    if (name == "__getitem__" && args.size() == 1)
        return getItem(plainOf(self), args[0]);
    if (name == "__setitem__" && args.size() == 2) {
        setItem(plainOf(self), args[0], args[1]);
        return {};
    }
    const FunctionRow* row = findTensorMember(name);
    if (const auto held =
            row && row->kind == FunctionKind::Property ? findAttributeOf(plainOf(self), name) : std::nullopt)
        raise("TypeError", '\'' + typeName(*held) + "' object is not callable");
    raise("AttributeError", '\'' + typeName(self) + "' object has no attribute '" + name + '\'');
}

} // namespace

Value callMethod(const Value& self, const std::string& name, const Values& args, const NamedValues& kwargs) {
    const NotedScope noted(currentWork.call, name.c_str());
    Value result;
    guarded([&] {
        result = plainOf(self).isTensor() ? callTensorMethod(self, name, args, kwargs)
                                          : callPythonMethod(self, name, args, kwargs);
    });
    return result;
}

} // namespace fx
