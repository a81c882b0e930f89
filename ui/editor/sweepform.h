#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"
#include "ui/models/probereader.h"

#include <QScrollArea>

#include <vector>

namespace sweepscope::ui {

struct AllocationPreview;
struct PointPreview;
class AllocationSection;
class DevicesSection;
class EditableTable;
class FirstPointsSection;
class FormField;
class FormSection;
class GoalSection;
class ProbeSection;
class RunSection;

/// All sections of the form, below each other.
class SweepForm : public QScrollArea {
    Q_OBJECT

public:
    explicit SweepForm(QWidget *parent = nullptr);

    /// Displays a draft; emits no edit.
    void display(const SweepDraft &draft);
    /// The draft as typed; values that the form does not show are those displayed last.
    SweepDraft draft() const;
    void setBaseFolder(const QString &folder);
    /// Disables all input.
    void setReadOnly(bool readOnly) { widget()->setEnabled(!readOnly); }
    void setMachineText(const QString &text);
    void setKnownMachines(const QStringList &names);
    void setReported(const QStringList &metrics);
    void setChoice(const facts::Fact &choice);
    /// Whether the draft is the definition of a sweep that was launched.
    void setLaunched(bool isLaunched);
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);
    /// Shows each problem at its field; problems of fields that the form does not have are in the summary only.
    void showProblems(const std::vector<PlacedProblem> &problems);
    /// Shows the first points of the search; null if there are none, for `reason`.
    void showFirstPoints(const PointPreview *preview, const QString &reason = {});
    /// Shows the planned allocation; null if it is unknown or there is none, for `reason`.
    void showAllocation(const AllocationPreview *preview, const QString &reason = {});
    /// Shows these lines below the planned allocation.
    void showMemory(const QStringList &lines);
    void beginAtName();  ///< focuses the name and selects it
    void scrollToTop();
    void showAllocationSection();
    void focusProblem(const PlacedProblem &problem);
    /// "Ranks per trial" for "run.ranks"; the row's name in a table.
    QString titleOf(const PlacedProblem &problem) const;

Q_SIGNALS:
    void probeRequested();  ///< requests a batch-size probe of this sweep
    void suggestionAccepted();
    /// The user changed something; `place` names the field.
    void edited(const QString &place);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void add(FormSection *section);
    void onEdited(const QString &place);
    FormField *fieldFor(const QString &path) const;
    EditableTable *tableFor(const PlacedProblem &problem) const;

    SweepDraft m_displayed;  ///< including values without a field
    std::vector<FormSection *> m_sections;
    std::vector<FormField *> m_fields;
    std::vector<EditableTable *> m_tables;
    GoalSection *m_goal = nullptr;
    FirstPointsSection *m_firstPoints = nullptr;
    RunSection *m_run = nullptr;
    DevicesSection *m_devices = nullptr;
    ProbeSection *m_probe = nullptr;
    AllocationSection *m_allocation = nullptr;
    bool m_displaying = false;
};

}  // namespace sweepscope::ui
