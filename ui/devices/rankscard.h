#pragma once

#include "protocol/devicestatus.h"

#include <QFrame>

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

class QTableView;

namespace sweepscope::ui {

class DeviceWatcher;
class RankLoadsModel;

/// A running attempt and the files in which its agents write the load of its ranks.
struct RunningAttempt {
    protocol::DeviceHolder trial;
    std::vector<std::filesystem::path> hostFeeds;

    bool operator==(const RunningAttempt &) const = default;
};

/// CPU, memory and disk traffic of the ranks of running trials.
class RanksCard : public QFrame {
    Q_OBJECT

public:
    explicit RanksCard(QWidget *parent = nullptr);
    ~RanksCard() override;

    void showAttempts(const std::vector<RunningAttempt> &attempts);
    bool isEmpty() const { return m_attempts.empty(); }

Q_SIGNALS:
    void trialActivated(const sweepscope::protocol::DeviceHolder &trial);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void fit();

    std::vector<RunningAttempt> m_attempts;
    std::map<std::filesystem::path, std::unique_ptr<DeviceWatcher>> m_watchers;
    RankLoadsModel *m_model;
    QTableView *m_table;
};

}  // namespace sweepscope::ui
