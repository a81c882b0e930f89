#pragma once

#include "ui/media/mediagrid.h"

#include <QString>

namespace sweepscope::ui {

QString kindText(media::MediaKind kind);              ///< "images"
QString mediaNameText(const MediaName &name);         ///< "val/samples (images)"
QString mediaRowText(const MediaGrid::Row &row);      ///< "Trial 7", "Trial 7, rank 1"
QString mediaItemText(const PlacedItem &item);        ///< "val/samples, trial 7, step 30: a caption"
QString mediaFileName(const media::MediaItem &item);  ///< for a copy: "val-samples-30.png"

}  // namespace sweepscope::ui
