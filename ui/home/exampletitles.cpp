#include "ui/home/exampletitles.h"

#include "base/installation.h"
#include "ui/models/installedworker.h"

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

enum class Trains { Worker, Command };

struct Example {
    const char *file;
    const char *title;
    Trains by;
    bool isFirst;  ///< may be the first that a new user sees
};

/// In menu order.
constexpr Example examples[] = {
    {"digits-mlp", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Handwritten digits (1 minute)"), Trains::Worker,
     true},
    {"mnist-cnn", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "MNIST images (needs the dataset)"),
     Trains::Worker, false},
    {"command", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Your own script (Python)"), Trains::Command, false},
    {"ddp", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Unmodified PyTorch script (needs torch)"),
     Trains::Command, false},
    {"printed", QT_TRANSLATE_NOOP("sweepscope::ui::ExampleTitles", "Unmodified script that prints"), Trains::Command,
     true},
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

QString firstExample(const std::filesystem::path &worker)
{
    const QStringList files = exampleFiles();
    const auto first = std::ranges::find_if(files, [&worker](const QString &path) {
        const Example *example = exampleOf(path);
        return example != std::end(examples) && example->isFirst && whyExampleCannotStart(path, worker).isEmpty();
    });
    return first == files.end() ? QString() : *first;
}

QString whyExampleCannotStart(const QString &path, const std::filesystem::path &worker)
{
    const Example *example = exampleOf(path);
    const bool needsWorker = example != std::end(examples) && example->by == Trains::Worker;
    return needsWorker && isMissing(worker) ? ExampleTitles::tr("built-in worker not installed") : QString();
}

}  // namespace sweepscope::ui
