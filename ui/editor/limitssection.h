#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// Which trials end early, and what the whole sweep may take.
class LimitsSection : public FormSection {
    Q_OBJECT

public:
    explicit LimitsSection(QWidget *parent);

    void display(const SweepDraft &draft) override;

private:
    void followMethod();

    KeyField *m_method;
    std::vector<KeyField *> m_ofPruning;
};

}  // namespace sweepscope::ui
