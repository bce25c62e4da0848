// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/tracer_options.h"

#include "core/base/text.h"
#include "core/trace/meta_tracer.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>

namespace fx::ui {

std::vector<std::string> wordsIn(const QString& text) {
    std::vector<std::string> out;
    for (const QString& word : text.split(QRegularExpression("[,\\s]+"), Qt::SkipEmptyParts))
        out.push_back(utf8(word));
    return out;
}

QPlainTextEdit* makeLinesField(const QFont& fixedFont, const QString& name, const QString& example,
                               const QString& toolTip) {
    auto* out = new QPlainTextEdit;
    out->setFont(fixedFont);
    out->setPlaceholderText(example);
    out->setToolTip(toolTip);
    out->setAccessibleName(name);
    out->setFixedHeight(out->fontMetrics().height() * 3 + 12);
    out->setTabChangesFocus(true);
    return out;
}

std::vector<std::pair<std::string, std::string>> namedLines(const QPlainTextEdit& field) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const QString& line : field.toPlainText().split('\n', Qt::SkipEmptyParts)) {
        const QString name = line.section('=', 0, 0).trimmed();
        if (line.contains('=') && isIdentifier(utf8(name)))
            out.emplace_back(utf8(name), utf8(line.section('=', 1).trimmed()));
        else if (!line.trimmed().isEmpty())
            out.emplace_back("", utf8(line.trimmed()));
    }
    return out;
}

QString linesText(const std::vector<std::pair<std::string, std::string>>& named) {
    QStringList lines;
    for (const auto& [name, value] : named)
        lines << (name.empty() ? QString() : wholeQt(name) + '=') + wholeQt(value);
    return lines.join('\n');
}

TracerOptionsBox::TracerOptionsBox(const QFont& fixedFont)
    : m_constantShapes(new QCheckBox("Shapes of parameters are numbers, not nodes")),
      m_proxiedBuffers(new QCheckBox("Each buffer is read by one node")), m_wrapped(new QLineEdit),
      m_folders(new QLineEdit(Settings::packageFolders().join(QDir::listSeparator()))),
      m_examples(makeLinesField(fixedFont, "Examples", "x=randn(1, 3, 224, 224)\nmask=ones(1, 8, dtype=bool)",
                                "Examples of arguments, one a line: their sizes and dtypes are known while "
                                "tracing, and branches and loops that depend on those alone are followed "
                                "(torch.fx's MetaTracer)")),
      m_foldersRow(new QWidget), m_form(new QFormLayout(this)) {
    m_wrapped->setFont(fixedFont);
    m_wrapped->setPlaceholderText("my_function, math");
    m_wrapped->setToolTip("Functions, or modules of functions, whose calls become nodes: torch.fx.wrap");
    m_wrapped->setAccessibleName("Wrapped functions");
    m_constantShapes->setToolTip("torch.fx.Tracer(param_shapes_constant=True)");
    m_proxiedBuffers->setToolTip("torch.fx.Tracer.proxy_buffer_attributes");
    m_folders->setPlaceholderText("none: packages are found where Python finds what is installed");
    m_folders->setToolTip(
        QString("Folders of other packages, with %1 between several, as in PYTHONPATH. They are "
                "remembered")
            .arg(QDir::listSeparator()));
    m_folders->setAccessibleName("Package folders");
    connect(m_folders, &QLineEdit::editingFinished, this, &TracerOptionsBox::keepPackageFolders);
    auto* add = new QPushButton("Add…");
    add->setAutoDefault(false);
    connect(add, &QPushButton::clicked, this, &TracerOptionsBox::addPackageFolder);
    auto* row = new QHBoxLayout(m_foldersRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_folders, 1);
    row->addWidget(add);
    m_form->setContentsMargins(20, 0, 0, 0);
    m_form->setSpacing(8);
    m_form->addRow(m_constantShapes);
    m_form->addRow(m_proxiedBuffers);
    m_form->addRow("Wrapped functions", m_wrapped);
    m_form->addRow("Examples", m_examples);
    m_form->addRow("Package folders", m_foldersRow);
}

QStringList TracerOptionsBox::packageFolders() const {
    QStringList out;
    for (const QString& folder : m_folders->text().split(QDir::listSeparator(), Qt::SkipEmptyParts))
        out << QFileInfo(folder.trimmed()).absoluteFilePath();
    return out;
}

void TracerOptionsBox::addPackageFolder() {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, "Folder of packages", packageFolders().value(0));
    if (chosen.isEmpty())
        return;
    m_folders->setText((packageFolders() << chosen).join(QDir::listSeparator()));
    keepPackageFolders();
}

void TracerOptionsBox::keepPackageFolders() {
    if (packageFolders() == Settings::packageFolders())
        return;
    Settings::setPackageFolders(packageFolders());
    Q_EMIT packageFoldersChanged();
}

void TracerOptionsBox::setTakesSource(bool takesSource) {
    m_takesSource = takesSource;
    m_form->setRowVisible(m_examples, takesSource);
    m_form->setRowVisible(m_foldersRow, takesSource);
}

void TracerOptionsBox::writeTo(TraceOptions& options) const {
    options.wrapped = wordsIn(m_wrapped->text());
    options.tracer.paramShapesConstant = m_constantShapes->isChecked();
    options.tracer.proxyBufferAttributes = m_proxiedBuffers->isChecked();
    if (!m_takesSource)
        return;
    for (const QString& folder : packageFolders())
        options.packageFolders.push_back(utf8(folder));
    options.metaArguments = namedLines(*m_examples);
    if (!options.metaArguments.empty())
        options.tracerExpression = kMetaTracer;
}

void TracerOptionsBox::recall(const TraceOptions& options) {
    m_wrapped->setText(wholeQt(join(options.wrapped, ", ")));
    m_constantShapes->setChecked(options.tracer.paramShapesConstant);
    m_proxiedBuffers->setChecked(options.tracer.proxyBufferAttributes);
    m_examples->setPlainText(linesText(options.metaArguments));
}

} // namespace fx::ui
