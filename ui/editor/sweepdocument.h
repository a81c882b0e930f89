#pragma once

#include "base/error.h"
#include "sweep/problem.h"
#include "ui/editor/sweepdraft.h"

#include <QObject>
#include <QString>

#include <map>
#include <string>
#include <vector>

class QUndoStack;

namespace sweepscope::ui {

/// Where a draft came from. Relative paths of the sweep start in the base folder.
struct SweepOrigin {
    QString filePath;  ///< empty: not saved yet
    QString baseFolder;
    qint64 sweepId = 0;  ///< the draft is the definition of this sweep, or changes to it; 0: a new one

    bool operator==(const SweepOrigin &) const = default;
};

/// The sweep being edited, with its file and its history. Opening, cloning and starting anew after an edit are part of
/// the history: undo brings back what was there before, so that nothing typed is ever lost by them.
class SweepDocument : public QObject {
    Q_OBJECT

public:
    explicit SweepDocument(QObject *parent = nullptr);
    ~SweepDocument() override;

    const SweepDraft &draft() const { return m_state.draft; }
    const SweepOrigin &origin() const { return m_state.origin; }
    QUndoStack *undoStack() const { return m_undo; }
    bool isModified() const;
    /// Nothing is defined.
    bool isBlank() const { return m_state.draft == draftOf(sweep::SweepSpec()); }

    /// The sweep file that somebody wrote, of which the draft keeps what it can; empty: the form alone was used.
    const std::string &text() const { return m_state.text; }

    /// A person's edit at `place`; edits of one place in a row, up to endEdit(), are undone together.
    void edit(const SweepDraft &draft, const QString &place);
    /// The same, where the sweep file itself was typed.
    void edit(const SweepDraft &draft, const std::string &text, const QString &place);
    /// The field or the cell is left: what comes next is undone by itself, also at the same place.
    void endEdit() { ++m_editing; }
    /// Problems of the file are in fileProblems(); an error only when it cannot be read.
    Expected<void> open(const QString &path);
    const std::vector<sweep::Problem> &fileProblems() const { return m_fileProblems; }
    void replace(const SweepDraft &draft, const SweepOrigin &origin, const QString &what, const std::string &text = {});
    /// The same where what is there now is wanted back by undo even if nothing was typed into it.
    void turnInto(const SweepDraft &draft, const SweepOrigin &origin, const QString &what,
                  const std::string &text = {});
    /// What is there now is this sweep's definition (0: that of none any more), and is safe there.
    void becomeSweep(qint64 sweepId);
    /// What is there now is safe elsewhere: nothing is modified.
    void markSaved();
    /// Its file was opened with problems, so that not all of it is in the draft, and nobody has mended its text since: what
    /// is lost by saving; else empty.
    QString damage() const { return damageOf(m_state.origin.filePath); }
    /// Its file is not as it was when it was opened or saved here.
    bool isChangedOutside() const;
    /// Writes `toml`, which is the present draft's, and makes `path` the document's file.
    Expected<void> save(const QString &path, const std::string &toml);
    /// Why saving `toml` to `path` would lose something that is in that file now; empty: it would not.
    QString lossBySaving(const QString &path, const std::string &toml) const;

Q_SIGNALS:
    void draftChanged();   ///< by an edit, undo, or another sweep
    void draftReplaced();  ///< not by an edit: the form must show it
    void originChanged();
    void anotherSweepShown();  ///< one was opened, cloned, begun: whoever looks at it begins at its top

private:
    struct State {
        SweepDraft draft;
        SweepOrigin origin;
        std::string text;
    };
    class Change;

    void apply(const State &state);
    void takeEdit(const State &state);
    bool isAnother(const SweepOrigin &origin) const;
    QString damageOf(const QString &path) const;

    QUndoStack *m_undo;
    State m_state;
    int m_editing = 0;  ///< grows with each endEdit()
    std::vector<sweep::Problem> m_fileProblems;
    QString m_damagedFile;                          ///< opened with problems: not all of it is in the draft
    std::map<QString, std::string> m_fileContents;  ///< by path: as this document last read or wrote it
};

}  // namespace sweepscope::ui
