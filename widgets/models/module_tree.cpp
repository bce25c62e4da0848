// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/module_tree.h"

#include "widgets/support/qt_text.h"

#include <algorithm>
#include <unordered_map>

namespace fx::ui {

namespace {

ModuleEntry* childNamed(ModuleEntry& parent, const QString& name) {
    for (const auto& child : parent.children)
        if (child->name == name && child->kind == ModuleEntry::Kind::Module)
            return child.get();
    return nullptr;
}

ModuleEntry* addChild(ModuleEntry& parent, const QString& name) {
    auto entry = std::make_unique<ModuleEntry>();
    entry->name = name;
    entry->path = parent.path.isEmpty() ? name : parent.path + '.' + name;
    entry->parent = &parent;
    parent.children.push_back(std::move(entry));
    return parent.children.back().get();
}

ModuleEntry& at(ModuleEntry& root, const QString& path) {
    ModuleEntry* entry = &root;
    if (!path.isEmpty())
        for (const QString& part : path.split('.')) {
            ModuleEntry* child = childNamed(*entry, part);
            entry = child ? child : addChild(*entry, part);
        }
    return *entry;
}

ModuleEntry::Kind kindOf(TensorRole role) {
    switch (role) {
    case TensorRole::Parameter:
        return ModuleEntry::Kind::Parameter;
    case TensorRole::Buffer:
    case TensorRole::TransientBuffer:
        return ModuleEntry::Kind::Buffer;
    case TensorRole::Constant:
        break;
    }
    return ModuleEntry::Kind::Constant;
}

void addUp(ModuleEntry& entry) {
    // Tensors first, as a class lists them, then submodules.
    std::stable_sort(entry.children.begin(), entry.children.end(), [](const auto& a, const auto& b) {
        return (a->kind != ModuleEntry::Kind::Module) > (b->kind != ModuleEntry::Kind::Module);
    });
    for (const auto& child : entry.children) {
        addUp(*child);
        if (child->kind == ModuleEntry::Kind::Module ||
            (child->kind == ModuleEntry::Kind::Parameter && child->tiedWith.isEmpty()))
            entry.count += child->count;
        if (child->tiedWith.isEmpty())
            entry.bytes += child->bytes;
    }
}

} // namespace

void ModuleTree::setModel(const Model& model, const ScopeTree& scopes, const QString& rootName) {
    beginResetModel();
    m_top = std::make_unique<ModuleEntry>();
    ModuleEntry& root = *addChild(*m_top, rootName);
    root.path.clear();
    root.type = qt(
        shortTypeName(scopes.scope(0).type.empty() ? model.module(model.root()).type : scopes.scope(0).type));
    // Calls come in the order of execution, which is how people think of a model.
    for (const Scope& scope : scopes.scopes()) {
        const std::string_view path = std::string_view(scope.path).substr(0, scope.path.find('@'));
        if (path.empty())
            continue;
        ModuleEntry& entry = at(root, wholeQt(path));
        entry.hasScope = true;
        entry.type = qt(shortTypeName(scope.type));
    }
    std::unordered_map<int32_t, QString> names;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        const Module& module = model.module(id);
        ModuleEntry& entry = at(root, wholeQt(path));
        if (entry.type.isEmpty() && module.type != "torch.nn.modules.module.Module")
            entry.type = qt(shortTypeName(module.type));
        if (module.graph && id != model.root())
            entry.graph = id;
        for (const NamedTensor& tensor : module.tensors) {
            ModuleEntry& row = *addChild(entry, qt(tensor.name));
            row.kind = kindOf(tensor.role);
            if (!tensor.tensor) {
                row.type = "None";
                continue;
            }
            const TensorSlot& slot = model.tensor(tensor.tensor);
            row.type = qt(valueMetaText(ValueMeta{slot.meta()}));
            row.count = slot.elementCount();
            row.bytes = slot.byteCount();
            const auto [known, isNew] = names.emplace(tensor.tensor.value, row.path);
            if (!isNew)
                row.tiedWith = known->second;
        }
    });
    addUp(root);
    endResetModel();
}

const ModuleEntry& ModuleTree::entry(const QModelIndex& index) const {
    return index.isValid() ? *static_cast<const ModuleEntry*>(index.internalPointer()) : *m_top;
}

QModelIndex ModuleTree::find(const QString& path) const {
    if (!m_top)
        return {};
    const ModuleEntry* at = m_top->children[0].get();
    if (path.isEmpty())
        return indexOf(at);
    for (const QString& part : path.split('.')) {
        const auto next = std::find_if(at->children.begin(), at->children.end(),
                                       [&](const auto& child) { return child->name == part; });
        if (next == at->children.end())
            return {};
        at = next->get();
    }
    return indexOf(at);
}

QModelIndex ModuleTree::indexOf(const ModuleEntry* entry, int column) const {
    if (!entry || !entry->parent)
        return {};
    const auto& siblings = entry->parent->children;
    const auto found = std::find_if(siblings.begin(), siblings.end(),
                                    [&](const auto& child) { return child.get() == entry; });
    return createIndex(static_cast<int>(found - siblings.begin()), column, const_cast<ModuleEntry*>(entry));
}

QModelIndex ModuleTree::index(int row, int column, const QModelIndex& parent) const {
    if (!m_top || !hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, entry(parent).children[static_cast<size_t>(row)].get());
}

QModelIndex ModuleTree::parent(const QModelIndex& index) const {
    return index.isValid() ? indexOf(entry(index).parent) : QModelIndex();
}

int ModuleTree::rowCount(const QModelIndex& parent) const {
    return !m_top || parent.column() > 0 ? 0 : static_cast<int>(entry(parent).children.size());
}

int ModuleTree::columnCount(const QModelIndex&) const {
    return 3;
}

QVariant ModuleTree::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const ModuleEntry& it = entry(index);
    const bool isModule = it.kind == ModuleEntry::Kind::Module;
    if (role == Qt::DisplayRole) {
        switch (index.column()) {
        case 0:
            return shown(it.name);
        case 1:
            return it.type;
        default:
            return it.count ? countLabel(it.count) : QString();
        }
    }
    if (role == Qt::TextAlignmentRole && index.column() == 2)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QString out = (it.path.isEmpty() ? it.name : it.path) + '\n' + it.type;
        if (it.count)
            out += '\n' + QString::number(it.count) + (isModule ? " parameters, " : " elements, ") +
                   byteLabel(it.bytes);
        if (!it.tiedWith.isEmpty())
            out += "\nthe same tensor as " + it.tiedWith;
        if (it.graph)
            out += "\nhas a graph of its own: double-click shows it";
        return plainTip(out);
    }
    return {};
}

QVariant ModuleTree::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return QStringList{"Module", "Class or shape", "Elements"}.value(section);
}

} // namespace fx::ui
