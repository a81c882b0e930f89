#include "ui/home/exampletitles.h"

#include "base/installation.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct ExampleTitles {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::ExampleTitles)
};

struct Example {
    const char *file;
    const char *title;
};

/// In menu order.
constexpr Example examples[] = {
    {"digits-mlp", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Handwritten digits (1 minute)")},
    {"mnist-cnn", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "MNIST images (needs the dataset)")},
    {"command", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Your own script (Python)")},
    {"ddp", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Unmodified PyTorch script (needs torch)")},
    {"printed", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Unmodified script that prints")},
};

/// Returns the end if it is not an example.
const Example *exampleOf(const QString &path)
{
    const QString file = QFileInfo(path).completeBaseName();
    return std::ranges::find_if(examples, [&](const Example &each) { return file == QLatin1String(each.file); });
}

}  // namespace

QStringList exampleFiles()
{
    const QDir folder(QString::fromStdString((shareFolder() / "examples").string()));
    QStringList files;
    for (const QFileInfo &file : folder.entryInfoList({u"*.toml"_s}, QDir::Files, QDir::Name))
        files += file.absoluteFilePath();
    std::ranges::stable_sort(files, {}, exampleOf);
    return files;
}

QString exampleTitle(const QString &path)
{
    const Example *known = exampleOf(path);
    return known != std::end(examples) ? ExampleTitles::tr(known->title) : QFileInfo(path).completeBaseName();
}

}  // namespace sweepscope::ui
