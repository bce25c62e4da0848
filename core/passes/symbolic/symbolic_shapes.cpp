// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/symbolic/symbolic_shapes.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/pass_options.h"

#include <algorithm>
#include <bit>

namespace fx {

namespace {

constexpr size_t kRuns = 24, kFewestRuns = 6, kMostDraws = 80;

using Metas = std::vector<const ValueMeta*>; ///< of one value in all runs

/// What a description says in each run, as one with formulas.
class Joiner {
public:
    Joiner(SizeFitter& fitter, const std::vector<SizeFitter::Sizes>& inputs)
        : m_fitter(fitter), m_inputs(inputs) {}

    /// The first run's where the runs differ in more than numbers.
    ValueMeta join(const Metas& metas) {
        ValueMeta out = *metas[0];
        const size_t kind = out.value.index();
        if (std::ranges::any_of(metas, [&](const ValueMeta* meta) { return meta->value.index() != kind; }))
            return out;
        if (auto* tensor = std::get_if<TensorMeta>(&out.value)) {
            const SizeFitter::Sizes sizes = joinSizes(tensor->shape, metas);
            joinStrides(tensor->stride, metas, sizes);
        } else if (auto* items = std::get_if<std::vector<ValueMeta>>(&out.value)) {
            joinItems(*items, metas);
        } else if (std::get_if<Argument>(&out.value)) {
            joinNumbers(out, metas);
        }
        return out;
    }

private:
    /// Empty where the runs differ in how many there are.
    static std::vector<Samples> samples(const Metas& metas, std::vector<Dimension> TensorMeta::*part) {
        std::vector<Samples> out((std::get<TensorMeta>(metas[0]->value).*part).size());
        for (const ValueMeta* meta : metas) {
            const auto& sizes = std::get<TensorMeta>(meta->value).*part;
            if (sizes.size() != out.size())
                return {};
            for (size_t at = 0; at < sizes.size(); ++at)
                out[at].push_back(std::get<int64_t>(sizes[at]));
        }
        return out;
    }

    SizeFitter::Sizes joinSizes(std::vector<Dimension>& into, const Metas& metas) {
        SizeFitter::Sizes out;
        for (Samples& values : samples(metas, &TensorMeta::shape)) {
            Term term{m_fitter.fit(values, m_inputs), std::move(values)};
            if (!term.formula.constant())
                into[out.size()] = SymbolicInt{term.formula.text(), term.values[0]};
            out.push_back(std::move(term));
        }
        return out;
    }

    /// Products of the value's own sizes, of what it is a view of, or else as they once were.
    void joinStrides(std::vector<Dimension>& into, const Metas& metas, const SizeFitter::Sizes& sizes) {
        std::vector<SizeFitter::Sizes> near{sizes};
        near.insert(near.end(), m_inputs.begin(), m_inputs.end());
        size_t at = 0;
        for (const Samples& values : samples(metas, &TensorMeta::stride)) {
            const std::optional<Formula> formula = m_fitter.known(values, near);
            if (!formula || !formula->constant())
                into[at] = SymbolicInt{formula ? formula->text() : "?", values[0]};
            ++at;
        }
    }

    void joinItems(std::vector<ValueMeta>& into, const Metas& metas) {
        for (size_t at = 0; at < into.size(); ++at) {
            Metas inner;
            for (const ValueMeta* meta : metas) {
                const auto& items = std::get<std::vector<ValueMeta>>(meta->value);
                if (items.size() != into.size())
                    return;
                inner.push_back(&items[at]);
            }
            into[at] = join(inner);
        }
    }

