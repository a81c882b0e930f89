#pragma once

#include "ui/actions/pointdialog.h"

#include <vector>

namespace sweepscope::ui {

/// Adds a trial for each of some that have ended. It continues the checkpoint of that trial, with the values entered here.
class ContinueDialog : public PointDialog {
    Q_OBJECT

public:
    ContinueDialog(protocol::EngineClient *client, const sweep::SweepRecord &sweep, std::vector<int> trials,
                   QWidget *parent = nullptr);

private:
    static QString hintFor(const std::vector<int> &trials);
    static std::vector<Field> fieldsFor(const protocol::EngineClient &client, const sweep::SweepRecord &sweep,
                                        const std::vector<int> &trials);
    std::uint64_t request() override;

    qint64 m_sweepId;
    std::vector<int> m_trials;
};

}  // namespace sweepscope::ui
