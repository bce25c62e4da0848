// SPDX-License-Identifier: GPL-3.0-or-later
// What packages say that they make: those of tests/oracle/packages, and a small one with list_models().
#include "core/base/error.h"
#include "core/io/output_file.h"
#include "core/trace/model_builders.h"
#include "core/trace/trace_source.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>

namespace fx::model_builders_test {

namespace {

using Names = std::vector<std::string>;

SourceRequest requestOf(const std::string& path) {
    SourceRequest request;
    request.path = path;
    return request;
}

Names modelsOf(const std::string& package) {
    return modelsIn(requestOf(std::string(FXSCOPE_PACKAGES) + '/' + package + "/__init__.py"));
}

bool has(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

class ModelBuildersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void buildersAreKnownByWhatTheyGive() {
        const Names found = modelsOf("pixelkit");
        for (const char* builder : {"resnet_micro()", "resnet_frozen()", "patchformer_stem()"})
            QVERIFY2(has(found, builder), builder);
        // build() wants a name, names() gives a list, painter() is none of the package's models.
        for (const char* other : {"build()", "names()", "painter()", "size_of_kit()"})
            QVERIFY2(!has(found, other), other);
    }

    void buildersOfARegistryNeedNoAnnotation() {
        const Names found = modelsOf("spines");
        for (const char* builder : {"vit_nano()", "vit_scaled()", "block_tiny()"})
            QVERIFY2(has(found, builder), builder);
        for (const char* other : {"create()", "listed()", "models_in()", "use_fused()"})
            QVERIFY2(!has(found, other), other);
    }

    void classesAreMadeWithTheirConfiguration() {
        const Names found = modelsOf("lexis");
        for (const char* made : {"Scribe(ScribeConfig())", "RotorForNext(RotorConfig())"})
            QVERIFY2(has(found, made), made);
    }

    void modelsOfAPackageThatReadsItsOwnFilesAreKnownByTheirText() {
        SourceRequest request = requestOf(FXSCOPE_PACKAGES "/looms/__init__.py");
        request.packageFolders = {FXSCOPE_PACKAGES};
        const Names found = modelsIn(request);
        QCOMPARE(found, (Names{"PlainModel(PlainConfig())", "WovenModel(WovenConfig())"}));
        request.expression = found[1];
        QVERIFY(traceSource(request).model.graph().size() > 0);
    }

    void allThatIsListedOpens_data() {
        QTest::addColumn<QString>("package");
        QTest::newRow("pixelkit") << "pixelkit";
        QTest::newRow("spines") << "spines";
    }

    void allThatIsListedOpens() {
        QFETCH(const QString, package);
        SourceRequest request = requestOf(FXSCOPE_PACKAGES "/" + package.toStdString() + "/__init__.py");
        for (const std::string& expression : modelsIn(request)) {
            request.expression = expression;
            try {
                QVERIFY(traceSource(request).model.graph().size() > 0);
            } catch (const Error& error) {
                // It was made at least.
                QVERIFY2(QString(error.what()).contains("TraceError"), error.what());
            }
        }
    }

    void packageThatListsItsModelsIsBelieved() {
        const SourceRequest request = package("from torch import nn\n"
                                              "class Net(nn.Module):\n"
                                              "    def forward(self, x): return x\n"
                                              "def list_models(filter=''): return ['a.b', 'say \"c\"']\n"
                                              "def create_model(name): return Net()\n");
        QCOMPARE(modelsIn(request), (Names{"create_model(\"a.b\")", "create_model('say \"c\"')"}));
    }

    void listWithoutAMakerNamesNothing() {
        const SourceRequest request = package("from torch import nn\n"
                                              "class Net(nn.Module):\n"
                                              "    def forward(self, x): return x\n"
                                              "class Wide(nn.Module):\n"
                                              "    def __init__(self, width): super().__init__()\n"
                                              "def net() -> 'nn.Module': return Net()\n"
                                              "def list_models(): return ['a']\n");
        QCOMPARE(modelsIn(request), (Names{"net()", "Net()"}));
    }

    void filesKeepTheirOrder() {
        const std::string path = m_folder->filePath("net.py").toStdString();
        writeFile(path, "from torch import nn\n"
                        "def f(x): return x\n"
                        "class B(nn.Module): pass\n"
                        "class A(nn.Module): pass\n");
        QCOMPARE(modelsIn(requestOf(path)), (Names{"B()", "A()", "f"}));
    }

    void errorNamesSome() {
        try {
            traceSource(requestOf(FXSCOPE_PACKAGES "/pixelkit/__init__.py"));
            QFAIL("it has several");
        } catch (const Error& error) {
            const QString told = error.what();
            QVERIFY2(told.contains("defines several models") && told.contains("resnet_micro()"),
                     qPrintable(told));
        }
        QCOMPARE(shortList({"a", "b"}), std::string("a, b"));
        QCOMPARE(shortList(Names(1300, "a")),
                 std::string("a, a, a, a, a, a, a, a, a, a, a, a and 1288 more"));
    }

private:
    SourceRequest package(const std::string& text) {
        const std::string folder = m_folder->filePath("zoo").toStdString();
        std::filesystem::create_directory(folder);
        writeFile(folder + "/__init__.py", text);
        return requestOf(folder + "/__init__.py");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

FX_TEST(ModelBuildersTest)
} // namespace fx::model_builders_test

#include "tst_model_builders.moc"
