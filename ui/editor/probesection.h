#pragma once

#include "ui/editor/formsection.h"
#include "ui/models/probereader.h"

#include <optional>

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
    /// What a probe of this sweep suggested; nullopt hides the button that uses it.
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);

Q_SIGNALS:
    /// Make a probe of the sweep that the form has.
    void probeRequested();
    void suggestionAccepted();

private:
    void followUse();

    QPushButton *m_make;
    QPushButton *m_accept;
    QCheckBox *m_use;
    QWidget *m_fields;
};

}  // namespace sweepscope::ui
