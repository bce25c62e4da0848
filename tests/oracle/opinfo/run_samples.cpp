// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/oracle/opinfo/run_samples.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/io/argument_json.h"
#include "core/io/mapped_file.h"
#include "core/ir/graph_text.h"
#include "tests/oracle/opinfo/compare.h"
#include "tests/oracle/opinfo/recorded.h"

#include <ATen/ATen.h>

#include <atomic>
#include <fstream>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fx {

namespace {

constexpr uint64_t kSeed = 42; // as in make_opinfo.py
constexpr unsigned kSecondsPerSample = 60;

struct Finding {
    Verdict verdict = Verdict::Equal;
    std::string message;
};

Closeness closenessOf(const std::string& name) {
    return name == "bits" ? Closeness::Bits : name == "about" ? Closeness::About : Closeness::Shape;
}

/// LibTorch warns of what the samples try on purpose.
struct Silence : c10::WarningHandler {
    void process(const c10::Warning&) override {}
};

/// The samples of one file: one model, one run context.
class FileRunner {
public:
    explicit FileRunner(const std::string& path)
        : m_file(path), m_model(modelOf(m_file)), m_context(std::make_shared<RunContext>(m_model)) {}

    size_t count() const { return m_file.rows().size(); }

    Finding run(size_t index) {
        const Json& row = m_file.rows()[index];
        Finding out = judged(row, m_model.module(m_model.root()).child("s" + std::to_string(index)));
        if (out.verdict != Verdict::Equal)
            out.message += "\n      of " + callText(index);
        return out;
    }

    std::string callText(size_t index) const {
        const Graph& graph = m_model.graph(m_model.module(m_model.root()).child("s" + std::to_string(index)));
        std::vector<std::string> calls;
        for (const Node& node : graph)
            if (node.opcode != Opcode::Placeholder && node.opcode != Opcode::Output)
                calls.push_back(formatNode(graph, node.id));
        return join(calls, "\n         ");
    }

private:
    Finding judged(const Json& row, ModuleId module) {
        const std::vector<at::Tensor> tensors = m_file.tensors(row, "");
        Values inputs;
        for (const Json& input : row["inputs"])
            inputs.emplace_back(c10::IValue(tensors.at(input.get<size_t>())));
        at::manual_seed(kSeed);
        Value result;
        try {
            result = Interpreter(m_context, module).run(std::move(inputs));
        } catch (const Error& error) {
            return refused(row, error.message());
        } catch (const std::exception& error) {
            return refused(row, error.what());
        }
        if (row.contains("error"))
            return {Verdict::Accepted, "PyTorch says " + row["error"][1].get<std::string>()};
        std::string found = difference(result, expectedResult(row, tensors));
        if (found.empty())
            found = inputDifference(row, tensors);
        return {found.empty() ? Verdict::Equal : Verdict::Differing, found};
    }

    ExpectedResult expectedResult(const Json& row, const std::vector<at::Tensor>& tensors) const {
        const JsonDocument document("null", "recorded result");
        ExpectedResult out;
        out.tree = argumentFromJson(document, row["result"],
                                    [](int64_t index) { return NodeId{static_cast<int32_t>(index)}; });
        out.tensors = m_file.tensors(row, "result_");
        for (const Json& input : row["inputs"])
            out.inputs.push_back(tensors.at(input.get<size_t>()));
        for (const Json& alias : row["aliases"])
            out.aliases[alias[0].get<size_t>()] = alias[1].get<size_t>();
        out.closeness = closenessOf(row["compares"]);
        return out;
    }

    /// The inputs afterwards: those that PyTorch writes to as it leaves them, the others as they were.
    std::string inputDifference(const Json& row, const std::vector<at::Tensor>& tensors) const {
        std::vector<at::Tensor> wanted = m_file.tensors(row, "");
        const std::vector<at::Tensor> after = m_file.tensors(row, "result_");
        for (const Json& change : row["mutated"])
            wanted.at(change[0].get<size_t>()) = after.at(change[1].get<size_t>());
        for (const Json& input : row["inputs"]) {
            const auto i = input.get<size_t>();
            const std::string found = difference(tensors.at(i), wanted.at(i), closenessOf(row["compares"]));
            if (!found.empty())
                return "input " + std::to_string(i) + " afterwards: " + found;
        }
        return {};
    }

