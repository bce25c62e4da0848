// SPDX-License-Identifier: GPL-3.0-or-later
// Writes .pt2: the lifted graph, its signature and how it is called, weights, constants and the example.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_writer.h"
#include "core/io/pt2/pt2.h"
#include "core/io/pt2/pt2_dialect.h"
#include "core/io/pt2/pt2_graph_writer.h"
#include "core/io/pt2/pt2_lift.h"
#include "core/io/pt2/pt2_sameness.h"
#include "core/io/pt2/pt2_state_writer.h"
#include "core/io/pt2/pt2_values.h"
#include "core/io/torch/torch_archive.h"

#include <torch/version.h>

#include <algorithm>

namespace fx {

namespace {

constexpr const char* kRoot = "archive/";

class ProgramWriter {
public:
    ProgramWriter(const OpenedModel& opened, Progress& progress)
        : m_opened(opened), m_progress(progress), m_record(parsePt2Record(opened.exportRecord)),
          m_program(lift(opened, m_record)) {}

    std::vector<std::string> write(const std::string& path) {
        m_progress.step(0, "writing " + path);
        completeValues(m_program.model, m_opened, m_record, m_progress);
        const Json program = programJson();
        const std::string root = kRoot;
        ZipWriter zip(path);
        writePt2State(m_program.model, m_program.signature, root, zip, m_progress);
        zip.add(root + "models/model.json", jsonText(program));
        zip.add(root + "data/sample_inputs/model.pt", examples());
        zip.add(root + "archive_format", "pt2");
        zip.add(root + "archive_version", "0");
        zip.add(root + ".data/version", "6\n");
        zip.add(root + "byteorder", "little");
        zip.finish([&](const std::string& written) {
            m_progress.step(0.8, "opening what was written");
            requireSameProgram(m_program, written, m_progress);
        });
        m_progress.step(1, "done");
        return std::move(m_program.notes);
    }

private:
    Json programJson() {
        const Model& model = m_program.model;
        const Graph& graph = model.graph();
        Json ranges = m_record.ranges.is_null() ? Json::object() : m_record.ranges;
        for (const auto& [name, range] : m_opened.symbols)
            if (isIdentifier(name) && !ranges.contains(name))
                ranges[name] = {{"min_val", range.least ? Json(*range.least) : Json()},
                                {"max_val", range.most ? Json(*range.most) : Json()}};
        Json classes = Json::object();
        for (const NamedTupleClass& entry : m_program.signature.call->namedTuples)
            classes[entry.name] = {{"field_names", entry.fields}};
        return {{"graph_module",
                 {{"graph", pt2GraphJson(model, model.root(), m_record, m_progress)},
                  {"signature", {{"input_specs", inputSpecs(graph)}, {"output_specs", outputSpecs(graph)}}},
                  {"module_call_graph", calls(graph)},
                  {"metadata", m_record.metadata},
                  {"treespec_namedtuple_fields", std::move(classes)}}},
                {"opset_version", {{"aten", 10}}},
                {"range_constraints", std::move(ranges)},
                {"schema_version", {{"major", 8}, {"minor", 20}}},
                {"verifiers", Json::array({dialectOf(model, m_record.dialect)})},
                {"torch_version", TORCH_VERSION},
                {"guards_code", guards()}};
    }

    // --- The signature

    Json inputSpecs(const Graph& graph) {
        using Kind = Pt2Input::Kind;
        Json out = Json::array();
        for (const Pt2Input& input : m_program.signature.inputs) {
            const Json tensor = {{"name", input.name}};
            if (input.kind == Kind::Parameter)
                out.push_back({{"parameter", {{"arg", tensor}, {"parameter_name", input.target}}}});
            else if (input.kind == Kind::Buffer)
                out.push_back(
                    {{"buffer",
                      {{"arg", tensor}, {"buffer_name", input.target}, {"persistent", input.isPersistent}}}});
            else if (input.kind == Kind::Constant)
                out.push_back(
                    {{"tensor_constant", {{"arg", tensor}, {"tensor_constant_name", input.target}}}});
            else
                out.push_back(userInput(graph.node(graph.find(input.name))));
        }
        return out;
    }

