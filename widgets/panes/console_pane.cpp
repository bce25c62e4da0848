// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/console_pane.h"

#include "widgets/session/debug_service.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

constexpr int kMostLines = 20000;
constexpr int kMostWords = 40; ///< that Tab lists

/// A frame of a traceback.
QRegularExpressionMatch placeIn(const QString& line) {
    static const QRegularExpression kFrame("^ *File \"(.+)\", line (\\d+)");
    return kFrame.match(line);
}

} // namespace

ConsolePane::ConsolePane(DebugService& debug, const Theme& theme, const HelpFor& help)
    : m_debug(debug), m_theme(theme), m_output(new QPlainTextEdit), m_prompt(new QLabel("(fx)")),
      m_line(new QLineEdit) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(kMostLines);
    m_output->setAccessibleName("Console output");
    m_output->setObjectName("consoleOutput");
    m_output->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_output->installEventFilter(this);
    m_output->viewport()->installEventFilter(this);
    m_output->viewport()->setMouseTracking(true);
    m_output->setPlaceholderText(
        "F5 runs the model, F10 steps through it. Here you can type pdb's words: s, n, c, "
        "p EXPRESSION, b NODE, display EXPRESSION, NODE = EXPRESSION; h lists them all. Lines of Python "
        "about gm, "
        "graph, nodes['NAME'] and selection look at the graph and edit it.");
    m_line->setObjectName("consoleLine");
    m_line->setAccessibleName("Console command");
    m_line->setFrame(false);
    m_line->setStyleSheet("QLineEdit { border: none; padding: 2px 0; }");
    new Completion(*m_line, [help](const QString& text) {
        ExpressionHelp out = help(text);
        out.offers.clear();
        return out;
    });
    m_line->installEventFilter(this);
    setFocusProxy(m_line);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(14, 2, 14, 6);
    row->setSpacing(8);
    row->addWidget(m_prompt);
    row->addWidget(m_line, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(0);
    auto* output = new QHBoxLayout;
    output->setContentsMargins(14, 0, 4, 0);
    output->addWidget(m_output);
    column->addLayout(output, 1);
    column->addLayout(row);
    m_output->document()->setDocumentMargin(0);
    connect(&debug, &DebugService::wrote, this, &ConsolePane::write);
    connect(m_line, &QLineEdit::returnPressed, this, &ConsolePane::run);
    const auto dress = [this] {
        for (QWidget* each : {static_cast<QWidget*>(m_output), static_cast<QWidget*>(m_line),
                              static_cast<QWidget*>(m_prompt)})
            each->setFont(m_theme.fixedFont());
        m_prompt->setStyleSheet("color: " + m_theme.tokens().selection.name());
    };
    connect(&theme, &Theme::changed, this, dress);
    dress();
}

void ConsolePane::write(const QString& text, int style) {
    QScrollBar* bar = m_output->verticalScrollBar();
    const bool isAtEnd = bar->value() >= bar->maximum() - 2;
    const Tokens& t = m_theme.tokens();
    QTextCharFormat format;
    switch (static_cast<ConsoleStyle>(style)) {
    case ConsoleStyle::Plain:
        format.setForeground(t.text);
        break;
    case ConsoleStyle::Prompt:
        format.setForeground(t.selection);
        break;
    case ConsoleStyle::Result:
        format.setForeground(t.string);
        break;
    case ConsoleStyle::Fault:
        format.setForeground(t.fault);
        break;
    case ConsoleStyle::Dim:
        format.setForeground(t.dim);
        break;
    }
    QTextCursor cursor(m_output->document());
    cursor.movePosition(QTextCursor::End);
    for (const QString& line : text.split('\n')) {
        if (!m_output->document()->isEmpty())
            cursor.insertBlock();
        QTextCharFormat own = format;
        if (placeIn(line).hasMatch()) {
            own.setForeground(t.selection);
            own.setFontUnderline(true);
        }
        cursor.insertText(line, own);
    }
    if (isAtEnd)
        bar->setValue(bar->maximum());
}

void ConsolePane::run() {
    const QString line = m_line->text();
    m_line->clear();
    if (!line.trimmed().isEmpty() && (m_history.isEmpty() || m_history.last() != line))
        m_history.append(line);
    m_place = m_history.size();
    write("(fx) " + line, static_cast<int>(ConsoleStyle::Plain));
    m_output->verticalScrollBar()->setValue(m_output->verticalScrollBar()->maximum());
    m_debug.console().execute(utf8(line));
}

bool ConsolePane::goToPlace(const QTextCursor& cursor) {
    const QRegularExpressionMatch place = placeIn(cursor.block().text());
    if (place.hasMatch())
        Q_EMIT placeWanted(place.captured(1), place.captured(2).toInt());
    return place.hasMatch();
}

bool ConsolePane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_output->viewport()) {
        const auto cursorAt = [&] {
            return m_output->cursorForPosition(static_cast<QMouseEvent*>(event)->position().toPoint());
        };
        if (event->type() == QEvent::MouseMove)
            m_output->viewport()->setCursor(
                placeIn(cursorAt().block().text()).hasMatch() ? Qt::PointingHandCursor : Qt::IBeamCursor);
        if (event->type() == QEvent::MouseButtonRelease && !m_output->textCursor().hasSelection() &&
            !goToPlace(cursorAt()))
            m_line->setFocus(); // one has clicked into a console to type
        return QWidget::eventFilter(watched, event);
    }
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    auto* press = static_cast<QKeyEvent*>(event);
    return watched == m_output ? takeOutputKey(*press) : takeLineKey(press->key());
}

bool ConsolePane::takeOutputKey(QKeyEvent& event) {
    if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter)
        return goToPlace(m_output->textCursor());
    const bool isTyped = !event.text().isEmpty() && event.text()[0].isPrint() &&
                         !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (!isTyped)
        return false;
    m_line->setFocus();
    m_line->insert(event.text());
    return true;
}

bool ConsolePane::takeLineKey(int key) {
    if (key == Qt::Key_Tab && !m_line->text().isEmpty()) {
        complete();
        return true;
    }
    if (key != Qt::Key_Up && key != Qt::Key_Down)
        return false;
    m_place = std::clamp<qsizetype>(m_place + (key == Qt::Key_Up ? -1 : 1), 0, m_history.size());
    m_line->setText(m_place < m_history.size() ? m_history[m_place] : QString());
    return true;
}

void ConsolePane::complete() {
    const QString line = m_line->text().left(m_line->cursorPosition());
    const QString behind = m_line->text().mid(m_line->cursorPosition());
    const std::vector<std::string> found = m_debug.console().completions(utf8(line));
    if (found.empty())
        return;
    QString common = wholeQt(found.front());
    for (const std::string& each : found)
        for (const QString word = wholeQt(each); !word.startsWith(common);)
            common.chop(1);
    if (common == line && found.size() > 1) {
        QStringList words;
        for (const std::string& each : found)
            if (words.size() < kMostWords)
                words << shown(wholeQt(each).mid(line.lastIndexOf(' ') + 1));
        if (found.size() > kMostWords)
            words << QString("… and %1 more").arg(found.size() - kMostWords);
        write(words.join("  "), static_cast<int>(ConsoleStyle::Dim));
    }
    m_line->setText(common + behind);
    m_line->setCursorPosition(static_cast<int>(common.size()));
}

} // namespace fx::ui
