#pragma once

#include <QString>

/// Returns the path of an installed example.
inline QString example(const QString &name)
{
    return QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/resources/examples/") + name;
}