    Json userInput(const Node& node) {
        const auto* value = node.meta.find<ValueMeta>(meta::kValue);
        const auto* constant = value ? std::get_if<Argument>(&value->value) : nullptr;
        if (!constant && value && !std::holds_alternative<NoneValue>(value->value))
            return {{"user_input", {{"arg", pt2ArgumentJson(m_program.model, node.id)}}}};
        return {{"constant_input",
                 {{"name", node.name},
                  {"value", pt2ArgumentJson(m_program.model, constant ? *constant : Argument())}}}};
    }

    Json outputSpecs(const Graph& graph) {
        using Kind = Pt2Output::Kind;
        const Arguments& values = *graph.node(graph.outputNode()).args[0].items();
        const size_t count = static_cast<size_t>(
            std::ranges::count(m_program.signature.outputs, Kind::User, &Pt2Output::kind));
        Json out = Json::array();
        size_t result = 0;
        for (size_t i = 0; i < values.size(); ++i) {
            const Pt2Output& output = m_program.signature.outputs[i];
            const Json argument = pt2ArgumentJson(m_program.model, values[i]);
            if (output.kind == Kind::User) {
                const Json* before = count == m_record.results.size() ? &m_record.results[result++] : nullptr;
                out.push_back(resultSpec(argument, before));
                continue;
            }
            const bool isInput = output.kind == Kind::InputMutation;
            const char* name = isInput                                  ? "user_input_name"
                               : output.kind == Kind::ParameterMutation ? "parameter_name"
                                                                        : "buffer_name";
            const char* kind = isInput                                  ? "user_input_mutation"
                               : output.kind == Kind::ParameterMutation ? "parameter_mutation"
                                                                        : "buffer_mutation";
            out.push_back({{kind, {{"arg", tensorOf(argument)}, {name, output.target}}}});
        }
        return out;
    }

    static Json tensorOf(const Json& argument) {
        if (!argument.contains("as_tensor"))
            throw Error("output", "writes something else than a tensor into a buffer or input");
        return argument["as_tensor"];
    }

    /// A loss or gradient stays one.
    static Json resultSpec(const Json& argument, const Json* before) {
        if (before && argument.contains("as_tensor") && before->size() == 1)
            for (const char* kind : {"loss_output", "gradient_to_parameter", "gradient_to_user_input"})
                if (before->contains(kind) && (*before)[kind].is_object()) {
                    Json out = *before;
                    out[kind]["arg"] = argument["as_tensor"];
                    return out;
                }
        return {{"user_output", {{"arg", argument}}}};
    }

    // --- How the modules of the source are called

    Json calls(const Graph& graph) {
        const Signature& call = *m_program.signature.call;
        Json root = {{"inputs", Json::array()},
                     {"outputs", Json::array()},
                     {"in_spec", call.inputsText},
                     {"out_spec", call.outputsText},
                     {"forward_arg_names", call.argumentNames}};
        if (!m_record.calls.empty()) {
            const Json before = moduleCall(graph, m_record.calls[0]);
            if (before.is_object() && before.contains("in_spec") && before["in_spec"] == call.inputsText)
                for (const char* part : {"inputs", "outputs", "forward_arg_names"})
                    root[part] = before.value(part, Json());
        }
        if (!areIdentifiers(root["forward_arg_names"]))
            root["forward_arg_names"] = nullptr;
        Json out = Json::array({{{"fqn", ""}, {"signature", std::move(root)}}});
        for (size_t i = 1; i < m_record.calls.size(); ++i)
            out.push_back(
                {{"fqn", m_record.calls[i]["fqn"]}, {"signature", moduleCall(graph, m_record.calls[i])}});
        return out;
    }

    static bool areIdentifiers(const Json& names) {
        return names.is_array() && std::ranges::all_of(names, [](const Json& name) {
                   return name.is_string() && isIdentifier(name.get<std::string>());
               });
    }

