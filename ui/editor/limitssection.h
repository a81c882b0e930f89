#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// Which trials end early, and what the whole sweep may take.
class LimitsSection : public FormSection {
    Q_OBJECT

public:
    explicit LimitsSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;

private:
    void addPruning();
    void addBudget();
    std::optional<sweep::PruneMethod> method() const;
    void followMethod();

    QComboBox *m_method;
    QLineEdit *m_firstStep;
    QLineEdit *m_every;
    QLineEdit *m_factor;
    QSpinBox *m_minTrials;
    FormField *m_firstStepField = nullptr;
    FormField *m_everyField = nullptr;
    FormField *m_factorField = nullptr;
    FormField *m_minTrialsField = nullptr;
    QLineEdit *m_time;
    QLineEdit *m_deviceTime;
};

}  // namespace sweepscope::ui
