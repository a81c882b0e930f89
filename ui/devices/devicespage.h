#pragma once

#include "base/error.h"
#include "ui/base/enginepage.h"
#include "ui/devices/devicewatcher.h"
#include "ui/devices/rankscard.h"

#include <filesystem>
#include <vector>

class QButtonGroup;
class QLabel;
class QPushButton;
class QSettings;

namespace sweepscope::ui {

class DeviceCards;
class GpuListEdit;
class IconLabel;
class MachinesCard;
class NoticeBanner;
class PictureSaver;

/// The machines of the workspace, and the GPUs and cores of the chosen one: current or last known readings, and the holders.
class DevicesPage : public EnginePage {
    Q_OBJECT

public:
    /// Without `settings`, the chosen view is not stored. Cards show how the selected sweep may use each GPU, and can
    /// change it.
    DevicesPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings = nullptr,
                QWidget *parent = nullptr);

    /// Opens the dialog that adds this machine, or edits it if the workspace has it, and checks it.
    void addMachine(const QString &address);
    PictureSaver *pictures() const { return m_pictures; }

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
    /// The chosen one; nullptr for the engine's.
    const protocol::MachineStatus *machine() const;
    std::vector<protocol::DeviceStatus> shownDevices() const;
    /// Those that have devices of the shown machine.
    std::vector<RunningAttempt> runningAttempts(const std::vector<protocol::DeviceStatus> &devices) const;
    void showMachines();
    /// Why machines cannot be added or edited here; empty if they can.
    QString whyMachinesAreFixed() const;
    std::filesystem::path machinesFile() const;
    void editMachine(const QString &name, bool checks);
    void askToRemove(const QString &name);
    void complain(const Error &error);
    QString whyNone() const;
    void showState();
    void showNote(const std::vector<protocol::DeviceStatus> &devices);
    void showEdit();
    void goTo(const protocol::DeviceHolder &holder);

    QSettings *m_settings;
    DeviceWatcher *m_watcher;
    IconLabel *m_stateIcon;
    QLabel *m_state;
    QLabel *m_copied;
    QPushButton *m_choose;
    QPushButton *m_addMachine;
    QPushButton *m_toConnections;
    QButtonGroup *m_views;
    MachinesCard *m_machines;
    NoticeBanner *m_note;
    QString m_wrongGpu;      ///< target of the note's link
    QString m_wrongMachine;  ///< the same
    NoticeBanner *m_edited;
    QString m_editText;  ///< result of the last change of a sweep's lists
    bool m_editFailed = false;
    DeviceCards *m_cards;
    PictureSaver *m_pictures;
    GpuListEdit *m_gpuLists;
    qint64 m_sweepId = 0;  ///< the shown sweep
};

}  // namespace sweepscope::ui
