// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/tensor_pane.h"

#include "core/base/unicode.h"
#include "widgets/document/graph_document.h"
#include "widgets/panes/histogram.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/selection.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace fx {

class SampleModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setSample(TensorSample sample) {
        beginResetModel();
        m_sample = std::move(sample);
        endResetModel();
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_sample.rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || m_sample.rows.empty() ? 0 : static_cast<int>(m_sample.rows[0].size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::TextAlignmentRole)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        if (role != Qt::DisplayRole || !index.isValid())
            return {};
        const auto& row = m_sample.rows[static_cast<size_t>(index.row())];
        const size_t column = static_cast<size_t>(index.column());
        return column < row.size() ? qt(row[column]) : QString();
    }
    QVariant headerData(int section, Qt::Orientation, int role) const override {
        return role == Qt::DisplayRole ? QVariant(section) : QVariant();
    }

private:
    TensorSample m_sample;
};

namespace {

QString numberText(const std::optional<double>& number) {
    return number ? QString::number(*number, 'g', 5) : QString(QChar(0x2013));
}

QString tensorLine(const TensorMeta& meta) {
    QString out = qt(valueMetaText(ValueMeta{meta})) + "   " + qt(meta.device.str());
    QStringList strides;
    for (const Dimension& stride : meta.stride)
        strides << qt(dimensionText(stride));
    if (!strides.isEmpty())
        out += "   stride (" + strides.join(", ") + (strides.size() == 1 ? ",)" : ")");
    quint64 count = 1;
    for (const Dimension& size : meta.shape)
        count *= std::holds_alternative<int64_t>(size) ? static_cast<quint64>(std::get<int64_t>(size)) : 0;
    return out + "   " + byteLabel(count * c10::elementSize(meta.dtype));
}

} // namespace

