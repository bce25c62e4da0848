// SPDX-License-Identifier: GPL-3.0-or-later
// The archive around the graph: its model.json, weights, constants and the example inputs, in the present
// form and in that of PyTorch 2.1 to 2.7.
#include "core/io/pt2/pt2.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pt2/pt2_graph.h"
#include "core/io/pt2/pt2_meta.h"
#include "core/io/pt2/pt2_record.h"
#include "core/io/pt2/pt2_unlift.h"
#include "core/io/tensor_bytes.h"
#include "core/io/torch/torch_archive.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

namespace fx {

namespace {

constexpr std::string_view kLegacyProgram = "serialized_exported_program.json";

/// The folder that a new archive keeps all in, with its slash; empty if there is none.
std::string rootOf(const ZipArchive& zip) {
    for (const std::string& name : zip.names())
        if (const size_t slash = name.find('/');
            slash != std::string::npos && name.substr(slash + 1) == "archive_format")
            return name.substr(0, slash + 1);
    return {};
}

class Pt2Reader {
public:
    Pt2Reader(std::shared_ptr<ZipArchive> zip, const Pt2Options& options, Progress& progress)
        : m_zip(std::move(zip)), m_options(options), m_progress(progress),
          m_isLegacy(m_zip->contains(std::string(kLegacyProgram))) {}

    OpenedModel read() {
        m_progress.step(0, "reading " + m_zip->path());
        const std::string record = m_isLegacy ? std::string(kLegacyProgram) : chooseModel();
        const JsonDocument json(m_zip->read(record), m_zip->path() + ": " + record);
        m_progress.step(0.3, "building the graph");
        checkVersion(json);

        const Json& module = json.member(json.root(), "graph_module");
        const Pt2Signature signature = readPt2Signature(json, module);
        Model lifted;
        {
            Edit edit(lifted);
            addState(edit, signature);
            readPt2Graph(json, json.member(module, "graph"), signature, edit, m_out.notes, m_progress);
            mergeEqualGetItems(edit);
            edit.finish();
        }
        m_progress.step(0.9, "naming");
        m_out.model = m_options.isLifted ? std::move(lifted) : unlift(lifted, signature, isFunctional(json));
        readSymbols(json);
        if (!m_options.isLifted)
            m_out.exportRecord = pt2RecordText(json, signature, m_out.model);
        m_out.examples = examples(signature);
        m_out.path = m_zip->path();
        m_out.format =
            m_isLegacy ? "torch.export archive (.pt2, before PyTorch 2.8)" : "torch.export archive (.pt2)";
        if (const Json* version = json.find(json.root(), "torch_version"))
            m_out.writer = "PyTorch " + json.string(*version);
        m_progress.step(1, "done");
        return std::move(m_out);
    }

private:
    std::string chooseModel() {
        m_root = rootOf(*m_zip);
        const std::string format = m_zip->read(m_root + "archive_format");
        if (format != "pt2")
            throw Error(m_zip->path(), "is an archive of format " + pythonRepr(format) + ", not pt2");
        const std::string version = m_zip->read(m_root + "archive_version");
        if (trim(version) != "0")
            throw Error(m_zip->path(),
                        "is of archive version " + std::string(trim(version)) + "; version 0 is known here")
                .hint("export it with PyTorch 2.13");
        std::vector<std::string> names;
        for (const std::string& name : m_zip->names())
            if (name.starts_with(m_root + "models/") && name.ends_with(".json"))
                names.push_back(name.substr(m_root.size() + 7, name.size() - m_root.size() - 12));
        if (names.empty())
            throw Error(m_zip->path(), "holds no exported program, so there is no graph to show")
                .hint(
                    "AOTInductor packages hold compiled code only; save the program with torch.export.save");
        m_model = std::find(names.begin(), names.end(), "model") != names.end() ? "model" : names[0];
        if (names.size() > 1)
            m_out.notes.push_back("the archive holds " + std::to_string(names.size()) + " programs (" +
                                  join(names, ", ") + "); this is '" + m_model + "'");
        return m_root + "models/" + m_model + ".json";
    }

