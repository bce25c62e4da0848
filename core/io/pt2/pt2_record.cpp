// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_record.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pt2/symbolic_text.h"
#include "core/ir/argument_text.h"
#include "core/python/parse_expression.h"
#include "core/torch/bind/operators.h"

#include <algorithm>
#include <functional>
#include <set>

namespace fx {

namespace {

/// What is gathered of all graphs, of nested ones too.
class Gathering {
public:
    explicit Gathering(const JsonDocument& json) : m_json(json) {}

    void look(const Json& value) {
        if (value.is_array()) {
            for (const Json& item : value)
                look(item);
            return;
        }
        if (!value.is_object())
            return;
        if (value.contains("target") && value.contains("inputs") && value.contains("outputs"))
            lookAtCall(value);
        for (const auto& [key, item] : value.items()) {
            if (key == "expr_str" && item.is_string())
                formulas[m_symbols.formula(item.get<std::string>())] = item;
            else
                look(item);
        }
    }

    Json formulas = Json::object(), operators = Json::object();

private:
    void lookAtCall(const Json& node) {
        const std::string name = m_json.string(m_json.member(node, "target"));
        const Target target(name);
        if (!target.isOperatorOverload() || findOperator(target))
            return;
        Json names = Json::array();
        for (const Json& input : m_json.array(m_json.member(node, "inputs")))
            if (const Json* kind = m_json.find(input, "kind"); kind && *kind == 1)
                names.push_back(m_json.member(input, "name"));
        const Json& outputs = m_json.array(m_json.member(node, "outputs"));
        Json& known = operators[name];
        if (known.is_null() || known["arguments"].size() < names.size())
            known["arguments"] = std::move(names);
        known["list"] = outputs.size() == 1 && outputs[0].is_object() && outputs[0].contains("as_tensors");
    }

    const JsonDocument& m_json;
    SymbolicText m_symbols;
};

/// Calls `visit` for each call of each graph, with a key for it and a text that is another for another call.
void forEachCall(const Model& model, const std::function<void(ModuleId, const Node&, const std::string& key,
                                                              const std::string& call)>& visit) {
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        if (!model.module(id).graph)
            return;
        const Graph& graph = model.graph(id);
        const auto nameOf = [&](NodeId node) { return graph.node(node).name; };
        for (const Node& node : graph)
            if (node.opcode == Opcode::CallFunction) {
                const std::string text = node.target.name() + '(' + formatText(node.args, nameOf) + ", " +
                                         formatText(node.kwargs, nameOf);
                uint64_t sum = 0xcbf29ce484222325; // FNV-1a
                for (const char c : text)
                    sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
                visit(id, node, path + ':' + node.name, std::to_string(sum));
            }
    });
}

Json copyOf(const JsonDocument& json, const Json& object, std::string_view key, const Json& otherwise) {
    const Json* found = json.find(object, key);
    return found ? *found : otherwise;
}

} // namespace

std::string pt2RecordText(const JsonDocument& json, const Pt2Signature& signature, const Model& model) {
    using Kind = Pt2Output::Kind;
    const Json& module = json.member(json.root(), "graph_module");
    const Json* verifiers = json.find(json.root(), "verifiers");
    const bool isNamed = verifiers && !json.array(*verifiers).empty();
    Json state = Json::object(), inputs = Json::array(), results = Json::array();
    for (const Pt2Input& input : signature.inputs) {
        if (!input.target.empty())
            state[input.target] = input.name;
        else if (input.kind == Pt2Input::Kind::User)
            inputs.push_back(input.name);
    }
    const Json& specs = json.array(json.member(json.member(module, "signature"), "output_specs"));
    for (size_t i = 0; i < signature.outputs.size(); ++i)
        if (const Kind kind = signature.outputs[i].kind;
            kind == Kind::User || kind == Kind::Loss || kind == Kind::Gradient)
            results.push_back(specs[i]);
    Json nodes = Json::object();
    forEachCall(model, [&](ModuleId, const Node&, const std::string& key, const std::string& call) {
        nodes.push_back(Json::object_t::value_type(key, call));
    });
    Gathering gathered(json);
    gathered.look(json.member(module, "graph"));
    return jsonText({{"dialect", isNamed ? json.string((*verifiers)[0]) : std::string("ATEN")},
                     {"guards", copyOf(json, json.root(), "guards_code", Json::array())},
                     {"calls", copyOf(json, module, "module_call_graph", Json::array())},
                     {"results", std::move(results)},
                     {"metadata", copyOf(json, module, "metadata", Json::object())},
                     {"state", std::move(state)},
                     {"inputs", std::move(inputs)},
                     {"ranges", copyOf(json, json.root(), "range_constraints", Json())},
                     {"formulas", std::move(gathered.formulas)},
                     {"operators", std::move(gathered.operators)},
                     {"nodes", std::move(nodes)}});
}

