#pragma once

#include "ui/editor/formsection.h"

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

private:
    SpaceModel *m_model;
    NameDelegate *m_names;
};

/// Excludes combinations of parameters, and trials by their results.
class ConstraintSection : public FormSection {
    Q_OBJECT

public:
    explicit ConstraintSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;

private:
    EditableTable *addTable(ConstraintModel *model, const QString &name, const QString &addText);

    ConstraintModel *m_onParameters;
    ConstraintModel *m_onResults;
};

}  // namespace sweepscope::ui
