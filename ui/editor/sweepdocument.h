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

/// The origin of a draft. Relative paths of the sweep start in the base folder.
struct SweepOrigin {
    QString filePath;  ///< empty if not saved yet
    QString baseFolder;
    qint64 sweepId = 0;  ///< the draft is the definition of this sweep, or a changed one; 0 for a new sweep

    bool operator==(const SweepOrigin &) const = default;
};

/// The edited sweep with its file and its undo history. Opening, cloning and creating a sweep after an edit are undo
/// steps too, so that they never lose anything typed.
class SweepDocument : public QObject {
    Q_OBJECT

public:
    explicit SweepDocument(QObject *parent = nullptr);
    ~SweepDocument() override;

    const SweepDraft &draft() const { return m_state.draft; }
    const SweepOrigin &origin() const { return m_state.origin; }
    QUndoStack *undoStack() const { return m_undo; }
    bool isModified() const;
    /// Whether nothing is defined.
    bool isBlank() const { return m_state.draft == draftOf(sweep::SweepSpec()); }

    /// The sweep file as typed or read, of which the draft keeps what it can; empty if only the form was used.
    const std::string &text() const { return m_state.text; }

    /// Records an edit by the user; consecutive edits of one `place`, up to endEdit(), are undone together.
    void edit(const SweepDraft &draft, const QString &place);
    /// The same for an edit of the sweep file's text.
    void edit(const SweepDraft &draft, const std::string &text, const QString &place);
    /// Call when the field or cell loses the focus: the next edit is a separate undo step, even at the same place.
    void endEdit() { ++m_editing; }
    /// Problems of the file are in fileProblems(); returns an error only if it cannot be read.
    Expected<void> open(const QString &path);
    const std::vector<sweep::Problem> &fileProblems() const { return m_fileProblems; }
    void replace(const SweepDraft &draft, const SweepOrigin &origin, const QString &what, const std::string &text = {});
    /// The same, but always undoable, even if nothing was typed into the current draft.
    void turnInto(const SweepDraft &draft, const SweepOrigin &origin, const QString &what,
                  const std::string &text = {});
    /// The current draft has become this sweep's definition and is saved there; 0: the sweep was deleted.
    void becomeSweep(qint64 sweepId);
    /// The current draft is saved elsewhere: it is unmodified.
    void markSaved();
    /// What saving would lose, because the file was opened with problems and its text has not been corrected since;
    /// else empty.
    QString damage() const { return damageOf(m_state.origin.filePath); }
    /// Whether the file differs from what was opened or saved here.
    bool isChangedOutside() const;
    /// Writes `toml`, the text of the current draft, and makes `path` the document's file.
    Expected<void> save(const QString &path, const std::string &toml);
    /// What saving `toml` would lose of the current file at `path`; empty if nothing.
    QString lossBySaving(const QString &path, const std::string &toml) const;

Q_SIGNALS:
    void draftChanged();   ///< by an edit, undo, or another sweep
    void draftReplaced();  ///< not by an edit: the form must display it
    void originChanged();
    void anotherSweepShown();  ///< a sweep was opened, cloned or created: views scroll to the top

private:
    struct State {
        SweepDraft draft;
        SweepOrigin origin;
        std::string text;
    };
    class Change;

    void apply(const State &state);
    void applyEdit(const State &state);
    bool isAnother(const SweepOrigin &origin) const;
    QString damageOf(const QString &path) const;

    QUndoStack *m_undo;
    State m_state;
    int m_editing = 0;  ///< incremented by endEdit()
    std::vector<sweep::Problem> m_fileProblems;
    QString m_damagedFile;                          ///< opened with problems: the draft does not contain all of it
    std::map<QString, std::string> m_fileContents;  ///< by path: as last read or written by this document
};

}  // namespace sweepscope::ui
