#pragma once

#include "launch/attemptenvironment.h"
#include "protocol/devicestatus.h"
#include "series/energy.h"
#include "sweep/costfactors.h"
#include "sweep/trialhistory.h"
#include "ui/trial/attemptfiles.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QFormLayout;
class QLabel;
class QTabWidget;

namespace sweepscope::ui {

class CommandView;
class FactsModel;

/// An attempt of a trial: its result, command and devices, files, events and environment.
class AttemptDetails : public QWidget {
    Q_OBJECT

public:
    explicit AttemptDetails(QWidget *parent = nullptr);

    /// Sets the devices that give devices their names.
    void setMachine(const std::vector<protocol::DeviceStatus> &machine) { m_machine = machine; }
    void setAttempts(const std::vector<sweep::AttemptRecord> &attempts);
    /// The message while there is no attempt.
    void setEmptyText(const QString &text);
    void setFiles(const std::vector<AttemptFile> &files);
    void setEvents(const std::vector<RankEvent> &events);
    void setEnvironment(const std::optional<launch::AttemptEnvironment> &environment);
    /// Of the chosen attempt; nullopt if unknown.
    void setEnergy(const std::optional<series::Energy> &energy, const sweep::CostFactors &factors);
    /// As soon as the attempt exists; 0: the last one.
    void choose(int number);
    /// Whether the job of the last attempt waits in the queue of its cluster.
    void setQueued(bool queued);
    /// From 1; 0 if there is none.
    int chosenAttempt() const;
    void updateTime();

Q_SIGNALS:
    void attemptChosen(int number);
    void attemptActivated(int number);        ///< by the user
    void fileActivated(const QString &path);  ///< relative to the attempt's folder

private:
    QLabel *addLine(QFormLayout *form, const QString &name, const QString &title);
    static void addRow(QFormLayout *form, const QString &title, QWidget *value);
    void showWanted();
    void showChosen();
    const sweep::AttemptRecord *chosen() const;

    QComboBox *m_chooser;
    QLabel *m_outcome;
    QFormLayout *m_form;
    QLabel *m_cause;
    CommandView *m_command;
    QLabel *m_folder;
    QLabel *m_source;
    QLabel *m_snapshot;
    QLabel *m_devices;
    QLabel *m_energy;
    QTabWidget *m_tables;
    FactsModel *m_files;
    FactsModel *m_events;
    FactsModel *m_environment;
    FactsModel *m_packages;
    FactsModel *m_machineFacts;
    std::vector<protocol::DeviceStatus> m_machine;
    std::vector<sweep::AttemptRecord> m_attempts;
    std::optional<launch::AttemptEnvironment> m_recorded;  ///< of the chosen one
    int m_wanted = 0;                                      ///< 0: the last one
    QString m_emptyText;
    bool m_isQueued = false;
};

}  // namespace sweepscope::ui