TensorPane::TensorPane(const GraphDocument& document, const Selection& selection, DebugService& debug,
                       const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_theme(theme), m_title(new QLabel),
      m_meta(new QLabel), m_note(new QLabel), m_fault(new QLabel), m_body(new QWidget),
      m_numbers(new QWidget), m_numberGrid(new QGridLayout(m_numbers)), m_histogram(new Histogram(theme)),
      m_index(new QLineEdit), m_table(new QTableView), m_sample(new SampleModel(this)), m_text(new QLabel),
      m_pin(new QToolButton), m_set(new QToolButton), m_save(new QToolButton), m_newRow(new QWidget),
      m_newValue(new QLineEdit), m_newFault(new QLabel) {
    setObjectName("panel");
    m_title->setObjectName("title");
    m_meta->setObjectName("dim");
    m_meta->setFont(theme.fixedFont());
    m_meta->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_meta->setWordWrap(true);
    m_note->setObjectName("dim");
    m_note->setWordWrap(true);
    m_fault->setObjectName("fault");
    m_fault->setWordWrap(true);
    m_text->setFont(theme.fixedFont());
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    for (QLabel* label : {m_title, m_meta, m_note, m_fault, m_text, m_newFault})
        label->setTextFormat(Qt::PlainText);
    m_pin->setText("Pin");
    m_pin->setCheckable(true);
    m_pin->setToolTip("Keep showing this node while others are selected");
    m_set->setText("Set value");
    m_set->setToolTip("Put what an expression gives in place of this value, while the run stands still");
    m_newValue->setFont(theme.fixedFont());
    m_newValue->setObjectName("newValue");
    m_newValue->setAccessibleName("New value");
    m_newValue->installEventFilter(this);
    m_newFault->setObjectName("fault");
    m_newFault->setWordWrap(true);
    m_newFault->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_save->setText("Save .npy");
    m_save->setToolTip("Write all elements of this value to a NumPy file");
    m_index->setFont(theme.fixedFont());
    m_index->setObjectName("tensorIndex");
    m_index->setAccessibleName("Index of the slice");
    m_index->setPlaceholderText("index, such as 0, :, 3:8   (all of it if empty)");
    m_index->setClearButtonEnabled(true);
    m_table->setModel(m_sample);
    m_table->setAccessibleName("Elements");
    m_table->setFont(theme.fixedFont());
    m_table->setShowGrid(false);
    m_table->horizontalHeader()->setDefaultSectionSize(78);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->verticalHeader()->setMinimumWidth(30);
    m_table->setMinimumHeight(60);
    m_numberGrid->setContentsMargins(0, 0, 0, 0);
    m_numberGrid->setHorizontalSpacing(16);
    m_numberGrid->setVerticalSpacing(0);

    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_pin);
    head->addWidget(m_set);
    head->addWidget(m_save);
    auto* fresh = new QVBoxLayout(m_newRow);
    fresh->setContentsMargins(0, 0, 0, 0);
    fresh->setSpacing(4);
    fresh->addWidget(m_newValue);
    fresh->addWidget(m_newFault);
    m_newRow->hide();
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(8);
    body->addWidget(m_numbers);
    body->addWidget(m_histogram);
    body->addWidget(m_index);
    body->addWidget(m_fault);
    body->addWidget(m_table, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 14, 8);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(m_meta);
    column->addWidget(m_newRow);
    column->addWidget(m_note);
    column->addWidget(m_text);
    column->addWidget(m_body, 1);
    column->addStretch(0);

    connect(&selection, &Selection::changed, this, &TensorPane::request);
    connect(&debug, &DebugService::stateChanged, this, &TensorPane::request);
    connect(&debug, &DebugService::inspected, this, &TensorPane::show);
    connect(&debug, &DebugService::valueReplaced, this, &TensorPane::request);
    connect(m_set, &QToolButton::clicked, this, &TensorPane::editValue);
    connect(m_newValue, &QLineEdit::returnPressed, this, &TensorPane::takeNewValue);
    connect(&debug, &DebugService::valueSet, this, [this](NodeRef node, const QString& text, bool isError) {
        if (node != m_shown)
            return;
        m_newFault->setText(text.section('\n', 0, 0));
        m_newFault->setVisible(isError);
        if (!isError)
            closeNewValue();
    });
    connect(m_index, &QLineEdit::editingFinished, this, &TensorPane::request);
    connect(m_index, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            request();
    });
    connect(m_pin, &QToolButton::toggled, this, [this](bool isPinned) {
        m_isPinned = isPinned;
        m_pinned = m_shown;
        request();
    });
    connect(m_save, &QToolButton::clicked, this, &TensorPane::save);
    request();
}

NodeRef TensorPane::shownNode() const {
    return m_isPinned ? m_pinned : m_selection.current();
}

void TensorPane::request() {
    const NodeRef node = shownNode();
    if (node != m_shown) {
        m_index->clear();
        m_newRow->hide();
    }
    m_shown = node;
    const bool isThere = node.node && m_document.model().graph(node.module).contains(node.node);
    m_pin->setEnabled(isThere);
    const bool isPaused = m_debug.state() == DebugService::State::Paused;
    m_set->setEnabled(isThere && isPaused && m_debug.record(node));
    if (!m_set->isEnabled())
        m_newRow->hide();
    if (!isThere) {
        m_title->setText("No node selected");
        m_meta->hide();
        m_note->setText("Select a node to see its value.");
        m_note->show();
        m_text->hide();
        m_body->hide();
        m_save->setEnabled(false);
        return;
    }
    m_title->setText(qt(m_document.model().graph(node.module).node(node.node).name));
    m_debug.inspect(node, m_index->text());
}

