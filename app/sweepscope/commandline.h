#pragma once

#include "ui/shell/windowscreenshot.h"
#include "ui/theme/theme.h"

#include <QStringList>

#include <optional>

namespace sweepscope {

/// What the window was asked for on its command line.
struct CommandLine {
    QString workspace;
    QString sweepFile;  ///< empty: none
    bool readOnly = false;
    std::optional<ui::ColorScheme> theme;
    std::optional<ui::ScreenshotRequest> screenshot;
    QString problem;  ///< a sentence; empty: all is well
};

/// Answers --help and --version itself, and ends the program.
CommandLine readCommandLine(const QStringList &arguments);

/// Before the application is made: a picture and --help need no display, and a picture has the number of pixels that was
/// asked for.
void prepareForNoDisplay(int argc, char **argv);

}  // namespace sweepscope
