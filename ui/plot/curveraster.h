#pragma once

#include <QImage>

#include <cstdint>
#include <vector>

namespace sweepscope::ui {

/// Draws the columns of many curves into one image, without antialiasing: for each curve the rows that its line covers
/// in each pixel column. Starts with the topmost curve and draws others only into free pixels, so that a frame of 64
/// noisy ranks costs about as much as one curve.
class CurveRaster {
public:
    /// Starts an empty image of `size` pixels.
    void begin(const QSize &size);
    /// The course of a line at one place: enters at `first`, varies between `low` and `high`, leaves from `last`. In
    /// pixels of the picture.
    struct Stroke {
        double x;
        double first;
        double low;
        double high;
        double last;
    };
    /// Adds a line from left to right below the existing ones. A line of one stroke is at least a dot.
    void addLine(const std::vector<Stroke> &line, QRgb color);
    /// Returns the picture.
    const QImage &finish();

private:
    struct Rows {
        int from = 0;
        int to = -1;  ///< less than `from`: empty
        bool isEmpty() const { return to < from; }
        Rows united(const Rows &other) const;
    };
    void join(const Stroke &from, const Stroke &to);
    void cover(int column, double oneY, double otherY);
    int columnOf(double x) const;
    void fill(int column, const Rows &rows, std::uint16_t color);
    std::uint16_t numberOf(QRgb color);
    Rows usedBetween(int left, int right) const;

    int m_width = 0;
    int m_height = 0;
    std::vector<QRgb> m_colors;  ///< indexed by the numbers in m_pixels; 0 is transparent
    /// Half the size of colours, to fit into the cache. In column order, so that a column's rows are adjacent.
    std::vector<std::uint16_t> m_pixels;
    std::vector<Rows> m_covered;  ///< rows of each column known to be covered
    std::vector<Rows> m_used;     ///< rows of each column outside which all is empty
    std::vector<Rows> m_line;     ///< of the line being added
    QImage m_image;
};

}  // namespace sweepscope::ui
