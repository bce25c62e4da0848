// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/histogram.h"

#include "widgets/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace fx {

Histogram::Histogram(const Theme& theme) : m_theme(theme) {
    setMinimumHeight(48);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName("Histogram");
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Histogram::setBins(std::vector<uint32_t> bins, double minimum, double maximum) {
    m_bins = std::move(bins);
    m_minimum = minimum;
    m_maximum = maximum;
    setVisible(!m_bins.empty());
    update();
}

void Histogram::paintEvent(QPaintEvent*) {
    const Tokens& tokens = m_theme.tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokens.line, 1));
    painter.setBrush(tokens.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (m_bins.empty())
        return;
    const double most = *std::max_element(m_bins.begin(), m_bins.end());
    const QRectF area = QRectF(rect()).adjusted(8, 8, -8, -6);
    const double step = area.width() / static_cast<double>(m_bins.size());
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.selection);
    for (size_t i = 0; i < m_bins.size(); ++i) {
        if (m_bins[i] == 0)
            continue;
        const double height = std::max(1.0, area.height() * m_bins[i] / most);
        painter.drawRect(QRectF(area.left() + step * static_cast<double>(i), area.bottom() - height,
                                std::max(1.0, step - 1), height));
    }
}

bool Histogram::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !m_bins.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const double across = (help->pos().x() - 8.0) / std::max(1, width() - 16);
        const int count = static_cast<int>(m_bins.size());
        const int bin = std::clamp(static_cast<int>(across * count), 0, count - 1);
        const double step = (m_maximum - m_minimum) / count;
        QToolTip::showText(help->globalPos(),
                           QString("%1 elements between %2 and %3")
                               .arg(m_bins[static_cast<size_t>(bin)])
                               .arg(m_minimum + step * bin, 0, 'g', 4)
                               .arg(m_minimum + step * (bin + 1), 0, 'g', 4),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace fx
