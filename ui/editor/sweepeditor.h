#pragma once

#include "ui/editor/allocationplanner.h"
#include "ui/editor/editedsweep.h"
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

/// Commands of the editor, for the menus of a window.
struct EditorActions {
    QAction *create = nullptr;
    QAction *open = nullptr;
    QAction *save = nullptr;
    QAction *saveAs = nullptr;
};

/// The sweep's form with its file, its history, its checks and Start. Knows no engine: what a sweep is started on is
/// told to it, and what it wants started it tells.
class SweepEditor : public QWidget {
    Q_OBJECT

public:
    /// What the definition is handed over for: to be started, or as that of a sweep that exists.
    enum class Purpose { Start, Apply };

    explicit SweepEditor(QWidget *parent = nullptr);

    SweepDocument *document() const { return m_document; }
    NoticeBar *notice() const { return m_notice; }
    AllocationPlanner *planner() const { return m_planner; }

    /// False, with a notice, when it cannot be read. A file with problems is opened as far as it could be understood.
    bool openFile(const QString &path);
    void setSweep(const sweep::SweepSpec &spec, const QString &baseFolder, const QString &title,
                  const std::string &text = {});
    void newSweep();
    void beginAtName();  ///< ready to be typed over

    /// What trials can run on: numbers for the checks, words for the form. Nothing: not known yet.
    void setMachine(const std::optional<sweep::Capacity> &machine, const QString &words);
    /// Metrics that the sweep's command is known to report.
    void setReported(const QStringList &metrics);
    /// What the probe of the sweep in the editor suggested, or the probe in the editor; the form offers to use it.
    void setSuggestion(const std::optional<ProbeSuggestion> &suggestion);
    /// Why nothing can be started at present; empty: it can.
    void setHindrance(const QString &reason);
    /// To be looked at: nothing can be typed.
    void setReadOnly(bool readOnly);
    /// What a launch or a change was refused for; shown until the next edit.
    void showRefusal(const std::vector<sweep::Problem> &problems, Purpose purpose = Purpose::Start);
    /// The sweep that the document's origin names, as it is now; nothing: there is none, or it is not known yet.
    void setEdited(const std::optional<EditedSweep> &sweep);
    /// Of a sweep that exists: what is typed is not its definition.
    bool hasChanges() const;
    /// Something was typed that is in no file, and of no sweep the definition.
    bool holdsUnsaved() const;
    SummaryStrip *strip() const { return m_strip; }
    const EditorActions &actions() const { return m_actions; }
    /// New and Open are offered elsewhere: here they keep their keys and lose their buttons.
    void hideOpeningButtons();
    /// The sweep file as it stands beside the form.
    QString toml() const;
    /// As if somebody had typed it there.
    void typeToml(const QString &toml);

Q_SIGNALS:
    void startRequested(const QString &toml, const QString &baseFolder);
    /// The sweep that is edited is to have this definition.
    void applyRequested(const QString &toml);
    void tomlShown();  ///< toml() may be another, or holdsUnsaved()

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
    void onChecked();
    void showChecks();
    bool isNothingUnderstood() const;
    void showMistakenText();
    QString lossText(const CheckResult &result) const;
    void requestCheck();
    void requestPlan(const CheckResult &result);
    void showPlan();
    void makeProbe();
    bool isProbeOfProbed() const;
    void useSuggestion();
    void handOver(Purpose purpose);
    void followChanges();
    void followOrigin();

    SweepDocument *m_document;
    SweepChecker *m_checker;
    AllocationPlanner *m_planner;
    QWidget *m_bar;
    EditorActions m_actions;
    QList<QToolButton *> m_openingButtons;
    QList<QToolButton *> m_editingButtons;  ///< Undo would edit, too
    DocumentTitle *m_title;
    NoticeBar *m_notice;
    QSplitter *m_splitter;
    SweepForm *m_form;
    TomlPanel *m_toml;
    SummaryStrip *m_strip;
    QToolButton *m_showToml;
    SweepFileCommands *m_files;
    bool m_tomlIsChosen = false;
    std::optional<sweep::Capacity> m_machine;
    std::vector<PlacedProblem> m_refusal;
    Purpose m_refused = Purpose::Start;
    std::optional<Purpose> m_whenChecked;
    std::optional<EditedSweep> m_edited;
    std::optional<SweepDraft> m_probed;  ///< the sweep of which a probe was made
    SweepOrigin m_probedOrigin;
    std::optional<ProbeSuggestion> m_suggestion;
};

}  // namespace sweepscope::ui
