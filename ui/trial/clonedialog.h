#pragma once

#include "ui/actions/pointdialog.h"

#include <vector>

namespace sweepscope::ui {

/// Adds a trial like this one with other values: the engine adds it to the sweep, even outside of its ranges, and
/// starts it before waiting ones.
class CloneDialog : public PointDialog {
    Q_OBJECT

public:
    CloneDialog(protocol::EngineClient *client, qint64 sweepId, const sweep::TrialRecord &trial,
                QWidget *parent = nullptr);

private:
    static std::vector<Field> fieldsOf(const sweep::TrialRecord &trial);
    std::uint64_t request() override;

    qint64 m_sweepId;
};

}  // namespace sweepscope::ui
