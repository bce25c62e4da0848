// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/code_sides.h"

#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>

#include <algorithm>

namespace fx::ui {

namespace {

struct Row {
    char kind;
    QString before, after;
};

/// Lines that went and came at one place stand beside each other.
std::vector<Row> rowsOf(const std::vector<DiffLine>& lines) {
    std::vector<Row> out;
    for (size_t i = 0; i < lines.size();) {
        if (lines[i].kind == ' ') {
            out.push_back({' ', wholeQt(lines[i].text), wholeQt(lines[i].text)});
            ++i;
            continue;
        }
        QStringList went, came;
        for (; i < lines.size() && lines[i].kind != ' '; ++i)
            (lines[i].kind == '-' ? went : came) << wholeQt(lines[i].text);
        for (qsizetype row = 0; row < std::max(went.size(), came.size()); ++row)
            out.push_back({row >= came.size()   ? '-'
                           : row >= went.size() ? '+'
                                                : '~',
                           went.value(row), came.value(row)});
    }
    return out;
}

QPlainTextEdit* makeSide(const QString& name, const QString& objectName) {
    auto* out = new QPlainTextEdit;
    out->setObjectName(objectName);
    out->setAccessibleName(name);
    out->setReadOnly(true);
    out->setLineWrapMode(QPlainTextEdit::NoWrap);
    out->setFrameShape(QFrame::NoFrame);
    out->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return out;
}

} // namespace

CodeSides::CodeSides(const Theme& theme)
    : m_theme(theme), m_before(makeSide("Code before", "codeBefore")),
      m_after(makeSide("Code after", "codeAfter")) {
    setChildrenCollapsible(false);
    for (auto [side, other] : {std::pair(m_before, m_after), std::pair(m_after, m_before)}) {
        side->setFont(theme.fixedFont());
        addWidget(side);
        for (const auto bar : {&QPlainTextEdit::verticalScrollBar, &QPlainTextEdit::horizontalScrollBar})
            connect((side->*bar)(), &QScrollBar::valueChanged, (other->*bar)(), &QScrollBar::setValue);
    }
    connect(&theme, &Theme::changed, this, &CodeSides::colour);
    for (const auto& [key, isForward] : {std::pair(Qt::Key_J, true), std::pair(Qt::Key_K, false)}) {
        auto* shortcut = new QShortcut(key, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, isForward = isForward] { walk(isForward); });
    }
}

void CodeSides::show(const std::vector<DiffLine>& lines) {
    QStringList before, after;
    m_kinds.clear();
    for (const Row& row : rowsOf(lines)) {
        before << row.before;
        after << row.after;
        m_kinds.push_back(row.kind);
    }
    m_before->setPlainText(before.join('\n'));
    m_after->setPlainText(after.join('\n'));
    colour();
    if (!m_kinds.empty() && m_kinds.front() == ' ')
        walk(true);
}

void CodeSides::walk(bool isForward) {
    const auto isBegin = [this](int row) {
        return m_kinds[static_cast<size_t>(row)] != ' ' &&
               (row == 0 || m_kinds[static_cast<size_t>(row - 1)] == ' ');
    };
    const int by = isForward ? 1 : -1, count = static_cast<int>(m_kinds.size());
    for (int row = m_after->textCursor().blockNumber() + by; row >= 0 && row < count; row += by)
        if (isBegin(row)) {
            for (QPlainTextEdit* side : {m_before, m_after}) {
                side->setTextCursor(QTextCursor(side->document()->findBlockByNumber(row)));
                side->centerCursor();
            }
            return;
        }
}

void CodeSides::colour() {
    const Tokens& tokens = m_theme.tokens();
    const double strength = tokens.isDark ? 0.72 : 0.82;
    const QColor went = blended(tokens.fault, tokens.panel, strength),
                 came = blended(tokens.healthy, tokens.panel, strength),
                 gap = blended(tokens.line, tokens.panel, 0.5);
    for (QPlainTextEdit* side : {m_before, m_after}) {
        side->setFont(m_theme.fixedFont());
        const bool isBefore = side == m_before;
        QList<QTextEdit::ExtraSelection> rows;
        for (QTextBlock block = side->document()->begin(); block.isValid(); block = block.next()) {
            const auto row = static_cast<size_t>(block.blockNumber());
            if (row >= m_kinds.size() || m_kinds[row] == ' ')
                continue;
            const bool isGap = m_kinds[row] == (isBefore ? '+' : '-');
            QTextEdit::ExtraSelection line;
            line.cursor = QTextCursor(block);
            line.format.setBackground(isGap ? gap : isBefore ? went : came);
            line.format.setProperty(QTextFormat::FullWidthSelection, true);
            rows << line;
        }
        side->setExtraSelections(rows);
    }
}

} // namespace fx::ui