    /// Only the message: not the node and the place that the interpreter adds.
    static Finding refused(const Json& row, const std::string& message) {
        const std::string ours = message.substr(0, message.find("\n\nWhile executing "));
        if (!row.contains("error"))
            return {Verdict::Refused, ours};
        std::string theirs = row["error"][1];
        theirs.resize(std::min(theirs.size(), theirs.find('\n')));
        if (contains(ours, theirs))
            return {};
        return {Verdict::OtherError, ours + "\n      PyTorch says " + theirs};
    }

    RecordedFile m_file;
    Model m_model;
    std::shared_ptr<RunContext> m_context;
};

/// A child: takes files until there are none, and notes each sample before and after it runs.
void work(const std::vector<std::string>& files, std::atomic<size_t>& next, size_t file, size_t row,
          const std::string& notes) {
    Silence silence;
    const c10::WarningUtils::WarningHandlerGuard guard(&silence);
    std::ofstream out(notes, std::ios::app);
    for (; file < files.size(); file = next++, row = 0) {
        out << Json::array({file}).dump() << std::endl;
        FileRunner runner(files[file]);
        for (; row < runner.count(); ++row) {
            out << Json::array({file, row}).dump() << std::endl;
            ::alarm(kSecondsPerSample);
            const Finding found = runner.run(row);
            ::alarm(0);
            out << Json::array({file, row, static_cast<int>(found.verdict), found.message})
                       .dump(-1, ' ', false, Json::error_handler_t::replace)
                << '\n';
        }
    }
}

/// What a child noted; its last word says what it was at.
struct Notes {
    std::vector<SampleOutcome> outcomes;
    size_t file = 0, row = 0;
    bool isOpening = false; ///< it was reading the file
};

Notes readNotes(const std::string& path) {
    Notes out;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const Json note = Json::parse(line);
        out.file = note[0];
        out.isOpening = note.size() == 1;
        out.row = out.isOpening ? 0 : note[1].get<size_t>();
        if (note.size() > 2)
            out.outcomes.push_back({out.file, out.row, static_cast<Verdict>(note[2].get<int>()), note[3]});
    }
    return out;
}

std::string causeText(int status) {
    if (!WIFSIGNALED(status))
        return "it ended with status " + std::to_string(WEXITSTATUS(status));
    return WTERMSIG(status) == SIGALRM ? "it takes longer than " + std::to_string(kSecondsPerSample) + " s"
                                       : "it ended by signal " + std::to_string(WTERMSIG(status));
}

} // namespace

std::vector<SampleOutcome> runSamples(const std::vector<std::string>& files, int jobs) {
    void* shared = ::mmap(nullptr, sizeof(std::atomic<size_t>), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        throw Error("", "no memory to share");
    auto& next = *new (shared) std::atomic<size_t>(0);
    struct Child {
        std::string notes;
    };
    std::map<pid_t, Child> children;
    std::vector<SampleOutcome> out;
    int count = 0;
    const auto start = [&](size_t file, size_t row) {
        const std::string notes = "/tmp/opinfo-" + std::to_string(::getpid()) + '-' + std::to_string(count++);
        const pid_t child = ::fork();
        if (child == 0) {
            int status = 0;
            try {
                work(files, next, file, row, notes);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                status = 1;
            }
            ::_exit(status);
        }
        children[child] = {notes};
    };
    for (int i = 0; i < jobs; ++i)
        start(next++, 0);
    while (!children.empty()) {
        int status = 0;
        const auto child = children.find(::wait(&status));
        if (child == children.end())
            continue;
        Notes notes = readNotes(child->second.notes);
        ::unlink(child->second.notes.c_str());
        children.erase(child);
        out.insert(out.end(), std::make_move_iterator(notes.outcomes.begin()),
                   std::make_move_iterator(notes.outcomes.end()));
        if (status == 0)
            continue;
        out.push_back({notes.file, notes.row, Verdict::Crashed, causeText(status)});
        if (notes.isOpening)
            start(next++, 0);
        else
            start(notes.file, notes.row + 1);
    }
    ::munmap(shared, sizeof(std::atomic<size_t>));
    return out;
}

} // namespace fx
