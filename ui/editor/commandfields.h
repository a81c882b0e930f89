#pragma once

#include "output/metricssection.h"
#include "ui/editor/formsection.h"

#include <optional>

class QComboBox;
class QPlainTextEdit;

namespace sweepscope::ui {

/// The command of a rank: one line as in a terminal, and below it the resulting arguments; and which metrics are read from
/// what it prints.
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
    QComboBox *m_output;
    std::optional<output::MetricsSection> m_metrics;  ///< as displayed: patterns can be edited only in the file
};

}  // namespace sweepscope::ui
