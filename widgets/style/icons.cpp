// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

/// Resources of a static library are linked in only if somebody names them, outside of every namespace.
static void initIcons() {
    Q_INIT_RESOURCE(icons);
}

namespace fx::ui {

QIcon icon(const QString& name, const QColor& color, const QColor& disabled) {
    static const bool isReady = (initIcons(), true);
    (void)isReady;
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString source = QString::fromUtf8(file.readAll());
    QIcon out;
    for (const auto& [mode, tint] : {std::pair(QIcon::Normal, color), std::pair(QIcon::Disabled, disabled)}) {
        QSvgRenderer renderer(QString(source).replace("currentColor", tint.name()).toUtf8());
        for (const qreal ratio : {1.0, 2.0}) {
            QPixmap pixmap(QSize(16, 16) * ratio);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            renderer.render(&painter);
            painter.end();
            pixmap.setDevicePixelRatio(ratio);
            out.addPixmap(pixmap, mode);
        }
    }
    return out;
}

} // namespace fx::ui
