#pragma once

#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <QString>

#include <string>

namespace sweepscope::ui {

/// The sweep that exists and whose definition is in the editor, as it is now.
struct EditedSweep {
    qint64 id = 0;
    QString name;
    sweep::SweepSpec spec;  ///< as the form reads it, so that it can be compared with what is typed
    std::string toml;
    QString hindrance;  ///< why it cannot be changed at present; empty: it can

    /// What is filled in at the launch makes no difference. `text`: the sweep file as typed, whose comments are its own;
    /// empty: the form alone was used.
    bool isChangedBy(const sweep::SweepSpec &draft, const std::string &text) const;
};

/// As the Devices page changes a sweep.
bool differsInGpusAlone(sweep::SweepSpec before, const sweep::SweepSpec &after);

EditedSweep editedSweep(const sweep::SweepRecord &record);

/// "#3 digits-mlp"
QString numberedName(const sweep::SweepRecord &record);

/// Why a sweep's definition cannot be changed; empty: it can.
QString whyNotEdited(const sweep::SweepRecord &record, bool readOnly);
/// The same for going back to the definition before the last edit.
QString whyNoEditUndone(const sweep::SweepRecord &record, bool readOnly);

}  // namespace sweepscope::ui
