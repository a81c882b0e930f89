#pragma once

#include "protocol/engineclient.h"

#include <QDialog>

#include <vector>

class QLabel;
class QLineEdit;

namespace sweepscope::ui {

/// Adds a trial like this one with other values: the engine adds it to the sweep, even outside of its ranges, and
/// starts it before waiting ones.
class CloneDialog : public QDialog {
    Q_OBJECT

public:
    CloneDialog(protocol::EngineClient *client, qint64 sweepId, const sweep::TrialRecord &trial,
                QWidget *parent = nullptr);

Q_SIGNALS:
    void added();

private:
    void send();
    void answered(quint64 job, const QString &problem);

    protocol::EngineClient *m_client;
    qint64 m_sweepId;
    std::vector<std::pair<std::string, QLineEdit *>> m_fields;
    QLabel *m_problem;
    quint64 m_job = 0;
};

}  // namespace sweepscope::ui
