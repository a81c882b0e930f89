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

/// The GPUs and cores of the machine: current or last known readings, and the holders.
class DevicesPage : public EnginePage {
    Q_OBJECT

public:
    /// Without `settings`, the chosen view is not stored. Cards show how the selected sweep may use each GPU, and can
    /// change it.
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
    void showState();
    void showNote(const std::vector<protocol::DeviceStatus> &devices);
    void showEdit();
    void goTo(const protocol::DeviceHolder &holder);

    QSettings *m_settings;
    DeviceWatcher *m_watcher;
    QLabel *m_stateIcon;
    QLabel *m_state;
    QLabel *m_copied;
    QPushButton *m_choose;
    QPushButton *m_toConnections;
    QButtonGroup *m_views;
    NoticeBanner *m_note;
    QString m_wrongGpu;  ///< target of the note's link
    NoticeBanner *m_edited;
    QString m_editText;  ///< result of the last change of a sweep's lists
    bool m_editFailed = false;
    DeviceCards *m_cards;
    GpuListEdit *m_gpuLists;
    qint64 m_sweepId = 0;  ///< the shown sweep
};

}  // namespace sweepscope::ui
