#pragma once

#include <QString>

/// The path of a sweep file that is delivered.
inline QString example(const QString &name)
{
    return QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/resources/examples/") + name;
}
