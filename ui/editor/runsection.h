#pragma once

#include "ui/editor/formsection.h"

class QPlainTextEdit;
class QRadioButton;
class QToolButton;

namespace sweepscope::ui {

class CommandFields;
class SettingsGrid;

/// The command of each rank, and how a trial is run.
class RunSection : public FormSection {
    Q_OBJECT

public:
    explicit RunSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    void reveal(const FormField *field) override;
    /// Sets where relative paths start.
    void setBaseFolder(const QString &folder);
    /// Returns the button of the chosen worker, which has no field.
    QWidget *workerChoice() const;

private:
    void addWorkers();
    void addAttempt();
    void followWorker();

    QRadioButton *m_builtin;
    QRadioButton *m_command;
    SettingsGrid *m_settings;
    CommandFields *m_commandFields;
    KeyField *m_workingFolder;
    QPlainTextEdit *m_environment;
};

}  // namespace sweepscope::ui
