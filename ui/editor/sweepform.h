#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"
#include "ui/models/probereader.h"

#include <QScrollArea>

#include <vector>

namespace sweepscope::ui {

struct AllocationPreview;
class AllocationSection;
class ConstraintSection;
class DevicesSection;
class FormField;
class FormSection;
class GoalSection;
class ProbeSection;
class RunSection;
class SpaceSection;

/// All sections of the form, one under the other.
class SweepForm : public QScrollArea {
    Q_OBJECT

public:
    explicit SweepForm(QWidget *parent = nullptr);

    /// Shows a draft; not told as an edit.
    void display(const SweepDraft &draft);
    /// What is typed; of what the form does not show, what was displayed last.
    SweepDraft draft() const;
    void setBaseFolder(const QString &folder);
    /// To be looked at: nothing can be typed.
    void setReadOnly(bool readOnly) { widget()->setEnabled(!readOnly); }
    void setMachineText(const QString &text);
    void setReported(const QStringList &metrics);
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);
    /// Each at its field; those of fields that the form has not are only in the summary.
    void showProblems(const std::vector<PlacedProblem> &problems);
    /// What would run on what; null: not known yet, or nothing to know, for which `reason` says why.
    void showAllocation(const AllocationPreview *preview, const QString &reason = {});
    void beginAtName();  ///< ready to be typed over
    void scrollToTop();
    void showAllocationSection();
    void focusProblem(const PlacedProblem &problem);
    /// "Ranks per trial" for "run.ranks"; for a row of a table its name.
    QString titleOf(const PlacedProblem &problem) const;

Q_SIGNALS:
    void probeRequested();  ///< a batch-size probe of this sweep is wanted
    void suggestionAccepted();
    /// A person changed something; `place` names the field.
    void edited(const QString &place);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void add(FormSection *section);
    void onEdited(const QString &place);
    FormField *fieldFor(const QString &path) const;

    SweepDraft m_displayed;  ///< with what the form has no field for
    std::vector<FormSection *> m_sections;
    std::vector<FormField *> m_fields;
    GoalSection *m_goal = nullptr;
    SpaceSection *m_space = nullptr;
    ConstraintSection *m_constraints = nullptr;
    RunSection *m_run = nullptr;
    DevicesSection *m_devices = nullptr;
    ProbeSection *m_probe = nullptr;
    AllocationSection *m_allocation = nullptr;
    bool m_displaying = false;
};

}  // namespace sweepscope::ui
