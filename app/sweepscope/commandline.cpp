#include "commandline.h"

#include "base/workspacelayout.h"
#include "remote/mirrorfolder.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <string_view>

namespace sweepscope {
using namespace Qt::StringLiterals;

namespace {

constexpr int smallestSide = 100;
constexpr int largestSide = 8192;

struct Options {
    QCommandLineOption workspace{u"workspace"_s, QApplication::tr("Folder with the sweeps and their results."),
                                 u"DIR"_s, QString::fromStdString(defaultWorkspaceRoot().string())};
    QCommandLineOption readOnly{
        u"readonly"_s,
        QApplication::tr("Open the workspace read-only. This is the default for a workspace that is not writable.")};
    QCommandLineOption theme{
        u"theme"_s,
        QApplication::tr("Color scheme for this run: desktop, light or dark. The setting of the menu is unchanged."),
        u"NAME"_s};
    QCommandLineOption addMachine{
        u"add-machine"_s, QApplication::tr("Open the dialog that adds a machine to the workspace."), u"ADDRESS"_s};
    QCommandLineOption screenshot{
        u"screenshot"_s,
        QApplication::tr("Save a picture of one page and exit. Needs no display. The theme is light by default."),
        u"OUT.png"_s};
    QCommandLineOption page{u"page"_s, QApplication::tr("Page to save: sweep, live, trials, logs, …"), u"NAME"_s,
                            u"live"_s};
    QCommandLineOption size{u"size"_s, QApplication::tr("Size of the window in the picture."), u"WIDTHxHEIGHT"_s,
                            u"1280x800"_s};
    QCommandLineOption scale{u"scale"_s,
                             QApplication::tr("Pixels of the picture per pixel of the window: 2 for HiDPI."),
                             u"FACTOR"_s, u"1"_s};
    QCommandLineOption sweep{u"sweep"_s, QApplication::tr("Sweep to show in the picture."), u"NAME|NUMBER"_s};
    QCommandLineOption trial{u"trial"_s, QApplication::tr("Trial to show in the picture."), u"NUMBER"_s};
};

std::optional<ui::ColorScheme> themeNamed(const QString &name)
{
    if (name == "light"_L1)
        return ui::ColorScheme::Light;
    if (name == "dark"_L1)
        return ui::ColorScheme::Dark;
    if (name == "desktop"_L1)
        return ui::ColorScheme::System;
    return std::nullopt;
}

std::optional<QSize> sizeFrom(const QString &text)
{
    static const QRegularExpression pattern(u"^(\\d{1,5})x(\\d{1,5})$"_s);
    const QRegularExpressionMatch match = pattern.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const auto fits = [](int side) { return side >= smallestSide && side <= largestSide; };
    return match.hasMatch() && fits(size.width()) && fits(size.height()) ? std::optional(size) : std::nullopt;
}

void readScreenshot(const QCommandLineParser &parser, const Options &options, CommandLine &line)
{
    ui::ScreenshotRequest request;
    request.file = QFileInfo(parser.value(options.screenshot)).absoluteFilePath();
    request.page = parser.value(options.page);
    request.sweep = parser.value(options.sweep);
    const std::optional<QSize> size = sizeFrom(parser.value(options.size));
    if (!size)
        line.problem = QApplication::tr("--size %1: expected WIDTHxHEIGHT, each from %2 to %3")
                           .arg(parser.value(options.size))
                           .arg(smallestSide)
                           .arg(largestSide);
    else
        request.size = *size;
    bool isNumber = true;
    if (parser.isSet(options.trial))
        request.trial = parser.value(options.trial).toInt(&isNumber);
    if (!isNumber || request.trial < 0)
        line.problem = QApplication::tr("--trial %1: expected the number of a trial").arg(parser.value(options.trial));
    line.screenshot = std::move(request);
}

void readSweepFile(const QStringList &files, CommandLine &line)
{
    if (files.size() > 1)
        line.problem = QApplication::tr("name one sweep file, not several: %1").arg(files.join(u", "_s));
    else if (!files.isEmpty() && !QFileInfo(files.front()).isFile())
        line.problem = QApplication::tr("there is no file %1").arg(files.front());
    else if (!files.isEmpty())
        line.sweepFile = QFileInfo(files.front()).absoluteFilePath();
}

bool isAddress(const QString &text)
{
    return text.startsWith("ssh://"_L1);
}

/// A workspace on another machine is shown through a folder on this one.
void readWorkspace(const QString &workspace, CommandLine &line)
{
    line.workspace = QDir(workspace).absolutePath();
    if (!isAddress(workspace))
        return;
    const Expected<remote::MirrorFolder> mirror =
        remote::parseSshTarget(workspace.toStdString()).and_then(remote::mirrorOf);
    if (mirror) {
        line.address = QString::fromStdString(toString(mirror->target));
        line.workspace = QString::fromStdString(mirror->root.string());
    } else {
        line.problem = QString::fromStdString(mirror.error().message);
    }
}

}  // namespace

CommandLine readCommandLine(const QStringList &arguments)
{
    const Options options;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::tr("Defines, runs and monitors hyperparameter sweeps of distributed training.\nA separate "
                         "engine runs the trials; they continue when this window closes."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({options.workspace, options.readOnly, options.addMachine, options.theme, options.screenshot,
                       options.page, options.size, options.scale, options.sweep, options.trial});
    parser.addPositionalArgument(u"ADDRESS"_s,
                                 QApplication::tr("Workspace on another machine: ssh://user@host[:port][/folder]."),
                                 u"[ADDRESS]"_s);
    parser.addPositionalArgument(u"SWEEP_FILE"_s, QApplication::tr("Sweep file to open in the editor."),
                                 u"[SWEEP_FILE]"_s);
    parser.process(arguments);

    CommandLine line;
    QStringList files = parser.positionalArguments();
    QString workspace = parser.value(options.workspace);
    if (!files.isEmpty() && isAddress(files.front()))
        workspace = files.takeFirst();
    else if (!files.isEmpty() && files.front().contains(u'@') && !QFileInfo::exists(files.front()))
        workspace = u"ssh://"_s + files.takeFirst();
    readWorkspace(workspace, line);
    line.readOnly = parser.isSet(options.readOnly);
    line.machineToAdd = parser.value(options.addMachine);
    readSweepFile(files, line);
    if (parser.isSet(options.theme)) {
        line.theme = themeNamed(parser.value(options.theme));
        if (!line.theme)
            line.problem =
                QApplication::tr("--theme %1: expected desktop, light or dark").arg(parser.value(options.theme));
    }
    if (parser.isSet(options.screenshot))
        readScreenshot(parser, options, line);
    return line;
}

void prepareForNoDisplay(int argc, char **argv)
{
    const auto isOption = [](std::string_view word, std::string_view name) {
        return word == name || (word.starts_with(name) && word.substr(name.size()).starts_with('='));
    };
    bool wanted = false;
    QByteArray scale = "1";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        wanted = wanted || isOption(word, "--screenshot") || word == "--help" || word == "-h" || word == "--help-all"
                 || word == "--version" || word == "-v";
        if (isOption(word, "--scale"))
            scale = word.find('=') != word.npos ? QByteArray(argv[i]).mid(static_cast<qsizetype>(word.find('=')) + 1)
                                                : QByteArray(argv[std::min(i + 1, argc - 1)]);
    }
    if (!wanted)
        return;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    bool isNumber = false;
    const double factor = scale.toDouble(&isNumber);
    if (isNumber && factor >= 0.5 && factor <= 4)
        qputenv("QT_SCALE_FACTOR", scale);
}

}  // namespace sweepscope
