// SPDX-License-Identifier: GPL-3.0-or-later
// Modules and graphs are in snapshot_json.cpp.
#include "core/io/change_json.h"

#include "core/base/overloaded.h"
#include "core/io/id_json.h"

namespace fx {

using namespace idjson;

namespace {

Json stepJson(const NodeCreated& step) {
    return {{"kind", "create"},
            {"node", idJson(step.node)},
            {"before", idJson(step.before)},
            {"grant", grantJson(step.grant)},
            {"op", std::string(opcodeName(step.opcode))},
            {"target", step.target.name()},
            {"arguments", argumentsJson(step.arguments)},
            {"meta", metaJson(step.meta)}};
}
Json stepJson(const NodeErased& step) {
    return {{"kind", "erase"},
            {"node", idJson(step.node)},
            {"before", idJson(step.before)},
            {"arguments", argumentsJson(step.arguments)}};
}
Json stepJson(const NodeMoved& step) {
    return {
        {"kind", "move"}, {"node", idJson(step.node)}, {"from", idJson(step.from)}, {"to", idJson(step.to)}};
}
Json stepJson(const ArgumentsChanged& step) {
    return {{"kind", "arguments"},
            {"node", idJson(step.node)},
            {"before", argumentsJson(step.before)},
            {"after", argumentsJson(step.after)}};
}
Json stepJson(const NodeRenamed& step) {
    return {{"kind", "rename"},
            {"node", idJson(step.node)},
            {"before", step.before},
            {"after", step.after},
            {"grant", step.grant ? grantJson(*step.grant) : Json()}};
}
Json calleeJson(const CalleeChanged::State& state) {
    return {{"op", std::string(opcodeName(state.opcode))}, {"target", state.target.name()}};
}
Json stepJson(const CalleeChanged& step) {
    return {{"kind", "callee"},
            {"node", idJson(step.node)},
            {"before", calleeJson(step.before)},
            {"after", calleeJson(step.after)}};
}
Json textJson(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json();
}
Json stepJson(const TypeChanged& step) {
    return {{"kind", "type"},
            {"node", idJson(step.node)},
            {"before", textJson(step.before)},
            {"after", textJson(step.after)}};
}
Json stepJson(const MetaChanged& step) {
    return {{"kind", "meta"},
            {"node", idJson(step.node)},
            {"key", step.key},
            {"before", metaJson(step.before)},
            {"after", metaJson(step.after)}};
}
Json signatureJson(const Box<Signature>& signature) {
    return signature ? toJson(*signature) : Json();
}
Json stepJson(const SignatureChanged& step) {
    return {
        {"kind", "signature"}, {"before", signatureJson(step.before)}, {"after", signatureJson(step.after)}};
}
template <class Entry>
Json entryStepJson(const char* kind, const EntryChanged<Entry>& step) {
    return {{"kind", kind},
            {"index", step.index},
            {"before", step.before ? entryJson(*step.before) : Json()},
            {"after", step.after ? entryJson(*step.after) : Json()}};
}
Json stepJson(const ChildChanged& step) {
    return entryStepJson("child", step);
}
Json stepJson(const TensorChanged& step) {
    return entryStepJson("tensor", step);
}
Json stepJson(const ValueChanged& step) {
    return entryStepJson("value", step);
}
Json stepJson(const TrainingChanged& step) {
    return {{"kind", "training"}, {"before", step.before}, {"after", step.after}};
}

class StepReader {
public:
    StepReader(const JsonDocument& json, const Json& step) : m_json(json), m_step(step) {}