    /// Whole numbers get formulas; what has a fraction, or is true or not, depends on data where it differs.
    void joinNumbers(ValueMeta& out, const Metas& metas) {
        using Kind = SymbolicScalar::Kind;
        Samples values;
        Kind kind = Kind::Int;
        for (const ValueMeta* meta : metas) {
            const auto& argument = std::get<Argument>(meta->value);
            if (const auto* number = argument.as<int64_t>()) {
                values.push_back(*number);
            } else if (const auto* fraction = argument.as<double>()) {
                kind = Kind::Float;
                values.push_back(std::bit_cast<int64_t>(*fraction));
            } else if (const auto* truth = argument.as<bool>()) {
                kind = Kind::Bool;
                values.push_back(*truth);
            } else {
                return;
            }
        }
        const bool isWhole = kind == Kind::Int;
        const Formula formula = isWhole ? m_fitter.fit(values, m_inputs) : m_fitter.symbolFor(values);
        if (!formula.constant())
            out.value = SymbolicScalar{kind, formula.text(),
                                       isWhole ? std::optional<double>(static_cast<double>(values[0]))
                                               : std::nullopt};
    }

    SizeFitter& m_fitter;
    const std::vector<SizeFitter::Sizes>& m_inputs;
};

/// Whether the runs differ in nothing but numbers.
bool areAlike(const Metas& metas) {
    for (const ValueMeta* meta : metas) {
        if (meta->value.index() != metas[0]->value.index())
            return false;
        const auto *tensor = std::get_if<TensorMeta>(&meta->value),
                   *first = std::get_if<TensorMeta>(&metas[0]->value);
        const auto *items = std::get_if<std::vector<ValueMeta>>(&meta->value),
                   *others = std::get_if<std::vector<ValueMeta>>(&metas[0]->value);
        if ((tensor && tensor->shape.size() != first->shape.size()) ||
            (items && items->size() != others->size()))
            return false;
    }
    return true;
}

class Finder {
public:
    Finder(const Model& model, SizeRuns& runs, const SymbolicInputs& inputs,
           const std::map<std::string, KnownRange>& ranges)
        : m_model(model), m_runs(runs), m_domain(runs, inputs, ranges) {}

    SymbolicShapes find() {
        drawRuns();
        SizeFitter fitter(symbolTerms());
        SymbolicShapes out;
        for (const NodeKey& key : m_good[0].order) {
            Metas metas;
            for (const SizeRun& run : m_good)
                if (const auto value = run.values.find(key); value != run.values.end())
                    metas.push_back(&value->second);
            if (metas.size() != m_good.size())
                continue;
            if (!areAlike(metas))
                out.varying.push_back(key);
            const std::vector<SizeFitter::Sizes> inputs = inputsOf(key);
            const size_t known = fitter.fresh().size();
            out.values[key] = Joiner(fitter, inputs).join(metas);
            keepSizes(fitter, key, metas);
            for (size_t i = known; i < fitter.fresh().size(); ++i)
                out.fresh.emplace_back(fitter.fresh()[i].name, key);
        }
        out.symbols = m_domain.freeSymbols();
        out.constraints = m_domain.constraints();
        explainFailures(out);
        return out;
    }

private:
    void drawRuns() {
        std::mt19937 random(1);
        m_good.push_back(m_runs.run(m_domain.base()));
        std::set<SizePoint> drawn{m_domain.base()};
        for (size_t i = 0; i < kMostDraws && m_good.size() < kRuns; ++i) {
            const SizePoint point = m_domain.draw(i, random);
            if (!drawn.insert(point).second)
                continue;
            SizeRun run = m_runs.run(point);
            (run.hasFailed ? m_failed : m_good).push_back(std::move(run));
        }
        if (m_good.size() < kFewestRuns && !m_domain.freeSymbols().empty())
            throw Error("symbolic shapes", "the model runs for too few of the sizes that were tried: " +
                                               (m_failed.empty() ? "they are too narrow" : m_failed[0].fault))
                .hint("leave a symbol out, by its number");
    }

    std::vector<Term> symbolTerms() const {
        std::vector<Term> out;
        for (const std::string& symbol : m_domain.freeSymbols()) {
            Term& term = out.emplace_back(Term{Formula::symbol(symbol), {}});
            for (const SizeRun& run : m_good)
                term.values.push_back(run.point.at(symbol));
        }
        return out;
    }

