#pragma once

#include "ui/plot/qcustomplotheader.h"

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Ticks of a time axis: at round clock times for seconds since 1970 ("21:34:05"), or at round durations relative to a
/// start ("1:30").
class TimeTicker : public QCPAxisTicker {
public:
    TimeTicker();
    void setRelativeTo(std::optional<double> start) { m_start = start; }

    /// Returns the full time for a cursor, with the digits that one pixel can distinguish.
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

/// The unit in which values are shown: feeds use B, s or %, axes GiB, ms or %.
struct DisplayUnit {
    double factor = 1;  ///< shown value = value in the feed's unit * factor
    QString text;
};
DisplayUnit displayUnit(const QString &unit, double largest);

/// A value for read-outs, in at most `digits` significant digits, or with `decimals` after the point; NaN and infinities by
/// name.
QString valueText(double value, const DisplayUnit &unit, int digits = 5, std::optional<int> decimals = std::nullopt);
/// For values in a column: how many digits after the point all of them need. nullopt if their sizes differ too much.
std::optional<int> commonDecimals(const std::vector<double> &values, const DisplayUnit &unit, int digits);

/// Linear ticks at round values of the display unit.
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

/// Ticks of a logarithmic axis at every zoom: decades, 1-2-5, or linear ones within less than a decade.
class LogTicker : public UnitTicker {
protected:
    QVector<double> createTickVector(double tickStep, const QCPRange &range) override;
    int getSubTickCount(double) override { return 0; }
};

/// Ticks at integer steps only.
class StepTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;
};

}  // namespace sweepscope::ui
