// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/fuse/fuse_pass.h"

#include "core/base/text.h"
#include "core/interpret/written_tensors.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/fuse/fold_norm.h"
#include "core/passes/pass_options.h"

#include <algorithm>

namespace fx {

namespace {

struct LayerAndNorm {
    Layer layer;
    Norm norm;
};

/// Whether two normalisations are the same computation.
bool isSameNorm(const Norm& a, const Norm& b) {
    return a.module == b.module && a.meanPath == b.meanPath && a.variancePath == b.variancePath &&
           a.weightPath == b.weightPath && a.biasPath == b.biasPath && a.epsilon == b.epsilon;
}

class Fuser {
public:
    Fuser(Edit& edit, PassContext& context) : m_edit(edit), m_context(context), m_reads(edit.model()) {}

    void run(bool isAsked) {
        find();
        size_t count = 0;
        for (const LayerAndNorm& pair : m_pairs) {
            m_context.progress.step(static_cast<double>(++count) / static_cast<double>(m_pairs.size()),
                                    m_edit.node(pair.layer.node).name);
            if (isFoldable(pair))
                fold(pair);
        }
        eraseUnread();
        deleteUnreached(m_edit, m_unused);
        if (isAsked || m_folded > 0)
            m_context.results.push_back(plural(m_folded, "batch normalisation") + " folded");
        m_left.tellIn(m_context.results);
        // As torch.fx does: of three dimensions the middle one would be normalised.
        if (!m_unknown.empty())
            m_context.warnings.push_back("taken to give rows of features, as their shapes are not recorded "
                                         "(shape-prop records them): " +
                                         join(m_unknown, ", "));
    }

private:
    void find() {
        for (const Node& node : m_edit.graph()) {
            if (node.opcode == Opcode::GetAttr && node.users.empty())
                m_unread[node.target].push_back(node.id);
            std::optional<Norm> norm = normAt(m_edit.model(), m_edit.module(), node.id);
            std::optional<Layer> layer =
                norm && norm->input ? layerAt(m_edit.model(), m_edit.module(), norm->input) : std::nullopt;
            if (!layer || (norm->dimensions && layer->dimensions != norm->dimensions))
                continue;
            m_pairs.push_back({std::move(*layer), std::move(*norm)});
            if (m_pairs.back().layer.module)
                m_ofModule[m_pairs.back().layer.module].push_back(m_pairs.size() - 1);
        }
    }

    bool isFoldable(const LayerAndNorm& pair) {
        const std::string reason = obstacle(pair);
        if (!reason.empty())
            m_left.add(reason, m_edit.node(pair.norm.node).name);
        return reason.empty();
    }

    std::string obstacle(const LayerAndNorm& pair) {
        const auto& [layer, norm] = pair;
        if (!norm.obstacle.empty())
            return norm.obstacle;
        if (m_edit.node(layer.node).users.size() != 1)
            return "after a layer that others read, too";
        if (layer.isForeignBias)
            return "after a layer whose bias is computed";
        if (!hasChannels(pair))
            return "over another dimension than the layer's channels";
        if (layer.module)
            return moduleObstacle(layer);
        for (const NodeId reader : {layer.weightReader, layer.biasReader})
            if (reader && !isOnlyRead(reader))
                return "after a layer whose weights the graph changes";
        for (const NodeId reader : norm.readers)
            if (!isOnlyRead(reader))
                return "with statistics that the graph changes";
        return {};
    }

    std::string moduleObstacle(const Layer& layer) {
        // All calls of the layer go the same way, or its weights must serve the others as they are.
        const std::vector<size_t>& calls = m_ofModule.at(layer.module);
        const Norm& first = m_pairs[calls.front()].norm;
        const bool isAlike =
            m_reads.callsOf(layer.module) == calls.size() && std::ranges::all_of(calls, [&](size_t call) {
                return isSameNorm(m_pairs[call].norm, first) &&
                       (m_folds.contains(layer.module) ||
                        m_edit.node(m_pairs[call].layer.node).users.size() == 1);
            });
        if (!isAlike)
            return "after a layer that is called elsewhere, too";
        const std::string& path = m_edit.node(layer.node).target.name();
        const std::string_view above = parentPath(path);
        bool isShared =
            !above.empty() && m_reads.isInCalled(m_edit.model().resolve(m_edit.module(), above).module);
        for (const std::string& tensor : {layer.weightPath, layer.biasPath.value_or(layer.weightPath)})
            isShared = isShared || m_reads.readsOf(*entryAt(tensor)) > 0;
        return isShared ? "after a layer whose weights are read elsewhere, too" : "";
    }

