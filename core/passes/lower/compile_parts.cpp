// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/compile_parts.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/compiled_parts.h"
#include "core/interpret/compiled_program.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/structure.h"
#include "core/interpret/written_tensors.h"
#include "core/passes/lower/whole_times.h"
#include "core/passes/pass_runner.h"
#include "core/passes/quantize/sqnr.h"
#include "core/passes/registry.h"
#include "core/rewrite/excerpt.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace fx {

namespace {

/// What each of some modules is given in a run, the first time.
class GivenTo : public Observer {
public:
    explicit GivenTo(std::vector<ModuleId> modules) : m_modules(std::move(modules)) {}
    void afterNode(const Interpreter& run, const Node& node, const Value& value) override {
        if (node.opcode == Opcode::Placeholder &&
            std::ranges::find(m_modules, run.module()) != m_modules.end() &&
            m_first.try_emplace(run.module(), run.activation()).first->second == run.activation())
            given[run.module()].values.push_back(value);
    }
    std::unordered_map<ModuleId, GraphInputs> given;

private:
    std::vector<ModuleId> m_modules;
    std::unordered_map<ModuleId, uint64_t> m_first; ///< activation of each
};

std::vector<at::Tensor> tensorsOf(const Value& value) {
    std::vector<at::Tensor> out;
    mapTensors(value, [&](const at::Tensor& tensor) {
        out.push_back(tensor);
        return tensor;
    });
    return out;
}

/// Of numbers as precise as the coarsest of these.
double epsilonOf(std::initializer_list<std::vector<at::Tensor>> groups) {
    double out = 0;
    for (const std::vector<at::Tensor>& group : groups)
        for (const at::Tensor& tensor : group)
            switch (tensor.scalar_type()) {
            case at::kBFloat16:
                out = std::max(out, 0x1p-7);
                break;
            case at::kHalf:
                out = std::max(out, 0x1p-10);
                break;
            case at::kFloat:
                out = std::max(out, 0x1p-23);
                break;
            default:
                break;
            }
    return std::max(out, 0x1p-52);
}

/// The least over all tensors; minus infinity where they are not alike.
double sqnrOf(const std::vector<at::Tensor>& wanted, const std::vector<at::Tensor>& got) {
    if (wanted.size() != got.size())
        return -INFINITY;
    double out = INFINITY;
    for (size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i].sizes() != got[i].sizes() || wanted[i].scalar_type() != got[i].scalar_type())
            return -INFINITY;
        else
            out = std::min(out, tensorError(wanted[i], got[i]).sqnr);
    return out;
}

GraphInputs copyOf(const GraphInputs& inputs) {
    return mapTensors(inputs, [](const at::Tensor& each) {
        return each.is_non_overlapping_and_dense() ? each.clone() : each; // with the strides that it has
    });
}

class PartCompiler {
public:
    PartCompiler(Edit& edit, const PassOptions& options, PassContext& context)
        : m_edit(edit), m_options(options), m_context(context) {}

    void run() {
        if (!m_context.compile)
            throw Error("", "nothing can be compiled here");
        if (!m_context.inputs)
            throw Error("", "the sizes of the inputs decide, and there are no inputs");
        std::vector<ModuleId> parts;
        const std::vector<std::string> names = namesOfParts();
        for (const std::string& name : names)
            parts.push_back(partAt(name));
        const GraphInputs inputs = m_context.inputs(m_edit.model());
        GivenTo watcher(parts);
        const auto context = std::make_shared<RunContext>(m_edit.model(), m_context.settings);
        context->observers.push_back(&watcher);
        Interpreter(context, m_edit.model().root()).run(copyOf(inputs));
        for (size_t i = 0; i < parts.size(); ++i) {
            const std::string told = names[i].empty() ? "" : names[i] + ": ";
            const auto given = watcher.given.find(parts[i]);
            try {
                if (given == watcher.given.end())
                    throw Error("", "it does not run");
                for (const std::string& line : compile(names[i], parts[i], given->second))
                    m_context.results.push_back(told + line);
            } catch (const Error& why) {
                m_context.results.push_back(told + "is interpreted: " + why.what());
            }
        }
    }

private:
    /// Of submodules; the empty one is the graph itself.
    std::vector<std::string> namesOfParts() const {
        std::vector<std::string> out;
        if (m_options.has("part"))
            for (const std::string_view name : split(m_options.text("part"), ','))
                out.emplace_back(trim(name));
        return out.empty() ? std::vector<std::string>{""} : out;
    }

    ModuleId partAt(const std::string& name) const {
        const ModuleId found = m_edit.model().resolve(m_edit.module(), name).module;
        if (!found || !m_edit.model().module(found).graph)
            throw Error("--part", "there is no submodule " + pythonRepr(name) + " that has a graph")
                .hint("split makes parts: split --by support --support aotinductor");
        return found;
    }

    /// Those of which the fastest is taken, the plainest first.
    std::vector<std::string_view> wantedForms() const {
        if (m_options.text("to") == kInductorForm)
            return {kInductorForm};
        if (m_options.flag("optimize"))
            return {kFrozenForm, kOptimizedForm, kFusedForm};
        return {m_options.flag("freeze") ? kFrozenForm : kScriptForm};
    }