void TensorPane::show(const Inspection& inspection) {
    if (inspection.node != m_shown)
        return;
    const bool hasValue = inspection.absence.empty();
    const auto* tensor = std::get_if<TensorMeta>(&inspection.value.value);
    QString note = qt(inspection.absence);
    if (!inspection.changedBy.empty())
        note =
            qt(inspection.changedBy) + " has written into this tensor since; these are the values it left.";
    if (!inspection.setTo.empty())
        note = "Set to  " + qt(inspection.setTo) +
               "  by hand. Running again from the start gives the node's own value.";
    if (note.isEmpty() && hasValue && m_debug.isStale(m_shown))
        note = "From before the edit: another run gives another value.";
    if (note.isEmpty() && m_debug.isAhead(m_shown))
        note = "From before: the run stands before this node, and will compute it again.";
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_save->setEnabled(hasValue && tensor);
    m_text->setVisible(hasValue && !tensor);
    m_body->setVisible(hasValue && tensor);
    if (!hasValue) {
        // What was recorded at capture is better than nothing.
        const Node& node = m_document.model().graph(m_shown.module).node(m_shown.node);
        const ValueMeta* known = knownValue(node.meta);
        m_meta->setText(known ? "recorded: " + qt(valueMetaText(*known)) : QString());
        m_meta->setVisible(known);
        return;
    }
    m_meta->show();
    if (!tensor) {
        m_meta->setText(qt(valueMetaText(inspection.value)));
        m_text->setText(qt(inspection.text));
        return;
    }
    m_meta->setText(tensorLine(*tensor));
    if (inspection.statistics)
        showStatistics(*inspection.statistics);
    m_fault->setText(qt(inspection.fault));
    m_fault->setVisible(!inspection.fault.empty());
    if (inspection.sample) {
        QString text;
        for (const int64_t size : inspection.sample->shape)
            text += (text.isEmpty() ? "" : ", ") + QString::number(size);
        m_table->setToolTip("the slice has shape [" + text + "]" +
                            (inspection.sample->isCapped ? "; only its beginning is shown" : ""));
        m_sample->setSample(*inspection.sample);
        m_table->resizeColumnsToContents();
    } else {
        m_sample->setSample({});
    }
}

void TensorPane::showStatistics(const TensorStatistics& s) {
    while (QLayoutItem* item = m_numberGrid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const double zeros =
        s.elementCount ? 100.0 * static_cast<double>(s.zeroCount) / static_cast<double>(s.elementCount) : 0;
    const auto faulty = [&](uint64_t count) {
        return count ? m_theme.tokens().fault : m_theme.tokens().healthy;
    };
    const std::tuple<const char*, QString, QColor> cells[] = {
        {"min", numberText(s.minimum), m_theme.tokens().text},
        {"max", numberText(s.maximum), m_theme.tokens().text},
        {"mean", numberText(s.mean), m_theme.tokens().text},
        {"std", numberText(s.deviation), m_theme.tokens().text},
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

void TensorPane::editValue() {
    if (!m_set->isEnabled())
        return;
    const QString name = qt(m_document.model().graph(m_shown.module).node(m_shown.node).name);
    m_newValue->setPlaceholderText("an expression, such as " + name + " * 0; Enter sets it, Esc leaves it");
    m_newValue->clear();
    m_newFault->hide();
    m_newRow->show();
    m_newValue->setFocus();
}

void TensorPane::takeNewValue() {
    const QString text = m_newValue->text().trimmed();
    if (text.isEmpty())
        closeNewValue();
    else
        m_debug.setValue(m_shown, text);
}

void TensorPane::closeNewValue() {
    // First, or Qt would move the focus on to the next field.
    if (m_newValue->hasFocus())
        m_set->setFocus();
    m_newRow->hide();
}

bool TensorPane::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        closeNewValue();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TensorPane::save() {
    if (!m_save->isEnabled())
        return;
    const QString name = qt(m_document.model().graph(m_shown.module).node(m_shown.node).name);
    const QString title = "Save " + name;
    QString path = m_debug.host()
                       ? QInputDialog::getText(this, title, "File on " + qt(oneLine(m_debug.host()->name())),
                                               QLineEdit::Normal, name + ".npy")
                       : QFileDialog::getSaveFileName(this, title, name + ".npy", "NumPy array (*.npy)");
    if (path.isEmpty())
        return;
    if (!path.endsWith(".npy"))
        path += ".npy";
    m_debug.saveValue(m_shown, path);
}

} // namespace fx
