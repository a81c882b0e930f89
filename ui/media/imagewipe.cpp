#include "ui/media/imagewipe.h"

#include "ui/theme/itemfocus.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr QSize usualWipeSize(420, 420);
constexpr double wipeStep = 0.05;

}  // namespace

ImageWipe::ImageWipe(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(80, 80);
}

void ImageWipe::setImages(const QImage &left, const QImage &right)
{
    m_left = left;
    m_right = right;
    setCursor(comparesTwo() ? Qt::SplitHCursor : Qt::ArrowCursor);
    update();
}

void ImageWipe::setDivider(double divider)
{
    m_divider = std::clamp(divider, 0.0, 1.0);
    update();
}

QSize ImageWipe::sizeHint() const
{
    return usualWipeSize;
}

/// Both images fill it, whatever their sizes.
QRect ImageWipe::area() const
{
    const QSize size = m_left.size().scaled(this->size(), Qt::KeepAspectRatio);
    return {QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

void ImageWipe::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_left.isNull())
        return;
    const QRect place = area();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, place.width() < m_left.width());
    painter.drawImage(place, m_left);
    if (comparesTwo()) {
        const int x = place.left() + static_cast<int>(std::lround(m_divider * place.width()));
        painter.save();
        painter.setClipRect(QRect(QPoint(x, place.top()), place.bottomRight()));
        painter.drawImage(place, m_right);
        painter.restore();
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawLine(x, place.top(), x, place.bottom());
    }
    paintWidgetFocus(&painter, this);
}

void ImageWipe::mousePressEvent(QMouseEvent *event)
{
    mouseMoveEvent(event);
}

void ImageWipe::mouseMoveEvent(QMouseEvent *event)
{
    const QRect place = area();
    if (comparesTwo() && place.width() > 0)
        setDivider((event->position().x() - place.left()) / place.width());
}

void ImageWipe::keyPressEvent(QKeyEvent *event)
{
    if (comparesTwo() && event->key() == Qt::Key_Left)
        setDivider(m_divider - wipeStep);
    else if (comparesTwo() && event->key() == Qt::Key_Right)
        setDivider(m_divider + wipeStep);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sweepscope::ui