    /// Whether the dimension that is normalised is that of the layer's outputs.
    bool hasChannels(const LayerAndNorm& pair) {
        const auto& [layer, norm] = pair;
        const auto sizes = [&](const std::string& path) -> const std::vector<Dimension>& {
            return m_edit.model().tensor(entryAt(path)->tensor).meta().shape;
        };
        const ValueMeta* value = knownValue(m_edit.node(layer.node).meta);
        const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
        const bool isLinear = layer.kind == Layer::Kind::Linear || layer.kind == Layer::Kind::LinearByRows;
        const std::vector<Dimension>& weight = sizes(layer.weightPath);
        const std::vector<Dimension>& mean = sizes(norm.meanPath);
        if (!isLinear)
            return !tensor || tensor->shape.size() == weight.size();
        // One feature scales all alike, whatever the dimension.
        const Dimension features = weight.at(layer.kind == Layer::Kind::Linear ? 0 : 1);
        if (mean.size() == 1 && mean[0] == Dimension(int64_t(1)) && features != mean[0])
            return true;
        const bool isAlike = mean == std::vector<Dimension>{features};
        if (isAlike && !tensor)
            m_unknown.push_back(m_edit.node(layer.node).name);
        return isAlike && (!tensor || tensor->shape.size() == 2);
    }

    /// Whether nothing writes into what the node reads, through other names of it either.
    bool isOnlyRead(NodeId id, int depth = 0) {
        constexpr int kDeepest = 6;
        for (const NodeId user : m_edit.node(id).users) {
            const Node& reader = m_edit.node(user);
            if (normAt(m_edit.model(), m_edit.module(), user))
                continue; // with an obstacle where it writes
            const std::vector<NodeId> written = writtenInputs(reader);
            if (std::ranges::find(written, id) != written.end() || depth == kDeepest)
                return false;
            if (mayShareMemory(reader) && !isOnlyRead(user, depth + 1))
                return false;
        }
        return true;
    }

    std::optional<TensorEntry> entryAt(const std::string& path) const {
        return tensorEntry(m_edit.model(), m_edit.module(), path);
    }

    void fold(const LayerAndNorm& pair) {
        const auto& [layer, norm] = pair;
        if (!layer.module || m_folds.insert(layer.module).second) {
            const FoldedWeights folded = foldNorm(m_edit.model(), m_edit.module(), layer, norm);
            const TensorId weight = m_edit.createTensor(folded.weight);
            const TensorId bias = m_edit.createTensor(folded.bias);
            if (layer.module) {
                const TensorRole role = entryAt(layer.weightPath)->role;
                m_edit.setTensor(layer.weightPath, weight, role);
                m_edit.setTensor(m_edit.node(layer.node).target.name() + ".bias", bias, role);
            } else {
                setFunctionWeights(layer, weight, bias);
            }
        }
        removeNorm(pair);
        ++m_folded;
    }

    /// The path at which a folded tensor can stand: that of what it takes the place of where only this layer
    /// reads that.
    std::pair<std::string, bool> placeFor(const std::string& path, NodeId reader) const {
        const TensorEntry entry = *entryAt(path);
        const bool isOwn = m_reads.readsOf(entry) == 1 && m_edit.node(reader).users.size() == 1 &&
                           !m_reads.isInCalled(entry.owner);
        return {isOwn ? path : freePath(m_edit.model(), m_edit.module(), path + "_fused"), isOwn};
    }

    NodeId readerOf(const std::string& path, NodeId after, NodeId like) {
        const Edit::InsertPoint point = m_edit.insertingAfter(after);
        const NodeId made = m_edit.getAttr(path);
        if (const MetaValue* stack = m_edit.node(like).meta.find(meta::kModuleStack))
            m_edit.setMeta(made, meta::kModuleStack, MetaValue(*stack));
        return made;
    }

