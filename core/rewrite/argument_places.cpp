// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/argument_places.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/torch/bind/operators.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace fx {

namespace {

bool mentionsTensors(const CallParameter& parameter) {
    return contains(parameter.type, "Tensor");
}

bool holdsList(const ArgumentPlace& place) {
    return place.value && (place.value->as<ListValue>() || place.value->as<TupleValue>());
}

/// Its parameter is not known.
bool isNumbered(const ArgumentPlace& place) {
    return std::isdigit(static_cast<unsigned char>(place.parameter.name[0]));
}

bool takesNode(const ArgumentPlace& place) {
    if (place.value && hasNodes(*place.value))
        return true;
    const CallParameter& parameter = place.parameter;
    if (!parameter.type.empty() || (place.value && !place.value->isNone()))
        return mentionsTensors(parameter);
    return parameter.defaultText.empty() || parameter.defaultText == "None";
}

/// "self" of an operator is "input" of a function.
std::string_view roleOf(const std::string& name) {
    return name == "self" ? std::string_view("input") : std::string_view(name);
}

std::optional<size_t> parameterOf(const CallForm& form, const std::string& name) {
    for (size_t i = 0; i < form.parameters.size(); ++i)
        if (roleOf(form.parameters[i].name) == roleOf(name))
            return i;
    return std::nullopt;
}

/// Those of a graph that is called.
CallForm formOfGraph(const Graph& graph) {
    CallForm out;
    for (const Node& node : graph) {
        if (node.opcode != Opcode::Placeholder)
            continue;
        CallParameter parameter{node.target.name(), "", "", false, false};
        if (!node.args.empty())
            parameter.defaultText = reprText(node.args[0], [](NodeId) { return std::string(); });
        out.parameters.push_back(std::move(parameter));
    }
    return out;
}

/// Arguments on their way to the parameters of another callee.
class Placing {
public:
    explicit Placing(const CallForm& form) : m_form(form), m_slots(form.parameters.size()) {}

    void place(const std::vector<ArgumentPlace>& given) {
        std::vector<const ArgumentPlace*> left;
        for (const ArgumentPlace& each : given) {
            const auto at = parameterOf(m_form, each.parameter.name);
            if (at && !m_slots[*at])
                m_slots[*at] = &each;
            else
                left.push_back(&each);
        }
        for (const ArgumentPlace* each : left)
            placeByKind(*each);
    }

    std::pair<Arguments, Keywords> arguments() const {
        std::pair<Arguments, Keywords> out;
        bool isByName = false;
        for (size_t i = 0; i < m_slots.size(); ++i) {
            isByName |= !m_slots[i] || m_form.parameters[i].isByName || m_slots[i]->index < 0;
            if (m_slots[i] && isByName)
                out.second.emplace_back(m_form.parameters[i].name, *m_slots[i]->value);
            else if (m_slots[i])
                out.first.push_back(*m_slots[i]->value);
        }
        return out;
    }
    /// That must be given, and are not.
    size_t missing() const {
        size_t out = 0;
        for (size_t i = 0; i < m_slots.size(); ++i)
            out += !m_slots[i] && m_form.parameters[i].defaultText.empty();
        return out;
    }

private:
    void placeByKind(const ArgumentPlace& given) {
        const Argument& value = *given.value;
        const std::string text = reprText(value, [](NodeId) { return std::string(); });
        if (!hasNodes(value) && text == given.parameter.defaultText)
            return; // it would be so anyway
        for (size_t i = 0; hasNodes(value) && i < m_slots.size(); ++i) {
            const CallParameter& to = m_form.parameters[i];
            if (!m_slots[i] && !to.isByName && (to.type.empty() || mentionsTensors(to))) {
                m_slots[i] = &given;
                return;
            }
        }
        throw Error("", "there is no place for the argument '" + given.parameter.name + "' there")
            .hint("take it away first");
    }

    const CallForm& m_form;
    std::vector<const ArgumentPlace*> m_slots;
};

} // namespace

const CallForm* formTaking(const std::vector<CallForm>& forms, const Node& call) {
    const auto takes = [&call](const CallForm& form) {
        const auto positional = std::ranges::count(form.parameters, false, &CallParameter::isByName);
        if (static_cast<std::ptrdiff_t>(call.args.size()) > positional)
            return false;
        for (size_t i = 0; i < call.args.size(); ++i)
            if (form.parameters[i].type.starts_with("Tensor") && !hasNodes(call.args[i]) &&
                !call.args[i].isNone())
                return false;
        return std::ranges::all_of(call.kwargs, [&](const auto& each) {
            return std::ranges::count(form.parameters, each.first, &CallParameter::name) > 0;
        });
    };
    const auto found = std::ranges::find_if(forms, takes);
    return found == forms.end() ? nullptr : &*found;
}