    /// Lines that tell what came of it.
    std::vector<std::string> compile(const std::string& name, ModuleId module, const GraphInputs& inputs) {
        const std::vector<std::string_view> forms = wantedForms();
        CompiledKey key = compiledKey(std::string(forms[0]), m_edit.model(), module, inputs);
        const Model plain = modelOf(m_edit.model(), module);
        requireCompilable(plain, inputs);
        std::vector<std::string> out;
        std::optional<CompiledKey> best;
        std::pair<double, double> bestTimes;
        for (const std::string_view form : forms) {
            const std::string told = forms.size() > 1 ? std::string(form) + ": " : "";
            try {
                key.form = form;
                if (!makePackage(key, plain, inputs) && forms.size() == 1)
                    out.emplace_back("its package was in the cache");
                const Model marked = markedBy(key, plain);
                out.push_back(told + compared(plain, marked, inputs));
                const std::pair<double, double> times = wholeTimes(plain, marked, inputs, m_context.settings);
                if (!best || times.second * bestTimes.first < bestTimes.second * times.first) {
                    best = key;
                    bestTimes = times;
                }
            } catch (const Error& why) {
                if (forms.size() == 1)
                    throw;
                out.push_back(told + why.what());
            }
        }
        if (!best)
            throw Error("", join(out, "; "));
        if (forms.size() > 1)
            out.push_back("the fastest: " + best->form);
        if (isFaster(bestTimes, out) || m_options.flag("always"))
            m_edit.setValue(name.empty() ? kCompiledMark : name + '.' + kCompiledMark, best->mark());
        return out;
    }

    /// False where it was there.
    bool makePackage(const CompiledKey& key, const Model& plain, const GraphInputs& inputs) {
        const std::string path = key.packagePath();
        std::error_code fault;
        if (std::filesystem::exists(path, fault))
            return false;
        const std::string_view form = compiledForm(key.form)->package;
        m_context.compile(form, form == kInductorForm ? operatorsOf(plain, inputs) : plain, inputs, path,
                          m_context.progress);
        return true;
    }

    static Model markedBy(const CompiledKey& key, const Model& plain) {
        Model out = plain;
        Edit edit(out, Edit::WithoutHistory());
        edit.setValue(kCompiledMark, key.mark());
        edit.finish();
        return out;
    }

    /// What a package cannot give: it knows tensors alone, and keeps weights of its own.
    static void requireCompilable(const Model& part, const GraphInputs& inputs) {
        if (!writtenTensors(part).empty())
            throw Error("", "it writes into its own tensors");
        for (const Value& input : inputs.values)
            if (!input.data().toTensor().device().is_cpu())
                throw Error("", "it does not run on the processor");
        forEachNode(part.graph().node(part.graph().outputNode()).args.at(0), [&](NodeId node) {
            if (const auto* value = part.graph().node(node).meta.find<ValueMeta>(meta::kValue);
                value && !std::holds_alternative<TensorMeta>(value->value))
                throw Error("", "it gives more than tensors");
        });
    }

    /// In the operators that torch.export has.
    Model operatorsOf(const Model& part, const GraphInputs& inputs) {
        Model out = part;
        const Pass& pass = findPass("capture");
        PassContext context{m_context.progress};
        context.inputs = [&](const Model&) { return copyOf(inputs); };
        context.settings = m_context.settings;
        runPass(out, out.root(), pass, PassOptions(pass, {{"functional", "true"}}), context);
        return out;
    }

    /// Throws an Error where the package gives something else.
    std::string compared(const Model& plain, const Model& marked, const GraphInputs& inputs) {
        const GraphInputs own = copyOf(inputs);
        const std::vector<at::Tensor> wanted = tensorsOf(Interpreter(plain, m_context.settings).run(own));
        for (size_t i = 0; i < own.values.size(); ++i)
            if (!at::equal(own.values[i].data().toTensor(), inputs.values[i].data().toTensor()))
                throw Error("", "it writes into its inputs");
        const auto context = std::make_shared<RunContext>(marked, m_context.settings);
        std::vector<at::Tensor> got;
        for (int run = 0; run <= kRunsThatPlan; ++run) // the last one is what all later ones are
            got = tensorsOf(Interpreter(context, marked.root()).run(copyOf(inputs)));
        if (!context->compiled.notes().empty())
            throw Error("", context->compiled.notes().front());
        std::vector<at::Tensor> weights;
        plain.forEachModule(plain.root(), [&](ModuleId id, const std::string&) {
            for (const NamedTensor& entry : plain.module(id).tensors)
                if (entry.tensor)
                    weights.push_back(plain.tensor(entry.tensor).value());
        });
        const double sqnr = sqnrOf(wanted, got);
        if (sqnr < -10 * std::log10(epsilonOf({weights, wanted}))) // half of the digits
            throw Error("", "the compiled one gives something else: SQNR " + decibelText(sqnr));
        return "SQNR of the compiled one: " + decibelText(sqnr);
    }

    Edit& m_edit;
    const PassOptions& m_options;
    PassContext& m_context;
};

} // namespace

void runCompileParts(Edit& edit, const PassOptions& options, PassContext& context) {
    PartCompiler(edit, options, context).run();
}

} // namespace fx
