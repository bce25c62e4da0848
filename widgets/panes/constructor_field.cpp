// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/constructor_field.h"

#include "widgets/panes/parameter_line.h"
#include "widgets/support/qt_text.h"

#include <QLabel>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace fx::ui {

ConstructorField::ConstructorField(QLineEdit& line, const QFont& fixedFont)
    : m_line(line), m_fixedFont(fixedFont), m_parameters(new QWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(&m_line);
    column->addWidget(m_parameters);
    m_parameters->hide();
    setFocusProxy(&m_line);
    connect(&m_line, &QLineEdit::textChanged, this, &ConstructorField::read);
    read();
}

void ConstructorField::read() {
    if (m_isWriting)
        return;
    std::optional<ConstructorForm> form = constructorForm(utf8(m_line.text()));
    m_parameters->setEnabled(form.has_value());
    if (!form)
        return;
    const bool isOther = !m_form || m_form->callee != form->callee;
    m_form = std::move(form);
    if (isOther)
        showParameters();
    const QScopedValueRollback writing(m_isWriting, true);
    for (size_t i = 0; i < m_fields.size(); ++i)
        m_fields[i]->setText(wholeQt(m_form->texts[i]));
}

/// In two columns: a convolution has eleven.
void ConstructorField::showParameters() {
    m_fields.clear();
    qDeleteAll(m_parameters->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete m_parameters->layout();
    auto* grid = new QGridLayout(m_parameters);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    const size_t count = m_form->texts.size(), rows = (count + 1) / 2;
    QWidget* last = &m_line;
    for (size_t i = 0; i < count; ++i) {
        const bool isMore = i >= m_form->form.parameters.size();
        const CallParameter parameter = isMore ? CallParameter{"more", "with commas between", "", false, true}
                                               : m_form->form.parameters[i];
        auto* label = new QLabel(isMore ? qt(parameter.name) : labelOf(parameter));
        label->setTextFormat(Qt::PlainText);
        label->setObjectName("dim");
        QLineEdit* field = parameterLine(parameter, {}, m_fixedFont);
        field->setMinimumWidth(90);
        connect(field, &QLineEdit::textChanged, this, [this, i](const QString& text) { write(i, text); });
        const int row = static_cast<int>(i % rows), column = i < rows ? 0 : 2;
        grid->addWidget(label, row, column);
        grid->addWidget(field, row, column + 1);
        QWidget::setTabOrder(last, field);
        last = field;
        m_fields.push_back(field);
    }
    m_parameters->setVisible(count > 0);
}

void ConstructorField::write(size_t parameter, const QString& text) {
    if (m_isWriting)
        return;
    const QScopedValueRollback writing(m_isWriting, true);
    m_form->texts[parameter] = utf8(text);
    m_line.setText(wholeQt(constructorCall(*m_form)));
}

} // namespace fx::ui
