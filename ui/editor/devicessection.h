#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// What the trials run on, and how many at once.
class DevicesSection : public FormSection {
    Q_OBJECT

public:
    explicit DevicesSection(QWidget *parent);

    void setMachineText(const QString &text);

private:
    QLabel *m_machine;
};

}  // namespace sweepscope::ui
