// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/package_writer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/codegen/written_names.h"
#include "core/export/tree_ends.h"
#include "core/interpret/interpreter.h"
#include "core/io/harmless_names.h"
#include "core/io/json.h"
#include "core/ir/names.h"
#include "core/torch/bind/operators.h"

#include <algorithm>
#include <functional>
#include <regex>

namespace fx {

namespace {

std::string indented(const std::string& text, const std::string& by) {
    std::string out;
    for (std::string_view line : split(text, '\n'))
        out += (trim(line).empty() ? std::string() : by + std::string(line)) + '\n';
    return out;
}

/// "TrueGraph0" of "true_graph_0".
std::string camelCase(const std::string& path) {
    std::string out;
    bool isStart = true;
    for (char c : path) {
        const bool isPart = std::isalnum(static_cast<unsigned char>(c));
        if (isPart)
            out += isStart ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        isStart = !isPart;
    }
    return out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) ? "Graph" + out : out;
}

/// Names that generated code counts on, and how a function gets them back that has a parameter of the name.
const std::map<std::string, std::string> kOwnNames = {{"torch", "import torch"},
                                                      {"inf", "inf = float(\"inf\")"},
                                                      {"nan", "nan = float(\"nan\")"},
                                                      {"device", "device = torch.device"},
                                                      {"NoneType", "NoneType = type(None)"},
                                                      {"pytree", "pytree = torch.utils._pytree"},
                                                      {"fx_pytree", "fx_pytree = torch.fx._pytree"}};

/// torch.fx renames parameters one after the other ("input_1 = input"), which overwrites a parameter that is
/// itself called input_1. All at once is safe. A parameter called as what the code needs ("device") would
/// hide it.
std::string withoutClobbering(const std::string& code, const Graph& graph) {
    std::set<std::string> parameters;
    for (const Node& node : graph)
        if (node.opcode == Opcode::Placeholder)
            parameters.emplace(withoutStars(node.target.name()));
    std::vector<std::string> lines, to, from, again;
    bool clobbers = false;
    size_t first = 0;
    for (std::string_view line : split(code, '\n')) {
        const std::string_view text = trim(line);
        const size_t equals = text.find(" = ");
        const std::string source(equals == std::string_view::npos ? std::string_view()
                                                                  : text.substr(equals + 3));
        const bool isRename = line.starts_with("    ") && parameters.contains(source);
        if (!isRename) {
            lines.emplace_back(line);
            continue;
        }
        if (to.empty())
            first = lines.size();
        to.emplace_back(text.substr(0, equals));
        from.push_back(source);
        if (const auto own = kOwnNames.find(source); own != kOwnNames.end())
            again.push_back("    " + own->second);
        clobbers |= parameters.contains(to.back());
    }
    if (!clobbers && again.empty())
        return code;
    again.insert(again.begin(), "    " + join(to, ", ") + " = " + join(from, ", "));
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(first), again.begin(), again.end());
    return join(lines, "\n");
}

constexpr const char* kScriptObject = R"(

def _script_object(name, state):
    made = torch.ScriptObject.__new__(torch.ScriptObject)
    made.__setstate__((state, name))
    return made
)";

constexpr const char* kObject = R"(

def _object(cls, fields):
    """An object as unpickling makes it: from its fields, without its constructor."""
    made = cls.__new__(cls)
    made.__dict__.update(fields)
    return made
)";

constexpr const char* kRestored = R"(

def _restored(cls, fields={}):
    """A module as unpickling makes it: from its fields, without its constructor."""
    made = cls.__new__(cls)
    torch.nn.Module.__init__(made)
    made.__dict__.update(fields)
    return made
)";

constexpr const char* kLoadState = R"(

def _load_state(root, state):
    """Puts the tensors of state.pt in the places that the constructors made; none may be left over on either side."""
    places, given = [], {}
    for path, module in root.named_modules(remove_duplicate=False):
        for name, old in [*module._parameters.items(), *module._buffers.items()]:
            if old is not None:
                key = f"{path}.{name}" if path else name
                places.append((module, name, key, old))
                if key in state:
                    new = state.pop(key)
                    # Observers resize their buffers, which what torch.load gives cannot be.
                    grows = type(module).__module__.startswith("torch.ao.") and name in module._buffers
                    given.setdefault(id(old), new.clone() if grows else new)
    missing = [key for _, _, key, old in places if id(old) not in given]
    if missing or state:
        raise RuntimeError(f"state.pt does not fit: missing {missing}, unexpected {list(state)}")
    for module, name, _, old in places:
        if isinstance(old, torch.nn.Parameter) and not isinstance(given[id(old)], torch.nn.Parameter):
            given[id(old)] = torch.nn.Parameter(given[id(old)], old.requires_grad)
        setattr(module, name, given[id(old)])
)";

/// Inside of a class Python gives names such as __x that of the class as well.
bool holdsMangledNames(const std::string& code) {
    static const std::regex name("\\b__\\w*[^\\W_](_?)\\b");
    return std::regex_search(code, name);
}