    void checkVersion(const JsonDocument& json) {
        const Json& version = json.member(json.root(), "schema_version");
        const int64_t major = json.integer(json.member(version, "major"));
        if (major != 8)
            throw Error(m_zip->path(),
                        "is written in export schema " + std::to_string(major) + "; schema 8 is known here")
                .hint(major < 8 ? "load and save it with PyTorch 2.6 or later" : "save it with PyTorch 2.13");
    }

    static bool isFunctional(const JsonDocument& json) {
        const Json* verifiers = json.find(json.root(), "verifiers");
        const bool isTraining =
            verifiers && verifiers->is_array() && !verifiers->empty() && (*verifiers)[0] == "TRAINING";
        return !isTraining;
    }

    // --- Parameters, buffers, constants

    struct State {
        std::map<std::string, TensorSlot> tensors;
        std::map<std::string, bool> isParameter;
        std::map<std::string, std::string> objects; ///< class instances, as they are shown
    };

    State readState(const std::string& folder, const std::string& config) {
        State state;
        const std::string record = m_root + "data/" + folder + '/' + m_model + config;
        const std::string legacy = m_root + "data/" + folder + '/' + m_model + ".pt";
        if (m_zip->contains(legacy))
            return pickledState(legacy);
        const JsonDocument json(m_zip->read(record), m_zip->path() + ": " + record);
        std::map<std::string, PieceTensors> pieces;
        // Two names of the same piece of the same record are one tied tensor.
        std::map<std::string, TensorSlot> known;
        for (const auto& [name, entry] : json.object(json.member(json.root(), "config")).items()) {
            const std::string path = json.string(json.member(entry, "path_name"));
            const std::string file = m_root + "data/" + folder + '/' + path;
            const std::string place = m_zip->path() + ": " + file;
            const Json* meta = json.find(entry, "tensor_meta");
            if (path.starts_with("custom_obj_") || path.starts_with("opaque_obj_")) {
                state.objects[name] = "<custom object " + name + '>';
                continue;
            }
            if (json.boolean(json.member(entry, "use_pickle"))) {
                const Value value = readTorchArchive(m_zip->read(file), place);
                if (!value.isTensor())
                    throw Error(place, "should hold a tensor");
                state.tensors.emplace(name, TensorSlot(value.data().toTensor()));
            } else if (!meta) {
                json.fail(entry, "has no tensor_meta");
            } else {
                const StridedShape shape = pt2Shape(json, *meta);
                requireInside(shape, m_zip->size(file), place);
                const auto piece = pieces.find(file);
                const PieceTensors& tensors =
                    piece != pieces.end()
                        ? piece->second
                        : pieces.emplace(file, PieceTensors(m_zip->map(file))).first->second;
                const bool requiresGrad = json.boolean(json.member(*meta, "requires_grad"));
                const std::string identity = file + meta->dump();
                const auto [slot, isNew] = known.try_emplace(identity, tensors.slot(shape, requiresGrad));
                state.tensors.emplace(name, slot->second);
            }
            state.isParameter[name] = json.boolean(json.member(entry, "is_param"));
        }
        return state;
    }

    State pickledState(const std::string& record) {
        State state;
        const std::string place = m_zip->path() + ": " + record;
        const std::string bytes = m_zip->read(record);
        if (bytes.empty())
            return state;
        const Value value = readTorchArchive(bytes, place);
        const auto* dict = value.as<DictObject>();
        if (!dict)
            throw Error(place, "should hold a dict of tensors");
        for (const auto& [key, item, hash] : dict->entries()) {
            if (!key.isData() || !key.data().isString())
                throw Error(place, "has a key that is no text");
            if (item.isTensor())
                state.tensors.emplace(key.data().toStringRef(), TensorSlot(item.data().toTensor()));
            else
                state.objects[key.data().toStringRef()] = "<constant " + key.data().toStringRef() + '>';
        }
        return state;
    }

