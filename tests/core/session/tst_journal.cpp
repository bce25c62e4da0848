// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever kills a process that edits, at most the edit that was being written is lost, and never the file.
#include "core/base/error.h"
#include "core/io/change_json.h"
#include "core/io/fxg/fxg.h"
#include "core/ir/graph_text.h"
#include "core/open/open.h"
#include "core/session/journal.h"
#include "tests/support/file_limit.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/random_edits.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <QTemporaryDir>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx::journal_test {

namespace {

/// Edits, undoes and redoes at random, the same for the same seed.
class Editing {
public:
    Editing(Model& model, unsigned seed) : m_model(model), m_random(model, seed) {}

    /// The next thing done, and whether it was undone.
    std::pair<const Changes&, bool> step() {
        if (m_random.below(5) == 0)
            m_random.failedEdit();
        const size_t what = m_random.below(4);
        if (what == 0 && m_done > 0) {
            undo(m_model, m_history[--m_done]);
            return {m_history[m_done], true};
        }
        if (what == 1 && m_done < m_history.size()) {
            redo(m_model, m_history[m_done]);
            return {m_history[m_done++], false};
        }
        m_history.resize(m_done);
        do {
            m_history.resize(m_done);
            m_history.push_back(m_random.edit());
        } while (m_history.back().empty());
        return {m_history[m_done++], false};
    }
    size_t undoable() const { return m_done; }

private:
    Model& m_model;
    RandomEdits m_random;
    std::vector<Changes> m_history;
    size_t m_done = 0;
};

/// How many edits are in the journal: what the process that dies tells the one that looks.
using Shared = std::atomic<int>;

OpenedModel opened(const std::string& path, Progress progress = {}) {
    return openModel(path, {}, progress);
}

OpeningRequest requestFor(const std::string& path) {
    OpeningRequest request;
    request.path = path;
    return request;
}

/// Runs `work` in a process of its own and kills it after so many edits and a moment.
void killAfter(int edits, unsigned moment, Shared& shared, const std::function<void()>& work) {
    shared = 0;
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            work();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
        ::_exit(3); // it should have been killed
    }
    int status = 0;
    bool isRunning = true;
    while (shared < edits && isRunning)
        isRunning = ::sched_yield() == 0 && ::waitpid(child, &status, WNOHANG) == 0;
    for (unsigned i = 0; i < moment; ++i)
        std::atomic_signal_fence(std::memory_order_seq_cst); // it takes some time
    if (isRunning && ::kill(child, SIGKILL) == 0)
        ::waitpid(child, &status, 0);
    QVERIFY2(WIFSIGNALED(status), "it ended by itself");
}

