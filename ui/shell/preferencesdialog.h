#pragma once

#include "alerts/alertsettings.h"
#include "sweep/costfactors.h"

#include <QDialog>
#include <QPointer>

#include <map>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QProcess;
class QPushButton;

namespace sweepscope::ui {

class Theme;
enum class ColorScheme;

/// Appearance of the windows, and alerts.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    /// `engineIsElsewhere`: the workspace is on another machine, which has its own command.
    PreferencesDialog(const Theme &theme, bool engineIsElsewhere, QWidget *parent = nullptr);
    ~PreferencesDialog() override;

Q_SIGNALS:
    void schemeChosen(sweepscope::ui::ColorScheme scheme);
    void textSizeChosen(int percent);

private:
    QWidget *buildAppearance(const Theme &theme);
    QWidget *buildAlerts(bool engineIsElsewhere);
    QWidget *buildCosts();
    /// Returns false, and shows the problem, if an input is invalid.
    bool saveCosts();
    void addAlert(QGridLayout *grid, alerts::AlertKind kind);
    void test();
    void showResult(const QString &text, bool isProblem);
    void fit();
    void save();

    alerts::AlertSettings m_before;
    bool m_isReadable = true;  ///< the file; otherwise it is not replaced
    sweep::CostFactors m_costsBefore;
    bool m_costsAreReadable = true;
    QComboBox *m_scheme;
    QComboBox *m_textSize;
    std::map<alerts::AlertKind, QCheckBox *> m_desktop;
    std::map<alerts::AlertKind, QCheckBox *> m_byCommand;
    QLineEdit *m_command;
    QPushButton *m_test;
    QLabel *m_result;
    QLineEdit *m_energyPrice;
    QLineEdit *m_hourPrice;
    QLineEdit *m_carbon;
    QLineEdit *m_currency;
    QLabel *m_costProblem;
    QPointer<QProcess> m_running;
};

}  // namespace sweepscope::ui
