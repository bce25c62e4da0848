// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/start_page.h"

#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>

namespace fx::ui {

namespace {

struct Sample {
    const char *file, *title, *detail;
};
constexpr Sample kSamples[] = {
    {"resnet.pt2", "A small ResNet", "residual blocks with batch norm"},
    {"transformer.pt2", "A transformer", "attention, rotary table, tied weights"},
    {"control_flow.pt2", "Control flow", "cond, while_loop, dynamic shapes"},
};

constexpr const char* kKeys[][2] = {
    {"Ctrl+O", "open a model"},       {"Ctrl+K", "find anything in the graph"},
    {"F5", "run, or go on running"},  {"F10", "step to the next node"},
    {"F9", "breakpoint on the node"}, {"Ctrl+Shift+P", "all commands"},
};

} // namespace

StartPage::StartPage(const QString& samples, const Theme& theme) : m_samples(samples), m_theme(theme) {
    // It scrolls in a small window, so that it never says how small the window may be.
    setAccessibleName("Start page");
    auto* page = new QWidget;
    page->setObjectName("startPage");
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto* title = new QLabel("fxscope");
    title->setStyleSheet("font-size: 26px; font-weight: 600;");
    auto* subtitle = new QLabel("See a PyTorch FX graph, step through it, change it, export it.");
    subtitle->setObjectName("dim");
    auto* open = new QPushButton("Open a model…");
    open->setDefault(true);
    open->setAutoDefault(true);
    open->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* drop = new QLabel("or drop a file anywhere in this window");
    drop->setObjectName("dim");
    auto* openRow = new QHBoxLayout;
    openRow->setSpacing(14);
    openRow->addWidget(open);
    openRow->addWidget(drop);
    openRow->addStretch();
    m_columns = new QHBoxLayout;
    m_columns->setSpacing(48);

    m_recent = addColumn("RECENT");
    QVBoxLayout* sampleColumn = addColumn("SAMPLES");
    for (const Sample& sample : kSamples)
        if (const QString path = QDir(m_samples).filePath(sample.file); QFileInfo::exists(path))
            addLink(*sampleColumn, sample.title, sample.detail, path);
    if (sampleColumn->count() == 1) {
        auto* none = new QLabel("not built here");
        none->setObjectName("dim");
        sampleColumn->addWidget(none);
    }
    sampleColumn->addStretch();
    QVBoxLayout* keys = addColumn("KEYS");
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(7);
    int row = 0;
    for (const auto& [key, what] : kKeys) {
        auto* name = new QLabel(key);
        name->setFont(theme.fixedFont());
        auto* does = new QLabel(what);
        does->setObjectName("dim");
        grid->addWidget(name, row, 0);
        grid->addWidget(does, row++, 1);
    }
    keys->addLayout(grid);
    keys->addStretch();

    auto* middle = new QVBoxLayout;
    middle->setSpacing(8);
    middle->addWidget(title);
    middle->addWidget(subtitle);
    middle->addSpacing(14);
    middle->addLayout(openRow);
    middle->addSpacing(28);
    middle->addLayout(m_columns);
    auto* across = new QHBoxLayout;
    across->addStretch(1);
    across->addLayout(middle);
    across->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(24, 24, 24, 24);
    column->addStretch(2);
    column->addLayout(across);
    column->addStretch(3);
    connect(open, &QPushButton::clicked, this, &StartPage::openWanted);
    refresh();
}

QVBoxLayout* StartPage::addColumn(const QString& heading) {
    auto* column = new QVBoxLayout;
    column->setSpacing(6);
    auto* label = new QLabel(heading);
    label->setObjectName("heading");
    column->addWidget(label);
    m_columns->addLayout(column);
    return column;
}

void StartPage::addLink(QVBoxLayout& column, const QString& text, const QString& detail,
                        const QString& path) {
    auto* link = new QPushButton(text);
    link->setObjectName("link");
    link->setCursor(Qt::PointingHandCursor);
    link->setToolTip(plainTip(path));
    auto* below = new QLabel(detail);
    below->setTextFormat(Qt::PlainText);
    below->setObjectName("dim");
    below->setContentsMargins(4, 0, 0, 4);
    column.addWidget(link, 0, Qt::AlignLeft);
    column.addWidget(below);
    connect(link, &QPushButton::clicked, this, [this, path] { Q_EMIT fileWanted(path); });
}

void StartPage::refresh() {
    while (m_recent->count() > 1) {
        QLayoutItem* item = m_recent->takeAt(1);
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    int count = 0;
    for (const QString& path : Settings::recentFiles()) {
        const QFileInfo info(path);
        if (!info.exists() || ++count > 5)
            continue;
        const QString folder = fontMetrics().elidedText(info.absolutePath(), Qt::ElideMiddle, 220);
        addLink(*m_recent, nameOfModel(path), folder, path);
    }
    if (count == 0) {
        auto* none = new QLabel("No model has been opened yet.");
        none->setObjectName("dim");
        m_recent->addWidget(none);
    }
    m_recent->addStretch();
}

} // namespace fx::ui
