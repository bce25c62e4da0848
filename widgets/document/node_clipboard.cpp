// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes are an .fxg of the excerpt, whose place for what a window saves says where it comes from.
#include "widgets/document/node_clipboard.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/fx_code.h"
#include "core/io/fxg/fxg.h"
#include "widgets/support/qt_text.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

namespace fx::ui {

namespace {

std::string originText(const ClippedNodes& nodes) {
    QJsonObject outside;
    for (const auto& [input, node] : nodes.outside)
        outside[wholeQt(nodes.excerpt->model.graph().node(input).name)] = node.value;
    const QJsonObject origin{
        {"document", nodes.document}, {"graph", nodes.graph.value}, {"outside", outside}};
    return QJsonDocument(origin).toJson(QJsonDocument::Compact).toStdString();
}

std::vector<NodeId> inputsOfGraph(const Model& model) {
    return model.graph().findNodes(Opcode::Placeholder);
}

/// What another process has written. Its tensors are read from the file when they are asked for.
ClippedNodes readBytes(const QByteArray& bytes) {
    const auto file = std::make_shared<QTemporaryFile>(QDir::tempPath() + "/fxscope-XXXXXX.fxg");
    if (!file->open() || file->write(bytes) != bytes.size() || !file->flush())
        throw Error("", "what was copied cannot be kept: " + utf8(file->errorString()));
    Progress progress;
    auto model = std::make_unique<OpenedModel>(
        readFxg(std::make_shared<ZipArchive>(utf8(file->fileName())), progress));
    const QJsonObject origin =
        QJsonDocument::fromJson(QByteArray::fromStdString(model->layoutState)).object();
    ClippedNodes out;
    out.document = origin["document"].toString();
    out.graph = ModuleId{origin["graph"].toInt()};
    const QJsonObject outside = origin["outside"].toObject();
    for (const Node& each : model->model.graph())
        if (const QJsonValue node = outside[wholeQt(each.name)]; node.isDouble())
            out.outside[each.id] = NodeId{node.toInt()};
    out.excerpt =
        std::shared_ptr<const OpenedModel>(model.release(), [file](const OpenedModel* each) { delete each; });
    return out;
}

} // namespace

std::unique_ptr<NodeClipboard> NodeClipboard::of(const GraphDocument& document, ModuleId graph,
                                                 const std::vector<NodeId>& nodes) {
    Excerpt excerpt = excerptOf(document.model(), graph, nodes);
    auto out = std::make_unique<NodeClipboard>();
    out->m_nodes = {nullptr, document.id(), graph, excerpt.outside};
    auto opened = std::make_shared<OpenedModel>();
    opened->model = std::move(excerpt.model);
    out->m_nodes.excerpt = opened;
    opened->layoutState = originText(out->m_nodes);
    out->setText(wholeQt(fxCode(document.model().graph(graph), nodes)));
    return out;
}

QStringList NodeClipboard::formats() const {
    return QStringList{kType} + QMimeData::formats();
}

QVariant NodeClipboard::retrieveData(const QString& type, QMetaType preferred) const {
    if (type != kType)
        return QMimeData::retrieveData(type, preferred);
    if (m_bytes.isEmpty()) {
        try {
            Progress progress;
            m_bytes = QByteArray::fromStdString(fxgBytes(*m_nodes.excerpt, progress));
        } catch (const Error&) {
            return {}; // who pastes there is told that there is nothing
        }
    }
    return m_bytes;
}

std::optional<ClippedNodes> NodeClipboard::read(const QMimeData* data) {
    if (const auto* own = qobject_cast<const NodeClipboard*>(data))
        return own->m_nodes;
    if (!data || !data->hasFormat(kType))
        return {};
    return readBytes(data->data(kType));
}

NodeMap knownInputs(const GraphDocument& document, ModuleId graph, const ClippedNodes& nodes) {
    NodeMap out;
    if (nodes.document == document.id() && nodes.graph == graph)
        for (const auto& [input, node] : nodes.outside)
            if (document.model().graph(graph).contains(node))
                out[input] = node;
    return out;
}

QString pasteNodes(GraphDocument& document, ModuleId graph, const ClippedNodes& nodes, NodeMap inputs,
                   NodeId after, std::vector<NodeId>& fresh) {
    const Model& excerpt = nodes.excerpt->model;
    size_t count = 0;
    for (const Node& node : excerpt.graph())
        count += node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output &&
                 inputs.find(node.id) == inputs.end();
    return document.perform("Paste " + qt(plural(count, "node")), graph, [&](Edit& edit) {
        for (const NodeId input : inputsOfGraph(excerpt)) {
            if (inputs[input])
                continue;
            NodeId last;
            for (const NodeId each : edit.graph().findNodes(Opcode::Placeholder))
                last = each;
            const auto point = last ? edit.insertingAfter(last) : edit.insertingBefore(edit.graph().first());
            inputs[input] = edit.placeholder(excerpt.graph().node(input).name);
        }
        fresh =
            putIn(edit, excerpt, {inputs, after, nodes.document == document.id() && nodes.graph == graph});
    });
}

} // namespace fx::ui
