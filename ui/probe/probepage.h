#pragma once

#include "ui/base/enginepage.h"
#include "ui/models/probereader.h"

class QLabel;
class QPushButton;
class QTableView;

namespace sweepscope::ui {

class ProbeModel;
class ProbePlot;

/// What a sweep with a [probe] section has measured, and which value it suggests. Takes the place of the Analysis page: the
/// objective of a probe means nothing.
class ProbePage : public EnginePage {
    Q_OBJECT

public:
    ProbePage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent = nullptr);

Q_SIGNALS:
    void trialActivated(qint64 sweepId, int trialNumber);
    void valueRequested(const QString &parameter, double value);  ///< to be used in a sweep

private:
    QLayout *buildHead();
    void buildTable();
    void refresh() override;
    void showProbe();

    ProbeReader m_reader;
    ProbeModel *m_model;
    QLabel *m_sentence;
    QPushButton *m_use;
    ProbePlot *m_plot;
    QTableView *m_table;
};

}  // namespace sweepscope::ui
