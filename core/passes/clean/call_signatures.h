// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of what calls call, with their defaults: as torch.fx's normalize_function and
// normalize_module find them. Which overload a call of several means is not decided here: such calls have
// none.
#pragma once

#include "core/module/model.h"
#include "core/python/evaluator.h"
#include "core/torch/host/function_table.h"
#include "core/torch/host/torch_hosts.h"

#include <memory>
#include <unordered_map>

namespace fx {

struct SignatureEntry {
    std::string name;
    ParameterKind kind = ParameterKind::Positional;
    std::optional<Argument> defaultValue;
};

class CallSignatures {
public:
    /// Of a function of torch or an operator, the one that the call's arguments fit; null where there is
    /// none, or more than one.
    const std::vector<SignatureEntry>* ofFunction(const Node& call);
    /// Of the forward of one of torch.nn's classes; null for any other.
    const std::vector<SignatureEntry>* ofForward(const std::string& type);
    /// What the annotations of those say that they return, as generated code writes it.
    std::optional<std::string> returnsOfFunction(Target function);
    std::optional<std::string> returnsOfForward(const std::string& type);

private:
    using Entries = std::vector<SignatureEntry>;
    const std::vector<Entries>& candidates(Target function);
    Evaluator& evaluator();
    const Value* forwardOf(const std::string& type);
    std::optional<std::string> returnsOf(const Value& function);

    std::unordered_map<Target, std::vector<Entries>> m_functions;
    std::unordered_map<std::string, std::optional<Entries>> m_forwards;
    std::unordered_map<std::string, std::optional<Value>> m_classes;
    std::unordered_map<Target, std::optional<std::string>> m_returns;
    std::unique_ptr<TorchHosts> m_torch;
    std::unique_ptr<Evaluator> m_evaluator;
};

/// Whether a call with these arguments is one of that signature.
bool fits(const std::vector<SignatureEntry>& signature, const Arguments& args, const Keywords& kwargs);
/// One value for each parameter, defaults where nothing is given; the call must fit.
Arguments boundTo(const std::vector<SignatureEntry>& signature, const Arguments& args,
                  const Keywords& kwargs);

} // namespace fx
