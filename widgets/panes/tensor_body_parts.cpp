// SPDX-License-Identifier: GPL-3.0-or-later
// What a tensor's body is made of.
#include "widgets/models/sample_rows.h"
#include "widgets/panes/axes_bar.h"
#include "widgets/panes/histogram.h"
#include "widgets/panes/tensor_body.h"
#include "widgets/panes/tensor_image.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace fx::ui {

namespace {

QLineEdit* makeTensorLine(const Theme& theme, const char* name, const char* accessible,
                          const char* placeholder) {
    auto* line = new QLineEdit;
    line->setFont(theme.fixedFont());
    line->setObjectName(name);
    line->setAccessibleName(accessible);
    line->setPlaceholderText(placeholder);
    line->setClearButtonEnabled(true);
    return line;
}

} // namespace

TensorBody::TensorBody(const Theme& theme)
    : m_theme(theme), m_numbers(new QWidget), m_numberGrid(new QGridLayout(m_numbers)), m_note(new QLabel),
      m_fault(new QLabel), m_cursor(new QLabel),
      m_expression(makeTensorLine(theme, "tensorView", "Shown as", "shown as it is; or value.abs()")),
      m_against(makeTensorLine(theme, "tensorAgainst", "Held against", "against: a node, an expression")),
      m_index(makeTensorLine(theme, "tensorIndex", "Index of the slice",
                             "index, such as 0, :, 3:8   (all of it if empty)")),
      m_words(makeTensorLine(theme, "tensorWords", "Words for the places", "labels: the cat sat")),
      m_histogram(new Histogram(theme)), m_part(new QComboBox), m_axes(new AxesBar),
      m_image(new TensorImage(theme)), m_tabs(new QTabBar), m_pages(new QStackedWidget),
      m_table(new QTableView), m_sample(new SampleRows(this)) {
    m_numberGrid->setContentsMargins(0, 0, 0, 0);
    m_numberGrid->setHorizontalSpacing(16);
    m_numberGrid->setVerticalSpacing(0);
    m_note->setObjectName("dim");
    m_fault->setObjectName("fault");
    for (QLabel* label : {m_note, m_fault, m_cursor}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_tabs->setAccessibleName("How the tensor is shown");
    m_tabs->setDrawBase(false);
    m_tabs->addTab("Picture");
    m_tabs->addTab("Elements");
    m_pages->addWidget(makePicture());
    m_pages->addWidget(makeElements());
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_numbers);
    column->addWidget(m_note);
    column->addLayout(makeRange());
    column->addWidget(m_pages, 1);
    column->addWidget(m_fault);
    column->addLayout(makeExpressions());
}

QToolButton* TensorBody::button(const QString& text, const QString& name, const QString& tip) {
    auto* out = new QToolButton;
    out->setText(text);
    out->setAccessibleName(name);
    out->setToolTip(tip);
    return out;
}

QLayout* TensorBody::makeExpressions() {
    m_expression->setToolTip("An expression over value, the tensor, and over the nodes that have run:\n"
                             "value.softmax(-1), value - relu_1, value.int_repr()");
    m_against->setToolTip("What it is held against: the name of a node, the path of a tensor of the model,\n"
                          "or an expression over value, such as value.half().float()");
    for (QLineEdit* line : {m_expression, m_against}) {
        connect(line, &QLineEdit::editingFinished, this, &TensorBody::viewChanged);
        connect(line, &QLineEdit::textChanged, this, [this](const QString& text) {
            if (text.isEmpty())
                Q_EMIT viewChanged();
        });
    }
    m_words->setToolTip("Words for the places of an axis, such as the tokens between which an attention is:\n"
                        "the cat sat. They stand along each axis that has as many places; commas between\n"
                        "them where they have spaces");
    connect(m_words, &QLineEdit::textChanged, this, [this](const QString& text) {
        const bool hasCommas = text.contains(',');
        QStringList words = text.split(QRegularExpression(hasCommas ? "\\s*,\\s*" : "\\s+"));
        if (!hasCommas)
            words.removeAll({});
        m_image->setWords(words);
    });
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_expression, 1);
    row->addWidget(m_against, 1);
    row->addWidget(m_words, 1);
    return row;
}

