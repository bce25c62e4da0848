// SPDX-License-Identifier: GPL-3.0-or-later
// The values that a node reads and gives, as small pictures side by side; one leads to its node.
#pragma once

#include "core/interpret/debug_types.h"

#include <QHBoxLayout>
#include <QWidget>

#include <vector>

namespace fx::ui {

class Theme;

class ThumbnailStrip : public QWidget {
    Q_OBJECT

public:
    explicit ThumbnailStrip(const Theme& theme);

    struct Item {
        NodeRef node;
        QString name;
        bool isInput = false; ///< of the node in question, which gives the others
        TensorPicture picture = {};
    };
    /// Hidden where there is none. `current`: the node in question.
    void show(std::vector<Item> items, NodeRef current);

Q_SIGNALS:
    void nodeChosen(fx::NodeRef node);

private:
    void rebuild();

    const Theme& m_theme;
    QHBoxLayout* m_row;
    std::vector<Item> m_items;
    NodeRef m_current;
};

} // namespace fx::ui
