// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/printed.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/printed/code_text.h"
#include "core/io/printed/listing_text.h"
#include "core/io/printed/printed_file.h"
#include "core/module/edit.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>
#include <map>

namespace fx {

namespace {

constexpr size_t kLargestText = size_t(512) << 20;
constexpr size_t kListedGraphs = 40; ///< graphs of a file that are told by name

/// A weight of the text, if its shape is a fixed one.
std::optional<TensorSlot> weightOf(const PrintedNode& node) {
    const auto* value = node.meta.find<ValueMeta>(meta::kValue);
    const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
    if (!tensor)
        return std::nullopt;
    int64_t count = 1;
    constexpr int64_t kMost = int64_t(1) << 48;
    for (const auto* list : {&tensor->shape, &tensor->stride})
        for (const Dimension& dimension : *list) {
            const auto* size = std::get_if<int64_t>(&dimension);
            if (!size || *size < 0 || *size > kMost)
                return std::nullopt;
        }
    TensorMeta meta = *tensor;
    if (meta.stride.empty())
        meta.stride.resize(meta.shape.size());
    for (size_t i = meta.shape.size(); i-- > 0;) {
        if (tensor->stride.empty())
            meta.stride[i] = count;
        count *= std::max<int64_t>(std::get<int64_t>(meta.shape[i]), 1);
        if (count > kMost)
            return std::nullopt;
    }
    const std::string name = node.target.name();
    return TensorSlot(std::move(meta), [name]() -> at::Tensor {
        throw Error("'" + name + '\'', "has a shape and no value, as the text of a graph holds no weights")
            .hint("open the model that the text was printed of");
    });
}

class ModelMaker {
public:
    ModelMaker(Edit& edit, Progress& progress) : m_edit(edit), m_progress(progress) {}

    void make(const PrintedGraph& graph) {
        const ModuleId here = m_edit.module();
        for (const PrintedGraph& child : graph.children) {
            const ModuleId id = m_edit.createModule("GraphModule", true);
            if (!m_edit.addSubmodule(child.name, id))
                continue;
            m_edit.enter(id);
            make(child);
            m_edit.enter(here);
        }
        addAttributes(graph);
        std::vector<NodeId> nodes;
        const auto map = [&](NodeId index) -> Argument { return nodes[static_cast<size_t>(index.value)]; };
        for (const PrintedNode& node : graph.nodes) {
            if (nodes.size() % 256 == 0)
                m_progress.step(0.5, "building the graph");
            nodes.push_back(m_edit.createNode(node.opcode, node.target, mapNodes(node.args, map),
                                              mapNodes(node.kwargs, map), node.name, node.type, node.meta));
            keepName(nodes.back(), node.name);
        }
    }

    size_t weightCount() const { return m_weightCount; }
    size_t moduleCount() const { return m_moduleCount; }

private:
    /// Other names than those of the text would not be found where it came from.
    void keepName(NodeId id, const std::string& name) {
        if (m_edit.node(id).name != name && !m_edit.graph().find(name))
            m_edit.setName(id, name);
    }

    bool isThere(const std::string& path) const {
        return bool(m_edit.model().resolve(m_edit.module(), path));
    }

    /// Of what the nodes call and read is registered what can be known.
    void addAttributes(const PrintedGraph& graph) {
        std::vector<const PrintedNode*> reads;
        for (const PrintedNode& node : graph.nodes) {
            if (node.opcode == Opcode::CallModule && !isThere(node.target.name()) &&
                m_edit.addSubmodule(node.target.name(), m_edit.createModule(kPlainModule)))
                ++m_moduleCount;
            if (node.opcode == Opcode::GetAttr)
                reads.push_back(&node);
        }
        // What is inside of something goes before it, so that the latter is a module.
        const auto depth = [](const PrintedNode* node) {
            const std::string& name = node->target.name();
            return std::count(name.begin(), name.end(), '.');
        };
        std::stable_sort(reads.begin(), reads.end(),
                         [&](const auto* a, const auto* b) { return depth(a) > depth(b); });
        for (const PrintedNode* node : reads) {
            const std::string& path = node->target.name();
            if (isThere(path))
                continue;
            if (const std::optional<TensorSlot> weight = weightOf(*node)) {
                m_edit.setTensor(path, m_edit.createTensor(*weight), TensorRole::Constant);
                ++m_weightCount;
            } else {
                m_edit.setValue(path, Argument(OpaqueValue{"<not in the text>"}));
            }
        }
    }

