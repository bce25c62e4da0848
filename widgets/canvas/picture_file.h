// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas as a file: SVG, PDF, or PNG of any size.
#pragma once

#include <QSizeF>
#include <QString>

namespace fx::ui {

class CanvasView;

struct PictureFile {
    QString path; ///< its ending says the format
    bool isDark = false;
    bool hasBackground = true;
    double scale = 1; ///< of PNG
};

/// Throws an Error that says why it could not be written.
void writePicture(CanvasView& canvas, const PictureFile& file);
/// What a picture of scale 1 measures, its margin included.
QSizeF pictureSize(const CanvasView& canvas);
/// The largest scale a PNG can have, for its size stays below what image files and memory take.
double largestScale(const CanvasView& canvas);

} // namespace fx::ui