    std::vector<SizeFitter::Sizes> inputsOf(const NodeKey& key) const {
        std::vector<SizeFitter::Sizes> out;
        for (const InputUse& use : m_model.graph(key.first).node(key.second).inputs)
            if (const auto sizes = m_sizes.find({key.first, use.node}); sizes != m_sizes.end())
                out.insert(out.end(), sizes->second.begin(), sizes->second.end());
        return out;
    }

    /// What readers of the node may have made their sizes of. All is known to the fitter by now.
    void keepSizes(SizeFitter& fitter, const NodeKey& key, const Metas& metas) {
        std::vector<SizeFitter::Sizes>& out = m_sizes[key];
        const auto visit = [&](auto& self, const Metas& inner) -> void {
            const auto* tensor = std::get_if<TensorMeta>(&inner[0]->value);
            const auto* items = std::get_if<std::vector<ValueMeta>>(&inner[0]->value);
            const size_t count = tensor ? tensor->shape.size() : items ? items->size() : 1;
            SizeFitter::Sizes sizes(count);
            std::vector<Metas> deeper(items ? count : 0);
            for (const ValueMeta* meta : inner) {
                if (meta->value.index() != inner[0]->value.index())
                    return;
                for (size_t i = 0; i < count; ++i) {
                    if (const auto* other = std::get_if<TensorMeta>(&meta->value)) {
                        if (other->shape.size() != count)
                            return;
                        sizes[i].values.push_back(std::get<int64_t>(other->shape[i]));
                    } else if (const auto* list = std::get_if<std::vector<ValueMeta>>(&meta->value)) {
                        if (list->size() != count)
                            return;
                        deeper[i].push_back(&(*list)[i]);
                    } else if (const auto* argument = std::get_if<Argument>(&meta->value)) {
                        const auto* number = argument->as<int64_t>();
                        if (!number)
                            return;
                        sizes[i].values.push_back(*number);
                    } else {
                        return;
                    }
                }
            }
            for (const Metas& one : deeper)
                self(self, one);
            if (items)
                return;
            for (Term& size : sizes)
                size.formula = fitter.fit(size.values, {});
            out.push_back(std::move(sizes));
        };
        visit(visit, metas);
    }

    /// Of runs that failed although each symbol by itself may have its number: what of the sizes that went
    /// into the node tells them from the others.
    void explainFailures(SymbolicShapes& out) const {
        std::set<NodeKey> told;
        for (const SizeRun& failed : m_failed) {
            if (!told.insert(failed.failedAt).second)
                continue;
            const std::optional<std::string> why = explain(failed.failedAt);
            out.constraints.push_back({why ? *why : "other sizes fail: " + failed.fault, failed.failedAt});
        }
    }

    std::optional<std::string> explain(const NodeKey& key) const {
        std::vector<std::pair<Term, Samples>> terms; // with what it was where the node failed
        const Graph& graph = m_model.graph(key.first);
        for (const InputUse& use : graph.node(key.second).inputs) {
            const auto known = m_sizes.find({key.first, use.node});
            if (known == m_sizes.end() || known->second.size() != 1)
                continue;
            for (size_t at = 0; at < known->second[0].size(); ++at) {
                Samples bad;
                for (const SizeRun& run : m_failed)
                    if (run.failedAt == key)
                        if (const std::optional<int64_t> size = sizeAt(run, {key.first, use.node}, at))
                            bad.push_back(*size);
                if (!known->second[0][at].formula.constant())
                    terms.emplace_back(known->second[0][at], std::move(bad));
            }
        }
        for (const auto& [term, bad] : terms)
            for (int64_t by = 2; by <= 64; ++by)
                if (std::ranges::all_of(term.values, [&](int64_t value) { return value % by == 0; }) &&
                    std::ranges::none_of(bad, [&](int64_t value) { return value % by == 0; }))
                    return term.formula.text() + " % " + std::to_string(by) + " == 0";
        for (const auto& [left, badLeft] : terms)
            for (const auto& [right, badRight] : terms)
                if (!(left.formula == right.formula) && left.values == right.values &&
                    badLeft.size() == badRight.size() &&
                    std::ranges::mismatch(badLeft, badRight, std::ranges::not_equal_to()).in1 ==
                        badLeft.end())
                    return left.formula.text() + " == " + right.formula.text();
        return std::nullopt;
    }

