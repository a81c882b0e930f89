#include "ui/live/plotpicture.h"

#include "ui/live/liveplot.h"
#include "ui/live/picturekey.h"
#include "ui/theme/fonts.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <memory>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double imageScale = 2;
constexpr int pointsPerInch = 72;

/// Title, plots and key above each other.
class Sheet {
public:
    Sheet(LivePlot &plot, const QString &title)
        : m_plot(plot),
          m_title(title),
          m_font(smallFont(plot.font())),
          m_metrics(m_font),
          m_key(plot, m_font, plot.width())
    {
        m_lineHeight = m_metrics.height() + spacing::tiny;
        m_top = title.isEmpty() ? 0 : m_lineHeight + spacing::small;
        m_size = QSize(plot.width(), m_top + plot.height() + m_key.height());
    }
    QSize size() const { return m_size; }

    void paint(QCPPainter &painter)
    {
        const PlotColors colors = plotColors(m_plot.palette());
        painter.fillRect(QRect(QPoint(), m_size), colors.background);
        painter.setFont(m_font);
        painter.setPen(colors.text);
        const QRect titleArea(spacing::small, spacing::tiny, m_size.width() - 2 * spacing::small, m_lineHeight);
        painter.drawText(titleArea, Qt::AlignLeft | Qt::AlignVCenter,
                         m_metrics.elidedText(m_title, Qt::ElideRight, titleArea.width()));
        paintPlots(painter);
        painter.save();
        painter.translate(0, m_top + m_plot.height());
        m_key.paint(painter, colors);
        painter.restore();
    }

private:
    void paintPlots(QCPPainter &painter)
    {
        // What the pointer shows is no part of the plot.
        QCPLayer *overlay = m_plot.layer(u"overlay"_s);
        const bool wasVisible = overlay->visible();
        overlay->setVisible(false);
        painter.save();
        painter.translate(0, m_top);
        m_plot.toPainter(&painter, m_plot.width(), m_plot.height());
        painter.restore();
        overlay->setVisible(wasVisible);
    }

    LivePlot &m_plot;
    QString m_title;
    QFont m_font;
    QFontMetrics m_metrics;
    PictureKey m_key;
    int m_lineHeight = 0;
    int m_top = 0;
    QSize m_size;
};

void paintVectors(const PictureSheet &sheet, QPaintDevice *device)
{
    QCPPainter painter(device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    sheet.paint(painter);
}

QByteArray svg(const PictureSheet &sheet)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(sheet.resolution);
    generator.setSize(sheet.size);
    generator.setViewBox(QRect(QPoint(), sheet.size));
    generator.setTitle(sheet.title);
    paintVectors(sheet, &generator);
    return buffer.data();
}

QByteArray pdf(const PictureSheet &sheet)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(sheet.resolution);
    writer.setTitle(sheet.title);
    writer.setCreator(u"Sweepscope"_s);
    const QSizeF points = QSizeF(sheet.size) * pointsPerInch / sheet.resolution;
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    paintVectors(sheet, &writer);
    return buffer.data();
}

}  // namespace

std::optional<PictureFormat> pictureFormatOf(const QString &file)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == "png"_L1)
        return PictureFormat::Png;
    if (ending == "svg"_L1)
        return PictureFormat::Svg;
    if (ending == "pdf"_L1)
        return PictureFormat::Pdf;
    return std::nullopt;
}

QImage pictureImage(const PictureSheet &sheet)
{
    QImage image(sheet.size * imageScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(imageScale);
    QCPPainter painter(&image);
    painter.setMode(QCPPainter::pmNoCaching);
    sheet.paint(painter);
    painter.end();
    return image;
}

QByteArray pictureBytes(const PictureSheet &sheet, PictureFormat format)
{
    switch (format) {
    case PictureFormat::Svg:
        return svg(sheet);
    case PictureFormat::Pdf:
        return pdf(sheet);
    case PictureFormat::Png:
        break;
    }
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    pictureImage(sheet).save(&buffer, "PNG");
    return buffer.data();
}

PictureSheet titledSheet(const QWidget &widget, const QString &title, const QSize &plot,
                         std::function<void(QCPPainter &)> paint)
{
    const QFont font = smallFont(widget.font());
    const int line = QFontMetrics(font).height() + spacing::tiny;
    const int edge = spacing::medium;
    const int top = edge + (title.isEmpty() ? 0 : line + spacing::small);
    PictureSheet sheet{
        .title = title, .size = plot + QSize(2 * edge, top + edge), .resolution = widget.logicalDpiX(), .paint = {}};
    sheet.paint = [colors = plotColors(widget.palette()), font, line, edge, top, title, size = sheet.size,
                   paint = std::move(paint)](QCPPainter &painter) {
        painter.fillRect(QRect(QPoint(), size), colors.background);
        painter.setFont(font);
        painter.setPen(colors.text);
        const int room = size.width() - 2 * edge;
        painter.drawText(QRect(edge, edge, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(font).elidedText(title, Qt::ElideRight, room));
        painter.save();
        painter.translate(edge, top);
        paint(painter);
        painter.restore();
    };
    return sheet;
}

PictureSheet sheetOf(LivePlot &plot, const QString &title)
{
    plot.setEmphasized({});  // the mouse has no part in it
    auto sheet = std::make_shared<Sheet>(plot, title);
    return {.title = title,
            .size = sheet->size(),
            .resolution = plot.logicalDpiX(),
            .paint = [sheet](QCPPainter &painter) { sheet->paint(painter); }};
}

QByteArray plotPicture(LivePlot &plot, const QString &title, PictureFormat format)
{
    return pictureBytes(sheetOf(plot, title), format);
}

}  // namespace sweepscope::ui