std::string state(const Model& model) {
    return modelState(model) + jsonText(snapshotJson(model), 1);
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        at::set_num_threads(1); // what is forked has no other threads
        m_shared = static_cast<Shared*>(
            ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath("net.fxg").toStdString();
        m_journals = m_folder->filePath("journals").toStdString();
        Progress progress;
        OpenedModel model;
        model.model = std::move(SmallModel().model);
        writeFxg(model, m_file, progress);
        std::filesystem::copy_file(m_file, m_folder->filePath("original.fxg").toStdString());
    }

    void survivesBeingKilled() {
        const std::string before = readBytes(m_file);
        std::mt19937 random(1);
        for (unsigned round = 0; round < 200; ++round) {
            const int edits = 1 + static_cast<int>(random() % 40);
            killAfter(edits, random() % 300'000, *m_shared, [&] {
                OpenedModel model = opened(m_file);
                const std::unique_ptr<Journal> journal = begin(model.model);
                Editing editing(model.model, round);
                for (;;) {
                    const auto [changes, isBackwards] = editing.step();
                    journal->append("edit", model.model, changes, isBackwards);
                    ++*m_shared;
                }
            });
            std::vector<FoundJournal> found = FoundJournal::in(m_journals);
            QCOMPARE(found.size(), size_t(1));
            const int kept = static_cast<int>(found[0].edits().size());
            QVERIFY(kept == *m_shared || kept == *m_shared + 1);
            QVERIFY(readBytes(m_file) == before);
            OpenedModel recovered = opened(m_file), expected = opened(m_file);
            const std::vector<RecoveredStep> steps = found[0].recover(recovered);
            Editing editing(expected.model, round);
            for (int i = 0; i < kept; ++i)
                editing.step();
            FX_SAME(textDifference(modelState(recovered.model), modelState(expected.model)));
            QCOMPARE(steps.size(), editing.undoable());
            for (size_t i = steps.size(); i-- > 0;)
                undo(recovered.model, steps[i].changes);
            FX_SAME(textDifference(modelState(recovered.model), modelState(opened(m_file).model)));
            found[0].discard();
        }
    }

    void survivesBeingKilledWhileSaving() {
        std::mt19937 random(2);
        int inJournal = 0, inFile = 0;
        for (unsigned round = 0; round < 60; ++round) {
            init();
            // The first two die by themselves, with edits and with none: chance seldom finds the latter.
            const int edits = round < 2 ? 1000 : 1 + static_cast<int>(random() % 20);
            killAfter(edits, random() % 2'000'000, *m_shared, [&] {
                OpenedModel model = opened(m_file);
                JournalBase base = JournalBase::ofOpened(requestFor(m_file), model.model);
                ModelExtent known(model.model);
                std::unique_ptr<Journal> journal;
                Editing editing(model.model, round);
                Progress progress;
                for (int i = 1;; ++i) {
                    const auto [changes, isBackwards] = editing.step();
                    if (!journal)
                        journal = std::make_unique<Journal>(m_journals, base, known);
                    journal->append("edit", model.model, changes, isBackwards);
                    ++*m_shared;
                    if (i % 3 == 0) {
                        writeFxg(model, m_file, progress);
                        journal->remove();
                        journal.reset();
                        base = JournalBase::ofSaved(m_file, model.model, model.model.tensorCount());
                        known = ModelExtent(model.model);
                    }
                    if (round == 0 || (round == 1 && !journal))
                        ::raise(SIGKILL);
                }
            });
            // The file is whole, whatever happened, and has all up to the last save that was over.
            OpenedModel recovered = opened(m_file);
            std::vector<FoundJournal> found = FoundJournal::in(m_journals);
            if (!found.empty() && found[0].obstacle().empty()) {
                found[0].recover(recovered);
                ++inJournal;
            } else {
                ++inFile;
            }
            bool isOne = false;
            OpenedModel expected = opened(m_folder->filePath("original.fxg").toStdString());
            Editing editing(expected.model, round);
            for (int i = 1; i <= *m_shared + 1; ++i) {
                editing.step();
                if (i >= *m_shared)
                    isOne |= graphText(expected.model.graph()) == graphText(recovered.model.graph());
            }
            QVERIFY(isOne);
        }
        QVERIFY(inJournal > 0);
        QVERIFY(inFile > 0);
    }

    /// However little of the last record was written, the others are there, and it can be gone on with.
    void findsTheTornEnd() {
        OpenedModel model = opened(m_file);
        const JournalBase base = JournalBase::ofOpened(requestFor(m_file), model.model);
        Editing editing(model.model, 4);
        std::vector<uint64_t> sizes;
        {
            Journal journal(m_journals, base, ModelExtent(model.model));
            for (int i = 0; i < 3; ++i) {
                const auto [changes, isBackwards] = editing.step();
                journal.append("edit " + std::to_string(i), model.model, changes, isBackwards);
                sizes.push_back(std::filesystem::file_size(journalPath()));
            }
        }
        const std::string whole = readBytes(journalPath());
        for (uint64_t size = sizes[1]; size < sizes[2]; ++size) {
            std::ofstream(journalPath(), std::ios::binary) << whole.substr(0, size);
            std::vector<FoundJournal> found = FoundJournal::in(m_journals);
            QCOMPARE(found.size(), size_t(1));
            QCOMPARE(found[0].edits().size(), size_t(2));
            QCOMPARE(found[0].tornBytes(), size - sizes[1]);
        }
        // So are they before a hole that is larger than any memory.
        std::filesystem::resize_file(journalPath(), uint64_t(1) << 40);
        std::vector<FoundJournal> found = FoundJournal::in(m_journals);
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found[0].edits().size(), size_t(2));
        OpenedModel recovered = opened(m_file);
        found[0].recover(recovered);
        {
            Journal journal(std::move(found[0]), recovered.model);
            Edit edit(recovered.model);
            edit.setTraining(!recovered.model.module(recovered.model.root()).isTraining);
            journal.append("mode", recovered.model, edit.finish(), false);
        }
        found = FoundJournal::in(m_journals);
        QCOMPARE(found[0].edits().back().title, std::string("mode"));
        QCOMPARE(found[0].tornBytes(), uint64_t(0));
        OpenedModel again = opened(m_file);
        found[0].recover(again);
        FX_SAME(textDifference(modelState(again.model), modelState(recovered.model)));
    }

    void leavesTheJournalOfTheLivingAlone() {
        OpenedModel model = opened(m_file);
        std::unique_ptr<Journal> journal = begin(model.model);
        appendOne(*journal, model.model);
        QVERIFY(FoundJournal::in(m_journals).empty());
        journal.reset(); // as when its process ends
        const auto found = FoundJournal::in(m_journals);
        QCOMPARE(found.size(), size_t(1));
        QVERIFY(FoundJournal::in(m_journals).empty()); // who has found it holds it
    }

    void refusesAnotherFile() {
        OpenedModel model = opened(m_file);
        appendOne(*begin(model.model), model.model);
        OpenedModel other = opened(m_file);
        Edit edit(other.model);
        edit.rename(edit.graph().first(), "other");
        edit.finish();
        const std::vector<FoundJournal> found = FoundJournal::in(m_journals);
        QVERIFY(found[0].obstacle().empty());
        const std::string before = state(other.model);
        QVERIFY_THROWS_EXCEPTION(Error, found[0].recover(other));
        FX_SAME(textDifference(state(other.model), before));
        Progress progress;
        writeFxg(other, m_file, progress);
        QVERIFY(found[0].obstacle().find("has changed since") != std::string::npos);
        std::filesystem::remove(m_file);
        QVERIFY(found[0].obstacle().find("is not there") != std::string::npos);
    }

    /// Ids of a saved model are not those of its file; tensors that came after the save are kept.
    void goesOnAfterASave() {
        OpenedModel model = opened(m_file);
        RandomEdits random(model.model, 8);
        for (int i = 0; i < 12; ++i)
            random.edit();
        Edit tensors(model.model);
        tensors.setTensor("made", tensors.createTensor(TensorSlot(at::full({4}, 2.5))), TensorRole::Buffer);
        tensors.finish();
        Progress progress;
        writeFxg(model, m_file, progress);
        const size_t saved = model.model.tensorCount();
        Edit late(model.model);
        late.setTensor("late", late.createTensor(TensorSlot(at::full({2}, 3.5))), TensorRole::Buffer);
        late.finish();
        {
            Journal journal(m_journals, JournalBase::ofSaved(m_file, model.model, saved),
                            ModelExtent(model.model));
            Edit edit(model.model);
            edit.setTensor("later", edit.createTensor(TensorSlot(at::full({3}, 4.5))), TensorRole::Parameter);
            journal.append("later", model.model, edit.finish(), false);
        }
        OpenedModel recovered = opened(m_file);
        QCOMPARE(FoundJournal::in(m_journals)[0].recover(recovered).size(), size_t(1));
        FX_SAME(textDifference(state(recovered.model), state(model.model)));
        for (const char* name : {"made", "late", "later", "w"}) {
            const auto valueIn = [&](const Model& of) {
                return of.tensor(of.resolve(of.root(), name).tensor).value();
            };
            QVERIFY2(valueIn(recovered.model).equal(valueIn(model.model)), name);
        }
    }

    void fullDiskLosesNone() {
        OpenedModel model = opened(m_file);
        std::unique_ptr<Journal> journal = begin(model.model);
        appendOne(*journal, model.model);
        const uint64_t size = std::filesystem::file_size(journalPath());
        {
            const FileLimit full(size + 40);
            QVERIFY_THROWS_EXCEPTION(Error, appendOne(*journal, model.model));
        }
        QCOMPARE(std::filesystem::file_size(journalPath()), size);
        appendOne(*journal, model.model); // and the one before, when there is room again
        journal.reset();
        const std::vector<FoundJournal> found = FoundJournal::in(m_journals);
        QCOMPARE(found[0].edits().size(), size_t(3));
        OpenedModel recovered = opened(m_file);
        found[0].recover(recovered);
        FX_SAME(textDifference(modelState(recovered.model), modelState(model.model)));
    }

    /// A source is traced again, as it was.
    void recoversATracedSource() {
        const std::string path = m_folder->filePath("net.py").toStdString();
        std::ofstream(path)
            << "import torch\nclass Net(torch.nn.Module):\n"
               "    def __init__(self, depth=1):\n        super().__init__()\n"
               "        self.layers = torch.nn.Sequential(*[torch.nn.ReLU() for _ in range(depth)])\n"
               "    def forward(self, x):\n        return self.layers(x)\n";
        OpeningRequest request = requestFor(path);
        request.options.trace.expression = "Net(depth=3)";
        Progress progress;
        OpenedModel model = openModel(path, request.options, progress);
        const size_t nodes = model.model.graph().size();
        {
            Journal journal(m_journals, JournalBase::ofOpened(request, model.model),
                            ModelExtent(model.model));
            appendOne(journal, model.model);
        }
        const std::vector<FoundJournal> found = FoundJournal::in(m_journals);
        QCOMPARE(found[0].request().options.trace.expression, std::string("Net(depth=3)"));
        OpenedModel again = openModel(found[0].request().path, found[0].request().options, progress);
        found[0].recover(again);
        FX_SAME(textDifference(state(again.model), state(model.model)));
        QCOMPARE(again.model.graph().size(), nodes + 1);
    }

private:
    static std::string readBytes(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::unique_ptr<Journal> begin(const Model& model) const {
        return std::make_unique<Journal>(m_journals, JournalBase::ofOpened(requestFor(m_file), model),
                                         ModelExtent(model));
    }
    static void appendOne(Journal& journal, Model& model) {
        Edit edit(model);
        const auto point = edit.insertingBefore(edit.graph().outputNode());
        edit.callFunction("torch.neg", {edit.graph().first()});
        journal.append("add neg", model, edit.finish(), false);
    }
    std::string journalPath() const {
        for (const auto& entry : std::filesystem::directory_iterator(m_journals))
            return entry.path().string();
        return {};
    }

    Shared* m_shared = nullptr;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_file, m_journals;
};

FX_TEST(TestJournal)
} // namespace fx::journal_test
#include "tst_journal.moc"
