// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_state_writer.h"

#include "core/base/error.h"
#include "core/base/file_memory.h"
#include "core/base/text.h"
#include "core/io/pt2/pt2_value_writer.h"
#include "core/ir/dtype.h"

#include <ATen/ATen.h>

#include <map>
#include <set>

namespace fx {

namespace {

struct Entry {
    std::string path;
    TensorId tensor;
    bool isParameter;
};

/// The bytes of the storage on this machine.
at::Tensor bytesOf(const at::Tensor& tensor) {
    const c10::Storage& storage = tensor.storage();
    const auto count = static_cast<int64_t>(storage.nbytes());
    return at::empty({0}, tensor.options().dtype(at::kByte)).set_(storage, 0, {count}, {1}).cpu();
}

class StateWriter {
public:
    StateWriter(const Model& model, std::string folder, std::string prefix, ZipWriter& zip)
        : m_model(model), m_folder(std::move(folder)), m_prefix(std::move(prefix)), m_zip(zip) {}

    void add(const Entry& entry) {
        const std::string place = "tensor '" + entry.path + "'";
        const TensorSlot& slot = m_model.tensor(entry.tensor);
        const at::Tensor tensor = slot.value().detach().resolve_conj().resolve_neg();
        if (tensor.layout() != at::kStrided || tensor.is_quantized())
            throw Error(place, "is no plain tensor (" + dtypeText(tensor.scalar_type()) + ", " +
                                   layoutText(tensor.layout()) + "), which a .pt2 has no place for");
        if (tensor.is_meta())
            throw Error(place, "has no data, so that it cannot be saved");
        TensorMeta meta = describe(tensor);
        meta.requiresGrad = slot.meta().requiresGrad;
        // Tensors of one storage go on sharing it, but for those of another dtype, which torch would misread.
        const auto [file, isNew] = m_files.try_emplace(
            {tensor.storage().unsafeGetStorageImpl(), tensor.scalar_type()}, m_files.size());
        const std::string name = m_prefix + std::to_string(file->second);
        if (isNew) {
            const at::Tensor bytes = bytesOf(tensor);
            m_zip.add(m_folder + name, {static_cast<const char*>(bytes.data_ptr()), bytes.nbytes()});
            requireUnchanged(bytes.data_ptr());
            m_kept.push_back(tensor);
        }
        m_config[entry.path] = {{"path_name", name},
                                {"is_param", entry.isParameter},
                                {"use_pickle", false},
                                {"tensor_meta", pt2TensorJson(meta, tensor.storage_offset(), {}, place)}};
    }

    void finish(const std::string& config) {
        m_zip.add(m_folder + config, jsonText({{"config", std::move(m_config)}}));
    }

private:
    const Model& m_model;
    const std::string m_folder, m_prefix;
    ZipWriter& m_zip;
    std::map<std::pair<const void*, c10::ScalarType>, size_t> m_files;
    std::vector<at::Tensor> m_kept; ///< so that no other storage takes its place in memory
    Json m_config = Json::object();
};

} // namespace

void writePt2State(const Model& model, const Pt2Signature& signature, const std::string& root, ZipWriter& zip,
                   Progress& progress) {
    using Kind = Pt2Input::Kind;
    StateWriter weights(model, root + "data/weights/", "weight_", zip),
        constants(model, root + "data/constants/", "tensor_", zip);
    std::set<std::string> written;
    size_t count = 0;
    for (const Pt2Input& input : signature.inputs) {
        if (input.target.empty())
            continue;
        progress.step(0.4 + 0.3 * static_cast<double>(++count) / static_cast<double>(signature.inputs.size()),
                      "tensors");
        const bool isWeight =
            input.kind == Kind::Parameter || (input.kind == Kind::Buffer && input.isPersistent);
        const Entry entry{input.target, model.resolve(model.root(), input.target).tensor,
                          input.kind == Kind::Parameter};
        (isWeight ? weights : constants).add(entry);
        written.insert(input.target);
    }
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : model.module(id).tensors) {
            const bool isParameter = entry.role == TensorRole::Parameter;
            const std::string name = path.empty() ? entry.name : path + '.' + entry.name;
            if (entry.tensor && (isParameter || entry.role == TensorRole::Buffer) &&
                written.insert(name).second)
                weights.add({name, entry.tensor, isParameter});
        }
    });
    weights.finish("model_weights_config.json");
    constants.finish("model_constants_config.json");
}

} // namespace fx
