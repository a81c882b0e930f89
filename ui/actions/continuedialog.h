#pragma once

#include "protocol/engineclient.h"

#include <QDialog>

#include <string>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;

namespace sweepscope::ui {

/// Adds a trial for each of some that have ended. It continues the checkpoint of that trial, with the values entered here.
class ContinueDialog : public QDialog {
    Q_OBJECT

public:
    ContinueDialog(protocol::EngineClient *client, const sweep::SweepRecord &sweep, std::vector<int> trials,
                   QWidget *parent = nullptr);

private:
    void send();
    void answered(quint64 job, const QString &problem);

    protocol::EngineClient *m_client;
    qint64 m_sweepId;
    std::vector<int> m_trials;
    std::vector<std::pair<std::string, QLineEdit *>> m_fields;
    QLabel *m_problem;
    quint64 m_job = 0;
};

}  // namespace sweepscope::ui