    Edit& m_edit;
    Progress& m_progress;
    size_t m_weightCount = 0, m_moduleCount = 0; ///< of which the text has names alone
};

size_t chosenIndex(const std::vector<PrintedSection>& sections, const std::string& path,
                   const std::string& choice) {
    if (choice.empty())
        return 0;
    for (size_t i = 0; i < sections.size(); ++i)
        if (choice == std::to_string(i + 1) || choice == sections[i].name)
            return i;
    throw Error(path, "holds no graph '" + choice + "', but " + plural(sections.size(), "graph"))
        .hint("name one by its number: " + path + ":1");
}

std::string listed(const std::vector<PrintedSection>& sections) {
    std::vector<std::string> out;
    for (size_t i = 0; i < std::min(sections.size(), kListedGraphs); ++i) {
        const PrintedSection& section = sections[i];
        out.push_back(std::to_string(i + 1) + ' ' + section.name +
                      (section.about.empty() ? "" : " (" + section.about + ')') + " in line " +
                      std::to_string(section.first + 1));
    }
    if (sections.size() > kListedGraphs)
        out.emplace_back("...");
    return join(out, ", ");
}

} // namespace

bool holdsPrintedGraph(std::string_view text, bool isSource) {
    if (text.empty() || text.size() > kLargestText ||
        contains(text.substr(0, 4096), std::string_view("\0", 1)))
        return false;
    // Looking for lines takes longer than for words.
    if (!contains(text, "def forward(") && !contains(text, "graph():"))
        return false;
    const PrintedFile file(text);
    return !file.sections().empty() && (!isSource || file.hasMarks());
}

OpenedModel readPrintedGraph(std::string_view text, const std::string& path, const std::string& choice,
                             Progress& progress) {
    progress.step(0, "reading " + path);
    const PrintedFile file(text);
    const std::vector<PrintedSection>& sections = file.sections();
    const size_t index = chosenIndex(sections, path, choice);
    if (sections.empty())
        throw Error(path, "holds no printed graph");
    const PrintedSection& section = sections[index];
    std::map<int, std::string> names;
    const std::string content = file.textOf(section, names);
    const bool isListing = section.kind == PrintedSection::Kind::Listing;
    const PrintedGraph graph =
        isListing ? readPrintedListing(content, path) : readPrintedCode(content, path, names);

    OpenedModel out;
    out.model = Model(graph.name);
    Edit edit(out.model, Edit::WithoutHistory());
    ModelMaker maker(edit, progress);
    maker.make(graph);
    edit.finish();
    out.path = path;
    out.format = isListing ? "printed graph (str(graph))" : "printed graph (code)";
    if (sections.size() > 1)
        out.notes.push_back("the file holds " + plural(sections.size(), "graph") + "; this is number " +
                            std::to_string(index + 1) + ", and " + path +
                            ":2 would be the second: " + listed(sections));
    std::vector<std::string> missing;
    if (maker.weightCount() > 0)
        missing.push_back("values of " + plural(maker.weightCount(), "weight"));
    if (maker.moduleCount() > 0)
        missing.push_back("code of " + plural(maker.moduleCount(), "module"));
    if (!missing.empty())
        out.notes.push_back("the text has no " + join(missing, " and no ") + ": the graph cannot run");
    progress.step(1, "done");
    return out;
}

} // namespace fx
