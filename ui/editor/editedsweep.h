#pragma once

#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <QString>

#include <string>

namespace sweepscope::ui {

/// The current state of the existing sweep whose definition is in the editor.
struct EditedSweep {
    qint64 id = 0;
    QString name;
    sweep::SweepSpec spec;  ///< as the form reads it, for comparison with the draft
    std::string toml;
    bool isRun = false;
    QString hindrance;  ///< why it cannot be changed at present; empty if it can

    /// Ignores values that the launch filled in. `text` is the sweep file as typed, including comments; empty if only
    /// the form was used.
    bool isChangedBy(const sweep::SweepSpec &draft, const std::string &text) const;
};

/// Returns whether the only differences are those that the Devices page makes.
bool differsInGpusAlone(sweep::SweepSpec before, const sweep::SweepSpec &after);

EditedSweep editedSweep(const sweep::SweepRecord &record);

/// "#3 digits-mlp"
QString numberedName(const sweep::SweepRecord &record);

}  // namespace sweepscope::ui
