#pragma once

#include "diagnosis/batchprobe.h"
#include "protocol/engineclient.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;

namespace sweepscope::ui {

class ProbePlot;

/// What a sweep with a [probe] section has measured, and which value it proposes. Hides itself for other sweeps. Files
/// are read in another thread.
class ProbePanel : public QWidget {
    Q_OBJECT

public:
    explicit ProbePanel(protocol::EngineClient *client, QWidget *parent = nullptr);

    void showSweep(qint64 sweepId);

private:
    void read();
    void take(qint64 sweepId, const diagnosis::BatchProbe &probe);

    protocol::EngineClient *m_client;
    QLabel *m_sentence;
    ProbePlot *m_plot;
    QTimer m_refresh;  ///< many messages, one reading
    qint64 m_sweepId = 0;
    std::optional<sweep::SweepSpec> m_spec;  ///< of the sweep, if it is a probe
    bool m_isReading = false;
};

}  // namespace sweepscope::ui
