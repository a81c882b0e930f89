#pragma once

#include "ui/devices/gpulistedit.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QPushButton;

namespace sweepscope::ui {

/// Asks which of the machine's GPUs a sweep may use.
class GpuChoiceDialog : public QDialog {
    Q_OBJECT

public:
    /// GPUs that the sweep may use now are checked. `ranks`: per trial.
    GpuChoiceDialog(const SweepGpus &gpus, int ranks, QWidget *parent);

    /// Indexes in the machine's list.
    std::vector<std::size_t> chosen() const;

private:
    std::vector<QCheckBox *> m_boxes;
};

}  // namespace sweepscope::ui
