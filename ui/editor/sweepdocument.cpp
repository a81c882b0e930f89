#include "ui/editor/sweepdocument.h"

#include "base/files.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"

#include <QDir>
#include <QFileInfo>
#include <QUndoStack>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// The rule of git and grep.
bool isBinary(const std::string &content)
{
    return content.find('\0') != std::string::npos;
}

}  // namespace

class SweepDocument::Change : public QUndoCommand {
public:
    Change(SweepDocument *document, State after, QString place, const QString &text)
        : QUndoCommand(text),
          m_document(document),
          m_before(document->m_state),
          m_after(std::move(after)),
          m_place(std::move(place)),
          m_editing(document->m_editing)
    {}

    int id() const override { return m_place.isEmpty() ? -1 : 1; }
    void undo() override { show(m_before); }
    void redo() override
    {
        // The form already shows a new edit: it comes from there.
        if (std::exchange(m_fresh, false) && !m_place.isEmpty())
            m_document->applyEdit(m_after);
        else
            show(m_after);
    }
    bool mergeWith(const QUndoCommand *command) override
    {
        const auto *later = static_cast<const Change *>(command);
        if (later->m_place != m_place || later->m_editing != m_editing || !isMergeable())
            return false;
        m_after = later->m_after;
        setObsolete(m_after.draft == m_before.draft && m_after.text == m_before.text);
        return true;
    }

private:
    /// Undoing an edit keeps the current file, because it may have been saved under another name since.
    void show(State state)
    {
        if (!m_place.isEmpty())
            state.origin = m_document->m_state.origin;
        m_document->apply(state);
    }

    /// Inserting, removing and moving rows is undone one by one.
    bool isMergeable() const
    {
        return !m_place.endsWith("insert"_L1) && !m_place.endsWith("remove"_L1) && !m_place.endsWith("move"_L1);
    }

    SweepDocument *m_document;
    State m_before;
    State m_after;
    QString m_place;
    int m_editing;
    bool m_fresh = true;
};

SweepDocument::SweepDocument(QObject *parent)
    : QObject(parent), m_undo(new QUndoStack(this)), m_state{newSweepDraft(), {QString(), QDir::homePath()}, {}}
{
    m_undo->setUndoLimit(1000);
}

SweepDocument::~SweepDocument()
{
    m_undo->disconnect();  // its destructor clears it and emits signals
}

bool SweepDocument::isModified() const
{
    return !m_undo->isClean();
}

void SweepDocument::apply(const State &state)
{
    const bool moved = !(state.origin == m_state.origin);
    m_state = state;
    if (moved)
        Q_EMIT originChanged();
    Q_EMIT draftReplaced();
    Q_EMIT draftChanged();
}

void SweepDocument::edit(const SweepDraft &draft, const QString &place)
{
    edit(draft, m_state.text, place);
}

void SweepDocument::edit(const SweepDraft &draft, const std::string &text, const QString &place)
{
    if (draft == m_state.draft && text == m_state.text)
        return;
    m_undo->push(new Change(this, {draft, m_state.origin, text}, place, tr("Edit")));
    Q_EMIT draftChanged();
}

void SweepDocument::applyEdit(const State &state)
{
    m_state.draft = state.draft;
    m_state.text = state.text;
}

void SweepDocument::replace(const SweepDraft &draft, const SweepOrigin &origin, const QString &what,
                            const std::string &text)
{
    if (m_undo->count() != 0) {
        turnInto(draft, origin, what, text);
        return;
    }
    // Nothing was typed, so no undo step is needed.
    const bool another = isAnother(origin);
    m_fileProblems.clear();
    m_damagedFile.clear();
    apply({draft, origin, text});
    if (another)
        Q_EMIT anotherSweepShown();
}

/// False for another definition of the same sweep.
bool SweepDocument::isAnother(const SweepOrigin &origin) const
{
    return origin.sweepId == 0 || origin.sweepId != m_state.origin.sweepId;
}

