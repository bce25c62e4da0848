// SPDX-License-Identifier: GPL-3.0-or-later
// graph, code and draw: the graph as text, as Python and as a picture.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/codegen/fx_code.h"
#include "core/codegen/python_code.h"
#include "core/io/argument_json.h"
#include "core/io/output_file.h"
#include "core/ir/graph_text.h"
#include "core/ir/trace_end.h"
#include "core/layout/dot_text.h"
#include "core/layout/linear_layout.h"
#include "core/layout/placement.h"
#include "core/layout/worker_client.h"
#ifdef FXSCOPE_HAS_GRAPHVIZ
#include "core/layout/graphviz_render.h"
#endif

#include <iostream>

namespace fx::cli {

ModuleId graphAt(const Model& model, const std::string& path) {
    const ModuleId module = model.resolve(model.root(), path).module;
    if (module && model.module(module).graph)
        return module;
    std::vector<std::string> paths;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& other) {
        if (model.module(id).graph && !other.empty())
            paths.push_back(other);
    });
    throw Error("--module " + path, "is no module with a graph")
        .hint(paths.empty() ? "the model has one graph only" : "there are: " + join(paths, ", "));
}

namespace {

Json graphJson(const Graph& graph) {
    Json nodes = Json::array();
    std::map<NodeId, int64_t> index;
    for (const Node& node : graph)
        index.emplace(node.id, static_cast<int64_t>(index.size()));
    const auto indexOf = [&](NodeId id) { return index.at(id); };
    for (const Node& node : graph) {
        Json args = Json::array(), kwargs = Json::object(), users = Json::array(), meta = Json::object();
        for (const Argument& argument : node.args)
            args.push_back(toJson(argument, indexOf));
        for (const auto& [key, argument] : node.kwargs)
            kwargs[key] = toJson(argument, indexOf);
        for (NodeId user : node.users)
            users.push_back(indexOf(user));
        for (const auto& [key, value] : node.meta.entries())
            meta[key] = toJson(value, indexOf);
        nodes.push_back({{"name", node.name},
                         {"op", std::string(opcodeName(node.opcode))},
                         {"target", node.target.name()},
                         {"args", std::move(args)},
                         {"kwargs", std::move(kwargs)},
                         {"users", std::move(users)},
                         {"meta", std::move(meta)}});
    }
    return {{"nodes", std::move(nodes)}};
}

/// What was printed or drawn ends where tracing failed.
void requireWhole(const OpenedModel& opened) {
    if (!opened.traceFault)
        return;
    std::cout.flush();
    throw Error(*opened.traceFault);
}

struct GraphCommand {
    ModelOptions model;
    std::string format = "text", module;

    void operator()() const {
        const OpenedModel opened = model.openSoFar();
        const Graph& graph = opened.model.graph(graphAt(opened.model, module));
        if (format == "text")
            std::cout << shownLines(graphText(graph)) << '\n';
        else if (format == "tabular")
            std::cout << shownLines(tabularText(graph));
        else if (format == "dot")
            std::cout << shownLines(dotText(graph));
        else
            std::cout << jsonText(graphJson(graph), 1, true) << '\n';
        requireWhole(opened);
    }
};

struct DrawCommand {
    ModelOptions model;
    std::string out, module;
    std::vector<std::string> expanded;
    bool expandsAll = false, hidesWeights = false, keepsLong = false;

    void operator()() const {
        const std::string format = out.substr(out.rfind('.') + 1);
        if (format != "svg" && format != "png" && format != "pdf" && format != "dot")
            throw Error(out, "has no ending that says what to draw")
                .hint("end it in .svg, .png, .pdf or .dot");
        const OpenedModel opened = model.openSoFar();
        const ModuleId owner = graphAt(opened.model, module);
        const Graph& graph = opened.model.graph(owner);
        const ModuleCalls modules = moduleCalls(opened.model, owner);
        const ScopeTree scopes = pictureScopes(graph, modules);
        DiagramOptions options;
        options.showsWeights = !hidesWeights;
        options.expandedScopes = scopesToExpand(graph, scopes, 80);
        for (const std::string& path : expanded) {
            if (scopes.find(path) < 0)
                throw Error("--expand " + path, "is no module scope of the graph");
            for (int scope = scopes.find(path); scope > 0; scope = scopes.scope(scope).parent)
                options.expandedScopes.insert(scopes.scope(scope).path);
        }
        if (const std::optional<TraceEnd> end = traceEndOf(graph))
            if (const auto* stack = end->node.meta.find<ModuleStack>(meta::kModuleStack))
                for (const ModuleFrame& frame : *stack)
                    options.expandedScopes.insert(frame.path);
        if (expandsAll)
            for (const Scope& scope : scopes.scopes())
                options.expandedScopes.insert(scope.path);
        Diagram diagram = buildDiagram(graph, scopes, options);
        const BoxTexts texts(graph, scopes, modules);
        for (DiagramBox& box : diagram.boxes)
            setSize(box, texts.text(box));
        LayoutWorker worker(LayoutWorker::besideThisProgram());
        bool hasFallenBack = false;
        const auto layOut = [&](const Level& level) {
            try {
                if (!hasFallenBack)
                    return worker.layOut(level, std::chrono::seconds(20));
            } catch (const Error& error) {
                std::cerr << "note: " << shownLine(error.what())
                          << "; boxes are placed in the order of execution\n";
                hasFallenBack = true;
            }
            return layoutLinearly(level);
        };
        place(diagram, layOut, !keepsLong);
        const std::string dot = dotText(diagram, texts, graph);
        if (format == "dot") {
            writeFile(out, dot);
            return requireWhole(opened);
        }
#ifdef FXSCOPE_HAS_GRAPHVIZ
        writeFile(out, renderedByGraphviz(dot, format));
        requireWhole(opened);
#else
        throw Error(out, "this build has no Graphviz to draw with")
            .hint("write a .dot, or build with -DFXSCOPE_GRAPHVIZ=ON");
#endif
    }

