#pragma once

#include "diagnosis/batchprobe.h"
#include "ui/plot/qcustomplotheader.h"

namespace sweepscope::ui {

/// Plots samples per second, utilisation and memory side by side over the probed values, equally spaced. A vertical
/// line and a filled mark show the suggestion; values that ran out of memory are crossed out.
class ProbePlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit ProbePlot(QWidget *parent = nullptr);

    void setProbe(const diagnosis::BatchProbe &probe);

    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Part {
        QCPAxisRect *rect = nullptr;
        QCPTextElement *title = nullptr;
    };
    using Reading = std::optional<double> diagnosis::BatchMeasurement::*;

    void draw();
    void drawPart(const Part &part, Reading reading, double unit, const QString &title);
    void applyColors(const Part &part);
    void labelValues(const Part &part);

    std::vector<Part> m_parts;
    diagnosis::BatchProbe m_probe;
};

}  // namespace sweepscope::ui
