// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_flat_inputs.h"

#include "core/base/error.h"
#include "core/interpret/graph_inputs.h"
#include "core/ir/argument_text.h"
#include "core/ir/input_tree.h"
#include "core/module/edit.h"

#include <algorithm>
#include <cctype>

namespace fx {

namespace {

const Target kInputItem = "operator.getitem";

const Argument* structureOf(const Node& placeholder) {
    return placeholder.meta.find<Argument>(meta::kInputTree);
}

bool isNestedInput(const Node& placeholder) {
    return structureOf(placeholder) || starsOf(placeholder.target.name()) > 0;
}

/// Whether the value, whose structure is `tree`, was no other than `wanted` when the graph was captured.
bool isConstant(const ValueMeta& value, const Argument* tree, const Argument& wanted) {
    if (const auto* constant = std::get_if<Argument>(&value.value))
        return *constant == wanted;
    if (std::holds_alternative<NoneValue>(value.value))
        return wanted.isNone();
    const auto* parts = std::get_if<std::vector<ValueMeta>>(&value.value);
    if (!parts || !tree)
        return false;
    const auto areConstant = [&](size_t count, const auto& part) {
        bool out = count == parts->size();
        for (size_t i = 0; i < count && out; ++i)
            out = isConstant((*parts)[i], part(*tree, i), *part(wanted, i));
        return out;
    };
    const auto *dict = tree->as<DictValue>(), *wantedDict = wanted.as<DictValue>();
    if (dict && wantedDict) {
        const auto key = [](const auto& item) { return item.first; };
        return std::ranges::equal(dict->items, wantedDict->items, {}, key, key) &&
               areConstant(dict->items.size(),
                           [](const Argument& of, size_t i) { return &of.as<DictValue>()->items[i].second; });
    }
    const Arguments *items = tree->items(), *wantedItems = wanted.items();
    return items && wantedItems && items->size() == wantedItems->size() &&
           bool(tree->as<ListValue>()) == bool(wanted.as<ListValue>()) &&
           areConstant(items->size(), [](const Argument& of, size_t i) { return &(*of.items())[i]; });
}

/// Whether nothing reads the value but calls that take items out of it, which nothing reads.
bool isUnread(const Graph& graph, const Node& node) {
    return std::ranges::all_of(node.users.toVector(), [&](NodeId id) {
        const Node& user = graph.node(id);
        return user.target == kInputItem && isUnread(graph, user);
    });
}

/// An input that nothing reads and that was captured with its default: what a caller leaves out.
bool isLeftOut(const Graph& graph, const Node& placeholder) {
    if (placeholder.args.empty() || !isUnread(graph, placeholder))
        return false;
    const auto* value = placeholder.meta.find<ValueMeta>(meta::kValue);
    return !value || isConstant(*value, structureOf(placeholder), placeholder.args[0]);
}

std::string nameOfKey(const Argument& key) {
    const auto* text = key.as<std::string>();
    std::string out = text ? *text : reprText(key, [](NodeId) { return std::string(); });
    std::ranges::replace_if(
        out, [](unsigned char c) { return !std::isalnum(c); }, '_');
    return out;
}

class Flattening {
public:
    explicit Flattening(FlatInputs& out) : m_out(out), m_edit(out.model, Edit::WithoutHistory()) {}

    void run() {
        std::vector<NodeId> inputs = m_edit.graph().findNodes(Opcode::Placeholder);
        TreeSpec positional = container(TreeSpec::Kind::Tuple), keywords = container(TreeSpec::Kind::Dict);
        bool isByKeyword = false;
        for (const NodeId input : inputs) {
            const Node& node = m_edit.node(input);
            m_out.kept.push_back(!isLeftOut(m_edit.graph(), node));
            if (!m_out.kept.back()) {
                erase(input);
                isByKeyword = true; // as an argument in between is missing
                continue;
            }
            const int stars = starsOf(node.target.name());
            const std::string name = node.target.name().substr(static_cast<size_t>(stars));
            TreeSpec spec = stars > 0 || structureOf(node) ? flattened(input, name, stars) : TreeSpec();
            if (stars > 0) {
                TreeSpec& into = stars == 1 ? positional : keywords;
                for (size_t i = 0; i < spec.children.size(); ++i) {
                    into.children.push_back(std::move(spec.children[i]));
                    if (stars == 2)
                        into.keys.push_back(spec.keys[i]);
                    m_names.push_back(stars == 2 ? nameOfKey(spec.keys[i]) : name + '_' + std::to_string(i));
                }
                continue;
            }
            TreeSpec& into = isByKeyword ? keywords : positional;
            into.children.push_back(std::move(spec));
            if (isByKeyword)
                into.keys.emplace_back(name);
            m_names.push_back(name);
        }
        Signature signature;
        signature.argumentNames = std::move(m_names);
        signature.inputs = container(TreeSpec::Kind::Tuple);
        signature.inputs.children = {std::move(positional), std::move(keywords)};
        m_edit.setSignature(std::move(signature));
        m_edit.finish();
    }

private:
    static TreeSpec container(TreeSpec::Kind kind) {
        TreeSpec out;
        out.kind = kind;
        out.type = kind == TreeSpec::Kind::Dict   ? "builtins.dict"
                   : kind == TreeSpec::Kind::List ? "builtins.list"
                                                  : "builtins.tuple";
        return out;
    }

