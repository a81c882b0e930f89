#include "ui/editor/sweepfilecommands.h"

#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/sweepdocument.h"
#include "ui/editor/sweepfolders.h"
#include "ui/editor/tomlpanel.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTimer>
#include <QUndoStack>

#include <functional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr std::size_t mostListedProblems = 8;
constexpr int settledFileMs = 300;  ///< milliseconds until the writing program is done

void askForFile(QWidget *parent, QFileDialog::AcceptMode mode, const QString &title, const QString &start,
                const std::function<void(const QString &)> &use)
{
    auto *dialog = new QFileDialog(parent, title, start, SweepFileCommands::tr("Sweep files (*.toml);;All files (*)"));
    dialog->setObjectName(u"fileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(mode);
    dialog->setFileMode(mode == QFileDialog::AcceptOpen ? QFileDialog::ExistingFile : QFileDialog::AnyFile);
    if (mode == QFileDialog::AcceptSave)
        dialog->setDefaultSuffix(u"toml"_s);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, use);
    dialog->open();
}

QString sentenceOf(const std::vector<sweep::Problem> &problems, const QString &fileName, bool isNothingUnderstood)
{
    QString text = problems.size() == 1
                       ? SweepFileCommands::tr("%1 has a problem.").arg(fileName)
                       : SweepFileCommands::tr("%1 has %2 problems.").arg(fileName).arg(problems.size());
    text += u' '
            + (isNothingUnderstood ? SweepFileCommands::tr("The form stays empty until you fix the text.")
                                   : SweepFileCommands::tr("The form shows the parts that could be parsed."));
    for (std::size_t i = 0; i < problems.size() && i < mostListedProblems; ++i)
        text += u'\n' + QString::fromStdString(sweep::describe(problems[i], fileName.toStdString()));
    if (problems.size() > mostListedProblems)
        text += u'\n' + SweepFileCommands::tr("… and %1 more").arg(problems.size() - mostListedProblems);
    return text;
}

}  // namespace

SweepFileCommands::SweepFileCommands(SweepDocument *document, TomlPanel *toml, NoticeBar *notice, QWidget *dialogParent)
    : QObject(dialogParent),
      m_document(document),
      m_toml(toml),
      m_notice(notice),
      m_dialogParent(dialogParent),
      m_watcher(new QFileSystemWatcher(this))
{
    connect(document, &SweepDocument::originChanged, this, &SweepFileCommands::watchFile);
    connect(document->undoStack(), &QUndoStack::cleanChanged, this, &SweepFileCommands::watchFile);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this,
            [this] { QTimer::singleShot(settledFileMs, this, &SweepFileCommands::offerReload); });
}

bool SweepFileCommands::open(const QString &path)
{
    m_notice->dismiss();
    const auto result = m_document->open(path);
    if (!result) {
        m_notice->complain(QString::fromStdString(result.error().message));
        return false;
    }
    if (!isOfTheProgram(path))
        m_lastFolder = QFileInfo(path).absolutePath();
    watchFile();
    Q_EMIT opened();
    if (!m_document->fileProblems().empty())
        m_notice->complain(sentenceOf(m_document->fileProblems(), QFileInfo(path).fileName(), m_document->isBlank()));
    return true;
}

void SweepFileCommands::watchFile()
{
    const QString path = m_document->origin().filePath;
    const QStringList wanted = path.isEmpty() || !QFileInfo::exists(path) ? QStringList() : QStringList(path);
    if (m_watcher->files() == wanted)
        return;
    if (!m_watcher->files().isEmpty())
        m_watcher->removePaths(m_watcher->files());
    if (!wanted.isEmpty())
        m_watcher->addPath(path);
}

/// Watches the file again: many programs replace a file by renaming a new one, which ends the watch.
void SweepFileCommands::offerReload()
{
    watchFile();
    const QString path = m_document->origin().filePath;
    if (m_document->isChangedOutside())
        m_notice->offer(tr("%1 was changed by another program.").arg(QFileInfo(path).fileName()),
                        {{u"notice.reload"_s, tr("Reload"), [this, path] { open(path); }}});
}

void SweepFileCommands::openWithDialog()
{
    askForFile(m_dialogParent, QFileDialog::AcceptOpen, tr("Open sweep file"),
               folderToBegin(m_document->origin().baseFolder, m_lastFolder),
               [this](const QString &path) { open(path); });
}

void SweepFileCommands::save()
{
    const QString path = m_document->origin().filePath;
    if (path.isEmpty() || isOfTheProgram(path))
        saveAs();
    else
        saveTo(path);
}

void SweepFileCommands::saveAs()
{
    const SweepOrigin &origin = m_document->origin();
    const QString name = m_document->draft().name();
    const QString proposed = (name.isEmpty() ? u"sweep"_s : name) + u".toml"_s;
    const bool hasFile = !origin.filePath.isEmpty() && !isOfTheProgram(origin.filePath);
    const QString start =
        hasFile ? origin.filePath : QDir(folderToBegin(origin.baseFolder, m_lastFolder)).filePath(proposed);
    askForFile(m_dialogParent, QFileDialog::AcceptSave, tr("Save sweep"), start,
               [this](const QString &path) { saveTo(path); });
}

void SweepFileCommands::saveTo(const QString &path)
{
    if (!m_toml->problem().isEmpty()) {
        m_notice->complain(tr("Not saved: the sweep file has an error. %1").arg(m_toml->problem()));
        return;
    }
    const QString loss =
        m_document->lossBySaving(path, sweep::sweepFile(readDraft(m_document->draft()).spec, m_document->text()));
    if (loss.isEmpty()) {
        writeTo(path);
        return;
    }
    std::vector<NoticeBar::Choice> choices{
        {u"notice.saveAs"_s, tr("Save as…"), [this] { saveAs(); }},
        {u"notice.saveAnyway"_s, tr("Save anyway"), [this, path] { writeTo(path); }}};
    if (m_document->isChangedOutside())
        choices.push_back({u"notice.reload"_s, tr("Reload"), [this, path] { open(path); }});
    m_notice->prompt(loss, choices);
}

void SweepFileCommands::writeTo(const QString &path)
{
    const DraftReading reading = readDraft(m_document->draft());
    if (!reading.problems.empty()) {
        m_notice->complain(tr("Not saved: the fields marked red do not contain a valid number, duration or command "
                              "line. Fix them first."));
        return;
    }
    const std::string canonical = sweep::toToml(reading.spec);
    if (sweep::toToml(sweep::parseSweep(canonical).spec) != canonical) {
        m_notice->complain(
            tr("Not saved: with the problems marked red, the file could not be reopened. Fix them first."));
        return;
    }
    const auto saved = m_document->save(path, sweep::sweepFile(reading.spec, m_document->text()));
    if (!saved) {
        m_notice->complain(QString::fromStdString(saved.error().message));
        return;
    }
    m_lastFolder = QFileInfo(path).absolutePath();
    m_notice->dismiss();
}

}  // namespace sweepscope::ui
