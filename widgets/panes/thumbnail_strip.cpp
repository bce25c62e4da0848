// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/thumbnail_strip.h"

#include "widgets/panes/picture_image.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QLabel>
#include <QPixmap>
#include <QToolButton>

namespace fx::ui {

namespace {

constexpr int kSide = 40, kNameLetters = 10;

/// As large as fits, each cell a rectangle; what is one row is still to be seen.
QPixmap pixmapOf(const TensorPicture& picture, const Tokens& tokens) {
    const ColourScale scale = fittingScale(picture.minimum.value_or(0), picture.maximum.value_or(0));
    const QImage image = imageOf(picture, scale, tokens);
    const QSize size = image.size().scaled(kSide, kSide, Qt::KeepAspectRatio).expandedTo({6, 6});
    return QPixmap::fromImage(image.scaled(size, Qt::IgnoreAspectRatio, Qt::FastTransformation));
}

} // namespace

ThumbnailStrip::ThumbnailStrip(const Theme& theme) : m_theme(theme), m_row(new QHBoxLayout(this)) {
    setAccessibleName("Inputs and outputs");
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(4);
    connect(&theme, &Theme::changed, this, &ThumbnailStrip::rebuild);
    hide();
}

void ThumbnailStrip::show(std::vector<Item> items, NodeRef current) {
    m_items = std::move(items);
    m_current = current;
    rebuild();
    setVisible(!m_items.empty());
}

void ThumbnailStrip::rebuild() {
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater(); // one of them may be what was clicked
        delete item;
    }
    bool hasInputs = false;
    for (const Item& item : m_items) {
        if (!item.isInput && std::exchange(hasInputs, false)) {
            auto* arrow = new QLabel(QString(QChar(0x2192)));
            arrow->setObjectName("dim");
            m_row->addWidget(arrow);
        }
        hasInputs |= item.isInput;
        auto* button = new QToolButton;
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIcon(pixmapOf(item.picture, m_theme.tokens()));
        button->setIconSize({kSide, kSide});
        button->setText(elided(item.name, kNameLetters));
        const QString what = (item.isInput ? "input " : "output ") + item.name;
        button->setAccessibleName(what);
        button->setToolTip(plainTip(what));
        button->setFocusPolicy(Qt::StrongFocus);
        button->setEnabled(item.node != m_current);
        connect(button, &QToolButton::clicked, this, [this, node = item.node] { Q_EMIT nodeChosen(node); });
        m_row->addWidget(button);
    }
    m_row->addStretch(1);
}

} // namespace fx::ui
