#pragma once

#include "ui/live/trialsource.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace sweepscope::ui {

class PictureSaver;
class TrialPlots;

/// One series of an attempt over its steps, a curve for each rank: the objective, until another one is chosen. Without
/// values a word stands here, and no plot.
class AttemptCurves : public QWidget {
    Q_OBJECT

public:
    explicit AttemptCurves(QWidget *parent = nullptr);

    /// Of no attempt: clears.
    void showSource(const TrialSource &source, const QString &title);
    /// Whether there is anything to draw, and what to say when there is not.
    void setReported(bool reported, const QString &otherwise);
    PictureSaver *pictures() const;

private:
    void arrange();

    TrialPlots *m_plots;
    QLabel *m_word;
    QTimer m_arrange;  ///< who walks through trials does not see the plot come and go
    bool m_isReported = false;
};

}  // namespace sweepscope::ui
