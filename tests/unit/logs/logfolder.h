#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace sweepscope::tests {

/// A folder of growing log files.
struct LogFolder {
    QTemporaryDir dir;

    std::filesystem::path path(const char *name) const
    {
        return std::filesystem::path(dir.path().toStdString()) / name;
    }
    void write(const char *name, const QByteArray &bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) const
    {
        QFile file(QString::fromStdString(path(name).string()));
        QVERIFY(file.open(mode));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    void append(const char *name, const QByteArray &bytes) const { write(name, bytes, QIODevice::Append); }
};

/// Returns "line FIRST" and the following lines, each with its line break.
inline QByteArray numbered(int first, int count)
{
    QByteArray text;
    for (int i = first; i < first + count; ++i)
        text += "line " + QByteArray::number(i) + '\n';
    return text;
}

}  // namespace sweepscope::tests
