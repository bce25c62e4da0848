// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/toast.h"

#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace fx::ui {

namespace {

constexpr int kLeastTime = 4000, kTimePerLetter = 45; ///< milliseconds
constexpr int kFewLines = 2;
constexpr int kToEdge = 20; ///< to the edges of the widget that it lies over

/// The beginning of a text that fits into so many lines of that width.
/// `cutsWords`: not even a word is wider than that.
QString beginning(const QString& text, const QFontMetrics& metrics, int width, int lines, bool cutsWords) {
    const auto fits = [&](const QString& part) {
        const QRect taken = metrics.boundingRect(QRect(0, 0, width, 1 << 20), Qt::TextWordWrap, part);
        return taken.height() <= lines * metrics.lineSpacing() && (!cutsWords || taken.width() <= width);
    };
    if (fits(text))
        return text;
    qsizetype fitting = 0, tooMany = text.size();
    while (tooMany - fitting > 1) {
        const qsizetype middle = (fitting + tooMany) / 2;
        (fits(text.left(middle) + QChar(0x2026)) ? fitting : tooMany) = middle;
    }
    return text.left(fitting).trimmed() + QChar(0x2026);
}

} // namespace

Toast::Toast(QWidget& over, const Theme& theme)
    : QFrame(&over), m_theme(theme), m_label(new QLabel), m_details(new QPushButton("Details")),
      m_dismiss(new QPushButton("Dismiss")) {
    setObjectName("toast");
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 10, 8);
    row->setSpacing(8);
    row->addWidget(m_label, 1);
    for (QPushButton* each : {m_details, m_dismiss}) {
        each->setObjectName("link");
        each->setFocusPolicy(Qt::TabFocus);
        row->addWidget(each, 0, Qt::AlignTop);
    }
    m_details->setToolTip("Show the whole message");
    connect(m_details, &QPushButton::clicked, this, [this] {
        m_isWhole = true;
        m_timer.stop();
        place();
        m_dismiss->setFocus();
    });
    connect(m_dismiss, &QPushButton::clicked, this, &Toast::dismiss);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Toast::end);
    over.installEventFilter(this);
    hide();
}

void Toast::tell(const QString& text, bool isFault) {
    show(shown(text), isFault);
    startTimer();
}

void Toast::fail(const QString& text) {
    m_failure = shown(text);
    m_timer.stop();
    show(m_failure, true);
}

void Toast::takeBackFailure() {
    const QString failure = std::exchange(m_failure, QString());
    if (isVisible() && m_text == failure && !m_timer.isActive())
        hide();
}

void Toast::show(const QString& text, bool isFault) {
    const Tokens& t = m_theme.tokens();
    const QString color = (isFault ? t.fault : t.text).name();
    setStyleSheet(
        QString("QFrame#toast { background: %1; border: 1px solid %2; border-radius: 6px; } "
                "QFrame#toast QLabel { color: %3; background: transparent; }")
            .arg((isFault ? t.faultBack : t.panel).name(), (isFault ? t.fault : t.line).name(), color));
    m_text = text;
    m_isWhole = false;
    setAccessibleName(text);
    place();
    QFrame::show();
    raise();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Toast::place() {
    const QWidget& over = *parentWidget();
    const QMargins margins = layout()->contentsMargins();
    const int most = std::max(120, std::min(m_isWhole ? 900 : 560, over.width() - 2 * kToEdge));
    const auto takenBy = [&](const QPushButton& button) {
        return button.isHidden() ? 0 : button.sizeHint().width() + layout()->spacing();
    };
    // Without buttons first: Details is there for what does not fit.
    m_dismiss->setVisible(m_isWhole || (!m_failure.isEmpty() && m_text == m_failure));
    m_details->hide();
    const QFontMetrics metrics = m_label->fontMetrics();
    const int lines =
        m_isWhole ? std::max(kFewLines, (over.height() - 3 * kToEdge) / metrics.lineSpacing()) : kFewLines;
    const auto room = [&] {
        return most - margins.left() - margins.right() - takenBy(*m_dismiss) - takenBy(*m_details);
    };
    QString part = beginning(m_text, metrics, room(), lines, !m_isWhole);
    if (part != m_text && !m_isWhole) {
        m_details->show();
        part = beginning(m_text, metrics, room(), lines, !m_isWhole);
    }
    m_label->setText(part);
    m_label->setTextInteractionFlags(m_isWhole ? Qt::TextSelectableByMouse : Qt::NoTextInteraction);
    const QSize size = metrics.boundingRect(QRect(0, 0, room(), 1 << 20), Qt::TextWordWrap, part).size();
    const int width = most - room() + std::min(size.width(), room()) + 2;
    const int height = std::max(
        size.height(), m_details->isHidden() && m_dismiss->isHidden() ? 0 : m_dismiss->sizeHint().height());
    setFixedSize(width, height + margins.top() + margins.bottom() + 2 * frameWidth());
    move((over.width() - width) / 2, over.height() - this->height() - kToEdge);
}

void Toast::startTimer() {
    m_timer.start(kLeastTime + kTimePerLetter * static_cast<int>(m_text.size()));
}

/// The message has been there for its time.
void Toast::end() {
    if (m_failure.isEmpty())
        hide();
    else
        show(m_failure, true);
}

void Toast::dismiss() {
    if (m_text == m_failure)
        m_failure.clear();
    m_timer.stop();
    end();
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

/// A message stays while the pointer is over it.
void Toast::enterEvent(QEnterEvent*) {
    if (m_timer.isActive())
        m_timer.stop();
}

void Toast::leaveEvent(QEvent*) {
    if (m_text != m_failure && !m_isWhole)
        startTimer();
}

void Toast::mousePressEvent(QMouseEvent*) {
    if (!m_isWhole)
        dismiss();
}

} // namespace fx::ui
