// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/split/tag_pass.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/wildcards.h"
#include "core/module/scopes.h"
#include "core/passes/pass_options.h"
#include "core/passes/split/label_parts.h"

#include <algorithm>

namespace fx {

namespace {

struct TagRule {
    std::string pattern, tag;
    size_t count = 0; ///< nodes that it has tagged
};

std::vector<TagRule> tagRules(const std::string& text) {
    std::vector<TagRule> out;
    for (const std::string_view rule : split(text, ',')) {
        const size_t equals = rule.rfind('=');
        if (equals == std::string_view::npos || trim(rule.substr(0, equals)).empty())
            throw Error("--tags", pythonRepr(trim(rule)) + " is no rule")
                .hint("write NAME=TAG, with commas between");
        out.push_back(
            {std::string(trim(rule.substr(0, equals))), std::string(trim(rule.substr(equals + 1)))});
    }
    return out;
}

} // namespace

void runTag(Edit& edit, const PassOptions& options, PassContext& context) {
    const ScopeTree scopes(edit.graph());
    std::vector<TagRule> rules = tagRules(options.text("tags"));
    for (const Node& node : edit.graph()) {
        if (!isCallNode(node))
            continue;
        const std::string scope = node.opcode == Opcode::CallModule
                                      ? node.target.name()
                                      : scopes.scope(scopes.scopeOf(node.id)).path;
        // The last rule that fits.
        const auto rule = std::find_if(rules.rbegin(), rules.rend(), [&](const TagRule& each) {
            return matchesPattern(each.pattern, node.name) ||
                   (!scope.empty() && matchesPattern(each.pattern, scope));
        });
        if (rule == rules.rend())
            continue;
        edit.setMeta(node.id, options.text("key"), rule->tag.empty() ? SharedMeta() : SharedMeta(rule->tag));
        ++rule->count;
    }
    for (const TagRule& rule : rules)
        context.results.push_back(rule.pattern + ": " + plural(rule.count, "node") + ' ' +
                                  (rule.tag.empty() ? "without a tag" : "tagged " + rule.tag));
}

} // namespace fx
