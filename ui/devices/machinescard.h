#pragma once

#include "protocol/machinestatus.h"

#include <QFrame>

#include <vector>

class QLabel;
class QTableView;

namespace sweepscope::ui {

class MachineRowsModel;

/// The machines of the workspace; a click shows the devices of one. Names are empty for the engine's machine.
class MachinesCard : public QFrame {
    Q_OBJECT

public:
    explicit MachinesCard(QWidget *parent = nullptr);

    void showMachines(const std::vector<protocol::DeviceStatus> &here,
                      const std::vector<protocol::MachineStatus> &others);
    QString chosen() const { return m_chosen; }
    /// `why`: why machines cannot be edited; empty if they can.
    void setFixed(const QString &why) { m_whyFixed = why; }
    void setEngineIsHere(bool isHere);

Q_SIGNALS:
    void machineChosen(const QString &name);
    void editRequested(const QString &name);
    void checkRequested(const QString &name);
    void removeRequested(const QString &name);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();
    void showMenu(int row, const QPoint &place);

    MachineRowsModel *m_model;
    QTableView *m_table;
    QLabel *m_engineNote;
    QString m_chosen;
    QString m_whyFixed;
    bool m_isFilling = false;
};

}  // namespace sweepscope::ui