    std::variant<GraphChange, ModuleChange> read() const {
        const std::string kind = m_json.string(member("kind"));
        if (kind == "create")
            return graphStep(NodeCreated{node("node"), node("before"), grantFrom(m_json, member("grant")),
                                         opcodeFrom(m_json, member("op")), m_json.string(member("target")),
                                         arguments("arguments"), metaEntriesFrom(m_json, member("meta"))});
        if (kind == "erase")
            return graphStep(NodeErased{node("node"), node("before"), arguments("arguments")});
        if (kind == "move")
            return graphStep(NodeMoved{node("node"), node("from"), node("to")});
        if (kind == "arguments")
            return graphStep(ArgumentsChanged{node("node"), arguments("before"), arguments("after")});
        if (kind == "rename")
            return graphStep(
                NodeRenamed{node("node"), m_json.string(member("before")), m_json.string(member("after")),
                            given("grant", [&](const Json& grant) { return grantFrom(m_json, grant); })});
        if (kind == "callee")
            return graphStep(CalleeChanged{node("node"), callee("before"), callee("after")});
        if (kind == "type")
            return graphStep(TypeChanged{node("node"), text("before"), text("after")});
        if (kind == "meta")
            return graphStep(
                MetaChanged{node("node"), m_json.string(member("key")), meta("before"), meta("after")});
        if (kind == "signature")
            return graphStep(SignatureChanged{signature("before"), signature("after")});
        if (kind == "child")
            return entries<NamedModule>();
        if (kind == "tensor")
            return entries<NamedTensor>();
        if (kind == "value")
            return entries<NamedValue>();
        if (kind == "training")
            return ModuleChange(
                TrainingChanged{m_json.boolean(member("before")), m_json.boolean(member("after"))});
        m_json.fail(m_step, "is a change of the unknown kind '" + kind + "'");
    }

private:
    static GraphChange graphStep(GraphChange step) { return step; }
    const Json& member(const char* key) const { return m_json.member(m_step, key); }
    template <class Read>
    std::optional<std::invoke_result_t<Read, const Json&>> given(const char* key, const Read& read) const {
        if (const Json* found = m_json.find(m_step, key))
            return read(*found);
        return std::nullopt;
    }
    NodeId node(const char* key) const { return idFrom<NodeId>(m_json, member(key)); }
    CallArguments arguments(const char* key) const { return argumentsFrom(m_json, member(key)); }
    std::optional<std::string> text(const char* key) const {
        return given(key, [&](const Json& value) { return m_json.string(value); });
    }
    SharedMeta meta(const char* key) const {
        const Json* found = m_json.find(m_step, key);
        return found ? sharedMetaFrom(m_json, *found) : SharedMeta();
    }
    Box<Signature> signature(const char* key) const {
        return given(key, [&](const Json& value) { return signatureFromJson(m_json, value); });
    }
    CalleeChanged::State callee(const char* key) const {
        const Json& state = member(key);
        return {opcodeFrom(m_json, m_json.member(state, "op")),
                m_json.string(m_json.member(state, "target"))};
    }
    template <class Entry>
    ModuleChange entries() const {
        const auto read = [&](const Json& entry) { return entryFrom<Entry>(m_json, entry); };
        const int64_t index = m_json.integer(member("index"));
        if (index < 0)
            m_json.fail(m_step, "has a negative index");
        return EntryChanged<Entry>{static_cast<size_t>(index), given("before", read), given("after", read)};
    }

    const JsonDocument& m_json;
    const Json& m_step;
};

} // namespace

Json updateJson(const ModelUpdate& update) {
    Json modules = Json::array(), changes = Json::array();
    for (const Module& module : update.modules)
        modules.push_back(moduleJson(module));
    for (const Change& change : update.changes) {
        Json step = std::visit(
            [](const auto& group) {
                return std::visit([](const auto& each) { return stepJson(each); }, group);
            },
            change.step);
        step["module"] = idJson(change.module);
        changes.push_back(std::move(step));
    }
    return {{"modules", std::move(modules)},
            {"tensors", update.tensors.size()},
            {"changes", std::move(changes)},
            {"backwards", update.isBackwards}};
}

ModelUpdate updateFromJson(const JsonDocument& json, const Json& value, std::vector<TensorSlot> tensors) {
    ModelUpdate update;
    for (const Json& module : json.array(json.member(value, "modules")))
        update.modules.push_back(moduleFrom(json, module));
    const Json& count = json.member(value, "tensors");
    if (json.integer(count) != static_cast<int64_t>(tensors.size()))
        json.fail(count, "is not how many tensors there are");
    update.tensors = std::move(tensors);
    for (const Json& step : json.array(json.member(value, "changes"))) {
        Change& change = update.changes.emplace_back();
        change.module = idFrom<ModuleId>(json, json.member(step, "module"));
        change.step = StepReader(json, step).read();
    }
    update.isBackwards = json.boolean(json.member(value, "backwards"));
    return update;
}

} // namespace fx
