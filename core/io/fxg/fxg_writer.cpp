// SPDX-License-Identifier: GPL-3.0-or-later
// Writes .fxg.
#include "core/base/error.h"
#include "core/base/unicode.h"
#include "core/codegen/python_code.h"
#include "core/io/argument_json.h"
#include "core/io/fxg/fxg.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/fxg/shared_views.h"
#include "core/io/model_json.h"
#include "core/io/sparse_parts.h"
#include "core/io/tensor_bytes.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_archive.h"
#include "core/io/zip_writer.h"
#include "core/ir/dtype.h"
#include "core/python/value.h"

namespace fx {

namespace {

using namespace fxg;

class Writer {
public:
    Writer(const OpenedModel& opened, Progress& progress)
        : m_opened(opened), m_model(opened.model), m_progress(progress) {}

    void write(ZipWriter& zip) {
        ModelJson model = modelJson(m_opened, m_progress);
        takeTensors(model);
        zip.add(kModel, jsonText(model.json));
        std::string python;
        m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string& modulePath) {
            if (m_model.module(id).graph)
                python += "# " + (modulePath.empty() ? "the model" : oneLine(modulePath)) +
                          PythonCode(m_model, id).text() + "\n\n";
        });
        zip.add("fxscope/code.py", python);
        if (!m_model.sources().empty())
            zip.add(kSources, jsonText(sourcesJson(m_model)));
        if (!m_opened.layoutState.empty())
            zip.add(kLayout, m_opened.layoutState);
        writeTensors(zip);
        writeExamples(zip);
    }

private:
    /// A record of the file of tensors.
    struct Record {
        std::string name;
        TensorMeta meta;
        at::Tensor value;
    };

    /// Each tensor in C order under its index; of tensors over the same memory that memory, once; of sparse
    /// ones their parts. What safetensors does not know of a tensor is in the model's table.
    void takeTensors(ModelJson& model) {
        std::vector<at::Tensor> values;
        for (const TensorId id : model.tensors)
            values.push_back(m_model.tensor(id).value());
        const SharedViews shared = sharedViews(values);
        for (size_t i = 0; i < shared.pieces.size(); ++i)
            addRecord(kShared + std::to_string(i), shared.pieces[i]);
        for (size_t i = 0; i < values.size(); ++i) {
            const std::string name = std::to_string(i);
            const at::Tensor& value = values[i];
            if (const auto view = shared.views.find(i); view != shared.views.end()) {
                model.json["views"][name] = {{"shared", view->second.piece},
                                             {"offset", view->second.offset},
                                             {"conj", value.is_conj()},
                                             {"neg", value.is_neg()}};
                model.json["version"] = kVersionOfViews;
            } else if (isSparseLayout(value.layout())) {
                for (const auto& [part, tensor] : sparseParts(value))
                    addRecord(name + '.' + part, tensor);
                model.json["sparse"][name] = {
                    {"coalesced", value.layout() == at::kSparse && value.is_coalesced()}};
                for (const auto& [part, tensor] : sparseParts(value))
                    model.json["sparse"][name][part] = toJson(ValueMeta{describe(tensor)});
                model.json["version"] = kVersionOfViews;
            } else if (value.layout() != at::kStrided) {
                throw Error("", "holds a tensor of layout " + layoutText(value.layout()) +
                                    ", which such a file cannot hold");
            } else {
                addRecord(name, value);
            }
        }
    }

    void addRecord(std::string name, const at::Tensor& value) {
        TensorMeta meta = describe(value);
        const DtypeInfo* dtype = dtypeInfo(meta.dtype);
        if (!dtype || dtype->safetensors.empty()) {
            meta.dtype = c10::ScalarType::Byte;
            meta.shape = {static_cast<int64_t>(value.numel() * value.element_size())};
        }
        m_records.push_back({std::move(name), std::move(meta), value});
    }

    void writeTensors(ZipWriter& zip) {
        std::vector<std::pair<std::string, const TensorMeta*>> table;
        for (const Record& record : m_records)
            table.emplace_back(record.name, &record.meta);
        zip.begin(kTensors);
        zip.append(safetensorsHeader(table));
        for (size_t i = 0; i < m_records.size(); ++i) {
            m_progress.step(0.2 + 0.7 * static_cast<double>(i) / static_cast<double>(m_records.size()),
                            "tensors");
            zip.append(tensorContent(m_records[i].value));
        }
        zip.end();
    }

    void writeExamples(ZipWriter& zip) {
        std::string bytes;
        try {
            if (m_opened.examples)
                bytes = torchFileBytes(makeSequence(m_opened.examples(), true));
        } catch (const Error&) {
            // An example that cannot be pickled is generated again from its shape.
        }
        if (!bytes.empty())
            zip.add(kExamples, bytes);
    }

    const OpenedModel& m_opened;
    const Model& m_model;
    Progress& m_progress;
    std::vector<Record> m_records;
};

} // namespace

void writeFxg(const OpenedModel& model, const std::string& path, Progress& progress) {
    if (!model.whyNoGraph.reason.empty())
        throw Error(path, "cannot be written, because there is no graph: " + model.whyNoGraph.reason)
            .hint(model.whyNoGraph.advice);
    progress.step(0, "writing " + path);
    ZipWriter zip(path);
    Writer(model, progress).write(zip);
    zip.finish();
    progress.step(1, "done");
}

std::string fxgBytes(const OpenedModel& model, Progress& progress) {
    ZipWriter zip;
    Writer(model, progress).write(zip);
    return zip.takeBytes();
}

} // namespace fx
