#pragma once

#include "ui/live/qcustomplotheader.h"

#include <optional>

namespace sweepscope::ui {

/// Ticks of a time axis in seconds since 1970 at round clock times ("21:34:05"), or, relative to a start, at round
/// durations ("1:30").
class TimeTicker : public QCPAxisTicker {
public:
    TimeTicker();
    void setRelativeTo(std::optional<double> start) { m_start = start; }

    /// Full text for a cursor: with as many digits as one pixel of the range can tell apart.
    QString exactText(double time, double secondsPerPixel) const;

protected:
    double getTickStep(const QCPRange &range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange &range) override;

private:
    std::optional<double> m_start;
    double m_step = 1;
};

/// A unit as people read it: the feeds say B, s or %, the axis says GiB, ms or %.
struct DisplayUnit {
    double factor = 1;  ///< of the feed's unit: shown = value * factor
    QString text;
};
DisplayUnit displayUnit(const QString &unit, double largest);

/// A value for read-outs, in at most `digits` significant digits; NaN and infinities by name.
QString valueText(double value, const DisplayUnit &unit, int digits = 5);

/// Linear ticks that are round in the display unit.
class UnitTicker : public QCPAxisTicker {
public:
    void setFactor(double factor) { m_factor = factor; }
    double factor() const { return m_factor; }

protected:
    double getTickStep(const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;

private:
    double m_factor = 1;
};

/// Ticks of a logarithmic axis that are there at every zoom: decades, 1-2-5, or linear ones within less than a decade.
class LogTicker : public UnitTicker {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange &range) override;
    int getSubTickCount(double) override { return 0; }
};

/// Whole steps only.
class StepTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;
};

}  // namespace sweepscope::ui
