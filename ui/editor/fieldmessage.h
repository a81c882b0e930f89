#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// Small text below a field: its problem (the label's text), else a subtle note. One line is always reserved, so that
/// short text appears without moving anything. A longer problem wraps; a longer note is elided and has a tooltip.
class FieldMessage : public QLabel {
    Q_OBJECT

public:
    explicit FieldMessage(QWidget *parent = nullptr);

    void setText(const QString &problem);
    void setNote(const QString &note);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString words() const { return text().isEmpty() ? m_note : text(); }

    QString m_note;
};

}  // namespace sweepscope::ui
