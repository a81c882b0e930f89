#pragma once

#include "protocol/devicestatus.h"

#include <QFrame>

#include <vector>

class QLabel;
class QTableView;

namespace sweepscope::ui {

class ConnectionModel;

/// Shows how the GPUs of a machine are connected: a table of all pairs, and a legend.
class ConnectionsCard : public QFrame {
    Q_OBJECT

public:
    explicit ConnectionsCard(QWidget *parent = nullptr);

    void showDevices(const std::vector<protocol::DeviceStatus> &devices);
    /// True for at least two GPUs.
    bool hasConnections() const;

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();

    ConnectionModel *m_model;
    QTableView *m_table;
    QLabel *m_simulated;
    QLabel *m_legend;
};

}  // namespace sweepscope::ui