/// Whether a tree spec's text has an enum in it, at any depth of JSON in JSON: reading it imports whatever
/// module the text says.
bool holdsEnum(const Json& value) {
    if (value.is_string()) {
        const Json inner = Json::parse(value.get<std::string>(), nullptr, false);
        return inner.is_structured() && holdsEnum(inner);
    }
    return value.is_structured() &&
           ((value.is_object() && value.contains("__enum__")) || std::ranges::any_of(value, holdsEnum));
}

/// The text of a file's name as a docstring holds it.
std::string docText(const std::string& name) {
    const std::string quoted = pythonRepr(name);
    return replaceAll(quoted.substr(1, quoted.size() - 2), "\"", "'");
}

} // namespace

PackageWriter::PackageWriter(const Model& model, std::string className)
    : m_model(model), m_className(std::move(className)), m_names(model.sources()),
      m_tree(model, m_names, m_classNames) {}

std::string PackageWriter::moduleText(const std::string& origin) {
    // Nested classes come before those that use them.
    std::vector<std::pair<ModuleId, std::string>> graphs;
    m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& path) {
        if (m_model.module(id).graph)
            graphs.emplace_back(id, path);
    });
    for (const auto& [id, path] : graphs)
        m_classNames[id] = path.empty() ? m_className : uniqueClass(camelCase(path));
    for (const auto& [id, path] : graphs)
        m_members[id] = m_tree.members(id, path);
    std::string classes;
    for (auto graph = graphs.rbegin(); graph != graphs.rend(); ++graph)
        classes += "\n\n" + classText(graph->first);

    std::string out =
        "\"\"\"" + m_className + ", generated by fxscope" +
        (origin.empty() ? "" : " from " + docText(origin.substr(origin.rfind('/') + 1))) +
        ".\"\"\"\n\n"
        "import pathlib\nfrom math import inf, nan\n\nimport torch\nimport torch.fx\nimport torch.fx._pytree "
        "as "
        "fx_pytree\n"
        "import torch.utils._pytree as pytree\nfrom torch import device\n" +
        m_names.importLines() + "\nNoneType = type(None)\n";
    for (const std::string& wrap : m_wraps)
        out += wrap + '\n';
    return out + helpers() + namedTuples() + classes;
}

std::string PackageWriter::helpers() const {
    const TreeHelpers& used = m_tree.helpers();
    return std::string(used.scriptObject ? kScriptObject : "") + (used.object ? kObject : "") +
           (used.restored ? kRestored : "") + (state().empty() ? "" : kLoadState);
}

std::vector<std::string> PackageWriter::notes() const {
    std::set<std::string> libraries;
    m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string&) {
        if (m_model.module(id).graph)
            for (const Node& node : m_model.graph(id))
                if (node.opcode == Opcode::CallFunction && node.target.isOperatorOverload() &&
                    !findOperator(node.target))
                    libraries.insert(node.target.name());
    });
    std::vector<std::string> out;
    for (const std::string& name : libraries)
        out.push_back(name + " must be registered in Python before the package runs");
    return out;
}

std::string PackageWriter::uniqueClass(const std::string& wish) {
    std::string name = wish;
    for (int i = 1; name == m_className || isReservedName(name) || !m_taken.insert(name).second; ++i)
        name = wish + '_' + std::to_string(i);
    return name;
}

/// Has module.py know what the code of a graph names.
void PackageWriter::bindNames(ModuleId id, const PythonCode& code) {
    const Graph& graph = m_model.graph(id);
    if (graph.signature())
        for (const std::string& name : graph.signature()->argumentNames)
            if (!isWrittenBare(name))
                throw Error("the signature",
                            "has the argument " + pythonRepr(name) + ", which is no name in Python")
                    .hint("export the program again, with another name for it");
    for (const Node& node : graph) {
        requireHarmless(m_model, id, node);
        if (node.target.name().starts_with("torch.ops.quantized_decomposed."))
            m_names.importModule("torch.ao.quantization.fx._decomposed"); // which registers them
    }
    for (const PythonCode::Global& global : code.globals())
        if (global.isAnnotation)
            m_names.bindAnnotation(global.local, global.name);
        else
            m_names.bind(global.local, global.name, nodePlace(graph, global.node));
}

std::string PackageWriter::classText(ModuleId id) {
    const PythonCode code(m_model, id);
    bindNames(id, code);
    std::string body;
    for (std::string_view line : split(code.text(), '\n')) {
        const std::string text(line);
        if (!text.starts_with("torch.fx._symbolic_trace.wrap("))
            body += text + '\n';
        else if (std::ranges::find(m_wraps, text) == m_wraps.end())
            m_wraps.push_back(text);
    }
    body = withoutClobbering(body, m_model.graph(id));
    body.erase(0, body.find_first_not_of('\n'));
    while (!body.empty() && (body.back() == ' ' || body.back() == '\n'))
        body.pop_back();
    const std::string& name = m_classNames[id];
    const std::string head = "class " + name + "(torch.nn.Module):\n" + indented(initText(id), "    ");
    if (!holdsMangledNames(body))
        return head + indented(body, "    ");
    return head + '\n' + body + "\n\n\n" + name + ".forward = forward\ndel forward\n";
}

