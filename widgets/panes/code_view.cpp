// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/code_view.h"

#include "widgets/panes/caret_place.h"
#include "widgets/style/theme.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

// QScintilla's headers need the keywords that LibTorch's forbid.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscicommandset.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots

namespace fx::ui {

namespace {

constexpr int kSymbolMargin = 0, kNumberMargin = 1, kSetMargin = 2, kFoldMargin = 3;
constexpr int kSelectedLine = 0, kCurrentLine = 1, kCurrentBar = 2, kBreakpoint = 3, kSet = 4, kMuted = 5;
constexpr int kFaultUnderline = 8, kStrike = 9, kFaultStyle = 60;
constexpr int kRestMilliseconds = 600; ///< longer than the time between two words

/// Whether the key runs, saves or closes the graph, which then has what was typed.
bool usesGraph(const QKeyEvent& key) {
    constexpr int kLetters[] = {Qt::Key_S, Qt::Key_E, Qt::Key_W, Qt::Key_Q};
    return (key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F12) ||
           ((key.modifiers() & Qt::ControlModifier) && std::ranges::count(kLetters, key.key()) > 0);
}

} // namespace

CodeView::CodeView(const Theme& theme, const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_editor(new QsciScintilla(this)), m_lexer(new QsciLexerPython(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_editor);
    setFocusProxy(m_editor);
    m_editor->setAccessibleName(accessibleName);
    m_editor->installEventFilter(this);
    m_editor->setUtf8(true);
    m_editor->setReadOnly(true);
    m_editor->setLexer(m_lexer);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setCaretWidth(0);
    m_editor->setMarginType(kSymbolMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginMarkerMask(kSymbolMargin, (1 << kBreakpoint) | (1 << kCurrentBar));
    m_editor->setMarginWidth(kSymbolMargin, 16);
    m_editor->setMarginSensitivity(kSymbolMargin, true);
    m_editor->setMarginType(kNumberMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginMarkerMask(kNumberMargin, 0);
    m_editor->setMarginSensitivity(kNumberMargin, true);
    m_editor->setMarginType(kSetMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginMarkerMask(kSetMargin, 1 << kSet);
    m_editor->setMarginWidth(kSetMargin, 12);
    m_editor->setMarginType(kFoldMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginMarkerMask(kFoldMargin, QsciScintilla::SC_MASK_FOLDERS);
    m_editor->setMarginSensitivity(kFoldMargin, true);
    m_editor->setMarginWidth(kFoldMargin, 0);
    m_editor->markerDefine(QsciScintilla::BoxedPlus, QsciScintilla::SC_MARKNUM_FOLDER);
    m_editor->markerDefine(QsciScintilla::BoxedMinus, QsciScintilla::SC_MARKNUM_FOLDEROPEN);
    // fold() alone says what is folded, and not the indentation.
    m_editor->SendScintilla(QsciScintilla::SCI_SETPROPERTY, "fold", "0");
    m_editor->SendScintilla(QsciScintilla::SCI_FOLDDISPLAYTEXTSETSTYLE,
                            QsciScintilla::SC_FOLDDISPLAYTEXT_BOXED);
    m_editor->markerDefine(QsciScintilla::Background, kSelectedLine);
    m_editor->markerDefine(QsciScintilla::Background, kCurrentLine);
    m_editor->markerDefine(QsciScintilla::RightTriangle, kCurrentBar);
    m_editor->markerDefine(QsciScintilla::Circle, kBreakpoint);
    m_editor->markerDefine(QsciScintilla::Invisible, kMuted);
    m_editor->markerDefine('=', kSet); // as the console writes it: NODE = EXPRESSION
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEXTRAASCENT, 2);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEXTRADESCENT, 2);
    m_editor->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_editor, &QWidget::customContextMenuRequested, this, &CodeView::menuWanted);
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, &CodeView::followCaret);
    connect(m_editor, &QsciScintilla::marginClicked, this, [this](int margin, int line) {
        if (margin != kFoldMargin) {
            Q_EMIT breakpointToggled(line);
            return;
        }
        m_editor->SendScintilla(QsciScintilla::SCI_TOGGLEFOLD, static_cast<unsigned long>(line));
        m_isFoldOpen = !m_isFoldOpen;
    });
    m_editor->indicatorDefine(QsciScintilla::SquiggleIndicator, kFaultUnderline);
    m_editor->indicatorDefine(QsciScintilla::StrikeIndicator, kStrike);
    m_editor->setAnnotationDisplay(QsciScintilla::AnnotationIndented);
    m_rest.setParent(this);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_isFree || !isOnNewLine())
            tellEdited();
    });
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (!m_isEditable || m_isChanging)
            return;
        m_rest.start();
        m_isUnread = true;
        m_isTyping = true; // the caret moves with the text, within this turn of the event loop
        QTimer::singleShot(0, this, [this] {
            m_isTyping = false;
            m_caretLine = cursorLine();
        });
    });
    connect(&theme, &Theme::changed, this, &CodeView::dress);
    dress();
}

