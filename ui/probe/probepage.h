#pragma once

#include "ui/models/probereader.h"

#include <QWidget>

class QLabel;

namespace sweepscope::ui {

class ProbePlot;

/// What a sweep with a [probe] section has measured, and which value it proposes. Hides itself for other sweeps.
class ProbePanel : public QWidget {
    Q_OBJECT

public:
    explicit ProbePanel(protocol::EngineClient *client, QWidget *parent = nullptr);

    void showSweep(qint64 sweepId) { m_reader.setSweep(sweepId); }

private:
    void showProbe();

    ProbeReader m_reader;
    QLabel *m_sentence;
    ProbePlot *m_plot;
};

}  // namespace sweepscope::ui
