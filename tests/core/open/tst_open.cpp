// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no model: openModel says what they are, and what to do instead.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/fxg/fxg.h"
#include "core/io/output_file.h"
#include "core/module/edit.h"
#include "core/open/open.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

namespace fx::open_test {

using namespace std::string_literals;

class OpenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatAFileIs_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("advice");
        const auto row = [](const char* name, const std::string& content, const char* what,
                            const char* advice) {
            QTest::newRow(name) << QByteArray::fromStdString(content) << what << advice;
        };
        const std::string zeros(600, '\0');
        row("ONNX",
            "\x08\x08\x12\x07pytorch\x1a\x05"
            "2.0.0:" +
                zeros,
            "is an ONNX model", "only PyTorch models");
        row("Keras", "\x89HDF\r\n\x1a\n"s + zeros, "HDF5 file, as Keras writes", "only PyTorch models");
        row("Keras 3", zipOf({{"metadata.json", "{}"}, {"config.json", "{}"}, {"model.weights.h5", "x"}}),
            "is a Keras model", "only PyTorch models");
        row("TensorFlow Lite", "\x1c\0\0\0TFL3"s + zeros, "is a TensorFlow Lite model",
            "only PyTorch models");
        row("NumPy", "\x93NUMPY\x01\0"s + zeros, "is a NumPy array", "--input");
        row("NumPy archive", zipOf({{"x.npy", "x"}, {"y.npy", "y"}}), "holds NumPy arrays", "--inputs");
        row("mobile",
            zipOf({{"m/data.pkl", "x"},
                   {"m/bytecode.pkl", "x"},
                   {"m/constants.pkl", "x"},
                   {"m/code/a.py", ""}}),
            "is a program for PyTorch Mobile", "TorchScript file that it was made from");
        row("package", zipOf({{"p/.data/extern_modules", ""}, {"p/notes.txt", "x"}}), "torch.package",
            "PackageExporter.save_pickle");
        row("pickle", "\x80\x04}\x94."s, "is a Python pickle that torch.save did not write", "torch.save");
        row("gzip", "\x1f\x8b\x08"s + zeros, "is compressed with gzip", "unpack it first");
        row("LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "pointer of Git LFS",
            "git lfs pull");
        row("web page", "<!DOCTYPE html><html>", "is a web page", "download");
        row("text", "hello\n", "is no model that is known here", ".pt2");
        row("other zip", zipOf({{"a.txt", "x"}}), "is a zip file, but no model", ".pt2");
        row("tensor", zipOf({{"t/data.pkl", "\x80\x02K\x01."}}), "holds a plain value, and no model",
            "torch.export.save");
    }
    void saysWhatAFileIs() {
        QFETCH(QByteArray, content);
        QFETCH(QString, what);
        QFETCH(QString, advice);
        const std::string path = m_folder.filePath("file.bin").toStdString();
        writeFile(path, content.toStdString());
        expectError(path, what, advice);
    }

    void saysWhatAFolderIs() {
        QVERIFY(QDir(m_folder.path()).mkpath("saved/variables"));
        expectError(m_folder.filePath("saved").toStdString(), "holds no module.py",
                    "open the file of the model");
        writeFile(m_folder.filePath("saved/saved_model.pb").toStdString(), "x");
        expectError(m_folder.filePath("saved").toStdString(), "SavedModel of TensorFlow",
                    "only PyTorch models");
        QVERIFY(QDir(m_folder.path()).mkpath("hub"));
        writeFile(m_folder.filePath("hub/config.json").toStdString(), "{}");
        writeFile(m_folder.filePath("hub/model.safetensors").toStdString(), "x");
        expectError(m_folder.filePath("hub").toStdString(), "folder of Hugging Face", "torch.export.save");
    }

    void refusesOptionsThatMeanNothing() {
        OpenedModel opened;
        Edit edit(opened.model);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        const std::string path = m_folder.filePath("model.fxg").toStdString();
        Progress progress;
        writeFxg(opened, path, progress);
        OpenOptions options;
        const auto fault = [&] {
            try {
                openModel(path, options, progress);
                return std::string();
            } catch (const Error& error) {
                return std::string(error.what());
            }
        };
        QCOMPARE(fault(), std::string());
        options.trace.stateFile = "weights.pt";
        QVERIFY2(fault().starts_with("--state: means nothing for an .fxg"), fault().c_str());
        options.trace.sourceFile = "net.py";
        QVERIFY2(fault().starts_with("--source: means nothing for an .fxg"), fault().c_str());
    }

private:
    static void expectError(const std::string& path, const QString& what, const QString& advice) {
        try {
            Progress progress;
            openModel(path, {}, progress);
            QFAIL("opens");
        } catch (const Error& error) {
            QVERIFY2(QString::fromStdString(error.what()).contains(what), error.what());
            QVERIFY2(QString::fromStdString(error.advice()).contains(advice), error.what());
            QVERIFY2(QString::fromStdString(error.what()).startsWith(QString::fromStdString(path)),
                     error.what());
        }
    }

    QTemporaryDir m_folder;
};

FX_TEST(OpenTest)
} // namespace fx::open_test
#include "tst_open.moc"