void CodeView::tellEdited() {
    m_rest.stop();
    m_isUnread = false;
    Q_EMIT edited();
}

/// Reads what was typed when its line is left.
void CodeView::followCaret(int line) {
    if (m_isChanging)
        return;
    const bool isLeft = !m_isFree && m_isUnread && !m_isTyping && line != m_caretLine;
    m_caretLine = line;
    if (isLeft)
        tellEdited();
    if (m_editor->hasFocus())
        Q_EMIT lineChosen(cursorLine());
}

/// Whether the caret stands on an empty line that the user has added. The text that is shown after reading
/// would not have it.
bool CodeView::isOnNewLine() const {
    return m_editor->lines() > m_shownLines && m_editor->text(cursorLine()).trimmed().isEmpty();
}

void CodeView::setEditable(bool isEditable) {
    m_isEditable = isEditable;
    m_editor->setReadOnly(!isEditable);
    m_editor->setCaretWidth(isEditable ? 1 : 0);
    m_editor->setAutoIndent(isEditable);
    m_editor->setTabWidth(4);
    m_editor->setIndentationsUseTabs(false);
    // What is typed becomes an edit of the graph, and its undo is the document's.
    for (const QsciCommand::Command command : {QsciCommand::Undo, QsciCommand::Redo})
        if (QsciCommand* bound = m_editor->standardCommands()->find(command)) {
            bound->setKey(0);
            bound->setAlternateKey(0);
        }
}

void CodeView::setFreelyEditable() {
    setEditable(true);
    m_isFree = true;
    m_editor->setAutoCompletionSource(QsciScintilla::AcsDocument);
    m_editor->setAutoCompletionThreshold(3);
    m_editor->setAutoCompletionCaseSensitivity(true);
    m_editor->setBackspaceUnindents(true);
}

/// Tab walks on, as everywhere in the window; lines are indented as the ones above.
bool CodeView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_editor)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && m_isUnread && !m_isFree) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        const bool comesBack = reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason;
        if (!comesBack || !isOnNewLine())
            tellEdited();
    }
    if (event->type() == QEvent::FocusIn) {
        m_isPassedBy = static_cast<QFocusEvent*>(event)->reason() != Qt::MouseFocusReason;
    }
    if (event->type() == QEvent::KeyPress && takeKey(*static_cast<QKeyEvent*>(event)))
        return true;
    // What is no part of the graph yet is taken back here, and not in the document.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (m_isUnread && !m_isFree && usesGraph(*key))
            tellEdited();
        if ((m_isFree && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) ||
            (key->matches(QKeySequence::Undo) && m_editor->isUndoAvailable()) ||
            (key->matches(QKeySequence::Redo) && m_editor->isRedoAvailable()))
            event->accept();
    }
    return QWidget::eventFilter(watched, event);
}

