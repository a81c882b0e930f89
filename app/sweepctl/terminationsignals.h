#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace sweepscope::ctl {

/// Emits SIGTERM and SIGINT as a Qt signal. At most one object per process.
class TerminationSignals : public QObject {
    Q_OBJECT

public:
    explicit TerminationSignals(QObject *parent = nullptr);
    ~TerminationSignals() override;

Q_SIGNALS:
    void received();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace sweepscope::ctl