    void addState(Edit& edit, const Pt2Signature& signature) {
        const State weights = m_isLegacy ? pickledState("serialized_state_dict.pt")
                                         : readState("weights", "_weights_config.json");
        const State constants = m_isLegacy ? pickledState("serialized_constants.pt")
                                           : readState("constants", "_constants_config.json");
        std::vector<std::pair<const TensorSlot*, TensorId>> made;
        const auto add = [&](const Pt2Input& input, const State& state, TensorRole role) {
            const auto slot = state.tensors.find(input.target);
            if (slot == state.tensors.end()) {
                if (const auto object = state.objects.find(input.target); object != state.objects.end()) {
                    edit.setValue(input.target, Argument(OpaqueValue{object->second}));
                    return;
                }
                throw Error(m_zip->path(), "lacks the tensor '" + input.target + "' that its graph reads")
                    .hint("was the file saved completely?");
            }
            const auto tied = std::find_if(made.begin(), made.end(), [&](const auto& other) {
                return other.first->isSame(slot->second);
            });
            const TensorId id = tied != made.end() ? tied->second : edit.createTensor(slot->second);
            if (tied == made.end())
                made.emplace_back(&slot->second, id);
            edit.setTensor(input.target, id, role);
        };
        using Kind = Pt2Input::Kind;
        for (const Pt2Input& input : signature.inputs)
            if (input.kind == Kind::Parameter)
                add(input, weights, TensorRole::Parameter);
            else if (input.kind == Kind::Buffer)
                add(input, input.isPersistent ? weights : constants,
                    input.isPersistent ? TensorRole::Buffer : TensorRole::TransientBuffer);
            else if (input.kind == Kind::Constant || input.kind == Kind::CustomObject)
                add(input, constants, TensorRole::Constant);
    }

    // --- The rest

    void readSymbols(const JsonDocument& json) {
        const Json* ranges = json.find(json.root(), "range_constraints");
        if (!ranges)
            return;
        for (const auto& [name, range] : json.object(*ranges).items()) {
            SymbolRange& out = m_out.symbols[name];
            if (const Json* least = json.find(range, "min_val"))
                out.least = json.integer(*least);
            if (const Json* most = json.find(range, "max_val"))
                out.most = json.integer(*most);
        }
    }

    /// The inputs that were saved with the program: (args, kwargs), flattened as the program is called.
    std::function<std::vector<Value>()> examples(const Pt2Signature& signature) {
        const std::string record =
            m_isLegacy ? "serialized_example_inputs.pt" : m_root + "data/sample_inputs/" + m_model + ".pt";
        if (!m_zip->contains(record) || m_zip->size(record) == 0 || !signature.call)
            return nullptr;
        return [zip = m_zip, record, spec = signature.call->inputs] {
            Values leaves;
            flattenValue(readTorchArchive(zip->read(record), zip->path() + ": " + record, true), spec,
                         leaves);
            return leaves;
        };
    }

    static void flattenValue(const Value& value, const TreeSpec& spec, Values& leaves) {
        if (spec.kind == TreeSpec::Kind::Leaf) {
            leaves.push_back(value);
        } else if (const auto* dict = value.as<DictObject>()) {
            for (size_t i = 0; i < spec.children.size(); ++i)
                for (const auto& [key, item, hash] : dict->entries())
                    if (key.isData() && key.data().isString() &&
                        spec.keys[i] == Argument(key.data().toStringRef()))
                        flattenValue(item, spec.children[i], leaves);
        } else if (const std::optional<Values> items = itemsOf(value)) {
            for (size_t i = 0; i < std::min(items->size(), spec.children.size()); ++i)
                flattenValue((*items)[i], spec.children[i], leaves);
        }
    }

    std::shared_ptr<ZipArchive> m_zip;
    Pt2Options m_options;
    Progress& m_progress;
    bool m_isLegacy;
    std::string m_root, m_model;
    OpenedModel m_out;
};

} // namespace

bool isPt2(const ZipArchive& zip) {
    return zip.contains(std::string(kLegacyProgram)) || !rootOf(zip).empty();
}

OpenedModel readPt2(std::shared_ptr<ZipArchive> zip, const Pt2Options& options, Progress& progress) {
    return Pt2Reader(std::move(zip), options, progress).read();
}

std::vector<ModelInput> inputsOf(const Model& model) {
    std::vector<ModelInput> out;
    for (const Node& node : model.graph()) {
        if (node.opcode != Opcode::Placeholder)
            continue;
        ModelInput& input = out.emplace_back();
        input.node = node.id;
        input.name = node.name;
        if (const auto* value = node.meta.find<ValueMeta>(meta::kValue))
            input.value = *value;
    }
    return out;
}

} // namespace fx
