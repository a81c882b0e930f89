#pragma once

#include "ui/devices/gpulistedit.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QPushButton;

namespace sweepscope::ui {

/// Asks which GPUs of the machine a sweep may use.
class GpuChoiceDialog : public QDialog {
    Q_OBJECT

public:
    /// Ticked are those that it may use now. `ranks`: of each trial.
    GpuChoiceDialog(const SweepGpus &gpus, int ranks, QWidget *parent);

    /// By their places in the machine's list.
    std::vector<std::size_t> chosen() const;

private:
    std::vector<QCheckBox *> m_boxes;
};

}  // namespace sweepscope::ui
