#pragma once

#include "remote/machinecheck.h"
#include "remote/machines.h"

#include <QObject>

#include <memory>

namespace sweepscope::ui {

/// Checks a machine on another thread. If this object is destroyed meanwhile, the result is discarded; the program
/// waits for the check before it quits.
class MachineCheck : public QObject {
    Q_OBJECT

public:
    explicit MachineCheck(QObject *parent = nullptr);
    ~MachineCheck() override;

    /// Does nothing while one runs.
    void start(const remote::Machine &machine);
    bool isRunning() const { return m_isRunning; }

Q_SIGNALS:
    void rowFound(const sweepscope::CheckRow &row);
    void finished(bool canRunTrials);

private:
    struct Receiver;

    std::shared_ptr<Receiver> m_receiver;
    bool m_isRunning = false;
};

}  // namespace sweepscope::ui
