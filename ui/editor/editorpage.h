#pragma once

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

/// The page on which a sweep is written and started on the engine that the client talks to.
class EditorPage : public QWidget {
    Q_OBJECT

public:
    explicit EditorPage(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// False, with a notice on the page, when the file cannot be read.
    bool openFile(const QString &path);
    /// The definition of a sweep that exists, to be changed.
    void editSweep(qint64 sweepId);
    /// Asks the engine what that would do, and the person.
    void undoLastEdit(qint64 sweepId);
    qint64 editedSweep() const;  ///< whose definition is in the editor; 0: a new one's
    /// Of a sweep that exists: what is typed is not its definition.
    bool hasChanges() const;
    QString whyNotApplied() const;  ///< empty: the changes can be
    /// Applies the changes to a sweep that exists, which asks before, else starts. Returns why that is impossible now; empty:
    /// it was requested.
    QString submit();
    const EditorActions &actions() const;
    /// New and Open are offered elsewhere.
    void hideOpeningButtons();
    /// Whether the answer to this only says what would be done.
    bool isDryRun(quint64 job) const;
    /// A sweep to change and start, e.g. a copy of another one. Relative paths in it start in `baseFolder`.
    void setSweep(const sweep::SweepSpec &spec, const QString &baseFolder, const QString &title,
                  const std::string &text = {});
    void newSweep();
    void beginAtName();
    /// Something was changed since it was opened or saved.
    bool isModified() const;
    /// From now on what is written is kept there until it is safe, and what an earlier window left there is offered.
    void keepUnsavedIn(QSettings *settings);

Q_SIGNALS:
    void draftChanged();
    void sweepLaunched(qint64 sweepId);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void start(const QString &toml, const QString &baseFolder);
    void onLaunched(quint64 job, qint64 sweepId);
    void onRefused(quint64 job, const std::vector<sweep::Problem> &problems);
    void onFailed(quint64 job, const QString &message);
    void onDisconnected(const QString &reason);
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
    std::optional<std::uint64_t> m_job;  ///< a launch that is not answered yet
    std::set<qint64> m_ended;            ///< sweeps that the estimate knows
    QTimer m_planFollows;
    std::unique_ptr<UnsavedWork> m_unsaved;
    QTimer m_keep;  ///< many keys, one write
};

}  // namespace sweepscope::ui