    static std::optional<int64_t> sizeAt(const SizeRun& run, const NodeKey& key, size_t at) {
        const auto found = run.values.find(key);
        const auto* tensor =
            found == run.values.end() ? nullptr : std::get_if<TensorMeta>(&found->second.value);
        return tensor && at < tensor->shape.size() ? std::optional(std::get<int64_t>(tensor->shape[at]))
                                                   : std::nullopt;
    }

    const Model& m_model;
    SizeRuns& m_runs;
    SizeDomain m_domain;
    std::vector<SizeRun> m_good, m_failed;
    std::map<NodeKey, std::vector<SizeFitter::Sizes>> m_sizes;
};

/// "N:2:64; T::512".
std::map<std::string, KnownRange> readRanges(const std::string& text) {
    std::map<std::string, KnownRange> out;
    for (const std::string_view part : split(text, ';')) {
        if (trim(part).empty())
            continue;
        const std::vector<std::string_view> words = split(trim(part), ':');
        const auto number = [&](std::string_view word) -> std::optional<int64_t> {
            if (trim(word).empty())
                return std::nullopt;
            const std::optional<int64_t> out = wholeNumber(trim(word));
            if (!out)
                throw Error("range '" + std::string(part) + "'", "'" + std::string(word) + "' is no number");
            return out;
        };
        if (words.size() != 3)
            throw Error("range '" + std::string(part) + "'", "is not of the form SYMBOL:LEAST:MOST");
        out[std::string(trim(words[0]))] = {number(words[1]), number(words[2])};
    }
    return out;
}

} // namespace

SymbolicShapes findSymbolicShapes(const Model& model, const SymbolicInputs& inputs, const GraphInputs& others,
                                  const std::map<std::string, KnownRange>& ranges, Progress& progress) {
    SizeRuns runs(model, inputs, others, progress);
    return Finder(model, runs, inputs, ranges).find();
}

std::vector<PassOption> symbolicOptions() {
    using enum OptionType;
    return {
        {.name = "sizes",
         .type = String,
         .help =
             "inputs with names for the sizes that may differ: x=[N,3,H,W]; ids=[N,T=128]:int64; count=K; "
             "or recorded, for those of the file",
         .byDefault = "recorded"},
        {"ranges", String, "what is known of a symbol: SYMBOL:LEAST:MOST; N::64"}};
}

void runSymbolicShapes(Edit& edit, const PassOptions& options, PassContext& context) {
    const SymbolicInputs inputs = readSymbolicInputs(edit.model(), options.text("sizes"));
    GraphInputs others;
    if (needsMore(edit.model(), inputs) && context.inputs)
        others = context.inputs(edit.model());
    const SymbolicShapes found = findSymbolicShapes(edit.model(), inputs, others,
                                                    readRanges(options.text("ranges")), context.progress);
    const ModuleId root = edit.module();
    for (const auto& [key, value] : found.values) {
        if (edit.module() != key.first)
            edit.enter(key.first);
        edit.setMeta(key.second, meta::kTensorMeta, value);
    }
    edit.enter(root);
    const auto place = [&](const NodeKey& key) {
        return nodePlace(edit.model().graph(key.first), key.second);
    };
    context.results.push_back("symbols: " + join(found.symbols, ", "));
    for (const SizeConstraint& constraint : found.constraints)
        context.results.push_back(constraint.text + ", for " + place(constraint.node));
    for (const NodeKey& key : found.varying)
        context.results.push_back("how many values or dimensions there are depends on the sizes, at " +
                                  place(key) + ": shown is one case");
    for (const auto& [name, key] : found.fresh)
        context.results.push_back(name + " depends on data, at " + place(key));
}

} // namespace fx
