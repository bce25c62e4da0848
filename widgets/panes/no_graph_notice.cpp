// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/no_graph_notice.h"

#include "widgets/support/qt_text.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace fx::ui {

NoGraphNotice::NoGraphNotice(const NoGraph& why, QAction& trace, QWidget* parent) : QWidget(parent) {
    setObjectName("noGraph");
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName("Why there is no graph");
    auto* title = new QLabel("There is no graph");
    title->setObjectName("title");
    QString said = qt(why.reason) + '.';
    said[0] = said[0].toUpper();
    auto* reason = new QLabel(said);
    auto* way = new QLabel(why.isWeightsOnly
                               ? "Trace the source of the model, and these weights are loaded into it."
                               : "Give the source of its classes, or trace that source and load this file as "
                                 "the weights.");
    way->setObjectName("dim");
    for (QLabel* each : {reason, way}) {
        each->setWordWrap(true);
        each->setTextFormat(Qt::PlainText);
        each->setTextInteractionFlags(Qt::TextSelectableByMouse);
        each->setMinimumWidth(320);
    }
    auto* button = new QPushButton("Trace with options…");
    button->setToolTip(trace.toolTip());
    connect(button, &QPushButton::clicked, &trace, &QAction::trigger);
    setFocusProxy(button);
    auto* text = new QVBoxLayout;
    text->setSpacing(8);
    for (QWidget* each :
         {static_cast<QWidget*>(title), static_cast<QWidget*>(reason), static_cast<QWidget*>(way)})
        text->addWidget(each);
    text->addSpacing(8);
    text->addWidget(button, 0, Qt::AlignLeft);
    auto* across = new QHBoxLayout;
    across->addStretch(1);
    across->addLayout(text, 3);
    across->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addStretch(2);
    column->addLayout(across);
    column->addStretch(3);
}

} // namespace fx::ui