Pt2Record parsePt2Record(const std::string& text) {
    Pt2Record out;
    if (text.empty())
        return out;
    const JsonDocument json(text, "what is kept of a .pt2");
    const auto member = [&](std::string_view key) -> const Json& { return json.member(json.root(), key); };
    out.dialect = json.string(member("dialect"));
    for (const Json& guard : json.array(member("guards")))
        out.guards.push_back(json.string(guard));
    for (const Json& call : out.calls = json.array(member("calls")))
        json.string(json.member(call, "fqn"));
    for (const Json& result : out.results = json.array(member("results")))
        json.object(result);
    for (const auto& [key, value] : (out.metadata = json.object(member("metadata"))).items())
        json.string(value);
    for (const auto& [path, name] : json.object(member("state")).items())
        out.state[path] = json.string(name);
    for (const Json& name : json.array(member("inputs")))
        out.inputs.push_back(json.string(name));
    for (const auto& [formula, srepr] : json.object(member("formulas")).items())
        out.formulas[formula] = json.string(srepr);
    for (const auto& [name, operation] : json.object(member("operators")).items()) {
        Pt2Record::Operator& entry = out.operators[name];
        for (const Json& argument : json.array(json.member(operation, "arguments")))
            entry.arguments.push_back(json.string(argument));
        entry.givesList = json.boolean(json.member(operation, "list"));
    }
    for (const auto& [key, call] : json.object(member("nodes")).items())
        out.nodes[key] = json.string(call);
    if (const Json* ranges = json.find(json.root(), "ranges")) {
        out.ranges = Json::object();
        for (const auto& [name, range] : json.object(*ranges).items())
            for (const char* end : {"min_val", "max_val"}) {
                const Json* value = json.find(range, end);
                out.ranges[name][end] = value ? Json(json.integer(*value)) : Json();
            }
    }
    return out;
}

std::set<std::pair<ModuleId, std::string>> unchangedCalls(const Model& model, const Pt2Record& record) {
    std::set<std::pair<ModuleId, std::string>> out;
    forEachCall(model, [&](ModuleId id, const Node& node, const std::string& key, const std::string& call) {
        const auto known = record.nodes.find(key);
        if (known != record.nodes.end() && known->second == call)
            out.emplace(id, node.name);
    });
    return out;
}

