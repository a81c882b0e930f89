#pragma once

#include <QString>
#include <QUrl>

#include <filesystem>

namespace sweepscope::ui {

/// Returns where the user's guide explains a page of the window, one of Navigator::names(). `share`: shareFolder(). Empty
/// if the guide is not installed.
QUrl guidePage(const QString &page, const std::filesystem::path &share);

}  // namespace sweepscope::ui
