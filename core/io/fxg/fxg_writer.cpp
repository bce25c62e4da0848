// SPDX-License-Identifier: GPL-3.0-or-later
// Writes .fxg.
#include "core/base/error.h"
#include "core/base/unicode.h"
#include "core/codegen/python_code.h"
#include "core/io/fxg/fxg.h"
#include "core/io/fxg/fxg_members.h"
#include "core/io/model_json.h"
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
        m_tensors = std::move(model.tensors);
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
    /// Each tensor as bytes in C order under its index; its dtype and shape are in the model's table, because
    /// safetensors does not know all of them.
    void writeTensors(ZipWriter& zip) {
        std::vector<TensorMeta> bytes(m_tensors.size());
        std::vector<std::pair<std::string, const TensorMeta*>> table;
        for (size_t i = 0; i < m_tensors.size(); ++i) {
            const TensorMeta& meta = m_model.tensor(m_tensors[i]).meta();
            const DtypeInfo* dtype = dtypeInfo(meta.dtype);
            bytes[i] = meta;
            if (!dtype || dtype->safetensors.empty()) {
                bytes[i].dtype = c10::ScalarType::Byte;
                bytes[i].shape = {static_cast<int64_t>(m_model.tensor(m_tensors[i]).byteCount())};
            }
            table.emplace_back(std::to_string(i), &bytes[i]);
        }
        zip.begin(kTensors);
        zip.append(safetensorsHeader(table));
        for (size_t i = 0; i < m_tensors.size(); ++i) {
            m_progress.step(0.2 + 0.7 * static_cast<double>(i) / static_cast<double>(m_tensors.size()),
                            "tensors");
            zip.append(tensorContent(m_model.tensor(m_tensors[i]).value()));
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
    std::vector<TensorId> m_tensors; ///< in the order of their indices
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
