#pragma once

#include "media/mediacontent.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::ui {

struct StepHistogram {
    std::int64_t step = 0;
    media::Histogram histogram;
};

/// Share of the values of each step, by step (columns) and value (rows, the largest value at the top), relative to the largest
/// density of the step: 0 to 1.
struct HistogramMap {
    double lowest = 0;
    double highest = 0;
    int rows = 0;
    std::vector<double> shares;  ///< by column, then from the top
};
HistogramMap histogramMap(const std::vector<StepHistogram> &histograms, int rows);

/// From the lowest to the highest edge.
struct HistogramRange {
    double lowest = 0;
    double highest = 0;

    bool operator==(const HistogramRange &) const = default;
};
/// Returns a range with this histogram in it; nullopt if there is nothing in it.
std::optional<HistogramRange> extended(const std::optional<HistogramRange> &range, const media::Histogram &histogram);

/// Paints counts as bars. `range`: from the left to the right edge of the place.
void paintHistogram(QPainter *painter, const QRect &place, const media::Histogram &histogram,
                    const HistogramRange &range, const QColor &color);

/// How the distribution changes over the steps: steps from left to right, values from bottom to top.
class HistogramsView : public QWidget {
    Q_OBJECT

public:
    explicit HistogramsView(QWidget *parent = nullptr);

    /// In the order of steps. `current`: the step that is marked, and shown as bars.
    void setHistograms(std::vector<StepHistogram> histograms, std::int64_t current);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void draw();

    std::vector<StepHistogram> m_histograms;
    std::int64_t m_current = 0;
    HistogramMap m_map;
    QImage m_picture;
};

}  // namespace sweepscope::ui
