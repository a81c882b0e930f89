#pragma once

#include "sweep/records.h"

#include <functional>

class QMenu;

namespace sweepscope::ui {

/// What can be done with a sweep from its row in a list.
struct SweepMenuActions {
    std::function<void()> edit;
    std::function<void()> copy;
    std::function<void()> stop;
    std::function<void(bool archived)> archive;
    std::function<void()> deletion;
};

/// Adds them to `menu`; those that the sweep's state, or a window that only reads, does not allow are grey and say why.
void addSweepActions(QMenu *menu, const sweep::SweepRecord &sweep, bool readOnly, const SweepMenuActions &actions);

}  // namespace sweepscope::ui
