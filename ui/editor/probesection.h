#pragma once

#include "ui/editor/formsection.h"
#include "ui/models/probereader.h"

#include <optional>

class QCheckBox;
class QPushButton;

namespace sweepscope::ui {

/// Settings to measure batch sizes instead of training.
class ProbeSection : public FormSection {
    Q_OBJECT

public:
    explicit ProbeSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    /// Sets the suggestion of a probe of this sweep; nullopt hides the button that applies it.
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);

Q_SIGNALS:
    /// Requests a probe of the sweep in the form.
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
