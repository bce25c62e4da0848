// SPDX-License-Identifier: GPL-3.0-or-later
// What exporting a folder tells; what it writes is held against torch.fx by tests/oracle.
#include "core/base/text.h"
#include "core/io/export_folder.h"
#include "core/module/edit.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace fx;

class ExportFolderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhichFoldersPythonCannotImport_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("named");
        QTest::newRow("a name") << "net"
                                << "";
        QTest::newRow("a name with a slash") << "net/"
                                             << "";
        QTest::newRow("two slashes") << "net//"
                                     << "";
        QTest::newRow("the folder itself") << "net/."
                                           << "";
        QTest::newRow("no identifier") << "my-net"
                                       << "my-net";
        QTest::newRow("no identifier, with a slash") << "2nd/"
                                                     << "2nd";
    }
    void saysWhichFoldersPythonCannotImport() {
        QFETCH(QString, folder);
        QFETCH(QString, named);
        Model model;
        Edit edit(model);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        const QTemporaryDir parent;
        const std::vector<std::string> notes =
            exportFolder(model, (parent.path() + '/' + folder).toStdString(), "Net", "");
        QCOMPARE(notes.size(), size_t(named.isEmpty() ? 0 : 1));
        if (!named.isEmpty())
            QVERIFY2(contains(notes[0], "'from " + named.toStdString() + " import'"), notes[0].c_str());
    }
};

QTEST_GUILESS_MAIN(ExportFolderTest)
#include "tst_export_folder.moc"
