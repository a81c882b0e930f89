#pragma once

#include "ui/editor/formsection.h"
#include "ui/editor/placedproblem.h"

namespace sweepscope::ui {

class ConstraintModel;
class EditableTable;
class NameDelegate;
class SpaceModel;

/// The parameters that vary between trials.
class SpaceSection : public FormSection {
    Q_OBJECT

public:
    explicit SpaceSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    EditableTable *table() const { return m_table; }

private:
    SpaceModel *m_model;
    NameDelegate *m_names;
    EditableTable *m_table;
};

/// Excludes combinations of parameters.
class ConstraintSection : public FormSection {
    Q_OBJECT

public:
    explicit ConstraintSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    EditableTable *table() const { return m_table; }

private:
    ConstraintModel *m_model;
    EditableTable *m_table;
};

}  // namespace sweepscope::ui
