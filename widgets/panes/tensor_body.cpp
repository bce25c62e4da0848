// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/tensor_body.h"

#include "widgets/models/sample_rows.h"
#include "widgets/panes/axes_bar.h"
#include "widgets/panes/histogram.h"
#include "widgets/panes/tensor_image.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QComboBox>

namespace fx::ui {

namespace {

QString shortNumber(const std::optional<double>& number) {
    return number ? QString::number(*number, 'g', 5) : QString(QChar(0x2013));
}

QString listText(const QStringList& parts) {
    return '[' + parts.join(", ") + ']';
}

QString indicesText(const std::vector<int64_t>& element) {
    QStringList out;
    for (const int64_t index : element)
        out << QString::number(index);
    return listText(out);
}

} // namespace

ValueView TensorBody::view() const {
    ValueView out = m_view;
    out.index = utf8(m_index->text());
    out.expression = utf8(m_expression->text());
    out.other = utf8(m_against->text());
    return out;
}

void TensorBody::setView(const ValueView& view) {
    const QSignalBlocker quiet(this);
    m_view = view;
    m_index->setText(wholeQt(view.index));
    m_expression->setText(wholeQt(view.expression));
    m_against->setText(wholeQt(view.other));
    m_part->setCurrentIndex(m_part->findData(static_cast<int>(view.picture.part)));
    m_going.reset();
    if (!m_lock->isChecked())
        m_isChosen = false;
}

void TensorBody::show(const Inspection& inspection) {
    const auto* meta = std::get_if<TensorMeta>(&inspection.value.value);
    m_dtype = meta ? meta->dtype : c10::ScalarType::Undefined;
    m_fault->setText(qt(inspection.fault));
    m_fault->setVisible(!inspection.fault.empty());
    m_statistics = inspection.statistics;
    m_part->setVisible(meta && c10::isComplexType(meta->dtype));
    QStringList notes;
    if (!inspection.quantization.empty())
        notes << qt(inspection.quantization);
    if (m_statistics && m_statistics->isSampled())
        notes << "Figures of a sample: " + countLabel(m_statistics->readCount) + " of " +
                     countLabel(m_statistics->elementCount) + " elements were read.";
    if (inspection.picture && inspection.picture->isSampled)
        notes << "The picture shows a sample of the elements, evenly spread.";
    m_note->setText(notes.join('\n'));
    m_note->setVisible(!notes.isEmpty());
    m_numbers->setVisible(m_statistics.has_value());
    if (m_statistics)
        showStatistics(*m_statistics);
    showPictures(inspection);
    if (inspection.sample) {
        m_table->setToolTip("the slice has shape " + indicesText(inspection.sample->shape) +
                            (inspection.sample->isCapped ? "; only its beginning is shown" : ""));
        m_sample->setSample(*inspection.sample);
        m_table->resizeColumnsToContents();
    } else {
        m_sample->setSample({});
    }
}

void TensorBody::showStatistics(const TensorStatistics& s) {
    while (QLayoutItem* item = m_numberGrid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const double zeros =
        s.readCount ? 100.0 * static_cast<double>(s.zeroCount) / static_cast<double>(s.readCount) : 0;
    const auto faulty = [&](uint64_t count) {
        return count ? m_theme.tokens().fault : m_theme.tokens().healthy;
    };
    const std::tuple<const char*, QString, QColor> cells[] = {
        {"min", shortNumber(s.minimum), m_theme.tokens().text},
        {"max", shortNumber(s.maximum), m_theme.tokens().text},
        {"mean", shortNumber(s.mean), m_theme.tokens().text},
        {"std", shortNumber(s.deviation), m_theme.tokens().text},
        {"NaN", QString::number(s.nanCount), faulty(s.nanCount)},
        {"Inf", QString::number(s.infCount), faulty(s.infCount)},
        {"zero", QString::number(zeros, 'f', 1) + " %", m_theme.tokens().text},
    };
    int column = 0;
    for (const auto& [name, text, color] : cells) {
        auto* label = new QLabel(name);
        label->setObjectName("dim");
        auto* value = new QLabel(text);
        value->setFont(m_theme.fixedFont());
        value->setAccessibleName(name);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setStyleSheet("color: " + color.name());
        m_numberGrid->addWidget(label, 0, column);
        m_numberGrid->addWidget(value, 1, column++);
    }
    m_histogram->setBins(s.histogram, s.minimum.value_or(0), s.maximum.value_or(0));
}

void TensorBody::showPictures(const Inspection& inspection) {
    std::vector<TensorImage::Panel> panels;
    if (inspection.picture && !inspection.picture->cells.empty()) {
        const bool isPair = inspection.other && inspection.difference;
        panels.push_back({isPair ? "value" : "", *inspection.picture, {}});
        if (isPair) {
            const TensorStatistics& s = *inspection.differenceStatistics;
            const double most = std::max(std::abs(s.minimum.value_or(0)), std::abs(s.maximum.value_or(0)));
            panels.push_back({m_against->text(), *inspection.other, {}});
            panels.push_back(
                {"difference, at most " + QString::number(most, 'g', 4), *inspection.difference, {}});
        }
    }
    m_axes->show(inspection.picture ? inspection.picture->axes : std::vector<PictureAxis>());
    m_ownScale->setVisible(panels.size() > 1);
    m_image->setVisible(!panels.empty());
    m_image->setPanels(std::move(panels));
    m_toMinimum->setEnabled(m_statistics && m_statistics->minimum);
    m_toMaximum->setEnabled(m_statistics && m_statistics->maximum);
    m_toNan->setEnabled(m_statistics && m_statistics->nanCount);
    if (m_isChosen || m_lock->isChecked())
        useScale(m_scale);
    else
        fit();
    if (const std::optional<std::vector<int64_t>> element = std::exchange(m_going, std::nullopt))
        goTo(*element);
    showCursor();
}

void TensorBody::fit() {
    double minimum = 0, maximum = 0;
    bool isAny = false;
    const auto take = [&](const std::optional<double>& low, const std::optional<double>& high) {
        if (!low || !high)
            return;
        minimum = isAny ? std::min(minimum, *low) : *low;
        maximum = isAny ? std::max(maximum, *high) : *high;
        isAny = true;
    };
    // Of a part of complex numbers the figures, which are of magnitudes, say nothing.
    const bool isOtherPart = c10::isComplexType(m_dtype) && m_view.picture.part != ComplexPart::Magnitude;
    if (m_statistics && !isOtherPart)
        take(m_statistics->minimum, m_statistics->maximum);
    for (const TensorImage::Panel& panel : m_image->panels())
        take(panel.picture.minimum, panel.picture.maximum);
    useScale(fittingScale(minimum, maximum));
}

void TensorBody::useScale(const ColourScale& scale) {
    m_scale = scale;
    m_histogram->setScale(scale);
    const auto& panels = m_image->panels();
    for (size_t i = 0; i < panels.size(); ++i) {
        const TensorPicture& picture = panels[i].picture;
        const bool isOwn = i == 2 && m_ownScale->isChecked();
        m_image->setScale(i, isOwn ? fittingScale(picture.minimum.value_or(0), picture.maximum.value_or(0))
                                   : scale);
    }
}

void TensorBody::goTo(const std::vector<int64_t>& element) {
    if (m_image->panels().empty())
        return;
    m_tabs->setCurrentIndex(0);
    m_image->setFocus();
    if (const auto cell = cellOf(m_image->panels()[0].picture, element)) {
        m_image->setCursorCell({static_cast<int>(cell->second), static_cast<int>(cell->first)});
        return;
    }
    m_going = element; // its place is asked for first
    m_axes->setPlaces(element);
}

QString TensorBody::elementText(double number) const {
    if (m_dtype == c10::ScalarType::Bool)
        return number != 0 ? "True" : "False";
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    if (c10::isIntegralType(m_dtype, false))
        return QString::number(number, 'f', 0);
    return QString::number(number, 'g', m_dtype == c10::ScalarType::Double ? 10 : 7);
}

void TensorBody::showCursor() {
    const auto& panels = m_image->panels();
    const QPoint at = m_image->cursorCell();
    const auto element = panels.empty() ? std::nullopt : elementAt(panels[0].picture, at.y(), at.x());
    QString text;
    if (element) {
        QStringList places;
        for (size_t axis = 0; axis < element->size(); ++axis)
            places << m_image->labels().text(panels[0].picture.axes[axis], (*element)[axis]);
        text = listText(places);
        for (const TensorImage::Panel& panel : panels) {
            QStringList numbers;
            for (int plane = 0; plane < panel.picture.planes; ++plane)
                numbers << elementText(panel.picture.cell(at.y(), at.x(), plane));
            text += "   " + (panel.title.isEmpty() ? QString() : panel.title.section(',', 0, 0) + ' ') +
                    numbers.join(", ");
        }
    }
    m_cursor->setText(text);
    m_image->setAccessibleDescription(text);
}

} // namespace fx::ui
