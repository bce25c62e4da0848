// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which a model leaves, by the dialog: the same as of the command line, each with why it cannot.
#include "core/export/export_forms.h"
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <torch/csrc/jit/serialization/import.h>

namespace fx::ui::exporting_test {

class TestExporting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_probe = std::make_unique<WindowProbe>();
        m_probe->openNet("import torch\n"
                         "class Net(torch.nn.Module):\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.linear = torch.nn.Linear(3, 2)\n"
                         "    def forward(self, x):\n"
                         "        return torch.relu(self.linear(x))\n",
                         "ones(1, 3)");
    }
    void cleanup() { m_probe.reset(); }

    void theFormsAreThoseOfTheCommandLine() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            auto& format = findIn<QComboBox>(dialog, "Format");
            QStringList words, wanted;
            for (int i = 0; i < format.count(); ++i)
                words << format.itemData(i).toString();
            for (const ExportForm& form : exportForms())
                wanted << qt(form.word);
            QCOMPARE(words, wanted);
            for (const char* word :
                 {"folder", "py", "pt2", "fxg", "torchscript", "torchscript-frozen", "torch.save"})
                QVERIFY2(words.contains(word), word);
            dialog.reject();
        });
        m_probe->press(Qt::Key_E, Qt::ControlModifier);
    }

    void onePythonFile() {
        exported("py", "net.py");
        QFile file(path("net.py"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("torch.relu(linear)"));
    }

    void aFrozenProgramHasNoParameters() {
        m_probe->window().actions().pass("eval-mode")->trigger();
        QTRY_VERIFY(m_probe->window().isWindowModified());
        exported("torchscript-frozen", "frozen.pt");
        exported("torchscript", "plain.pt");
        const auto parameters = [this](const char* name) {
            return torch::jit::load(utf8(path(name))).parameters().size();
        };
        QCOMPARE(parameters("frozen.pt"), size_t(0));
        QCOMPARE(parameters("plain.pt"), size_t(2));
    }

    void whatTrainsIsNotFrozen() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            choose(dialog, "torchscript-frozen");
            QVERIFY(!dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
            QStringList said;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                said << label->text();
            QVERIFY2(said.join('\n').contains("is in training mode"), qPrintable(said.join('\n')));
            choose(dialog, "torchscript");
            QVERIFY(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
            dialog.reject();
        });
        m_probe->press(Qt::Key_E, Qt::ControlModifier);
    }

private:
    QString path(const char* name) const { return m_probe->settings().path(name); }

    /// By the keyboard, as far as one goes from form to form.
    static void choose(QDialog& dialog, const QString& word) {
        auto& format = findIn<QComboBox>(dialog, "Format");
        format.setFocus();
        QTest::keyClick(&format, Qt::Key_Home);
        while (format.currentData() != word && format.currentIndex() + 1 < format.count())
            QTest::keyClick(&format, Qt::Key_Down);
        QCOMPARE(format.currentData().toString(), word);
    }

    void exported(const QString& word, const char* name) {
        const QString file = path(name);
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            choose(dialog, word);
            findIn<QLineEdit>(dialog, "File").setText(file);
            QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                              Qt::LeftButton);
        });
        m_probe->press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(m_probe->toast().contains("Exported to " + file),
                                  qPrintable(m_probe->toast()), 60000);
        QVERIFY(QFile::exists(file));
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestExporting)
} // namespace fx::ui::exporting_test
#include "tst_exporting.moc"