std::string PackageWriter::initText(ModuleId id) {
    const bool isRoot = id == m_model.root();
    const TreeWriter::Members& members = m_members.at(id);
    const auto block = [](const std::vector<std::string>& lines, const std::string& by) {
        return lines.empty() ? std::string() : indented(join(lines, "\n"), by);
    };
    std::string out = isRoot ? "def __init__(self):\n" : "def __init__(self, state):\n";
    out += "    super().__init__()\n";
    if (isRoot && !state().empty())
        out +=
            "    state = torch.load(pathlib.Path(__file__).with_name(\"state.pt\"), map_location=\"cpu\")\n";
    else if (isRoot)
        out += m_classNames.size() > 1 ? "    state = {}\n" : "";
    if (members.areOnMeta)
        out += "    with torch.device(\"meta\"):  # the tensors come from state.pt\n";
    out += block(members.lines, members.areOnMeta ? "        " : "    ");
    if (isRoot) {
        out += block(ties(m_model, m_tree.homes()), "    ") + block(frozenParameters(m_model), "    ");
        if (!state().empty())
            out += "    _load_state(self, state)\n";
        out += block(trainingModes(m_model, m_tree.called()), "    ");
    }
    if (const std::optional<Signature>& signature = m_model.graph(id).signature()) {
        out += "    self._in_spec = " + specText(signature->inputs, signature->inputsText) + '\n';
        if (signature->outputs)
            out += "    self._out_spec = " + specText(*signature->outputs, signature->outputsText) + '\n';
    }
    return out;
}

/// The spec as torch wrote it, else of an example that has its form.
std::string PackageWriter::specText(const TreeSpec& spec, const std::string& written) {
    const Json parsed = Json::parse(written, nullptr, false);
    if (!parsed.is_discarded() && holdsEnum(parsed))
        throw Error("the nested inputs",
                    "have keys that are members of an enum, which reading them would import")
            .hint("export the program again, with other keys");
    if (!written.empty())
        return "pytree.treespec_loads(" + pythonRepr(written) + ')';
    return "pytree.tree_structure(" + exampleOf(spec) + ')';
}

std::string PackageWriter::exampleOf(const TreeSpec& spec) {
    using Kind = TreeSpec::Kind;
    std::vector<std::string> items;
    for (size_t i = 0; i < spec.children.size(); ++i)
        items.push_back((spec.kind == Kind::Dict ? argumentExpression(spec.keys.at(i), {}) + ": " : "") +
                        exampleOf(spec.children[i]));
    const std::string inside = join(items, ", ");
    const bool isBuiltin = spec.type.empty() || spec.type.starts_with("builtins.");
    if (spec.kind == Kind::Leaf)
        return "0";
    if (spec.kind == Kind::Tuple && isBuiltin)
        return '(' + inside + (items.size() == 1 ? ",)" : ")");
    if (spec.kind == Kind::List && isBuiltin)
        return '[' + inside + ']';
    if (spec.kind == Kind::Dict && isBuiltin)
        return '{' + inside + '}';
    const std::string type = m_names.expression(spec.type, "the nested inputs");
    if (spec.kind == Kind::NamedTuple)
        return type + '(' + inside + ')';
    if (spec.kind == Kind::Dict)
        return type + (spec.type == "collections.defaultdict" ? "(None, {" : "({") + inside + "})";
    return type + "([" + inside + "])";
}

std::string PackageWriter::namedTuples() const {
    const std::optional<Signature>& signature = m_model.graph().signature();
    std::string out;
    if (signature)
        for (const NamedTupleClass& entry : signature->namedTuples) {
            std::vector<std::string> fields;
            for (const std::string& field : entry.fields)
                fields.push_back(pythonRepr(field));
            const std::string name = entry.name.substr(entry.name.rfind('.') + 1);
            if (!isWrittenBare(name) || isReservedName(name))
                throw Error("the nested inputs", "use the named tuple " + pythonRepr(entry.name) +
                                                     ", which is no name of a class in Python")
                    .hint("export the program again, with another name for it");
            out += "\n# Used by the inputs or outputs; your own class serves if it is registered under "
                   "this name.\n"
                   "if " +
                   pythonRepr(entry.name) +
                   " not in pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:\n"
                   "    import collections\n\n"
                   "    " +
                   name + " = collections.namedtuple(" + pythonRepr(name) + ", [" + join(fields, ", ") +
                   "])\n"
                   "    pytree._register_namedtuple(" +
                   name + ", serialized_type_name=" + pythonRepr(entry.name) + ")\n";
        }
    return out;
}

} // namespace fx