    /// With what takes items out of it.
    void erase(NodeId input) {
        for (const NodeId user : m_edit.node(input).users.toVector())
            erase(user);
        m_edit.eraseNode(input);
    }

    TreeSpec flattened(NodeId input, const std::string& name, int stars) {
        const Node& node = m_edit.node(input);
        const Argument* structure = structureOf(node);
        if (!structure)
            throw Error("input '" + node.name + "'", "takes any number of values, which a .pt2 cannot say")
                .hint("capture the model for inputs of your choice: fxscope apply MODEL capture");
        const auto* value = node.meta.find<ValueMeta>(meta::kValue);
        const Argument tree = *structure;
        const ValueMeta values = value ? *value : ValueMeta();
        // Of **kwargs each value has the name of its key.
        const TreeSpec out = take({input}, input, tree, values, stars == 2 ? std::string() : name);
        for (const NodeId reader : {input})
            if (!m_edit.node(reader).users.empty())
                throw Error("input '" + m_edit.node(reader).name + "'",
                            "is read as a whole by the node '" +
                                m_edit.node(*m_edit.node(reader).users.begin()).name +
                                "', and a .pt2 has its items alone");
        m_edit.eraseNode(input);
        return out;
    }

    /// `readers`: nodes whose value is the one at this place of the structure; `before`: where placeholders
    /// go.
    TreeSpec take(const std::vector<NodeId>& readers, NodeId before, const Argument& tree,
                  const ValueMeta& value, const std::string& name) {
        const auto* dict = tree.as<DictValue>();
        const Arguments* items = tree.items();
        if (!dict && !items)
            return leaf(readers, before, value, name);
        TreeSpec out = container(dict                   ? TreeSpec::Kind::Dict
                                 : tree.as<ListValue>() ? TreeSpec::Kind::List
                                                        : TreeSpec::Kind::Tuple);
        const auto* values = std::get_if<std::vector<ValueMeta>>(&value.value);
        const size_t count = dict ? dict->items.size() : items->size();
        for (size_t i = 0; i < count; ++i) {
            const Argument key = dict ? dict->items[i].first : Argument(static_cast<int64_t>(i));
            if (dict)
                out.keys.push_back(key);
            std::vector<NodeId> taking;
            for (const NodeId reader : readers)
                for (const NodeId user : m_edit.node(reader).users.toVector()) {
                    const Node& call = m_edit.node(user);
                    if (call.target == kInputItem && call.args.size() == 2 && call.args[0].node() == reader &&
                        call.args[1] == key)
                        taking.push_back(user);
                }
            out.children.push_back(take(taking, before, dict ? dict->items[i].second : (*items)[i],
                                        values && i < values->size() ? (*values)[i] : ValueMeta(),
                                        name.empty() ? nameOfKey(key) : name + '_' + nameOfKey(key)));
            for (const NodeId reader : taking)
                m_edit.eraseNode(reader);
        }
        return out;
    }

    TreeSpec leaf(const std::vector<NodeId>& readers, NodeId before, const ValueMeta& value,
                  const std::string& name) {
        const Edit::InsertPoint point = m_edit.insertingBefore(before);
        const NodeId made = m_edit.createNode(Opcode::Placeholder, Target(name), {}, {}, name);
        ValueMeta known = value;
        for (const NodeId reader : readers) {
            if (const auto* read = m_edit.node(reader).meta.find<ValueMeta>(meta::kValue))
                known = *read;
            m_edit.replaceAllUsesWith(reader, made);
        }
        m_edit.setMeta(made, meta::kValue, known);
        return {};
    }

    FlatInputs& m_out;
    Edit m_edit;
    std::vector<std::string> m_names;
};

void addInputLeaves(const Value& value, Values& out) {
    if (const auto* dict = value.as<DictObject>()) {
        for (const DictObject::Entry& entry : dict->entries())
            addInputLeaves(entry.value, out);
    } else if (const std::optional<Values> items = itemsOf(value)) {
        for (const Value& item : *items)
            addInputLeaves(item, out);
    } else {
        out.push_back(value);
    }
}

} // namespace

FlatInputs withFlatInputs(const Model& model) {
    FlatInputs out{model, {}};
    const Graph& graph = model.graph();
    const auto inputs = graph.findNodes(Opcode::Placeholder);
    const bool isFlat = std::ranges::none_of(inputs, [&](NodeId input) {
        return isNestedInput(graph.node(input)) || isLeftOut(graph, graph.node(input));
    });
    if (graph.signature() || isFlat)
        out.kept.assign(inputs.size(), true);
    else
        Flattening(out).run();
    return out;
}

Values flatExamples(const FlatInputs& inputs, const Values& given) {
    if (given.size() != inputs.kept.size())
        return given;
    Values out;
    for (size_t i = 0; i < given.size(); ++i)
        if (inputs.kept[i])
            addInputLeaves(given[i], out);
    return out;
}

bool takesInputApart(const Graph& graph, const Node& node) {
    const Node* from = &node;
    while (from->target == kInputItem && from->args.size() == 2 && from->args[0].node())
        from = &graph.node(from->args[0].node());
    return from != &node && from->opcode == Opcode::Placeholder && structureOf(*from);
}

} // namespace fx
