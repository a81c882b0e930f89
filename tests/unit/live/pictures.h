#pragma once

#include "ui/plot/plotpicture.h"

namespace sweepscope::tests {

/// In the colours of the sheet's widget.
inline ui::RecordedPicture recorded(const ui::PictureSheet &sheet, ui::PictureFormat format)
{
    return ui::recordPicture(sheet, {.format = format, .scale = 2, .colors = sheet.widget->palette()});
}

inline QByteArray pictureOf(const ui::PictureSheet &sheet, ui::PictureFormat format)
{
    ui::RecordedPicture picture = recorded(sheet, format);
    return ui::pictureBytes(picture, [](double) { return true; });
}

inline QByteArray pictureOf(ui::LivePlot &plot, const QString &title, ui::PictureFormat format)
{
    return pictureOf(ui::sheetOf(plot, title), format);
}

}  // namespace sweepscope::tests
