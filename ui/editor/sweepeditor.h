#pragma once

#include "ui/editor/allocationplanner.h"
#include "ui/editor/editedsweep.h"
#include "ui/editor/memoryplanner.h"
#include "ui/editor/pointpreviewer.h"
#include "ui/editor/sweepchecker.h"
#include "ui/editor/sweepdocument.h"
#include "ui/models/probereader.h"

#include <QKeySequence>
#include <QList>
#include <QWidget>

class QAction;
class QSplitter;
class QToolButton;

namespace sweepscope::ui {

class DocumentTitle;
class NoticeBar;
class SummaryStrip;
class SweepFileCommands;
class SweepForm;
class TomlPanel;

/// Actions of the editor, for the menus of a window.
struct EditorActions {
    QAction *create = nullptr;
    QAction *open = nullptr;
    QAction *save = nullptr;
    QAction *saveAs = nullptr;
};

/// The sweep's form with its file, its history, its checks and Start. Knows no engine: EditorPage and SweepEditing follow
/// the buttons of its strip() and send definition().
class SweepEditor : public QWidget {
    Q_OBJECT

public:
    /// What a definition is for: a new sweep, or one that exists.
    enum class Purpose { Start, Apply };

    explicit SweepEditor(QWidget *parent = nullptr);

    SweepDocument *document() const { return m_document; }
    NoticeBar *notice() const { return m_notice; }
    AllocationPlanner *planner() const { return m_planner; }
    MemoryPlanner *memoryPlanner() const { return m_memory; }

    /// Returns false, with a notice, if the file cannot be read. Opens a file with problems as far as it can be parsed.
    bool openFile(const QString &path);
    void setSweep(const sweep::SweepSpec &spec, const QString &baseFolder, const QString &title,
                  const std::string &text = {});
    void newSweep();
    void beginAtName();  ///< focuses the name and selects it

    /// What trials can run on: numbers for the checks, text for the form. nullopt if unknown.
    void setMachine(const std::optional<sweep::Capacity> &machine, const QString &words);
    /// Names of the other machines of the workspace.
    /// Where the engine has its built-in worker; empty if that is another machine. For the next check.
    void setWorker(const std::filesystem::path &worker);
    void setKnownMachines(const QStringList &names);
    /// Metrics that the sweep's command is known to report.
    void setReported(const QStringList &metrics);
    /// Sets the suggestion of the probe in the editor, or of the sweep's probe; the form offers to apply it.
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);
    /// Why nothing can be launched at present; empty if it can.
    void setHindrance(const QString &reason);
    /// Disables all input.
    void setReadOnly(bool readOnly);
    /// Why a launch or a change was rejected; shown until the next edit.
    void showRefusal(const std::vector<sweep::Problem> &problems, Purpose purpose = Purpose::Start);
    /// The current state of the sweep named in the document's origin; nullopt if there is none, or if it is unknown.
    void setEdited(const std::optional<EditedSweep> &sweep);
    /// Whether the draft of an existing sweep differs from its definition.
    bool hasChanges() const;
    /// Whether the draft is neither in a file nor a sweep's definition.
    bool hasUnsavedWork() const;
    SummaryStrip *strip() const { return m_strip; }
    const EditorActions &actions() const { return m_actions; }
    /// Hides the buttons for New and Open, which are available elsewhere; the shortcuts stay.
    void hideOpeningButtons();
    /// The sweep file as shown next to the form.
    QString toml() const;
    /// Equivalent to typing it there.
    void typeToml(const QString &toml);
    /// The sweep file for the engine, which checks it again. nullopt if part of what is typed cannot be understood; the
    /// editor shows what.
    std::optional<QString> definition(Purpose purpose);

Q_SIGNALS:
    void tomlShown();  ///< toml() may be another, or hasUnsavedWork()

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void addButtons();
    QToolButton *addButton(const QString &name, const QString &icon, const QString &text,
                           QKeySequence::StandardKey keys);
    void onEdited(const QString &place);
    void onTomlEdited(const QString &toml);
    void onDraftChanged();
    void showChecks();
    bool isNothingUnderstood() const;
    void showMistakenText();
    QString lossText(const CheckResult &result) const;
    void requestCheck();
    void requestPoints(const CheckResult &result);
    void requestPlan(const CheckResult &result);
    void showPlan();
    void forgetPlan();
    void makeProbe();
    bool isProbeOfProbed() const;
    void useSuggestion();
    void followChanges();
    void followOrigin();

    SweepDocument *m_document;
    SweepChecker *m_checker;
    PointPreviewer *m_previewer;
    AllocationPlanner *m_planner;
    MemoryPlanner *m_memory;
    QWidget *m_bar;
    EditorActions m_actions;
    QList<QToolButton *> m_openingButtons;
    QList<QToolButton *> m_editingButtons;  ///< disabled when read-only, because Undo edits too
    DocumentTitle *m_title;
    NoticeBar *m_notice;
    QSplitter *m_splitter;
    SweepForm *m_form;
    TomlPanel *m_toml;
    SummaryStrip *m_strip;
    QToolButton *m_showToml;
    SweepFileCommands *m_files;
    bool m_isSplitByUser = false;
    bool m_tomlIsChosen = false;
    std::optional<sweep::Capacity> m_machine;
    std::filesystem::path m_worker;
    std::vector<PlacedProblem> m_refusal;
    Purpose m_refused = Purpose::Start;
    std::optional<EditedSweep> m_edited;
    std::optional<SweepDraft> m_probed;  ///< the sweep that the probe was made from
    SweepOrigin m_probedOrigin;
    std::optional<ProbeSuggestion> m_suggestion;
};

}  // namespace sweepscope::ui
