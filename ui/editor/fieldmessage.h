#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// A line of small text below a field: what is wrong with it (the label's text), else a quiet note. Its room is always
/// kept, so that words that come and go move nothing; what does not fit is in its tool tip.
class FieldMessage : public QLabel {
    Q_OBJECT

public:
    explicit FieldMessage(QWidget *parent = nullptr);

    void setText(const QString &problem);
    void setNote(const QString &note);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString words() const { return text().isEmpty() ? m_note : text(); }

    QString m_note;
};

}  // namespace sweepscope::ui