bool CodeView::takeKey(const QKeyEvent& event) {
    const bool isUndo = event.matches(QKeySequence::Undo), isRedo = event.matches(QKeySequence::Redo);
    const bool isTab = event.key() == Qt::Key_Tab || event.key() == Qt::Key_Backtab;
    m_isPassedBy = m_isPassedBy && (isTab || event.text().isEmpty());
    if (m_isFree && !(isTab && m_isPassedBy)) {
        if (isUndo)
            m_editor->undo();
        else if (isRedo)
            m_editor->redo();
        return isUndo || isRedo;
    }
    if (event.key() == Qt::Key_Tab)
        focusNextChild();
    else if (event.key() == Qt::Key_Backtab)
        focusPreviousChild();
    else if (event.key() == Qt::Key_Escape && m_editor->isUndoAvailable())
        Q_EMIT givenUp();
    else if (isUndo && m_editor->isUndoAvailable())
        m_editor->undo();
    else if (isRedo && m_editor->isRedoAvailable())
        m_editor->redo();
    else
        return false;
    return true;
}

void CodeView::settle() {
    m_editor->SendScintilla(QsciScintilla::SCI_EMPTYUNDOBUFFER);
}

void CodeView::replaceTyped(const QString& text) {
    m_editor->selectAll();
    m_editor->replaceSelectedText(text);
}

void CodeView::showFault(int line, int column, const QString& reason) {
    clearFault();
    const QString text = m_editor->text(line);
    int end = column;
    while (end < text.size() && (text[end].isLetterOrNumber() || text[end] == '_' || text[end] == '.'))
        ++end;
    m_isChanging = true;
    m_editor->fillIndicatorRange(line, column, line, std::max(end, column + 1), kFaultUnderline);
    m_editor->annotate(line, m_isFree ? reason : reason + "  (Esc: back to the code of the graph)",
                       kFaultStyle);
    m_isChanging = false;
    m_fault = reason;
}

void CodeView::clearFault() {
    m_fault.clear();
    m_isChanging = true;
    m_editor->clearIndicatorRange(0, 0, m_editor->lines(), 0, kFaultUnderline);
    m_editor->clearAnnotations();
    m_isChanging = false;
}

void CodeView::dress() {
    const Tokens& t = m_theme.tokens();
    // Scintilla knows sizes in points only.
    QFont font = m_theme.fixedFont();
    font.setPointSizeF(font.pixelSize() * 72.0 / m_editor->logicalDpiY());
    m_lexer->setDefaultPaper(t.panel);
    m_lexer->setDefaultColor(t.text);
    for (int style = 0; style < 128; ++style) {
        m_lexer->setPaper(t.panel, style);
        m_lexer->setColor(t.text, style);
        m_lexer->setFont(font, style);
    }
    for (const int style : {QsciLexerPython::Keyword, QsciLexerPython::HighlightedIdentifier})
        m_lexer->setColor(t.keyword, style);
    for (const int style :
         {QsciLexerPython::DoubleQuotedString, QsciLexerPython::SingleQuotedString,
          QsciLexerPython::TripleDoubleQuotedString, QsciLexerPython::TripleSingleQuotedString})
        m_lexer->setColor(t.string, style);
    m_lexer->setColor(t.number, QsciLexerPython::Number);
    m_lexer->setColor(t.selection, QsciLexerPython::FunctionMethodName);
    for (const int style : {QsciLexerPython::Comment, QsciLexerPython::CommentBlock})
        m_lexer->setColor(t.comment, style);
    m_lexer->setColor(t.fault, kFaultStyle);
    m_editor->setIndicatorForegroundColor(t.fault, kFaultUnderline);
    m_editor->setIndicatorForegroundColor(t.dim, kStrike);
    m_editor->setCaretForegroundColor(t.text);
    m_lexer->setColor(t.dim, QsciScintilla::STYLE_FOLDDISPLAYTEXT);
    m_editor->setFoldMarginColors(t.panel, t.panel);
    m_editor->setPaper(t.panel);
    m_editor->setMarginsBackgroundColor(t.panel);
    m_editor->setMarginsForegroundColor(t.dim);
    m_editor->setMarginsFont(font);
    m_editor->setSelectionBackgroundColor(t.selectionBack);
    m_editor->resetSelectionForegroundColor();
    m_editor->setMarkerBackgroundColor(t.selectionBack, kSelectedLine);
    m_editor->setMarkerBackgroundColor(t.currentBack, kCurrentLine);
    m_editor->setMarkerBackgroundColor(t.current, kCurrentBar);
    m_editor->setMarkerForegroundColor(t.current, kCurrentBar);
    m_editor->setMarkerBackgroundColor(t.fault, kBreakpoint);
    m_editor->setMarkerForegroundColor(t.fault, kBreakpoint);
    for (const int marker : {QsciScintilla::SC_MARKNUM_FOLDER, QsciScintilla::SC_MARKNUM_FOLDEROPEN}) {
        m_editor->setMarkerForegroundColor(t.panel, marker);
        m_editor->setMarkerBackgroundColor(t.faint, marker);
    }
    m_editor->setMarkerForegroundColor(t.number, kSet);
    m_editor->setMarkerBackgroundColor(t.panel, kSet);
}

