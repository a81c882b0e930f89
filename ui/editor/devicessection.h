#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// The devices of trials, and the number of concurrent ones.
class DevicesSection : public FormSection {
    Q_OBJECT

public:
    explicit DevicesSection(QWidget *parent);

    void setMachineText(const QString &text);

private:
    QLabel *m_machine;
};

}  // namespace sweepscope::ui
