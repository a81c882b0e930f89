#pragma once

#include <QImage>

#include <cstdint>
#include <vector>

namespace sweepscope::ui {

/// Draws many curves of columns into one image, without antialiasing: of each curve the rows that its line covers in
/// each pixel column. The topmost curve is drawn first and the others only where nothing is yet, so that a frame of 64
/// noisy ranks costs about as much as one.
class CurveRaster {
public:
    /// An empty picture of `size` pixels.
    void begin(const QSize &size);
    /// What a line does at one place: comes at `first`, goes up and down between `low` and `high`, leaves from `last`.
    /// In pixels of the picture.
    struct Stroke {
        double x;
        double first;
        double low;
        double high;
        double last;
    };
    /// From left to right; goes below what is there. A line of one stroke is a dot at least.
    void addLine(const std::vector<Stroke> &line, QRgb color);
    /// The picture.
    const QImage &finish();

private:
    struct Rows {
        int from = 0;
        int to = -1;  ///< below `from`: none
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
    std::vector<QRgb> m_colors;  ///< by the numbers in m_pixels; the first one is nothing
    /// Half as large as colours, which the cache likes. Column by column, so that rows of a column lie together.
    std::vector<std::uint16_t> m_pixels;
    std::vector<Rows> m_covered;  ///< rows of each column that are known to be full
    std::vector<Rows> m_used;     ///< rows of each column beyond which there is nothing
    std::vector<Rows> m_line;     ///< of the line that is being added
    QImage m_image;
};

}  // namespace sweepscope::ui
