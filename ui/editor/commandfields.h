#pragma once

#include "ui/editor/formsection.h"

class QPlainTextEdit;

namespace sweepscope::ui {

/// Any command as a rank: a line as one types it into a terminal, and below it the arguments that come of it.
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
