#pragma once

#include "ui/editor/formsection.h"

class QPlainTextEdit;

namespace sweepscope::ui {

/// The command of a rank: one line as in a terminal, and below it the resulting arguments.
class CommandFields : public FormSection {
    Q_OBJECT

public:
    explicit CommandFields(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;

private:
    void followCommand();

    QPlainTextEdit *m_command;
    FormField *m_field;
    QLabel *m_arguments;
};

}  // namespace sweepscope::ui
