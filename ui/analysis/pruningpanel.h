#pragma once

#include "analysis/savedbypruning.h"

#include <QWidget>

class QLabel;

namespace sweepscope::ui {

class RungsPlot;

/// Shows where trials were pruned, and how much that saved.
class PruningPanel : public QWidget {
    Q_OBJECT

public:
    explicit PruningPanel(QWidget *parent = nullptr);

    void setSaved(const analysis::SavedByPruning &saved);
    RungsPlot *plot() const { return m_plot; }

private:
    RungsPlot *m_plot;
    QLabel *m_sentence;
};

}  // namespace sweepscope::ui
