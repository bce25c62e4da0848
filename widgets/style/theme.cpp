// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with our palette, and a short style sheet for what a palette cannot say. Sizes follow a grid of 4.
#include "widgets/style/theme.h"

#include "widgets/style/icons.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QStyle>

namespace fx::ui {

namespace {

QFont chosenFont(QFontDatabase::SystemFont system, const QString& fallback, int pixels) {
    QFont font = QFontDatabase::systemFont(system);
    // Where the desktop has no font of its own, Qt gives the toolkit's default.
    const QStringList families = QFontDatabase::families();
    const QString family = QFontInfo(font).family();
    const bool isToolkitDefault = family.startsWith("DejaVu") || family.startsWith("Noto") ||
                                  family == "Sans Serif" || family == "Monospace" ||
                                  family.startsWith("Bitstream");
    if (isToolkitDefault && families.contains(fallback))
        font.setFamily(fallback);
    font.setPixelSize(pixels);
    return font;
}

QString sheet(const Tokens& t) {
    // @name stands for the token of that name.
    QString text = R"(
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @selection; }
QToolTip { background: @panel; color: @text; border: 1px solid @line; padding: 4px 6px; }
QMenuBar { background: @panel; border-bottom: 1px solid @line; padding: 2px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @selectionBack; color: @text; }
QMenu { background: @panel; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: @selectionBack; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: @panel; border: none; border-bottom: 1px solid @line; padding: 6px 10px; spacing: 4px; }
QToolBar::separator { background: @line; width: 1px; margin: 4px 8px; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 5px 8px; background: transparent; color: @text; }
QToolButton:hover { background: @selectionBack; }
QToolButton:pressed, QToolButton:checked { background: @selectionBack; color: @selection; }
QToolButton:disabled { color: @faint; }
QToolButton:focus { border-color: @selection; }
QToolButton#primary { background: @selection; color: @primaryText; padding: 5px 12px; font-weight: 600; }
QToolButton#primary:hover { border-color: @text; }
QToolButton#primary:disabled { background: @window; color: @faint; }
QToolButton#field { border-color: @line; padding: 5px 10px; }
QToolButton#field::menu-indicator { width: 0; }
QToolButton#search { border-color: @line; background: @canvas; color: @dim; padding: 5px 12px; min-width: 240px; text-align: left; }
QFrame#notice { background: @panel; border: 1px solid @line; border-radius: 6px; }
QFrame#finder { background: @panel; border: 1px solid @line; border-radius: 8px; }
QScrollArea > QWidget > QWidget#startPage, QWidget#noGraph { background: @canvas; }
QPushButton { border: 1px solid @line; border-radius: 6px; padding: 6px 14px; background: @panel; color: @text; }
QPushButton:hover { background: @selectionBack; }
QPushButton:focus { border-color: @selection; }
QPushButton:default { background: @selection; color: @primaryText; border-color: @selection; font-weight: 600; }
QPushButton:disabled { color: @faint; }
QPushButton:default:disabled { background: @window; color: @faint; border-color: @line; }
QPushButton#paneName { border: none; border-radius: 6px; background: transparent; padding: 4px 10px; text-align: left; color: @dim; }
QPushButton#paneName:hover { background: @selectionBack; }
QPushButton#paneName:checked { color: @text; background: @window; font-weight: 600; }
QPushButton#paneName:focus { border: 1px solid @selection; }
QPushButton#link { border: none; color: @selection; padding: 2px 4px; text-align: left; background: transparent; }
QPushButton#link:hover { text-decoration: underline; }
QPushButton#link:focus { border: 1px solid @selection; }
QLineEdit, QComboBox, QSpinBox, QPlainTextEdit#field, QDialog QPlainTextEdit, QDialog QListWidget { border: 1px solid @line; border-radius: 6px; padding: 4px 8px; background: @panel; color: @text; selection-background-color: @selection; selection-color: @primaryText; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus { border-color: @selection; }
QLineEdit:disabled { color: @faint; background: @window; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow, QSpinBox::down-arrow { image: url(:/icons/chevron-down.svg); width: 12px; height: 12px; }
QSpinBox::up-arrow { image: url(:/icons/chevron-up.svg); width: 12px; height: 12px; }
QSpinBox::up-button, QSpinBox::down-button { border: none; width: 20px; background: transparent; }
QCheckBox::indicator, QTreeView::indicator { width: 12px; height: 12px; border: 1px solid @dim; border-radius: 3px; background: @panel; }
QCheckBox::indicator:checked, QTreeView::indicator:checked { border-color: @selection; background: @selection; image: url(:/icons/tick.svg); }
QCheckBox::indicator:focus, QCheckBox::indicator:hover, QTreeView::indicator:hover { border-color: @selection; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QDockWidget > QWidget, QScrollArea > QWidget > QWidget { background: @panel; }
QDialog QScrollArea, QDialog QScrollArea > QWidget > QWidget { background: transparent; }
QToolBarExtension { qproperty-icon: url(:/icons/more.svg); padding: 0; border: none; }
QComboBox QAbstractItemView, QListView#matches { background: @panel; border: 1px solid @line; selection-background-color: @selectionBack; selection-color: @text; }
QTreeView, QListView, QTableView, QPlainTextEdit, QTextEdit { background: @panel; border: none; color: @text; outline: none; }
QTreeView { show-decoration-selected: 1; }
QTreeView::item, QListView::item { min-height: 20px; }
QListView#matches { padding: 2px 4px; }
QTreeView::item:hover, QListView::item:hover, QTableView::item:hover { background: @canvas; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @selectionBack; color: @text; }
QTreeView:focus::item:selected:active { color: @text; }
QHeaderView { background: @panel; }
QHeaderView::section { background: @panel; color: @dim; border: none; border-bottom: 1px solid @line; padding: 4px 8px; font-weight: 400; }
QTableCornerButton::section { background: @panel; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @wire; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QTabBar { background: @panel; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @dim; padding: 7px 2px 6px 2px; margin: 0 10px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @selection; font-weight: 600; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { color: @selection; }
QTabBar::scroller { width: 44px; }
QToolButton#ScrollLeftButton, QToolButton#ScrollRightButton { background: @panel; border: none; padding: 0; }
QTabBar QToolButton::left-arrow { image: url(:/icons/chevron-left.svg); width: 14px; height: 14px; }
QTabBar QToolButton::right-arrow { image: url(:/icons/chevron-right.svg); width: 14px; height: 14px; }
QDockWidget { color: @text; }
QStatusBar { background: @panel; border-top: 1px solid @line; color: @dim; }
QStatusBar::item { border: none; }
QProgressBar { border: none; background: @line; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @selection; border-radius: 3px; }
QSplitter::handle { background: @line; }
QLabel#heading { color: @dim; font-size: 11px; font-weight: 600; letter-spacing: 0.4px; }
QLabel#dim { color: @dim; }
QLabel#fault { color: @fault; }
QDialog QPlainTextEdit#faultText { color: @fault; background: @faultBack; border-color: @fault; }
QLabel#title { font-size: 15px; font-weight: 600; }
QFrame#hairline { background: @line; max-height: 1px; min-height: 1px; border: none; }
QWidget#panel { background: @panel; }
)";
    const std::pair<const char*, QColor> names[] = {
        {"@window", t.window},
        {"@panel", t.panel},
        {"@canvas", t.canvas},
        {"@line", t.line},
        {"@text", t.text},
        {"@dim", t.dim},
        {"@faint", t.faint},
        {"@selectionBack", t.selectionBack},
        {"@selection", t.selection},
        {"@faultBack", t.faultBack},
        {"@fault", t.fault},
        {"@wire", t.wire},
        {"@primaryText", t.primaryText},
    };
    for (const auto& [name, color] : names)
        text.replace(name, color.name());
    return text;
}

} // namespace

Theme::Theme(QApplication& application)
    : m_application(application), m_systemIsDark(isSystemDark()), m_tokens(&lightTokens()),
      m_text(chosenFont(QFontDatabase::GeneralFont, "Inter", 13)),
      m_fixed(chosenFont(QFontDatabase::FixedFont, "JetBrains Mono", 12)) {
    m_application.setStyle("fusion");
    apply();
}

bool Theme::isSystemDark() const {
    const QPalette palette = m_application.palette();
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

void Theme::choose(Choice choice) {
    m_choice = choice;
    apply();
}

QIcon Theme::icon(const QString& name) const {
    return ui::icon(name, m_tokens->text, m_tokens->faint);
}

QIcon Theme::primaryIcon(const QString& name) const {
    return ui::icon(name, m_tokens->primaryText, m_tokens->faint);
}

bool Theme::isAnimated() const {
    return m_application.style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0;
}

void Theme::apply() {
    const bool isDark = m_choice == Choice::Dark || (m_choice == Choice::System && m_systemIsDark);
    m_tokens = isDark ? &darkTokens() : &lightTokens();
    const Tokens& t = *m_tokens;
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.panel);
    palette.setColor(QPalette::AlternateBase, t.canvas);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.dim);
    palette.setColor(QPalette::Button, t.panel);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::Highlight, t.selection);
    palette.setColor(QPalette::HighlightedText, t.primaryText);
    palette.setColor(QPalette::ToolTipBase, t.panel);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Link, t.selection);
    palette.setColor(QPalette::Light, t.panel);
    palette.setColor(QPalette::Mid, t.line);
    palette.setColor(QPalette::Dark, t.wire);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.faint);
    m_application.setPalette(palette);
    m_application.setFont(m_text);
    m_application.setStyleSheet(sheet(t));
    Q_EMIT changed();
}

} // namespace fx::ui
