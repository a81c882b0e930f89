#pragma once

#include "protocol/engineclient.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace sweepscope::ui {

/// Joins the trials of several sweeps in a new sweep. `chosen` are checked at first.
class JoinDialog : public QDialog {
    Q_OBJECT

public:
    JoinDialog(protocol::EngineClient *client, const QList<qint64> &chosen, QWidget *parent = nullptr);

Q_SIGNALS:
    void joined(qint64 sweepId);

private:
    std::vector<std::int64_t> checkedSweeps() const;
    /// Offers what the checked sweeps have in common.
    void follow();
    void check();
    void showProblem(const QString &problem);
    void send();

    protocol::EngineClient *m_client;
    QListWidget *m_sweeps;
    QLineEdit *m_name;
    QComboBox *m_objective;
    QLabel *m_summary;
    QLabel *m_problem;
    QPushButton *m_join;
    quint64 m_job = 0;
};

}  // namespace sweepscope::ui
