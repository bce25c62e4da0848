// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/load_state.h"

#include "core/base/text.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

namespace fx {

namespace {

using ScriptModule = torch::jit::Module;

/// Parameters first, then buffers, as state_dict has them.
GivenState::Entries ownTensors(const ScriptModule& module) {
    GivenState::Entries parameters, buffers;
    const c10::ClassTypePtr type = module.type();
    for (size_t i = 0; i < type->numAttributes(); ++i) {
        const c10::IValue held = module._ivalue()->getSlot(i);
        if (held.isTensor() && (type->is_parameter(i) || type->is_buffer(i)))
            (type->is_parameter(i) ? parameters : buffers)
                .emplace_back(type->getAttributeName(i), held.toTensor());
    }
    parameters.insert(parameters.end(), buffers.begin(), buffers.end());
    return parameters;
}

std::string shapeText(const at::Tensor& tensor) {
    std::vector<std::string> sizes;
    for (const int64_t size : tensor.sizes())
        sizes.push_back(std::to_string(size));
    return "torch.Size([" + join(sizes, ", ") + "])";
}

std::string quoted(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "\"" : ", \"") + name + '"';
    return out;
}

/// Copies what fits, and collects what does not.
class ScriptStateLoader {
public:
    explicit ScriptStateLoader(GivenState::Entries state) : m_state(std::move(state)) {
        for (const auto& [name, tensor] : m_state)
            m_tensors.emplace(name, tensor);
    }

    void load(const ScriptModule& module) {
        std::vector<std::string_view> names;
        for (const auto& [name, tensor] : m_state)
            names.push_back(name);
        load(module, "", names);
    }

    void requireComplete() const {
        std::vector<std::string> faults;
        if (!m_missing.empty())
            faults.push_back("Missing key(s) in state_dict: " + quoted(m_missing) + ". ");
        if (!m_unexpected.empty())
            faults.push_back("Unexpected key(s) in state_dict: " + quoted(m_unexpected) + ". ");
        faults.insert(faults.end(), m_misfits.begin(), m_misfits.end());
        if (!faults.empty())
            raise("RuntimeError",
                  "Error(s) in loading state_dict for RecursiveScriptModule:\n\t" + join(faults, "\n\t"));
    }

private:
    /// `names`: those of the entries that begin with the prefix.
    void load(const ScriptModule& module, const std::string& prefix,
              const std::vector<std::string_view>& names) {
        std::set<std::string, std::less<>> tensors;
        for (const auto& [name, held] : ownTensors(module)) {
            tensors.insert(name);
            copyInto(held, prefix + name);
        }
        std::map<std::string, std::vector<std::string_view>, std::less<>> children;
        for (const auto& child : module.named_children())
            children[child.name];
        for (const std::string_view name : names) {
            const std::string_view rest = name.substr(prefix.size());
            const size_t dot = rest.find('.');
            const auto child =
                dot == std::string_view::npos ? children.end() : children.find(rest.substr(0, dot));
            if (child != children.end())
                child->second.push_back(name);
            else if (dot != std::string_view::npos || !tensors.contains(rest))
                m_unexpected.emplace_back(name);
        }
        for (const auto& child : module.named_children())
            load(child.value, prefix + child.name + '.', children[child.name]);
    }

    void copyInto(at::Tensor held, const std::string& name) {
        const auto found = m_tensors.find(name);
        if (found == m_tensors.end()) {
            m_missing.push_back(name);
            return;
        }
        at::Tensor given = found->second;
        if (held.dim() == 0 && given.dim() == 1 && given.numel() > 0)
            given = given[0];
        if (given.sizes() == held.sizes())
            held.copy_(given);
        else
            m_misfits.push_back("size mismatch for " + name + ": copying a param with shape " +
                                shapeText(given) + " from checkpoint, the shape in current model is " +
                                shapeText(held) + '.');
    }

    GivenState::Entries m_state;
    std::unordered_map<std::string, at::Tensor> m_tensors; ///< of m_state, by name
    std::vector<std::string> m_missing, m_unexpected, m_misfits;
};

void collectNames(const ScriptModule& module, const std::string& prefix, std::set<std::string>& out) {
    for (const auto& [name, held] : ownTensors(module))
        out.insert(prefix + name);
    for (const auto& child : module.named_children())
        collectNames(child.value, prefix + child.name + '.', out);
}

} // namespace

GivenState::Entries GivenState::named(const std::function<bool(const std::string&)>& isKnown) const {
    if (wrapperPrefix.empty())
        return tensors;
    Entries bare = tensors;
    ptrdiff_t knownAsIs = 0, knownBare = 0;
    for (auto& [name, tensor] : bare) {
        knownAsIs += isKnown(name) ? 1 : 0;
        name = name.substr(wrapperPrefix.size());
        knownBare += isKnown(name) ? 1 : 0;
    }
    return knownAsIs == 0 || knownBare > knownAsIs ? bare : tensors;
}

void loadState(Evaluator& evaluator, const Value& model, const GivenState& state) {
    const Value own = evaluator.runOutside([&] { return evaluator.callMethod(model, "state_dict"); });
    const auto* names = plainOf(own).as<DictObject>();
    DictObject entries;
    for (auto& [name, tensor] : state.named([&](const std::string& n) { return names && names->find(n); }))
        entries.set(name, c10::IValue(std::move(tensor)));
    for (const auto& [name, value] : state.others) {
        const bool isWrapped = !state.wrapperPrefix.empty() && name.starts_with(state.wrapperPrefix);
        const std::string own = isWrapped ? name.substr(state.wrapperPrefix.size()) : name;
        if (names && names->find(own))
            entries.set(own, value);
    }
    evaluator.runOutside(
        [&] { return evaluator.callMethod(model, "load_state_dict", {Object{std::move(entries)}}); });
}

void loadState(const ScriptModule& module, const GivenState& state) {
    std::set<std::string> names;
    collectNames(module, "", names);
    ScriptStateLoader loader(state.named([&](const std::string& n) { return names.contains(n); }));
    loader.load(module);
    loader.requireComplete();
}

} // namespace fx
