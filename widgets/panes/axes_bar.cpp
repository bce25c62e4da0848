// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/axes_bar.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QStandardItemModel>
#include <climits>

namespace fx::ui {

namespace {

constexpr size_t kInALine = 4;

AxisUse useOf(const QComboBox& box) {
    return static_cast<AxisUse>(box.currentData().toInt());
}

} // namespace

AxesBar::AxesBar() : m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
}

void AxesBar::rebuild(const std::vector<PictureAxis>& axes) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_rows.clear();
    m_sizes.clear();
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        m_sizes.push_back(axes[axis].size);
        auto* use = new QComboBox;
        use->setAccessibleName(QString("Axis %1").arg(axis));
        use->setToolTip(
            QString("What axis %1, which has %2 places, is in the picture").arg(axis).arg(axes[axis].size));
        const QString name = QString("%1: ").arg(axis); // four of them side by side are narrow
        const std::pair<const char*, AxisUse> uses[] = {{"one place", AxisUse::At},
                                                        {"down", AxisUse::Rows},
                                                        {"across", AxisUse::Columns},
                                                        {"grid", AxisUse::Grid},
                                                        {"colours", AxisUse::Colour}};
        for (const auto& [word, kind] : uses)
            if (kind != AxisUse::Colour || axes[axis].size >= 3)
                use->addItem(name + word, static_cast<int>(kind));
        use->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        use->setMinimumContentsLength(5);
        auto* place = new QSlider(Qt::Horizontal);
        place->setAccessibleName(QString("Place of axis %1").arg(axis));
        place->setRange(0, static_cast<int>(std::clamp<int64_t>(axes[axis].size - 1, 0, INT_MAX)));
        auto* number = new QLabel;
        number->setObjectName("dim");
        number->setMinimumWidth(number->fontMetrics().horizontalAdvance("00000"));
        const int line = static_cast<int>(axis / kInALine) * 2, at = static_cast<int>(axis % kInALine);
        m_grid->addWidget(use, line, at);
        auto* below = new QWidget;
        auto* row = new QHBoxLayout(below);
        row->setContentsMargins(4, 0, 4, 0);
        row->addWidget(place, 1);
        row->addWidget(number);
        m_grid->addWidget(below, line + 1, at);
        m_rows.push_back({use, place, number});
        connect(use, &QComboBox::activated, this, [this, axis] { take(axis); });
        connect(place, &QSlider::valueChanged, this, [this, axis] {
            refresh(axis);
            if (!m_isShowing)
                Q_EMIT changed();
        });
    }
}

void AxesBar::show(const std::vector<PictureAxis>& axes) {
    std::vector<int64_t> sizes;
    for (const PictureAxis& axis : axes)
        sizes.push_back(axis.size);
    m_isShowing = true;
    if (sizes != m_sizes || m_rows.size() != axes.size())
        rebuild(axes);
    for (size_t axis = 0; axis < axes.size(); ++axis) {
        QComboBox& use = *m_rows[axis].use;
        use.setCurrentIndex(use.findData(static_cast<int>(axes[axis].use)));
        // One that is dragged is ahead of what is shown.
        if (!m_rows[axis].place->isSliderDown())
            m_rows[axis].place->setValue(static_cast<int>(axes[axis].place));
        refresh(axis);
    }
    m_isShowing = false;
    setVisible(!axes.empty());
}

/// There is one grid, and there are colours once: who takes them takes them from the other.
void AxesBar::take(size_t axis) {
    const AxisUse now = useOf(*m_rows[axis].use);
    for (size_t other = 0; other < m_rows.size(); ++other)
        if (other != axis && useOf(*m_rows[other].use) == now &&
            (now == AxisUse::Grid || now == AxisUse::Colour))
            m_rows[other].use->setCurrentIndex(0);
    for (size_t each = 0; each < m_rows.size(); ++each)
        refresh(each);
    Q_EMIT changed();
}

void AxesBar::refresh(size_t axis) {
    const Row& row = m_rows[axis];
    const bool isPlaced = useOf(*row.use) == AxisUse::At && m_sizes[axis] > 1;
    row.place->setVisible(isPlaced);
    row.number->setVisible(isPlaced);
    row.number->setText(QString::number(row.place->value()));
}

std::vector<AxisUse> AxesBar::uses() const {
    std::vector<AxisUse> out;
    for (const Row& row : m_rows)
        out.push_back(useOf(*row.use));
    return out;
}

std::vector<int64_t> AxesBar::places() const {
    std::vector<int64_t> out;
    for (const Row& row : m_rows)
        out.push_back(row.place->value());
    return out;
}

void AxesBar::setPlaces(const std::vector<int64_t>& places) {
    m_isShowing = true;
    for (size_t axis = 0; axis < m_rows.size() && axis < places.size(); ++axis)
        m_rows[axis].place->setValue(static_cast<int>(places[axis]));
    m_isShowing = false;
    Q_EMIT changed();
}

} // namespace fx::ui