namespace {

using ExpressionKind = Expression::Kind;

bool isOneOf(std::string_view name, const std::set<std::string_view>& names) {
    return names.contains(name);
}

bool isFormula(const Expression& e) {
    static const std::set<std::string_view> kFunctions = {"Symbol",
                                                          "Integer",
                                                          "Float",
                                                          "Rational",
                                                          "Identity",
                                                          "Add",
                                                          "Mul",
                                                          "Pow",
                                                          "Max",
                                                          "Min",
                                                          "Abs",
                                                          "Not",
                                                          "And",
                                                          "Or",
                                                          "Xor",
                                                          "ITE",
                                                          "Piecewise",
                                                          "ExprCondPair",
                                                          "Equality",
                                                          "Unequality",
                                                          "StrictLessThan",
                                                          "LessThan",
                                                          "StrictGreaterThan",
                                                          "GreaterThan",
                                                          "FloorDiv",
                                                          "ModularIndexing",
                                                          "Where",
                                                          "PythonMod",
                                                          "Mod",
                                                          "CleanDiv",
                                                          "CeilToInt",
                                                          "FloorToInt",
                                                          "CeilDiv",
                                                          "LShift",
                                                          "RShift",
                                                          "PowByNatural",
                                                          "FloatPow",
                                                          "FloatTrueDiv",
                                                          "IntTrueDiv",
                                                          "IsNonOverlappingAndDenseIndicator",
                                                          "TruncToFloat",
                                                          "TruncToInt",
                                                          "RoundToInt",
                                                          "RoundDecimal",
                                                          "ToFloat",
                                                          "floor",
                                                          "ceiling",
                                                          "log",
                                                          "exp",
                                                          "sqrt"};
    if (e.kind == ExpressionKind::Unary)
        return isFormula(e.children[0]);
    if (e.kind == ExpressionKind::Name)
        return e.text == "true" || e.text == "false" || e.text == "oo";
    if (e.kind == ExpressionKind::Constant) {
        const Argument value = constantArgument(e);
        return value.as<bool>() || value.as<int64_t>() || value.as<double>();
    }
    if (e.kind != ExpressionKind::Call || e.children[0].kind != ExpressionKind::Name ||
        !isOneOf(e.children[0].text, kFunctions))
        return false;
    const bool isSymbol = e.children[0].text == "Symbol", isFloat = e.children[0].text == "Float";
    return std::all_of(e.children.begin() + 1, e.children.end(), [&](const Expression& part) {
        const Expression& value = part.kind == ExpressionKind::Keyword ? part.children[0] : part;
        if (value.kind != ExpressionKind::Constant)
            return isFormula(value);
        const Argument constant = constantArgument(value);
        const auto* text = constant.as<std::string>();
        if (!text)
            return isFormula(value);
        return (isSymbol && isIdentifier(*text)) ||
               (isFloat && text->find_first_not_of("0123456789.e+-") == std::string::npos);
    });
}

bool isGuard(const Expression& e) {
    using Kind = ExpressionKind;
    const auto allAre = [&](size_t from) {
        return std::all_of(e.children.begin() + static_cast<std::ptrdiff_t>(from), e.children.end(), isGuard);
    };
    switch (e.kind) {
    case Kind::Constant:
    case Kind::Compare:
    case Kind::Binary:
    case Kind::Unary:
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
    case Kind::Conditional:
    case Kind::Tuple:
    case Kind::List:
    case Kind::Subscript:
        return allAre(0);
    case Kind::Name:
        return e.text == "L";
    case Kind::Call: {
        const Expression& callee = e.children[0];
        if (callee.kind == Kind::Attribute)
            return isOneOf(callee.text, {"size", "stride", "storage_offset", "dim", "numel", "item"}) &&
                   isGuard(callee.children[0]) && allAre(1);
        return callee.kind == Kind::Name &&
               isOneOf(callee.text, {"max", "min", "Max", "Min", "abs", "len", "int", "float", "bool"}) &&
               allAre(1);
    }
    default:
        return false;
    }
}

bool isParsedAs(const std::string& text, bool (*test)(const Expression&)) {
    try {
        return test(parseExpression(text, ""));
    } catch (const Error&) {
        return false;
    }
}

} // namespace

bool isHarmlessFormula(const std::string& srepr) {
    return isParsedAs(srepr, isFormula);
}

bool isHarmlessGuard(const std::string& guard) {
    // torch pastes a guard into a string literal, too.
    const bool isPlain = std::all_of(guard.begin(), guard.end(), [](char c) {
        return c >= ' ' && c <= '~' && std::string_view("\"\\#{}").find(c) == std::string_view::npos;
    });
    return isPlain && isParsedAs(guard, isGuard);
}

} // namespace fx
