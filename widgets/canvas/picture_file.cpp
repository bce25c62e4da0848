// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/picture_file.h"

#include "core/base/error.h"
#include "core/io/output_file.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <QBuffer>
#include <QImage>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace fx::ui {

namespace {

constexpr double kPictureMargin = 24;
constexpr double kMostSide = 30000, kMostPixels = 400e6;

void paint(CanvasView& canvas, QPainter& painter, const PictureFile& file) {
    painter.setRenderHint(QPainter::Antialiasing);
    if (file.hasBackground)
        painter.fillRect(QRectF(QPointF(), pictureSize(canvas)),
                         (file.isDark ? darkTokens() : lightTokens()).canvas);
    painter.translate(kPictureMargin, kPictureMargin);
    canvas.paintAll(painter, file.isDark);
}

} // namespace

QSizeF pictureSize(const CanvasView& canvas) {
    return canvas.geometry().bounds().size() + QSizeF(2 * kPictureMargin, 2 * kPictureMargin);
}

double largestScale(const CanvasView& canvas) {
    const QSizeF size = pictureSize(canvas);
    return std::min({kMostSide / size.width(), kMostSide / size.height(),
                     std::sqrt(kMostPixels / (size.width() * size.height()))});
}

void writePicture(CanvasView& canvas, const PictureFile& file) {
    const QSizeF size = pictureSize(canvas);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QString path = file.path.toLower();
    if (path.endsWith(".svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(size.toSize());
        svg.setViewBox(QRectF(QPointF(), size));
        svg.setTitle(canvas.document().title().toHtmlEscaped()); // Qt writes it as it is
        {
            QPainter painter(&svg);
            paint(canvas, painter, file);
        }
        // Names may hold control characters, for which XML has no place.
        bytes.removeIf([](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\t'; });
    } else if (path.endsWith(".pdf")) {
        QPdfWriter pdf(&buffer);
        // One unit of the diagram is one point; a page holds at most 200 inches.
        const double fitted = std::min(1.0, 14400 / std::max(size.width(), size.height()));
        pdf.setResolution(72);
        pdf.setPageSize(QPageSize(size * fitted, QPageSize::Point, {}, QPageSize::ExactMatch));
        pdf.setPageMargins(QMarginsF());
        QPainter painter(&pdf);
        painter.scale(fitted, fitted);
        paint(canvas, painter, file);
    } else if (path.endsWith(".png")) {
        if (file.scale > largestScale(canvas) * 1.0001)
            throw Error(utf8(file.path), "the picture would be too large")
                .hint("choose a smaller size, or SVG or PDF");
        QImage image((size * file.scale).toSize(), QImage::Format_ARGB32_Premultiplied);
        if (image.isNull())
            throw Error(utf8(file.path), "there is not enough memory for a picture of that size");
        image.fill(Qt::transparent);
        QPainter painter(&image);
        painter.scale(file.scale, file.scale);
        paint(canvas, painter, file);
        painter.end();
        if (!image.save(&buffer, "PNG"))
            throw Error(utf8(file.path), "the picture cannot be written as PNG").hint("use SVG or PDF");
    } else {
        throw Error(utf8(file.path), "unknown kind of picture").hint("use .svg, .png or .pdf");
    }
    writeFile(utf8(file.path), {bytes.constData(), static_cast<size_t>(bytes.size())});
}

} // namespace fx::ui
