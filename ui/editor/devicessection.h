#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// What the trials run on, and how many at once.
class DevicesSection : public FormSection {
    Q_OBJECT

public:
    explicit DevicesSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    void setMachineText(const QString &text);

private:
    void addUsual(FieldGrid *grid);
    void addMore();

    QComboBox *m_kind;
    QSpinBox *m_perRank;
    QSpinBox *m_concurrent;
    QSpinBox *m_cpuSlots;
    QLabel *m_machine;
    QLineEdit *m_pin;
    QLineEdit *m_exclude;
    QComboBox *m_foreign;
    QSpinBox *m_perGpu;
    QLineEdit *m_memory;
    QSpinBox *m_coresPerRank;
    QComboBox *m_affinity;
};

}  // namespace sweepscope::ui
