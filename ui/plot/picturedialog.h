#pragma once

#include "ui/plot/pictureform.h"
#include "ui/plot/picturejob.h"

#include <QDialog>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;
class QSpinBox;

namespace sweepscope::ui {

/// What can be exported as one picture.
struct PictureSubject {
    QString name;              ///< for the user
    QString fileName;          ///< without an ending
    bool isOfSeveral = false;  ///< plots that are subjects, too
    /// Returns nullopt if the plot does not exist any more.
    std::function<std::optional<RecordedPicture>(const PictureForm &form)> record;
};

/// Chooses plots, and the form in which they are exported, and shows a preview.
class PictureDialog : public QDialog {
    Q_OBJECT

public:
    /// `settings` remembers the choices; may be null.
    PictureDialog(std::vector<PictureSubject> subjects, std::size_t chosen, QSettings *settings,
                  QWidget *parent = nullptr);

    PictureForm form() const;

Q_SIGNALS:
    /// To files, or as an image without one.
    void ordered(const std::vector<sweepscope::ui::PictureOrder> &orders);

private:
    QWidget *buildChoices();
    QWidget *buildPreview();
    void connectChoices();
    void nameFile();
    void chooseFile();
    void followFile();
    void choosePreset();
    void changeSize();
    void changeUnit();
    void showForm();
    void changed();
    void check();
    void showPreview();
    void finishPreview();
    void order(bool asFiles);
    void keep() const;
    bool areAll() const;
    std::vector<const PictureSubject *> chosen() const;
    QString fileOf(const PictureSubject &subject) const;

    std::vector<PictureSubject> m_subjects;
    QSettings *m_settings;
    PictureForm m_form;
    QString m_folder;
    QComboBox *m_subject;
    QComboBox *m_format;
    QComboBox *m_colors;
    QComboBox *m_size;
    QDoubleSpinBox *m_width;
    QDoubleSpinBox *m_height;
    QComboBox *m_unit;
    QSpinBox *m_resolution;
    QDoubleSpinBox *m_points;
    QCheckBox *m_title;
    QLabel *m_fileLabel;
    QLineEdit *m_file;
    QLabel *m_preview;
    QLabel *m_note;
    QPushButton *m_copy;
    QPushButton *m_export;
    bool m_isShowing = false;  ///< the form, not changes by the user
    QTimer m_soon;             ///< coalesces changes
    QPointer<PictureJob> m_job;
    double m_textScale = 1;
};

}  // namespace sweepscope::ui