    /// The signature of a module of the source, unless a value that it names is gone.
    static Json moduleCall(const Graph& graph, const Json& call) {
        const auto isThere = [&](const Json& argument) {
            if (!argument.is_object() || argument.size() != 1)
                return false;
            const Json& value = *argument.begin();
            const auto* name = !value.is_object()          ? nullptr
                               : value.contains("name")    ? &value["name"]
                               : value.contains("as_name") ? &value["as_name"]
                                                           : nullptr;
            return !name || (name->is_string() && graph.find(name->get<std::string>()));
        };
        const auto signature = call.find("signature");
        if (signature == call.end() || !signature->is_object())
            return {};
        for (const char* part : {"inputs", "outputs"})
            if (!signature->contains(part) || !(*signature)[part].is_array() ||
                !std::ranges::all_of((*signature)[part], isThere))
                return {};
        return *signature;
    }

    // --- The rest

    Json guards() {
        Json out = Json::array();
        std::vector<std::string> inputs;
        for (const Pt2Input& input : m_program.signature.inputs)
            if (input.kind == Pt2Input::Kind::User)
                inputs.push_back(input.name);
        const bool areSame = inputs == m_record.inputs;
        size_t lost = 0;
        for (const std::string& guard : m_record.guards)
            if (areSame && isHarmlessGuard(guard))
                out.push_back(guard);
            else
                ++lost;
        if (lost > 0)
            m_program.notes.push_back(plural(lost, "guard") +
                                      " on the inputs that the program was exported with " +
                                      (lost == 1 ? "is" : "are") + " left out");
        return out;
    }

    /// The example as (args, kwargs), as torch.save writes it; empty without one.
    std::string examples() {
        if (!m_program.examples)
            return {};
        std::string out;
        try {
            const Values leaves = m_program.examples();
            size_t next = 0;
            PickleWriter pickle;
            addExample(pickle, m_program.signature.call->inputs, leaves, next);
            if (next == leaves.size())
                out = torchFileBytes(pickle);
        } catch (const Error&) {
            // Said below.
        }
        if (out.empty())
            m_program.notes.push_back("the example that the model was saved with is left out");
        return out;
    }

    static void addExample(PickleWriter& pickle, const TreeSpec& spec, const Values& leaves, size_t& next) {
        if (spec.kind == TreeSpec::Kind::Leaf) {
            if (next >= leaves.size())
                throw Error("", "has too few examples");
            pickle.value(leaves[next++]);
            return;
        }
        const auto addItems = [&] {
            for (size_t i = 0; i < spec.children.size(); ++i) {
                if (i < spec.keys.size())
                    pickle.argument(spec.keys[i]);
                addExample(pickle, spec.children[i], leaves, next);
            }
        };
        if (spec.type == "builtins.dict" || spec.type == "collections.OrderedDict") {
            spec.type == "builtins.dict" ? pickle.beginDict() : pickle.beginOrderedDict();
            addItems();
            pickle.endDict();
        } else if (spec.type == "builtins.list") {
            pickle.beginList();
            addItems();
            pickle.endList();
        } else if (spec.type == "builtins.tuple") {
            pickle.beginTuple();
            addItems();
            pickle.endTuple();
        } else {
            throw Error("", "an example of " + spec.type + " cannot be written");
        }
    }

    const OpenedModel& m_opened;
    Progress& m_progress;
    Pt2Record m_record;
    LiftedProgram m_program;
};

} // namespace

void requireWritable(const OpenedModel& model) {
    if (!model.whyNoGraph.reason.empty())
        throw Error("", "there is no graph: " + model.whyNoGraph.reason).hint(model.whyNoGraph.advice);
    requireExported(model.model);
}

std::vector<std::string> writePt2(const OpenedModel& model, const std::string& path, Progress& progress) {
    requireWritable(model);
    return ProgramWriter(model, progress).write(path);
}

} // namespace fx