std::vector<CallForm> formsOfCall(const Model& model, ModuleId module, const Node& call) {
    using Kind = Callable::Kind;
    const std::string& name = call.target.name();
    switch (call.opcode) {
    case Opcode::CallFunction:
        return formsOf({findOperator(call.target) ? Kind::Operator : Kind::Function, name, {}}, model,
                       module);
    case Opcode::CallMethod:
        return formsOf({Kind::Method, '.' + name, {}}, model, module);
    case Opcode::CallModule:
        if (const ModuleId called = model.resolve(module, name).module; called && model.module(called).graph)
            return {formOfGraph(model.graph(called))};
        return formsOf({Kind::Module, "self." + name, {}}, model, module);
    default:
        return {};
    }
}

std::vector<ArgumentPlace> argumentPlaces(const Model& model, ModuleId module, const Node& node) {
    std::vector<ArgumentPlace> out;
    if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::GetAttr)
        return out;
    const std::vector<CallForm> forms = formsOfCall(model, module, node);
    const CallForm* form = formTaking(forms, node);
    if (!form && forms.size() == 1)
        form = forms.data();
    std::set<std::string> given;
    const auto add = [&](const CallParameter& parameter, int index, std::optional<Argument> value) {
        given.insert(parameter.name);
        out.push_back({parameter, index, std::move(value)});
    };
    for (size_t i = 0; i < node.args.size(); ++i) {
        const bool isNamed = form && i < form->parameters.size() && !form->parameters[i].isByName;
        add(isNamed ? form->parameters[i] : CallParameter{std::to_string(i), "", "", false, false},
            static_cast<int>(i), node.args[i]);
    }
    for (const auto& [key, value] : node.kwargs) {
        CallParameter parameter{key, "", "", true, false};
        if (form)
            if (const auto known = std::ranges::find(form->parameters, key, &CallParameter::name);
                known != form->parameters.end())
                parameter = *known;
        add(parameter, -1, value);
    }
    for (size_t i = 0; form && i < form->parameters.size(); ++i)
        if (const CallParameter& each = form->parameters[i]; !given.contains(each.name))
            // The next one that must be given goes where such a call has it.
            add(each,
                each.defaultText.empty() && !each.isByName && i == node.args.size() ? static_cast<int>(i)
                                                                                    : -1,
                std::nullopt);
    return out;
}

std::vector<ArgumentPlace> placesForNode(const std::vector<ArgumentPlace>& places) {
    std::vector<ArgumentPlace> out;
    std::ranges::copy_if(places, std::back_inserter(out), takesNode);
    return out;
}

std::string placeText(const ArgumentPlace& place, const Graph& graph) {
    const std::string& name = place.parameter.name;
    if (holdsList(place))
        return name + ", one more";
    if (!place.value || place.value->isNone())
        return name + ", none yet";
    return name + ", now " + reprText(*place.value, [&](NodeId node) { return graph.node(node).name; });
}

void readAt(Edit& edit, NodeId node, const ArgumentPlace& place, NodeId producer) {
    Argument value = producer;
    if (holdsList(place)) {
        Arguments items = *place.value->items();
        items.push_back(producer);
        value = place.value->as<ListValue>() ? Argument(ListValue{std::move(items)})
                                             : Argument(TupleValue{std::move(items)});
    } else if (contains(place.parameter.type, "List[") || place.parameter.type == "Tensors") {
        value = ListValue{{producer}};
    }
    if (place.index < 0)
        return edit.updateKwarg(node, place.parameter.name, std::move(value));
    Arguments args = edit.node(node).args;
    args.resize(std::max(args.size(), static_cast<size_t>(place.index) + 1));
    args[static_cast<size_t>(place.index)] = std::move(value);
    edit.setArgs(node, std::move(args));
}

void callInstead(Edit& edit, NodeId node, const Target& target) {
    std::vector<ArgumentPlace> given = argumentPlaces(edit.model(), edit.module(), edit.node(node));
    std::erase_if(given, [](const ArgumentPlace& each) { return !each.value; });
    edit.setTarget(node, target);
    const std::vector<CallForm> forms = formsOfCall(edit.model(), edit.module(), edit.node(node));
    if (forms.empty() || std::ranges::any_of(given, isNumbered))
        return; // as they are
    // The overload that needs least beside them.
    std::optional<Placing> best;
    std::optional<Error> fault;
    for (const CallForm& form : forms) {
        try {
            Placing placing(form);
            placing.place(given);
            if (!best || placing.missing() < best->missing())
                best.emplace(placing);
        } catch (const Error& why) {
            fault = fault.value_or(why);
        }
    }
    if (!best)
        throw *fault;
    auto [args, kwargs] = best->arguments();
    edit.setArgs(node, std::move(args));
    edit.setKwargs(node, std::move(kwargs));
}

} // namespace fx
