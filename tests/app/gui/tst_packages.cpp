// SPDX-License-Identifier: GPL-3.0-or-later
// Packages in the trace dialog: named instead of a file, their models searched, their folders remembered.
#include "tests/app/gui/window_probe.h"
#include "tests/support/test_program.h"
#include "widgets/panes/expression_box.h"
#include "widgets/session/settings.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include <algorithm>

namespace fx::ui::packages_test {

class TestPackages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_probe = std::make_unique<WindowProbe>(); }
    void cleanup() { m_probe.reset(); }

    void modelsAreSearched() {
        traceNew([](QDialog& dialog) {
            namePackage(dialog, "spines");
            auto& model = findIn<ExpressionBox>(dialog, "Model");
            QTRY_VERIFY_WITH_TIMEOUT(model.count() > 5, 30000);
            QCOMPARE(model.currentText(), ""); // none is more likely than another
            QVERIFY(!traceButton(dialog).isEnabled());
            model.setFocus();
            QTest::keyClicks(model.lineEdit(), "NANO");
            QAbstractItemView& matches = matchingModels();
            QVERIFY(matches.isVisible());
            QCOMPARE(matches.model()->rowCount(), 2);
            QCOMPARE(matches.currentIndex().data().toString(), "mixer_nano()");
            QTest::keyClick(&matches, Qt::Key_Down);
            QCOMPARE(model.currentText(), "NANO"); // what is typed stays until one is taken
            QTest::keyClick(&matches, Qt::Key_Return);
            QCOMPARE(model.currentText(), "vit_nano()");
            QVERIFY(!matches.isVisible());
            QCOMPARE(model.lineEdit()->cursorPosition(), 9);
            QTest::keyClicks(model.lineEdit(), "depth=1");
            QVERIFY(!matches.isVisible());
            QTest::keyClick(model.lineEdit(), Qt::Key_Return);
        });
        QCOMPARE(m_probe->workspace().document().title(), "spines");
        QVERIFY(m_probe->code().text().contains("layers_0"));
        QVERIFY(!m_probe->code().text().contains("layers_1"));
    }

    void wholeWordsAreListedFirst() {
        ExpressionBox box{QFont()};
        box.offer({"make(\"big_net50\")", "make(\"net50_b\")", "make(\"net50\")", "other()"}, "");
        QCOMPARE(box.matching("net50"),
                 (QStringList{"make(\"net50\")", "make(\"net50_b\")", "make(\"big_net50\")"}));
        QCOMPARE(box.matching("OTHER"), QStringList{"other()"});
        QCOMPARE(box.matching("none"), QStringList());
    }

    void manyModelsAreSearched() {
        ExpressionBox box{QFont()};
        QStringList models;
        for (int i = 0; i < 1400; ++i)
            models << QString("create_model(\"network_%1\")").arg(i);
        box.offer(models, "");
        box.show();
        QTest::keyClicks(box.lineEdit(), "network_1");
        QVERIFY(matchingModels().isVisible());
        QCOMPARE(matchingModels().model()->rowCount(), 511);
    }

    void foldersAreRememberedAndServeImports() {
        traceNew([](QDialog& dialog) {
            namePackage(dialog, "pixelkit");
            findIn<QComboBox>(dialog, "Model").setEditText("resnet_micro()");
            press(dialog);
        });
        QVERIFY(Settings::recentFiles().value(0).endsWith("/pixelkit/__init__.py"));
        m_probe->restart();
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            QCOMPARE(findIn<QLineEdit>(dialog, "Package folders").text(), FXSCOPE_PACKAGES);
            auto& model = findIn<QComboBox>(dialog, "Model");
            QTRY_VERIFY_WITH_TIMEOUT(model.findText("Net()") >= 0, 30000);
            model.setEditText("Net()");
            press(dialog);
        });
        QTemporaryDir folder;
        QFile source(folder.filePath("importing.py"));
        QVERIFY(source.open(QFile::WriteOnly));
        source.write("import pixelkit\n\n\nclass Net(pixelkit.models.Branchy):\n    pass\n");
        source.close();
        m_probe->open(source.fileName());
        QVERIFY(m_probe->window().workspace());
    }

    void whatIsNotThereIsSaid() {
        withDialog([](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            findIn<QLineEdit>(dialog, "File or package").setText("not_there");
            const auto says = [&dialog](const QString& words) {
                const auto labels = dialog.findChildren<QLabel*>();
                return std::any_of(labels.begin(), labels.end(),
                                   [&](const QLabel* label) { return label->text().contains(words); });
            };
            QTRY_VERIFY(says("There is no file and no package 'not_there'."));
            findIn<QComboBox>(dialog, "Model").setEditText("net()");
            QVERIFY(!traceButton(dialog).isEnabled());
            dialog.reject();
        });
        m_probe->window().actions()["trace"]->trigger();
        QVERIFY(!m_probe->window().workspace());
    }

private:
    /// With nothing open, the dialog asks what is to be traced.
    void traceNew(const std::function<void(QDialog&)>& choose) {
        withDialog([&](QDialog& dialog) {
            const auto guard = closingIfFailed(dialog);
            choose(dialog);
        });
        m_probe->window().actions()["trace"]->trigger();
        QVERIFY(m_probe->window().workspace());
        QVERIFY(m_probe->waitForLayout());
    }

    static void namePackage(QDialog& dialog, const QString& name) {
        auto& folders = findIn<QLineEdit>(dialog, "Package folders");
        folders.setText(FXSCOPE_PACKAGES);
        Q_EMIT folders.editingFinished();
        auto& path = findIn<QLineEdit>(dialog, "File or package");
        QTRY_VERIFY(path.text().isEmpty() && path.hasFocus());
        path.setText(name);
    }

    static QAbstractItemView& matchingModels() {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->accessibleName() == "Matching models" && widget->isVisible())
                return *qobject_cast<QAbstractItemView*>(widget);
        qFatal("no models are listed");
    }

    static QPushButton& traceButton(QDialog& dialog) {
        return *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    }

    static void press(QDialog& dialog) {
        QTRY_VERIFY_WITH_TIMEOUT(traceButton(dialog).isEnabled(), 30000);
        QTest::mouseClick(&traceButton(dialog), Qt::LeftButton);
    }

    std::unique_ptr<WindowProbe> m_probe;
};

FX_TEST(TestPackages)
} // namespace fx::ui::packages_test
#include "tst_packages.moc"
