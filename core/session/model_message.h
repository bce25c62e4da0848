// SPDX-License-Identifier: GPL-3.0-or-later
// An opened model from one process to another.
#pragma once

#include "core/io/opened_model.h"
#include "core/session/channel.h"
#include "core/session/tensor_message.h"

namespace fx {

/// Two files in memory, written by one process and then read by the other.
class MessageFiles {
public:
    MessageFiles();
    /// Takes over descriptors that another process has made.
    MessageFiles(int text, int data);

    int text() const { return m_text->number(); }
    int data() const { return m_data->number(); }

private:
    std::shared_ptr<const Descriptor> m_text, m_data;
};

/// The model, but for the examples and the layout that were saved with it.
void sendModel(const OpenedModel& model, const MessageFiles& to);
/// Names, where they alone were asked for.
void sendNames(const std::vector<std::string>& names, const MessageFiles& to);
/// Why there is nothing.
void sendError(const class Error& error, const MessageFiles& to);
/// The model that was sent, or throws the Error that was. Nothing of the message is believed. `path`: what
/// was opened.
OpenedModel receiveModel(const MessageFiles& from, const std::string& path);
std::vector<std::string> receiveNames(const MessageFiles& from, const std::string& path);

} // namespace fx
