#pragma once

#include <QImage>
#include <QWidget>

namespace sweepscope::ui {

/// An image, or two of which the divider shows one part each. Small images are enlarged without smoothing.
class ImageWipe : public QWidget {
    Q_OBJECT

public:
    explicit ImageWipe(QWidget *parent = nullptr);

    /// The right one may be null.
    void setImages(const QImage &left, const QImage &right = {});
    bool comparesTwo() const { return !m_right.isNull(); }
    /// 0: only the right image, 1: only the left one.
    double divider() const { return m_divider; }
    void setDivider(double divider);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QRect area() const;

    QImage m_left;
    QImage m_right;
    double m_divider = 0.5;
};

}  // namespace sweepscope::ui