QLayout* TensorBody::makeRange() {
    m_logarithmic = button("log", "Logarithmic counts", "Counts of the bars by their logarithm");
    m_fit = button("Fit", "Fit the colours", "Colours over all that is there, the same on both sides of 0");
    m_lock = button("Lock", "Lock the colours", "Keep these colours while other tensors are shown");
    m_logarithmic->setCheckable(true);
    m_lock->setCheckable(true);
    m_ownScale = button("Own scale", "Own scale for the difference",
                        "Colours of the difference by its own range, and not by that of the values");
    m_ownScale->setCheckable(true);
    m_ownScale->hide();
    connect(m_logarithmic, &QToolButton::toggled, m_histogram, &Histogram::setLogarithmic);
    connect(m_fit, &QToolButton::clicked, this, [this] {
        m_isChosen = false;
        fit();
    });
    connect(m_ownScale, &QToolButton::toggled, this, [this] { useScale(m_scale); });
    connect(m_histogram, &Histogram::scaleChosen, this, [this](const ColourScale& scale) {
        m_isChosen = true;
        useScale(scale);
    });
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_tabs, 0, Qt::AlignBottom);
    row->addWidget(m_histogram, 1);
    for (QToolButton* each : {m_logarithmic, m_fit, m_lock, m_ownScale})
        row->addWidget(each);
    return row;
}

QWidget* TensorBody::makePicture() {
    m_part->setAccessibleName("Part of complex numbers");
    m_part->addItem("magnitude", static_cast<int>(ComplexPart::Magnitude));
    m_part->addItem("real part", static_cast<int>(ComplexPart::Real));
    m_part->addItem("imaginary part", static_cast<int>(ComplexPart::Imaginary));
    m_part->addItem("angle", static_cast<int>(ComplexPart::Angle));
    m_part->hide();
    m_toMinimum = button("Min", "Go to the minimum", "The cursor to the smallest element");
    m_toMaximum = button("Max", "Go to the maximum", "The cursor to the largest element");
    m_toNan = button("NaN", "Go to the first NaN", "The cursor to the first NaN");
    m_cursor->setFont(m_theme.fixedFont());
    m_cursor->setAccessibleName("Element at the cursor");
    m_cursor->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_toMinimum, &QToolButton::clicked, this, [this] { goTo(m_statistics->minimumAt); });
    connect(m_toMaximum, &QToolButton::clicked, this, [this] { goTo(m_statistics->maximumAt); });
    connect(m_toNan, &QToolButton::clicked, this, [this] { goTo(m_statistics->nanAt); });
    connect(m_image, &TensorImage::cursorMoved, this, &TensorBody::showCursor);
    connect(m_axes, &AxesBar::changed, this, [this] {
        m_view.picture.axes = m_axes->uses();
        m_view.picture.places = m_axes->places();
        Q_EMIT viewChanged();
    });
    connect(m_part, &QComboBox::activated, this, [this] {
        m_view.picture.part = static_cast<ComplexPart>(m_part->currentData().toInt());
        Q_EMIT viewChanged();
    });
    auto* out = new QWidget;
    auto* column = new QVBoxLayout(out);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_cursor, 1);
    row->addWidget(m_part);
    auto* to = new QLabel("go to");
    to->setObjectName("dim");
    row->addWidget(to);
    for (QToolButton* each : {m_toMinimum, m_toMaximum, m_toNan})
        row->addWidget(each);
    column->addWidget(m_axes);
    column->addWidget(m_image, 1);
    column->addLayout(row);
    return out;
}

QWidget* TensorBody::makeElements() {
    m_table->setModel(m_sample);
    m_table->setAccessibleName("Elements");
    m_table->setFont(m_theme.fixedFont());
    m_table->setShowGrid(false);
    m_table->horizontalHeader()->setDefaultSectionSize(78);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->verticalHeader()->setMinimumWidth(30);
    m_table->setMinimumHeight(60);
    connect(m_index, &QLineEdit::editingFinished, this, &TensorBody::viewChanged);
    connect(m_index, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            Q_EMIT viewChanged();
    });
    auto* out = new QWidget;
    auto* column = new QVBoxLayout(out);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_index);
    column->addWidget(m_table, 1);
    return out;
}

} // namespace fx::ui
