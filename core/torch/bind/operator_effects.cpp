// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/operator_effects.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/exceptions.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>

namespace fx {

std::string_view torchTables(std::string_view name); // generated from tables/*.txt

namespace {

using EffectTable = std::unordered_map<std::string, OperatorEffect>;

OperatorEffect effectNamed(std::string_view word) {
    static constexpr std::string_view kWords[] = {"pure", "draws", "writes", "outside"};
    return static_cast<OperatorEffect>(std::ranges::find(kWords, word) - std::begin(kWords));
}

EffectTable readTable() {
    EffectTable out;
    std::string space;
    OperatorEffect effect = OperatorEffect::Unknown;
    for (const std::string_view line : split(torchTables("operator_effects.txt"), '\n')) {
        if (line.empty() || line.starts_with('#'))
            continue;
        const std::vector<std::string_view> words = split(line, ' ');
        if (words[0] == "@") {
            space = std::string(words[1]) + "::";
            effect = effectNamed(words[2]);
            continue;
        }
        for (const std::string_view word : words)
            out.emplace(space + std::string(word), effect);
    }
    return out;
}

/// What programs have defined.
struct DeclaredEffects {
    std::mutex mutex;
    EffectTable effects;
};

DeclaredEffects& declaredEffects() {
    static DeclaredEffects declared;
    return declared;
}

thread_local Reach reachNow = Reach::Running;

} // namespace

OperatorEffect effectOf(std::string_view qualifiedName) {
    static const EffectTable kEffects = readTable();
    const auto found = kEffects.find(std::string(qualifiedName));
    if (found != kEffects.end())
        return found->second;
    DeclaredEffects& declared = declaredEffects();
    const std::lock_guard lock(declared.mutex);
    const auto own = declared.effects.find(std::string(qualifiedName));
    return own == declared.effects.end() ? OperatorEffect::Unknown : own->second;
}

void declareEffect(const std::string& qualifiedName, OperatorEffect effect) {
    DeclaredEffects& declared = declaredEffects();
    const std::lock_guard lock(declared.mutex);
    declared.effects[qualifiedName] = effect;
}

ReachScope::ReachScope(Reach reach) : m_before(reachNow) {
    reachNow = m_before == Reach::Opening ? Reach::Opening : reach;
}

ReachScope::~ReachScope() {
    reachNow = m_before;
}

bool isWithinReach(OperatorEffect effect) {
    switch (effect) {
    case OperatorEffect::Outside:
        return reachNow == Reach::Outside;
    case OperatorEffect::Unknown:
        return reachNow != Reach::Opening;
    default:
        return true;
    }
}

void requireReach(const c10::OperatorName& name, OperatorEffect effect) {
    if (isWithinReach(effect))
        return;
    if (effect == OperatorEffect::Unknown)
        throw Error(
            "", name.name +
                    " comes from a library, and what it does is not known: opening a model does not call it")
            .hint("call it in forward(), where it becomes a node")
            .kind(kNotAllowedKind);
    if (reachNow == Reach::Opening)
        throw Error("",
                    name.name +
                        " touches files, other programs or the terminal: opening a model does not call it")
            .hint("call it in forward(), where it becomes a node")
            .kind(kNotAllowedKind);
    throw Error("", name.name + " touches files, other programs or the terminal: it is not run")
        .hint("allow it with --allow-files, if you trust whoever made the model")
        .kind(kNotAllowedKind);
}

} // namespace fx
