// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/cse.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/passes/clean/effects.h"
#include "core/passes/pass_options.h"
#include "core/torch/bind/purity.h"

#include <unordered_set>

namespace fx {

namespace {

class CommonCalls {
public:
    CommonCalls(Edit& edit, const PassOptions& options)
        : m_edit(edit), m_effects(edit.model(), edit.module()), m_takesUnknown(options.text("pure") == "all"),
          m_takesAttributes(options.flag("attributes")) {
        for (const std::string_view name : split(options.text("except"), ','))
            if (!trim(name).empty())
                m_excluded.insert(Target(trim(name)));
    }

    size_t run(Progress& progress) {
        size_t count = 0, seen = 0;
        const size_t all = m_edit.graph().size();
        for (NodeId id = m_edit.graph().first(); id;) {
            if (++seen % 1024 == 0)
                progress.step(static_cast<double>(seen) / static_cast<double>(all), "");
            const Node& node = m_edit.node(id);
            const NodeId next = node.next;
            m_effects.walkOver(node);
            if (isCandidate(node)) {
                const auto [at, isNew] = m_known.try_emplace(keyOf(node), id);
                if (!isNew) {
                    m_edit.replaceAllUsesWith(id, at->second);
                    m_edit.eraseNode(id);
                    ++count;
                }
            }
            id = next;
        }
        return count;
    }

private:
    bool isCandidate(const Node& node) const {
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output || node.isErased)
            return false;
        if (node.opcode == Opcode::GetAttr)
            return m_takesAttributes && !m_effects.isWritten(node.id);
        if (m_excluded.contains(node.target) || m_effects.isWritten(node.id) || hasOpaque(node))
            return false;
        return m_takesUnknown
                   ? m_effects.writtenBy(node).empty() && !isImpure(m_edit.model(), m_edit.module(), node)
                   : m_effects.isPure(node);
    }

    /// Things that only have a text may differ and look alike.
    static bool hasOpaque(const Node& node) {
        bool isOpaque = false;
        const auto look = [&](const Argument& part) { isOpaque = isOpaque || part.as<OpaqueValue>(); };
        for (const Argument& argument : node.args)
            forEachPart(argument, look);
        for (const auto& [key, argument] : node.kwargs)
            forEachPart(argument, look);
        return isOpaque;
    }

    /// Calls with the same key give the same: what they call and are given, as of which write into it.
    std::string keyOf(const Node& node) const {
        std::string key(1, static_cast<char>('a' + static_cast<int>(node.opcode)));
        key += node.target.name();
        const AppendName name = [&](std::string& out, NodeId id) {
            out += '%' + std::to_string(id.value) + '.' + std::to_string(m_effects.writesInto(id));
        };
        for (const Argument& argument : node.args) {
            key += '\n';
            appendRepr(key, argument, name);
        }
        for (const auto& [keyword, argument] : node.kwargs) {
            key += '\r' + keyword + '=';
            appendRepr(key, argument, name);
        }
        return key;
    }

    Edit& m_edit;
    Effects m_effects;
    const bool m_takesUnknown, m_takesAttributes;
    std::unordered_set<Target> m_excluded;
    std::unordered_map<std::string, NodeId> m_known;
};

} // namespace

void runCse(Edit& edit, const PassOptions& options, PassContext& context) {
    const size_t count = CommonCalls(edit, options).run(context.progress);
    context.results.push_back(plural(count, "call") + " computed before");
}

} // namespace fx