void CodeView::showText(const QString& text) {
    const QByteArray now = text.toUtf8(), before = m_editor->text().toUtf8();
    const auto most = std::min(now.size(), before.size());
    qsizetype head = std::mismatch(now.begin(), now.begin() + most, before.begin()).first - now.begin();
    // Whole lines, so that no letter is cut.
    head = head == 0 ? 0 : now.lastIndexOf('\n', head - 1) + 1;
    qsizetype tail =
        std::mismatch(now.rbegin(), now.rbegin() + (most - head), before.rbegin()).first - now.rbegin();
    const qsizetype lineEnd = now.indexOf('\n', now.size() - tail);
    tail = lineEnd < 0 ? 0 : now.size() - lineEnd;
    if (now == before)
        return;
    const QString shownNow = m_editor->text();
    const qsizetype caret =
        QString::fromUtf8(before.left(m_editor->SendScintilla(QsciScintilla::SCI_GETCURRENTPOS))).size();
    m_isChanging = true;
    m_editor->setReadOnly(false);
    m_editor->SendScintilla(QsciScintilla::SCI_SETTARGETSTART, static_cast<unsigned long>(head));
    m_editor->SendScintilla(QsciScintilla::SCI_SETTARGETEND,
                            static_cast<unsigned long>(before.size() - tail));
    const QByteArray middle = now.mid(head, now.size() - tail - head);
    m_editor->SendScintilla(QsciScintilla::SCI_REPLACETARGET, static_cast<unsigned long>(middle.size()),
                            middle.constData());
    if (m_isEditable && m_editor->hasFocus()) { // the line that is being typed may have been written anew
        const QString upTo = text.left(caretIn(text, shownNow, caret));
        m_editor->SendScintilla(QsciScintilla::SCI_SETEMPTYSELECTION,
                                static_cast<unsigned long>(upTo.toUtf8().size()));
    }
    m_editor->setReadOnly(!m_isEditable);
    m_isChanging = false;
    m_isUnread = false;
    m_shownLines = m_editor->lines();
    settle();
    m_editor->setMarginWidth(kNumberMargin, QString("0%1").arg(std::max(99, m_editor->lines())));
}

