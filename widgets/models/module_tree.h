// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of a model with their tensors, for a tree view. Exported models have two hierarchies, that of
// the tensors and that of the recorded module calls; this is their union by path.
#pragma once

#include "core/ir/opcode.h"
#include "core/module/model.h"
#include "core/module/scopes.h"

#include <QAbstractItemModel>
#include <QString>

#include <memory>
#include <vector>

namespace fx::ui {

struct ModuleEntry {
    enum class Kind { Module, Parameter, Buffer, Constant };
    Kind kind = Kind::Module;
    QString name, path;
    QString type;      ///< class of a module, "f32[64, 3, 7, 7]" of a tensor
    quint64 count = 0; ///< parameter elements, of a module with all below
    quint64 bytes = 0;
    bool hasScope = false; ///< the shown graph has calls of it
    ModuleId graph;        ///< a module with a graph of its own
    QString tiedWith;      ///< path of an earlier name of the same tensor
    ModuleEntry* parent = nullptr;
    std::vector<std::unique_ptr<ModuleEntry>> children;
};

class ModuleTree : public QAbstractItemModel {
public:
    enum Column { Name, Type, Size };

    using QAbstractItemModel::QAbstractItemModel;

    void setModel(const Model& model, const ScopeTree& scopes, const QString& rootName);
    const ModuleEntry& entry(const QModelIndex& index) const;
    /// The entry with that path; an invalid index if there is none.
    QModelIndex find(const QString& path) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QModelIndex indexOf(const ModuleEntry* entry, int column = 0) const;

    std::unique_ptr<ModuleEntry> m_top; ///< invisible; its only child is the root module
};

} // namespace fx::ui
