#pragma once

#include "sweep/records.h"

#include <functional>
#include <vector>

class QMenu;

namespace sweepscope::ui {

/// What a user asks of one or several sweeps in a list.
enum class SweepRequest {
    Edit,
    Clone,
    Rename,
    Star,
    Unstar,
    Mark,
    Stop,
    RemoveCheckpoints,
    Join,
    Archive,
    Restore,
    Delete
};

/// Adds the actions of `sweeps` to `menu`. Those that the states of the sweeps or a read-only window do not allow are
/// disabled and say why.
void addSweepActions(QMenu *menu, const std::vector<sweep::SweepRecord> &sweeps, bool readOnly,
                     const std::function<void(SweepRequest)> &request);

/// Whether the menu of these sweeps has the action, enabled.
bool isOffered(SweepRequest request, const std::vector<sweep::SweepRecord> &sweeps, bool readOnly);

}  // namespace sweepscope::ui
