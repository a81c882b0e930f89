#pragma once

#include "ui/base/enginepage.h"
#include "ui/devices/devicewatcher.h"

class QButtonGroup;
class QLabel;
class QPushButton;
class QSettings;

namespace sweepscope::ui {

class DeviceCards;
class GpuListEdit;
class NoticeBanner;

/// The GPUs and cores of the machine: what they do now, or did when they were last read, and who is on them.
class DevicesPage : public EnginePage {
    Q_OBJECT

public:
    /// Without `settings` nothing is remembered of how the GPUs are shown.
    /// What the selected sweep says of the GPUs is told on their cards, and can be changed there.
    DevicesPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings = nullptr,
                QWidget *parent = nullptr);

Q_SIGNALS:
    void trialRequested(qint64 sweepId, int trialNumber);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QLayout *buildHead();
    QLayout *buildViewSwitch();
    void connectCards();
    void showView();
    void refresh() override;
    void followSelection(bool isOtherSweep) override;
    bool concerns(qint64) const override { return true; }
    QString whyNone() const;
    void showState(WallNs now, bool live);
    void showNote(const std::vector<protocol::DeviceStatus> &devices);
    void showEdit();
    void goTo(const protocol::DeviceHolder &holder);

    QSettings *m_settings;
    DeviceWatcher *m_watcher;
    std::shared_ptr<const DeviceReadings> m_readings;
    QLabel *m_stateIcon;
    QLabel *m_state;
    QLabel *m_copied;
    QPushButton *m_choose;
    QPushButton *m_toConnections;
    QButtonGroup *m_views;
    NoticeBanner *m_note;
    QString m_wrongGpu;  ///< the one that the note leads to
    NoticeBanner *m_edited;
    QString m_editText;  ///< what became of the last change of a sweep's lists
    bool m_editFailed = false;
    DeviceCards *m_cards;
    GpuListEdit *m_gpuLists;
    qint64 m_sweepId = 0;  ///< that is shown
};

}  // namespace sweepscope::ui
