// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of Graph asks about the code of a graph, and about the nested arguments that it is called
// with.
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/fxpython/fx_module.h"
#include "core/python/types/support.h"

#include <algorithm>

namespace fx {

namespace {

const char* const kLinesType = "torch.fx.CodeLines";

/// The text of the code, the names that it uses, by value, and what `line_numbers` reads.
Value writtenCode(Evaluator& evaluator, ProgramGraph& graph, const Model& model, ModuleId module) {
    const PythonCode code(model, module);
    DictObject names;
    for (const PythonCode::Global& global : code.globals())
        try {
            names.set(global.local, graph.function(evaluator, Target(global.name)));
        } catch (const Error&) {
            if (!global.isAnnotation) // which nothing needs but the name
                throw;
            names.set(global.local, makeText(global.name));
        }
    const Graph& written = model.graph(module);
    std::vector<int64_t> indices(static_cast<size_t>(written.nextId().value));
    int64_t index = 0;
    for (const Node& node : written)
        indices[static_cast<size_t>(node.id.value)] = index++;
    auto numbers = std::make_shared<std::vector<int64_t>>();
    const auto lines = std::count(code.text().begin(), code.text().end(), '\n') + 1;
    for (int line = 0; line < lines; ++line) {
        const NodeId node = code.nodeAtLine(line);
        numbers->push_back(node ? indices[static_cast<size_t>(node.value)] : -1);
    }
    return makeTuple({makeText(code.text()), Object{std::move(names)},
                      Object{HandleObject{nullptr, kLinesType, std::move(numbers)}}});
}

Value code(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    return writtenCode(evaluator, graph, graph.model(), graph.model().root());
}

/// The same of the graph as it was when it was opened.
Value openedCode(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    return writtenCode(evaluator, graph, *graph.opened().model, graph.opened().module);
}

/// Of each line the number of its node, or None.
Value lineNumbers(Evaluator&, Values& args) {
    const auto* handle = args[0].as<HandleObject>();
    if (!handle || handle->typeName != kLinesType)
        raise("TypeError", "expected the lines of a code, not " + typeName(args[0]));
    Values out;
    for (const int64_t number : *static_cast<const std::vector<int64_t>*>(handle->content.get()))
        out.push_back(number < 0 ? Value() : makeInt(number));
    return makeList(std::move(out));
}

/// (source, name of the file, names): runs it among the names.
Value run(Evaluator& evaluator, Values& args) {
    return evaluator.evaluate(parseSource(args[0].text(), args[1].text()), args[2]);
}

/// The code line by line, each line with the node that it computes, or None.
Value lines(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    const PythonCode code(graph.model(), graph.model().root());
    Values out;
    int number = 0;
    for (const std::string_view line : split(code.text(), '\n')) {
        const NodeId node = code.nodeAtLine(number++);
        out.push_back(makeTuple({node ? graph.node(evaluator, node) : Value(), makeText(std::string(line))}));
    }
    return makeList(std::move(out));
}

Value parameters(Evaluator&, Values& args) {
    const ProgramGraph& graph = requireGraph(args[0]);
    Values out;
    for (std::string& text : PythonCode(graph.model(), graph.model().root()).parameters())
        out.push_back(makeText(std::move(text)));
    return makeList(std::move(out));
}

Value treeOf(Evaluator& evaluator, ProgramGraph& graph, const TreeSpec& spec) {
    Values children;
    for (const TreeSpec& child : spec.children)
        children.push_back(treeOf(evaluator, graph, child));
    switch (spec.kind) {
    case TreeSpec::Kind::Leaf:
        return makeInt(0);
    case TreeSpec::Kind::List:
        return makeList(std::move(children));
    case TreeSpec::Kind::NamedTuple:
        return evaluator.call(graph.function(evaluator, Target(spec.type)), std::move(children));
    case TreeSpec::Kind::Dict: {
        DictObject out;
        for (size_t i = 0; i < children.size(); ++i)
            out.set(graph.value(evaluator, spec.keys.at(i)), std::move(children[i]));
        if (spec.type == "collections.OrderedDict")
            return evaluator.call(graph.function(evaluator, Target(spec.type)), {Object{std::move(out)}});
        return Object{std::move(out)};
    }
    case TreeSpec::Kind::Other:
        if (!spec.keys.empty()) // of a class that the program has registered
            return evaluator.call(evaluator.attribute(evaluator.modules().importModule("torch.utils._pytree"),
                                                      "_registered_from"),
                                  {graph.function(evaluator, Target(spec.type)),
                                   makeList(std::move(children)), graph.value(evaluator, spec.keys[0])});
        [[fallthrough]];
    default:
        return makeTuple(std::move(children));
    }
}

/// What a TreeSpec of the program's torch.utils._pytree says.
TreeSpec specOf(Evaluator& evaluator, ProgramGraph& graph, const Value& value) {
    TreeSpec out;
    const Value type = evaluator.attribute(value, "type");
    if (type.isNone())
        return out;
    const Value context = evaluator.attribute(value, "context");
    const auto nameOf = [&](const Value& named) {
        return evaluator.str(evaluator.attribute(named, "__module__")) + '.' +
               evaluator.str(evaluator.attribute(named, "__qualname__"));
    };
    out.type = nameOf(type);
    out.kind = TreeSpec::kindOf(out.type);
    if (out.kind == TreeSpec::Kind::NamedTuple)
        out.type = graph.target(evaluator, context).name();
    if (out.kind == TreeSpec::Kind::Dict)
        for (const Value& key : evaluator.items(context))
            out.keys.push_back(graph.argument(evaluator, key));
    if (out.kind == TreeSpec::Kind::Other)
        out.keys.push_back(graph.argument(evaluator, context));
    for (const Value& child : evaluator.items(evaluator.call(evaluator.attribute(value, "children"), {})))
        out.children.push_back(specOf(evaluator, graph, child));
    return out;
}

/// Of what the graph is called with: the names of the arguments, what they and the result were, with 0 in the
/// place of each leaf; None where nothing is taken apart.
Value signatureOf(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    const std::optional<Signature>& signature = graph.graph().signature();
    if (!signature)
        return {};
    Values names;
    for (const std::string& name : signature->argumentNames)
        names.push_back(makeText(name));
    return makeTuple(
        {makeList(std::move(names)), makeTuple({treeOf(evaluator, graph, signature->inputs)}),
         signature->outputs ? makeTuple({treeOf(evaluator, graph, *signature->outputs)}) : Value()});
}

/// (graph, names or None, TreeSpec of the inputs, TreeSpec of the result or None)
Value setSignature(Evaluator& evaluator, Values& args) {
    ProgramGraph& graph = requireGraph(args[0]);
    if (args[1].isNone()) {
        if (graph.graph().signature())
            graph.edit().setSignature(std::nullopt);
        return {};
    }
    Signature signature;
    for (const Value& name : evaluator.items(args[1]))
        signature.argumentNames.push_back(evaluator.str(name));
    signature.inputs = specOf(evaluator, graph, args[2]);
    if (!args[3].isNone())
        signature.outputs = specOf(evaluator, graph, args[3]);
    graph.edit().setSignature(std::move(signature));
    return {};
}

} // namespace

void addCodeFunctions(NativeModule& module) {
    module.add("code", 1, 1, code);
    module.add("opened_code", 1, 1, openedCode);
    module.add("line_numbers", 1, 1, lineNumbers);
    module.add("lines", 1, 1, lines);
    module.add("parameters", 1, 1, parameters);
    module.add("run", 3, 3, run);
    module.add("signature", 1, 1, signatureOf);
    module.add("set_signature", 4, 4, setSignature);
    // Of a node that was copied: its code asks for torch.fx.wrap.
    module.add("mark_wrapped", 1, 1, [](Evaluator&, Values& args) -> Value {
        const NodeHandle& node = requireNode(args[0]);
        node.graph->edit().setMeta(node.id, meta::kIsWrapped, MetaValue(true));
        return {};
    });
    module.add("copy_signature", 2, 2, [](Evaluator&, Values& args) {
        requireGraph(args[1]).edit().setSignature(requireGraph(args[0]).graph().signature());
        return Value();
    });
}

} // namespace fx