void SweepDocument::turnInto(const SweepDraft &draft, const SweepOrigin &origin, const QString &what,
                             const std::string &text)
{
    const bool another = isAnother(origin);
    m_fileProblems.clear();
    m_damagedFile.clear();
    m_undo->push(new Change(this, {draft, origin, text}, QString(), what));
    m_undo->setClean();
    if (another)
        Q_EMIT anotherSweepShown();
}

void SweepDocument::becomeSweep(qint64 sweepId)
{
    m_state.origin.sweepId = sweepId;
    if (sweepId != 0)
        m_undo->setClean();
    Q_EMIT originChanged();
}

void SweepDocument::markSaved()
{
    m_undo->setClean();
}

Expected<void> SweepDocument::open(const QString &path)
{
    const QFileInfo info(path);
    const auto text = readFile(info.absoluteFilePath().toStdString(), sweep::mostSweepFileBytes);
    if (!text)
        return tl::unexpected(text.error());
    if (isBinary(*text))
        return makeError(
            ErrorCode::BadInput,
            tr("Cannot open %1: it is a binary file. Choose a sweep file (TOML).").arg(path).toStdString());
    sweep::ParsedSweep parsed = sweep::parseSweep(*text);
    replace(draftOf(parsed.spec), {info.absoluteFilePath(), info.absolutePath()}, tr("Open %1").arg(info.fileName()),
            *text);
    m_fileContents[info.absoluteFilePath()] = *text;
    m_fileProblems = std::move(parsed.problems);
    if (!m_fileProblems.empty())
        m_damagedFile = info.absoluteFilePath();
    return {};
}

QString SweepDocument::damageOf(const QString &path) const
{
    const auto known = m_fileContents.find(path);
    if (path.isEmpty() || path != m_damagedFile || known == m_fileContents.end() || m_state.text != known->second)
        return {};
    return tr("Overwriting %1 discards the parts that could not be parsed.").arg(QFileInfo(path).fileName());
}

bool SweepDocument::isChangedOutside() const
{
    const auto known = m_fileContents.find(m_state.origin.filePath);
    if (known == m_fileContents.end() || !QFileInfo::exists(m_state.origin.filePath))
        return false;
    const auto content = readFile(m_state.origin.filePath.toStdString(), sweep::mostSweepFileBytes);
    return !content || *content != known->second;
}

QString SweepDocument::lossBySaving(const QString &path, const std::string &toml) const
{
    const QFileInfo info(path);
    if (!info.exists())
        return {};
    const bool isOwn = info.absoluteFilePath() == m_state.origin.filePath;
    if (isOwn && isChangedOutside())
        return tr("%1 was changed by another program. Saving overwrites these changes.").arg(info.fileName());
    if (const QString damage = damageOf(info.absoluteFilePath()); !damage.isEmpty())
        return damage;
    const auto content = readFile(info.absoluteFilePath().toStdString(), sweep::mostSweepFileBytes);
    // In the document's own file, comments that the user removed here do not count as lost.
    if (content && sweep::losesComments(isOwn ? m_state.text : *content, toml))
        return tr("Overwriting %1 discards its comments.").arg(info.fileName());
    return {};
}

Expected<void> SweepDocument::save(const QString &path, const std::string &toml)
{
    const QFileInfo info(path);
    const auto written = writeFileAtomically(info.absoluteFilePath().toStdString(), toml);
    if (!written)
        return written;
    m_damagedFile.clear();
    m_fileProblems.clear();
    m_state.text = toml;
    m_fileContents[info.absoluteFilePath()] = toml;
    m_state.origin.filePath = info.absoluteFilePath();
    if (m_state.origin.sweepId == 0)  // the base folder of an existing sweep stays
        m_state.origin.baseFolder = info.absolutePath();
    m_undo->setClean();
    Q_EMIT originChanged();
    return {};
}

}  // namespace sweepscope::ui
