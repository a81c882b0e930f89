#pragma once

#include "ui/shell/windowscreenshot.h"
#include "ui/theme/theme.h"

#include <QStringList>

#include <optional>

namespace sweepscope {

/// The command line of the window.
struct CommandLine {
    QString workspace;
    QString address;       ///< of the machine that it is on; empty: this one
    QString sweepFile;     ///< empty: none
    QString machineToAdd;  ///< its address; empty: none
    bool readOnly = false;
    std::optional<ui::ColorScheme> theme;
    std::optional<ui::ScreenshotRequest> screenshot;
    QString problem;  ///< a sentence; empty if there is none
};

/// Handles --help and --version itself, and ends the program.
CommandLine readCommandLine(const QStringList &arguments);

/// Call before the application is created: screenshots and --help need no display, and a screenshot has exactly the
/// requested number of pixels.
void prepareForNoDisplay(int argc, char **argv);

}  // namespace sweepscope
