#pragma once

#include <QWidget>

class QIcon;
class QLabel;
class QPushButton;

namespace sweepscope::ui {

class IconLabel;

/// A message of one or a few lines above a page: why a trial waits or failed, with a link to the log.
class NoticeBanner : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Note, Problem };

    explicit NoticeBanner(QWidget *parent = nullptr);

    /// An empty text hides the banner. Without `action` there is no button.
    void setNotice(Kind kind, const QIcon &icon, const QString &text, const QString &action = {});
    QString text() const;

Q_SIGNALS:
    void actionClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    IconLabel *m_icon;
    QLabel *m_text;
    QPushButton *m_action;
    Kind m_kind = Kind::Note;
};

}  // namespace sweepscope::ui
