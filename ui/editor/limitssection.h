#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// When trials end early, and the limits of the whole sweep.
class LimitsSection : public FormSection {
    Q_OBJECT

public:
    explicit LimitsSection(QWidget *parent);

    void display(const SweepDraft &draft) override;

private:
    void followMethod();

    KeyField *m_method;
    FieldGrid *m_more;
    std::vector<KeyField *> m_ofPruning;
};

}  // namespace sweepscope::ui
