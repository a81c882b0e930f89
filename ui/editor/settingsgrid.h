#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// A field for each setting of the built-in worker; rarely used ones are behind "More settings".
class SettingsGrid : public FormSection {
    Q_OBJECT

public:
    explicit SettingsGrid(QWidget *parent);
};

}  // namespace sweepscope::ui
