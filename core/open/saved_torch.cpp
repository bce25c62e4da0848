// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/saved_torch.h"

#include "core/base/error.h"
#include "core/io/pickle/pickled_entries.h"
#include "core/io/torch/legacy_torch.h"
#include "core/io/torch/state_dict.h"
#include "core/io/torch/torch_package.h"
#include "core/open/reopen.h"

namespace fx {

/// Archives of PyTorch that hold no graph have what its models have, and more.
bool isModelZip(const Candidate& candidate) {
    return candidate.zip && candidate.foreign.what.empty();
}

bool isTorchFile(const Candidate& candidate) {
    if (candidate.zip)
        return isModelZip(candidate) &&
               (TorchContainer::isTorchZip(*candidate.zip) || isTorchPackage(*candidate.zip));
    return candidate.file && (isLegacyTorch(candidate.file->bytes()) || isTarTorch(candidate.file->bytes()));
}

namespace {

/// The pickle in the file, and the path of the value in it that was asked for.
struct ChosenPickle {
    std::shared_ptr<const TorchContainer> container;
    std::string path;
};

ChosenPickle pickleOf(const Candidate& candidate) {
    const std::string& path = candidate.expression;
    if (!candidate.zip)
        return {std::make_shared<TorchContainer>(TorchContainer::open(candidate.path)), path};
    if (isTorchPackage(*candidate.zip)) // whose expression is "model/model.pkl" or "model/model.pkl:entry"
        return {std::make_shared<TorchContainer>(
                    openPackagedPickle(candidate.zip, path.substr(0, path.find(':')))),
                path.find(':') == std::string::npos ? std::string() : path.substr(path.find(':') + 1)};
    return {std::make_shared<TorchContainer>(TorchContainer::ofZip(candidate.zip, candidate.path)), path};
}

} // namespace

bool holdsPickledModule(const Candidate& candidate) {
    const auto [container, path] = pickleOf(candidate);
    return pickledModelIn(container, path).has_value();
}

OpenedModel readTorchModel(const Candidate& candidate, const OpenOptions& options, Progress&) {
    const auto [container, path] = pickleOf(candidate);
    // The state_dict of a training checkpoint is the model, whatever modules lie beside it.
    if (path.empty())
        if (std::optional<StateDict> state = stateDictIn(*container); state && state->isEntry) {
            if (std::string note = noteOfModules(container->root(), container->place()); !note.empty())
                state->notes.push_back(std::move(note));
            return modelOfState(*state);
        }
    std::optional<OpenedModel> out;
    if (const std::optional<PickledModel> pickled = pickledModelIn(container, path))
        out = reopenPickle(*pickled, options.trace);
    else if (const std::optional<StateDict> state =
                 stateDictIn(*container, *pickledValueAt(container->root(), path)))
        out = modelOfState(*state);
    if (out) {
        out->path = candidate.path; // not that of a pickle in it
        return std::move(*out);
    }
    throw Error(container->place(), "was written by torch.save and holds " +
                                        pickledContentText(container->root()) + ", and no model")
        .hint(kExportAdvice);
}

} // namespace fx
