#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/recentreadings.h"

#include <QScrollArea>
#include <QScrollBar>

#include <vector>

class QGridLayout;

namespace sweepscope::ui {

class ConnectionsCard;
class CoresCard;
class DeviceCard;
class DeviceOverview;

/// How the GPUs are shown: all on a card of their own, or a row for each and the card of one of them.
enum class DeviceView { AsFits, Overview, Cards };

/// The cards of all devices, in as many columns as there is room for.
class DeviceCards : public QScrollArea {
    Q_OBJECT

public:
    explicit DeviceCards(QWidget *parent = nullptr);

    void showDevices(const std::vector<protocol::DeviceStatus> &devices, const DeviceReadings &readings, bool live);
    /// AsFits: the overview, where there are more GPUs than fit as cards.
    void setView(DeviceView view);
    bool isOverview() const { return m_isOverview; }
    /// There is something to choose: a GPU alone has its card.
    bool hasOverview() const { return m_gpus.size() > 1; }
    /// For the cards that are there.
    void showSweep(const SweepGpus &shown);
    bool hasConnections() const;
    /// Some cards are seen only by scrolling.
    bool hidesCards() const { return !m_isOverview && verticalScrollBar()->maximum() > 0; }
    void goToGpu(const QString &deviceId);
    /// Brings the card of how GPUs are connected into view.
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
    /// Anew, even where there are as many columns as before.
    void arrangeAll();
    void arrange();

    QWidget *m_inside;
    QGridLayout *m_grid;
    DeviceOverview *m_overview;
    std::vector<DeviceCard *> m_gpus;
    ConnectionsCard *m_connections;
    CoresCard *m_cores;
    int m_columns = 0;
    DeviceView m_view = DeviceView::AsFits;
    bool m_isOverview = false;
};

}  // namespace sweepscope::ui
