#pragma once

#include "ui/plot/trialsource.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace sweepscope::ui {

class PictureSaver;
class TrialPlots;

/// A series of an attempt over its steps, a curve for each rank: the objective, unless another one is chosen. Without
/// values it shows a message instead of the plot.
class AttemptCurves : public QWidget {
    Q_OBJECT

public:
    explicit AttemptCurves(QWidget *parent = nullptr);

    /// Clears without an attempt.
    void showSource(const TrialSource &source, const QString &title);
    /// Whether there is data, and the message if there is none.
    void setReported(bool reported, const QString &otherwise);
    PictureSaver *pictures() const;

private:
    void arrange();

    TrialPlots *m_plots;
    QLabel *m_word;
    QTimer m_arrange;  ///< delays the change, so that the plot does not flicker while the user steps through trials
    bool m_isReported = false;
};

}  // namespace sweepscope::ui
