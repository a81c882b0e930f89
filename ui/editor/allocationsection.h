#pragma once

#include "ui/editor/allocationplanner.h"
#include "ui/editor/formsection.h"

#include <QStringList>

namespace sweepscope::ui {

class AllocationModel;
class PreviewTable;

/// Shows the schedule of a sweep as if launched now, or the remaining schedule of a running sweep. Read-only.
class AllocationSection : public FormSection {
    Q_OBJECT

public:
    explicit AllocationSection(QWidget *parent);

    void display(const SweepDraft &) override {}
    void readInto(SweepDraft &) const override {}

    void showPreview(const AllocationPreview &preview);
    /// Shows these lines about the memory of a trial below the preview.
    void showMemory(const QStringList &lines);
    /// Shows why there is no plan.
    void showNothing(const QString &reason);

private:
    void setMessage(const QString &head, const QString &more);

    QLabel *m_head;
    QLabel *m_more;
    QLabel *m_memory;
    PreviewTable *m_table;
    AllocationModel *m_model;
};

/// "about 12 min"; empty if unknown.
QString planTimeText(const schedule::SweepPlan &plan);
/// The same; for a running sweep the remaining time: "20 trials left, about 57 min".
QString planEndText(const AllocationPreview &preview);

}  // namespace sweepscope::ui
