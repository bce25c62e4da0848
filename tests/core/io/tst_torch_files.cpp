// SPDX-License-Identifier: GPL-3.0-or-later
// What the real torch.save wrote, in every form, against what the real torch says is in it: trees, tensors to
// the byte, ties, attributes, code, state_dicts.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/io/pickle/pickled_entries.h"
#include "core/io/torch/state_dict.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/open/open.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QProcess>
#include <QTemporaryDir>

namespace fx::torch_files_test {

namespace {

std::string hexOf(const at::Tensor& tensor) {
    at::Tensor plain = tensor.detach().resolve_conj().resolve_neg().contiguous();
    const std::string content = tensorContent(plain);
    return QByteArray(content.data(), static_cast<qsizetype>(content.size())).toHex().toStdString();
}

std::string rolesName(TensorRole role) {
    switch (role) {
    case TensorRole::Parameter:
        return "parameter";
    case TensorRole::Buffer:
        return "buffer";
    case TensorRole::TransientBuffer:
        return "transient";
    default:
        return "constant";
    }
}

/// A tensor as the oracle describes it.
Json described(const TensorSlot& slot) {
    const at::Tensor value = slot.value();
    Json shape = Json::array(), stride = Json::array();
    for (int64_t size : value.sizes())
        shape.push_back(size);
    for (int64_t step : value.strides())
        stride.push_back(step);
    return {{"dtype", dtypeText(value.scalar_type())},
            {"shape", shape},
            {"stride", stride},
            {"grad", value.requires_grad()},
            {"bytes", hexOf(value)}};
}

Json treeOf(const Model& model) {
    Json out = Json::array();
    std::map<TensorId, std::string> owners;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        const Module& module = model.module(id);
        Json tensors = Json::array(), values = Json::object(), children = Json::array();
        for (const NamedTensor& entry : module.tensors) {
            Json made = {{"name", entry.name}, {"role", rolesName(entry.role)}};
            if (entry.tensor) {
                made.update(described(model.tensor(entry.tensor)));
                made["first"] = owners.try_emplace(entry.tensor, path + "." + entry.name).first->second;
            }
            tensors.push_back(std::move(made));
        }
        for (const NamedValue& entry : module.values)
            values[entry.name] = reprText(entry.value, [](NodeId) { return std::string(); });
        for (const NamedModule& child : module.children)
            children.push_back(child.name);
        out.push_back({{"path", path},
                       {"type", module.type},
                       {"training", module.isTraining},
                       {"children", children},
                       {"tensors", tensors},
                       {"values", values}});
    });
    return out;
}

std::shared_ptr<const TorchContainer> containerOf(const std::string& path) {
    return std::make_shared<const TorchContainer>(TorchContainer::open(path));
}

std::string specText(const std::optional<TreeSpec>& spec) {
    if (!spec)
        return "none";
    if (spec->kind == TreeSpec::Kind::Leaf)
        return "*";
    std::string out = spec->type + '(';
    for (size_t i = 0; i < spec->children.size(); ++i) {
        if (spec->kind == TreeSpec::Kind::Dict)
            out += *spec->keys[i].as<std::string>() + '=';
        out += specText(spec->children[i]) + ' ';
    }
    return out + ')';
}

/// [1, {"type": "builtins.tuple", "context": "null", "children_spec": [...]}]
std::string specText(const Json& spec) {
    if (spec["type"].is_null())
        return "*";
    const std::string type = spec["type"];
    std::string out = type + '(';
    const Json keys = type == "builtins.dict" ? Json::parse(spec["context"].get<std::string>()) : Json();
    for (size_t i = 0; i < spec["children_spec"].size(); ++i) {
        if (keys.is_array())
            out += keys[i].get<std::string>() + '=';
        out += specText(spec["children_spec"][i]) + ' ';
    }
    return out + ')';
}

} // namespace

class TorchFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QFile file(m_folder.filePath("expected.json"));
        QVERIFY(file.open(QFile::ReadOnly));
        m_expected = Json::parse(file.readAll().toStdString());
        QVERIFY(m_expected.size() > 50);
    }

    void readsModules_data() { rows("module"); }
    void readsModules() {
        const Json& expected = this->expected();
        const std::optional<PickledModel> pickled = pickledModelIn(containerOf(path()));
        QVERIFY(pickled);
        QCOMPARE(pickled->container->form(), expected["form"].get<std::string>());
        const OpenedModel opened = modelOfPickle(*pickled);
        QVERIFY(!opened.whyNoGraph.reason.empty());
        const Json tree = treeOf(opened.model);
        QCOMPARE(tree.size(), expected["tree"].size());
        for (size_t i = 0; i < tree.size(); ++i) {
            const Json& want = expected["tree"][i];
            for (const char* key : {"path", "type", "training", "children", "tensors"})
                QCOMPARE(tree[i][key].dump(1), want[key].dump(1));
            for (const auto& [name, text] : want["values"].items())
                QCOMPARE(QString::fromStdString(name + " = " + tree[i]["values"].value(name, "missing")),
                         QString::fromStdString(name + " = " + text.get<std::string>()));
        }
    }

    void readsCodeOfGraphs_data() { rows("module"); }
    void readsCodeOfGraphs() {
        const Json& expected = this->expected();
        const std::optional<PickledModel> pickled = pickledModelIn(containerOf(path()));
        QCOMPARE(pickled->root->graph.has_value(), expected.contains("code"));
        if (!pickled->root->graph)
            return;
        const PickledGraph& graph = *pickled->root->graph;
        QCOMPARE(graph.code, expected["code"].get<std::string>());
        QCOMPARE(graph.tracer, expected["tracer"].get<std::string>());
        QVERIFY(graph.importBlock.find("import torch.fx._pytree as fx_pytree") != std::string::npos);
        QCOMPARE(graph.inputSpec.has_value(), expected.contains("specs"));
        if (!expected.contains("specs"))
            return;
        const auto text = [&](size_t i) {
            return specText(Json::parse(expected["specs"][i].get<std::string>())[1]);
        };
        QCOMPARE(specText(graph.inputSpec), text(0));
        QCOMPARE(specText(graph.outputSpec), text(1));
    }

    void readsStates_data() { rows("state_dict"); }
    void readsStates() {
        const Json& expected = this->expected();
        const StateDict state = readStateDict(path());
        Json entries = Json::array();
        for (const auto& [name, slot] : state.tensors) {
            Json entry = {{"name", name}};
            entry.update(described(slot));
            entries.push_back(std::move(entry));
        }
        QCOMPARE(entries.dump(1), expected["entries"].dump(1));
        for (const Json& tie : expected["ties"])
            for (const auto& [name, slot] : state.tensors)
                for (const auto& [other, otherSlot] : state.tensors)
                    if (tie[0].get<std::string>() == name)
                        QCOMPARE(slot.isSame(otherSlot), std::count(tie.begin(), tie.end(), other) == 1);
        QCOMPARE(state.wrapperPrefix, expected.value("prefix", ""));
        const std::string notes = join(state.notes, "\n");
        if (expected.contains("key"))
            QVERIFY2(contains(notes, "its entry '" + expected["key"].get<std::string>() + '\''),
                     notes.c_str());
        if (expected.contains("modules") && state.path.find("state_plain") == std::string::npos)
            QCOMPARE(Json(state.modules), expected["modules"]);
        std::vector<std::string> others;
        for (const NamedValue& entry : state.others)
            others.push_back(entry.name);
        QCOMPARE(Json(others), expected.value("others", Json::array()));
    }

    void showsStatesAsTrees_data() { rows("state_dict"); }
    void showsStatesAsTrees() {
        const StateDict state = readStateDict(path());
        const OpenedModel opened = modelOfState(state);
        for (const auto& [name, slot] : state.tensors) {
            const Attribute at = opened.model.resolve(opened.model.root(), name);
            QVERIFY2(at.tensor, name.c_str());
            QVERIFY(opened.model.tensor(at.tensor).isSame(slot));
        }
        for (const std::string& module : state.modules)
            QVERIFY2(opened.model.resolve(opened.model.root(), module).module, module.c_str());
        QVERIFY(opened.whyNoGraph.reason.find("weights only") != std::string::npos);
    }

    void refusesWhatIsNoModel_data() { rows("none"); }
    void refusesWhatIsNoModel() {
        const auto container = containerOf(path());
        QVERIFY(!pickledModelIn(container));
        QVERIFY(!stateDictIn(*container));
        QVERIFY_THROWS_EXCEPTION(Error, readStateDict(path()));
    }

    void sharesMemoryOfTiedTensors() {
        for (const char* file : {"views.zip.pt", "views.legacy.pt"}) {
            const auto pickled = pickledModelIn(containerOf(m_folder.filePath(file).toStdString()));
            const OpenedModel opened = modelOfPickle(*pickled);
            const auto tensor = [&](const char* name) {
                return opened.model.tensor(opened.model.resolve(opened.model.root(), name).tensor).value();
            };
            tensor("base").fill_(7);
            QCOMPARE(tensor("columns").sum().item<double>(), 7.0 * 15);
            QCOMPARE(tensor("one").item<double>(), 7.0);
        }
    }

    void takesTheStateOfAModule() {
        for (const char* file : {"net.zip.pt", "net.legacy5.pt"}) {
            const StateDict state = readStateDict(m_folder.filePath(file).toStdString());
            const StateDict saved = readStateDict(m_folder.filePath("state.zip.pt").toStdString());
            QCOMPARE(state.tensors.size(), saved.tensors.size());
            for (size_t i = 0; i < state.tensors.size(); ++i) {
                QCOMPARE(state.tensors[i].first, saved.tensors[i].first);
                QCOMPARE(hexOf(state.tensors[i].second.value()), hexOf(saved.tensors[i].second.value()));
            }
            QCOMPARE(state.modules, saved.modules);
        }
    }

    void takesWrappersOff() {
        const StateDict wrapped = readStateDict(m_folder.filePath("wrapped.zip.pt").toStdString());
        const auto firstName = [&](const std::vector<std::string>& known) {
            const auto isKnown = [&](const std::string& name) {
                return std::find(known.begin(), known.end(), name) != known.end();
            };
            return wrapped.given().named(isKnown)[0].first;
        };
        QCOMPARE(firstName({"frozen", "lin.weight"}), "frozen");
        QCOMPARE(firstName({"module.frozen"}), "module.frozen");
        QCOMPARE(firstName({}), "frozen");
    }

    void keepsTheSourceOfClassesInLegacyFiles() {
        const auto pickled = pickledModelIn(containerOf(m_folder.filePath("net.legacy.pt").toStdString()));
        QVERIFY(pickled->root->source.starts_with("class Net(torch.nn.Module):\n"));
        QVERIFY(pickled->root->sourceFile.ends_with("make_torch_files.py"));
        QCOMPARE(foreignClasses(*pickled->root), std::vector<std::string>{"__main__.Net"});
    }

    void refusesAStorageThatClaimsMoreThanItHas() {
        const std::string file = m_own.filePath("claims.pt").toStdString();
        QProcess python;
        python.start(
            FXSCOPE_PYTHON,
            {"-c",
             "import sys, zipfile, torch\n"
             "torch.save({'w': torch.zeros(1000)[:4]}, sys.argv[1] + '.whole')\n"
             "with zipfile.ZipFile(sys.argv[1] + '.whole') as z, zipfile.ZipFile(sys.argv[1], 'w') as out:\n"
             "    for item in z.infolist():\n"
             "        data = z.read(item)\n"
             "        if item.filename.endswith('data.pkl'):\n"
             "            data = data.replace(b'M\\xe8\\x03', b'M\\xff\\xff')\n"
             "        out.writestr(item.filename, data)\n",
             QString::fromStdString(file)});
        QVERIFY(python.waitForFinished() && python.exitCode() == 0);
        Progress progress;
        QCOMPARE(openModel(file + ".whole", {}, progress).model.module(ModuleId{0}).tensors.size(),
                 size_t(1));
        try {
            openModel(file, {}, progress);
            QFAIL("opens");
        } catch (const Error& error) {
            QCOMPARE(error.message(), std::string("claims 65535 elements and has 4.00 KB of data"));
            QVERIFY2(error.place().ends_with("claims.pt: storage 0"), error.what());
        }
    }

    void refusesTheTarForm() {
        const std::string file = m_own.filePath("old.pt").toStdString();
        QProcess python;
        python.start(FXSCOPE_PYTHON,
                     {"-c",
                      "import io, sys, tarfile\n"
                      "with tarfile.open(sys.argv[1], 'w', format=tarfile.PAX_FORMAT) as tar:\n"
                      "    for name in ('sys_info', 'pickle', 'tensors', 'storages'):\n"
                      "        info = tarfile.TarInfo(name)\n"
                      "        info.size = 4\n"
                      "        tar.addfile(info, io.BytesIO(b'N...'))\n",
                      QString::fromStdString(file)});
        QVERIFY(python.waitForFinished() && python.exitCode() == 0);
        try {
            TorchContainer::open(file);
            QFAIL("opens");
        } catch (const Error& error) {
            QVERIFY2(error.message().find("tar archive") != std::string::npos, error.what());
            QVERIFY(!error.advice().empty());
        }
    }

private:
    void rows(const char* kind) {
        QTest::addColumn<QString>("file");
        for (const auto& [file, what] : m_expected.items())
            if (what["kind"] == kind)
                QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    std::string path() const {
        QFETCH(QString, file);
        return m_folder.filePath(file).toStdString();
    }
    const Json& expected() const {
        QFETCH(QString, file);
        return m_expected.at(file.toStdString());
    }

    QDir m_folder{QStringLiteral(FXSCOPE_ORACLE "/torch_files")}; ///< what the real torch wrote
    QTemporaryDir m_own;
    Json m_expected;
};

FX_TEST(TorchFilesTest)
} // namespace fx::torch_files_test
#include "tst_torch_files.moc"
