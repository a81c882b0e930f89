#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

class MachineChoice;

/// The devices of trials, and the number of concurrent ones.
class DevicesSection : public FormSection {
    Q_OBJECT

public:
    explicit DevicesSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void setMachineText(const QString &text);
    /// Names of the other machines of the workspace.
    void setKnownMachines(const QStringList &names);

private:
    void showMachines();

    QLabel *m_machine;
    MachineChoice *m_choice;
    FormField *m_choiceField;
    KeyField *m_machines = nullptr;
};

}  // namespace sweepscope::ui