    /// About what the texts need at 9 points.
    static void setSize(DiagramBox& box, const BoxText& text) {
        const size_t letters =
            std::max({text.title.size() + 2, text.detail.size(), text.value.size(), text.badge.size()});
        if (box.kind == DiagramBox::Kind::Stub) {
            box.width = 10 + 4.6 * static_cast<double>(std::min<size_t>(text.title.size(), 24));
            box.height = 14;
            return;
        }
        box.width = std::clamp(18 + 5.2 * static_cast<double>(letters), 110.0, 260.0);
        box.height = text.value.empty() && text.badge.empty() ? 34 : 46;
    }
};

} // namespace

void addGraph(CLI::App& app) {
    auto command = std::make_shared<GraphCommand>();
    CLI::App* parser = app.add_subcommand("graph", "print the graph");
    command->model.addTo(*parser);
    parser->add_option("--format", command->format, "text and tabular are torch.fx's")
        ->check(CLI::IsMember({"text", "tabular", "json", "dot"}))
        ->capture_default_str();
    parser->add_option("--module", command->module, "a nested graph instead: true_graph_0");
    parser->footer(
        "Examples:\n  fxscope graph model.pt2\n  fxscope graph model.pt2 --format json --module "
        "true_graph_0\n  fxscope graph 'net.py:Net(depth=3)' --state weights.pt --concrete-args flag=True "
        "--wrap "
        "helper\n  fxscope graph scripted.pt --no-leaves --concrete-args 'x=torch.zeros(1, 3, 224, 224)'");
    parser->callback([command] { (*command)(); });
}

void addCode(CLI::App& app) {
    struct Options {
        ModelOptions model;
        std::string module;
        bool isOfAll = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* parser = app.add_subcommand("code", "print the generated forward, as GraphModule.code has it");
    options->model.addTo(*parser);
    parser->add_option("--module", options->module, "a nested graph instead: true_graph_0");
    parser->add_flag("--all", options->isOfAll, "those of all modules below, too, each after a line '# PATH'")
        ->excludes("--module");
    const auto nodes = std::make_shared<std::vector<std::string>>();
    parser
        ->add_option("--nodes", *nodes,
                     "instead: Python for torch.fx that finds these nodes, and that builds the same calls")
        ->delimiter(',')
        ->excludes("--all");
    parser->footer("Examples:\n  fxscope code model.pt2\n  fxscope code parts.fxg --all\n  fxscope code "
                   "model.pt2 --nodes relu,add");
    parser->callback([options, nodes] {
        const OpenedModel opened = options->model.open();
        const ModuleId module = graphAt(opened.model, options->module);
        if (nodes->empty()) {
            std::cout << PythonCode(opened.model, module).text();
            if (options->isOfAll)
                opened.model.forEachModule(module, [&](ModuleId id, const std::string& path) {
                    if (id != module && opened.model.module(id).graph)
                        std::cout << "\n# " << shownLine(path) << '\n' << PythonCode(opened.model, id).text();
                });
            return;
        }
        std::vector<NodeId> found;
        for (const std::string& name : *nodes) {
            found.push_back(opened.model.graph(module).find(name));
            if (!found.back())
                throw Error("--nodes", "the graph has no node '" + name + '\'')
                    .hint("fxscope graph lists them");
        }
        std::cout << fxCode(opened.model.graph(module), found);
    });
}

void addDraw(CLI::App& app) {
    auto command = std::make_shared<DrawCommand>();
    command->model.runsHere = false; // it runs no graph, and Graphviz in a process of its own
    CLI::App* parser = app.add_subcommand("draw", "draw the graph into a file");
    command->model.addTo(*parser);
    parser->add_option("-o,--out", command->out, "FILE.svg, .png, .pdf or .dot")->required();
    parser->add_option("--module", command->module, "a nested graph instead: true_graph_0");
    parser->add_option("--expand", command->expanded, "module scopes to show from inside: layer1.0")
        ->allow_extra_args(false);
    parser->add_flag("--all", command->expandsAll, "show all module scopes from inside");
    parser->add_flag("--no-weights", command->hidesWeights, "leave out parameters and buffers");
    parser->add_flag("--no-fold", command->keepsLong, "keep what is far higher than wide in one column");
    parser->footer("Examples:\n  fxscope draw model.pt2 -o model.svg\n  fxscope draw model.pt2 -o block.png "
                   "--expand layers.0 --no-weights");
    parser->callback([command] { (*command)(); });
}

} // namespace fx::cli
