#pragma once

#include "sweep/records.h"

#include <functional>

class QMenu;

namespace sweepscope::ui {

/// The actions of a sweep's row in a list.
struct SweepMenuActions {
    std::function<void()> edit;
    std::function<void()> copy;
    std::function<void()> stop;
    std::function<void(bool archived)> archive;
    std::function<void()> deletion;
};

/// Adds the actions to `menu`; those that the sweep's state or a read-only window does not allow are disabled and say
/// why.
void addSweepActions(QMenu *menu, const sweep::SweepRecord &sweep, bool readOnly, const SweepMenuActions &actions);

}  // namespace sweepscope::ui
