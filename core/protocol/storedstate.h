#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "protocol/statemirror.h"

#include <QString>

#include <filesystem>
#include <optional>

namespace sweepscope::protocol {

class EngineClient;

/// What a workspace on another machine had when it was last seen: for a window that is opened without a connection.
struct StoredState {
    QString workspace;  ///< EngineClient::workspaceName()
    WallNs time = 0;
    StateMirror state;
};

/// Writes what the client knows.
Expected<void> storeState(const std::filesystem::path &file, const EngineClient &client);
/// Returns nullopt if there is no such file, or none of this version of the protocol.
std::optional<StoredState> storedState(const std::filesystem::path &file);

}  // namespace sweepscope::protocol