    void setFunctionWeights(const Layer& layer, TensorId weight, TensorId bias) {
        const TensorRole role = entryAt(layer.weightPath)->role;
        const auto [weightPath, isOwn] = placeFor(layer.weightPath, layer.weightReader);
        m_edit.setTensor(weightPath, weight, role);
        if (!isOwn) {
            const NodeId fresh = readerOf(weightPath, layer.weightReader, layer.weightReader);
            m_edit.replaceInputWith(layer.weightUser, layer.weightReader, fresh);
        }
        if (layer.biasPath) {
            const auto [biasPath, isOwnBias] = placeFor(*layer.biasPath, layer.biasReader);
            m_edit.setTensor(biasPath, bias, role);
            if (!isOwnBias)
                m_edit.replaceInputWith(layer.node, layer.biasReader,
                                        readerOf(biasPath, layer.biasReader, layer.biasReader));
            return;
        }
        const std::string wish = layer.weightPath.ends_with(".weight")
                                     ? std::string(parentPath(layer.weightPath)) + ".bias"
                                     : layer.weightPath + "_bias";
        const std::string path = freePath(m_edit.model(), m_edit.module(), wish);
        m_edit.setTensor(path, bias, role);
        addBias(layer.node, readerOf(path, layer.weightReader, layer.weightReader));
    }

    void addBias(NodeId layer, NodeId bias) {
        const Node& node = m_edit.node(layer);
        const std::string& name = node.target.name();
        if (name == "torch.mm" || name == "torch.ops.aten.mm.default") {
            m_edit.insertArg(layer, 0, bias);
            m_edit.setTarget(layer, name == "torch.mm" ? "torch.addmm" : "torch.ops.aten.addmm.default");
        } else if (node.args.size() > 2) {
            m_edit.updateArg(layer, 2, bias);
        } else if (node.args.size() == 2 && !node.keyword("bias")) {
            m_edit.insertArg(layer, 2, bias);
        } else {
            m_edit.updateKwarg(layer, "bias", bias);
        }
    }

    void removeNorm(const LayerAndNorm& pair) {
        const Norm& norm = pair.norm;
        m_edit.replaceAllUsesWith(norm.result, pair.layer.node);
        for (const NodeId user : m_edit.node(norm.node).users.toVector())
            m_edit.eraseNode(user);
        if (norm.module)
            m_unused.push_back(m_edit.node(norm.node).target.name());
        m_edit.eraseNode(norm.node);
        m_readers.insert(m_readers.end(), norm.readers.begin(), norm.readers.end());
        for (const NodeId reader : {pair.layer.weightReader, pair.layer.biasReader})
            if (reader)
                m_readers.push_back(reader);
        if (norm.module)
            return;
        const std::string_view above = parentPath(norm.meanPath);
        m_counters.push_back(std::string(above) + (above.empty() ? "" : ".") + "num_batches_tracked");
    }

    /// Of functions the statistics, and the count of batches beside them, which no function reads.
    void eraseUnread() {
        const auto erase = [&](NodeId id) {
            if (!m_edit.graph().contains(id) || !m_edit.node(id).users.empty())
                return;
            m_unused.push_back(m_edit.node(id).target.name());
            m_edit.eraseNode(id);
        };
        for (const NodeId reader : m_readers)
            erase(reader);
        for (const std::string& counter : m_counters)
            if (const auto found = m_unread.find(counter); found != m_unread.end())
                for (const NodeId id : found->second)
                    erase(id);
    }

    Edit& m_edit;
    PassContext& m_context;
    StateReads m_reads;
    std::vector<LayerAndNorm> m_pairs;
    std::unordered_map<ModuleId, std::vector<size_t>> m_ofModule;
    std::unordered_set<ModuleId> m_folds; ///< layers that have their new weights
    std::unordered_map<Target, std::vector<NodeId>> m_unread;
    std::vector<NodeId> m_readers;
    std::vector<std::string> m_counters, m_unused, m_unknown;
    size_t m_folded = 0;
    LeftAlone m_left;
};

} // namespace

void foldNorms(Edit& edit, PassContext& context) {
    Fuser(edit, context).run(false);
}

void runFuse(Edit& edit, const PassOptions&, PassContext& context) {
    Fuser(edit, context).run(true);
}

} // namespace fx
