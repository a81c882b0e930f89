#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/rankscard.h"

#include <QScrollArea>
#include <QScrollBar>

#include <vector>

class QGridLayout;

namespace sweepscope::ui {

class ConnectionsCard;
class CoresCard;
class DeviceCard;
class DeviceOverview;
class DeviceWatcher;
class HostCard;

/// All GPUs on cards, or one row per GPU and the card of the selected one.
enum class DeviceView { AsFits, Overview, Cards };

/// The cards of all devices, in as many columns as fit.
class DeviceCards : public QScrollArea {
    Q_OBJECT

public:
    /// Cards and rows follow the readings of `watcher`.
    explicit DeviceCards(const DeviceWatcher *watcher, QWidget *parent = nullptr);

    void showDevices(const std::vector<protocol::DeviceStatus> &devices);
    /// Whose ranks are listed.
    void showRunning(const std::vector<RunningAttempt> &attempts);
    /// AsFits: the overview, where there are more GPUs than fit as cards.
    void setView(DeviceView view);
    bool isOverview() const { return m_isOverview; }
    /// True for several GPUs: a single one is always shown as a card.
    bool hasOverview() const { return m_gpus.size() > 1; }
    /// Applies to the existing cards.
    void showSweep(const SweepGpus &shown);
    bool hasConnections() const;
    /// Whether some cards are visible only after scrolling.
    bool hidesCards() const { return !m_isOverview && verticalScrollBar()->maximum() > 0; }
    void goToGpu(const QString &deviceId);
    /// Scrolls to the card of the connections.
    void goToConnections();

Q_SIGNALS:
    void viewChanged();
    void changeRequested(const QString &gpuId, sweepscope::sweep::GpuListChange change);
    void choiceRequested();
    void holderClicked(const sweepscope::protocol::DeviceHolder &holder);
    void copied(const QString &text);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void addCard();
    bool wantsOverview() const;
    int columnsThatFit() const;
    std::vector<QWidget *> shownCards() const;
    void goToCard(int row);
    /// Arranges the cards again, even if the number of columns is the same.
    void arrangeAll();
    void arrange();

    const DeviceWatcher *m_watcher;
    QWidget *m_inside;
    QGridLayout *m_grid;
    DeviceOverview *m_overview;
    std::vector<DeviceCard *> m_gpus;
    ConnectionsCard *m_connections;
    CoresCard *m_cores;
    HostCard *m_host;
    RanksCard *m_ranks;
    int m_columns = 0;
    DeviceView m_view = DeviceView::AsFits;
    bool m_isOverview = false;
};

}  // namespace sweepscope::ui
