// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/zoom_control.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/style/theme.h"

#include <QHBoxLayout>

#include <cmath>

namespace fx::ui {

ZoomControl::ZoomControl(CanvasView& canvas, QAction& weights, const Theme& theme)
    : QWidget(&canvas), m_theme(theme), m_out(button("Zoom out (-)")), m_scale(button("Back to 100 %")),
      m_in(button("Zoom in (+)")), m_fit(button("Show the whole graph (F)")) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 3, 4, 3);
    row->setSpacing(2);
    for (QToolButton* each : {m_out, m_scale, m_in, m_fit})
        row->addWidget(each);
    QToolButton* weightsButton = button({});
    weightsButton->setDefaultAction(&weights);
    weightsButton->setToolButtonStyle(Qt::ToolButtonIconOnly);
    row->addWidget(weightsButton);
    m_scale->setMinimumWidth(56);
    connect(m_out, &QToolButton::clicked, &canvas, [&canvas] { canvas.look().zoomBy(0.8); });
    connect(m_in, &QToolButton::clicked, &canvas, [&canvas] { canvas.look().zoomBy(1.25); });
    connect(m_scale, &QToolButton::clicked, &canvas, [&canvas] { canvas.look().setZoom(1); });
    connect(m_fit, &QToolButton::clicked, &canvas, [&canvas] { canvas.look().fit(); });
    const auto dress = [this] {
        m_out->setIcon(m_theme.icon("minus"));
        m_in->setIcon(m_theme.icon("plus"));
        m_fit->setIcon(m_theme.icon("fit"));
    };
    connect(&theme, &Theme::changed, this, dress);
    dress();
    const auto tell = [this, &canvas] {
        const double percent = canvas.camera().scale() * 100;
        m_scale->setText(QString::number(percent, 'f', percent < 10 ? 1 : 0) + " %");
    };
    connect(&canvas, &CanvasView::cameraChanged, this, tell);
    tell();
}

QToolButton* ZoomControl::button(const QString& tip) {
    auto* out = new QToolButton(this);
    out->setToolTip(tip);
    out->setFocusPolicy(Qt::NoFocus);
    return out;
}

void ZoomControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.tokens().line, 1));
    painter.setBrush(m_theme.tokens().panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace fx::ui