void CodeView::fold(int first, int last, const QString& words) {
    const auto send = [this](unsigned int message, int line, long value = 0) {
        return m_editor->SendScintilla(message, static_cast<unsigned long>(line), value);
    };
    constexpr long kBase = QsciScintilla::SC_FOLDLEVELBASE;
    const bool wasFolded = m_foldLast > m_foldFirst;
    if (wasFolded) {
        send(QsciScintilla::SCI_SHOWLINES, m_foldFirst, m_foldLast);
        send(QsciScintilla::SCI_SETFOLDEXPANDED, m_foldFirst, 1);
        for (int line = m_foldFirst; line <= std::min(m_foldLast, m_editor->lines() - 1); ++line)
            send(QsciScintilla::SCI_SETFOLDLEVEL, line, kBase);
    }
    m_foldFirst = first;
    m_foldLast = last;
    m_isFoldOpen = m_isFoldOpen && wasFolded;
    m_editor->setMarginWidth(kFoldMargin, last > first ? 14 : 0);
    if (last <= first)
        return;
    for (int line = first; line <= last; ++line)
        send(QsciScintilla::SCI_SETFOLDLEVEL, line,
             line == first ? kBase | QsciScintilla::SC_FOLDLEVELHEADERFLAG : kBase + 1);
    if (!m_isFoldOpen)
        m_editor->SendScintilla(QsciScintilla::SCI_TOGGLEFOLDSHOWTEXT, static_cast<unsigned long>(first),
                                words.toUtf8().constData());
}

void CodeView::mark(Mark mark, const std::vector<int>& lines) {
    const auto put = [&](int marker) {
        m_editor->markerDeleteAll(marker);
        for (int line : lines)
            if (line >= 0)
                m_editor->markerAdd(line, marker);
    };
    switch (mark) {
    case Mark::Selected:
        put(kSelectedLine);
        break;
    case Mark::Current:
        put(kCurrentLine);
        put(kCurrentBar);
        break;
    case Mark::Breakpoint:
        put(kBreakpoint);
        break;
    case Mark::Set:
        put(kSet);
        break;
    case Mark::Muted:
        put(kMuted);
        strike(lines);
        break;
    }
}

void CodeView::strike(const std::vector<int>& lines) {
    m_isChanging = true;
    m_editor->clearIndicatorRange(0, 0, m_editor->lines(), 0, kStrike);
    for (const int line : lines) {
        const QString text = m_editor->text(line);
        const auto indent = std::ranges::find_if(text, [](QChar each) { return !each.isSpace(); });
        m_editor->fillIndicatorRange(line, static_cast<int>(indent - text.begin()), line,
                                     static_cast<int>(text.trimmed().size() + (indent - text.begin())),
                                     kStrike);
    }
    m_isChanging = false;
}

std::vector<int> CodeView::marked(Mark mark) const {
    const int marker = mark == Mark::Selected  ? kSelectedLine
                       : mark == Mark::Current ? kCurrentLine
                       : mark == Mark::Set     ? kSet
                       : mark == Mark::Muted   ? kMuted
                                               : kBreakpoint;
    std::vector<int> out;
    for (int line = m_editor->markerFindNext(0, 1u << marker); line >= 0;
         line = m_editor->markerFindNext(line + 1, 1u << marker))
        out.push_back(line);
    return out;
}

int CodeView::lineAt(const QPoint& place) const {
    return m_editor->lineAt(place);
}

QString CodeView::text() const {
    return m_editor->text();
}

bool CodeView::hasSelectedText() const {
    return m_editor->hasSelectedText();
}

void CodeView::copy() {
    m_editor->copy();
}

void CodeView::selectAll() {
    m_editor->selectAll();
}

void CodeView::goTo(int line) {
    m_editor->setCursorPosition(line, 0);
    reveal(line);
}

int CodeView::cursorLine() const {
    int line = 0, column = 0;
    m_editor->getCursorPosition(&line, &column);
    return line;
}

void CodeView::reveal(int line) {
    if (line < 0)
        return;
    m_editor->SendScintilla(QsciScintilla::SCI_ENSUREVISIBLE, static_cast<unsigned long>(line));
    m_isFoldOpen |= line > m_foldFirst && line <= m_foldLast;
    // Both count the lines that are seen.
    line = static_cast<int>(
        m_editor->SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line)));
    const int first = m_editor->firstVisibleLine();
    const int shown = static_cast<int>(m_editor->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    if (line < first || line >= first + shown)
        m_editor->setFirstVisibleLine(std::max(0, line - shown / 3));
}

} // namespace fx::ui
