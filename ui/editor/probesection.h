#pragma once

#include "ui/editor/formsection.h"

class QCheckBox;
class QPushButton;

namespace sweepscope::ui {

/// Measuring batch sizes instead of training.
class ProbeSection : public FormSection {
    Q_OBJECT

public:
    explicit ProbeSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;

Q_SIGNALS:
    /// Make a probe of the sweep that the form has.
    void probeRequested();

private:
    void followUse();

    QPushButton *m_make;
    QCheckBox *m_use;
    QWidget *m_fields;
};

}  // namespace sweepscope::ui
