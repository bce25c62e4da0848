// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/pass_editor_pane.h"

#include "core/base/error.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "widgets/panes/code_view.h"
#include "widgets/session/settings.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QShortcut>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

const char* const kNewPass = R"(import torch
from torch.fx import GraphModule

def my_pass(gm: GraphModule):
    """What it does: the first line is shown in menus."""
    for node in gm.graph.nodes:
        if node.op == 'call_function':
            print(node.name, node.target)
)";
const char* const kQuiet = "Runs on the graph that is shown; one step of undo. What is typed is saved.";

QToolButton* button(const QString& text, const QString& tip) {
    auto* made = new QToolButton;
    made->setText(text);
    made->setToolTip(tip);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

} // namespace

PassEditorPane::PassEditorPane(const QString& folder, const Theme& theme)
    : m_folder(folder), m_theme(theme), m_name(new QLabel), m_status(new QLabel),
      m_run(button("Run", "Run the pass on the graph that is shown (Ctrl+Return)")),
      m_code(new CodeView(theme, "Pass in Python")) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_name->setObjectName("dim");
    m_name->setTextFormat(Qt::PlainText);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_status->setObjectName("passStatus");
    m_run->setObjectName("runPass");
    auto* fresh = button("New", "Begin another file");
    auto* browse = button("Open…", "Open a file with passes");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(14, 4, 8, 2);
    row->setSpacing(4);
    row->addWidget(m_name, 1);
    for (QToolButton* each : {fresh, browse, m_run})
        row->addWidget(each);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(14, 2, 14, 6);
    below->addWidget(m_status);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_code, 1);
    column->addLayout(below);
    setFocusProxy(m_code);
    m_code->setFreelyEditable();
    connect(fresh, &QToolButton::clicked, this, &PassEditorPane::openNew);
    connect(browse, &QToolButton::clicked, this, &PassEditorPane::browse);
    connect(m_run, &QToolButton::clicked, this, &PassEditorPane::run);
    auto* key = new QShortcut(QKeySequence("Ctrl+Return"), this);
    key->setContext(Qt::WidgetWithChildrenShortcut);
    connect(key, &QShortcut::activated, this, &PassEditorPane::run);
    connect(m_code, &CodeView::edited, this, [this] {
        clearFault();
        write();
    });
    const QString last = Settings::passFile();
    open(last.isEmpty() || !QFileInfo::exists(last) ? QDir(folder).filePath("my_pass.py") : last);
}

void PassEditorPane::open(const QString& path) {
    QString text = kNewPass;
    if (QFileInfo::exists(path)) {
        try {
            text = wholeQt(readFile(utf8(path)));
        } catch (const Error& why) {
            Q_EMIT failed(faultText(why.what()));
            return;
        }
    }
    m_path = path;
    m_written = text;
    m_code->showText(text);
    m_name->setText(QFileInfo(path).fileName());
    m_name->setToolTip(path);
    Settings::setPassFile(path);
    clearFault();
}

void PassEditorPane::openNew() {
    QString path = QDir(m_folder).filePath("my_pass.py");
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = QDir(m_folder).filePath(QString("my_pass_%1.py").arg(number));
    open(path);
    m_code->setFocus();
}

void PassEditorPane::browse() {
    const QString path = QFileDialog::getOpenFileName(this, "Edit passes", QFileInfo(m_path).absolutePath(),
                                                      "Python (*.py);;All files (*)");
    if (!path.isEmpty())
        open(path);
}

bool PassEditorPane::write() {
    const QString text = m_code->text();
    if (text == m_written && QFileInfo::exists(m_path))
        return true;
    try {
        QDir().mkpath(QFileInfo(m_path).absolutePath());
        writeFile(utf8(m_path), utf8(text));
    } catch (const Error& why) {
        tell(faultText(why.what()), true);
        return false;
    }
    m_written = text;
    return true;
}

void PassEditorPane::run() {
    clearFault();
    if (write())
        Q_EMIT runWanted(m_path);
}

void PassEditorPane::showFault(const QString& reason) {
    static const QRegularExpression kPlace("^(.+):(\\d+):(\\d+): (.*)$");
    const QRegularExpressionMatch match = kPlace.match(reason.section('\n', 0, 0));
    const bool isHere = match.hasMatch() && QFileInfo(match.captured(1)) == QFileInfo(m_path);
    if (isHere) {
        const int line = match.captured(2).toInt() - 1;
        m_code->showFault(line, std::max(0, match.captured(3).toInt() - 1), match.captured(4));
        m_code->reveal(line);
    }
    tell(isHere ? "Line " + match.captured(2) + ": " + match.captured(4) : reason, true);
}

void PassEditorPane::showPlace(const QString& path, int line) {
    if (QFileInfo(path) != QFileInfo(m_path))
        open(path);
    m_code->goTo(line - 1);
    m_code->setFocus();
}

void PassEditorPane::clearFault() {
    m_code->clearFault();
    tell(kQuiet, false);
}

void PassEditorPane::tell(const QString& text, bool isFault) {
    m_status->setText(text);
    m_status->setStyleSheet("color: " + (isFault ? m_theme.tokens().fault : m_theme.tokens().dim).name());
}

} // namespace fx::ui
