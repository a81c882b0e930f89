#pragma once

#include "facts/fact.h"
#include "sweep/problem.h"
#include "sweep/sweepspec.h"
#include "ui/editor/unsavedwork.h"

#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class ProbeReader;
class SweepEditing;
struct EditorActions;
class SweepEditor;

/// The page that edits a sweep and launches it on the engine of the client.
class EditorPage : public QWidget {
    Q_OBJECT

public:
    explicit EditorPage(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// Returns false, with a notice on the page, if the file cannot be read.
    bool openFile(const QString &path);
    /// Opens the definition of an existing sweep.
    void editSweep(qint64 sweepId);
    /// Asks the engine for the effect, and the user for confirmation.
    void undoLastEdit(qint64 sweepId);
    qint64 editedSweep() const;  ///< the sweep whose definition is in the editor; 0 for a new one
    /// Whether the draft of an existing sweep differs from its definition.
    bool hasChanges() const;
    QString whyNotApplied() const;  ///< empty if the changes can be applied
    /// Applies the changes to an existing sweep after a question, otherwise launches a new one. Returns why that is
    /// impossible now; empty if it was requested.
    QString submit();
    const EditorActions &actions() const;
    /// Hides New and Open, which are available elsewhere.
    /// Whether the form offers what this probe suggests, because it has the probed sweep.
    bool offersResultOf(qint64 probe);
    void hideOpeningButtons();
    /// Whether this request only asks for the effect of an edit.
    bool isDryRun(quint64 job) const;
    /// Opens a sweep to change and launch, such as a copy of another. Its relative paths start in `baseFolder`.
    void setSweep(const sweep::SweepSpec &spec, const QString &baseFolder, const QString &title,
                  const std::string &text = {});
    void newSweep();
    void beginAtName();
    /// Whether something has changed since it was opened or saved.
    bool isModified() const;
    /// Saves unsaved work in `settings` from now on, and offers to restore what an earlier window left there.
    void keepUnsavedIn(QSettings *settings);

Q_SIGNALS:
    void draftChanged();
    void sweepLaunched(qint64 sweepId);
    void editCancelled(qint64 sweepId);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void start();
    void cancelEdit();
    void onLaunched(quint64 job, qint64 sweepId);
    void onRefused(quint64 job, const std::vector<sweep::Problem> &problems);
    void onFailed(quint64 job, const facts::Fact &reason);
    void followDevices();
    void followHindrance();
    void followHistory(qint64 sweepId);
    void planAnew();
    void updateOffers();
    void keepUnsaved();
    void bringBack(const UnsavedWork::LeftBehind &left);

    protocol::EngineClient *m_client;
    SweepEditor *m_editor;
    SweepEditing *m_editing;
    ProbeReader *m_probe;                ///< of the sweep in the editor
    std::optional<std::uint64_t> m_job;  ///< a launch without an answer
    std::set<qint64> m_ended;            ///< sweeps that the time estimate includes
    QTimer m_planFollows;
    QStringList m_plannedMachines;  ///< whose devices are known
    std::unique_ptr<UnsavedWork> m_unsaved;
    QTimer m_keep;  ///< coalesces keystrokes into one write
};

}  // namespace sweepscope::ui
