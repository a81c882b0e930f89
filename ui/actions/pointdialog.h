#pragma once

#include "protocol/engineclient.h"

#include <QDialog>
#include <QStringList>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;

namespace sweepscope::ui {

/// A field for each parameter, and a button that asks the engine for new trials. Stays open until the engine has added
/// them.
class PointDialog : public QDialog {
    Q_OBJECT

Q_SIGNALS:
    void added();

protected:
    struct Field {
        std::string parameter;
        QString value{};
        QString placeholder{};
        QStringList choices{};  ///< the values it can have; empty: any
    };
    /// `name`: the start of the names of the dialog and its parts.
    PointDialog(protocol::EngineClient *client, const QString &name, const QString &hint,
                const std::vector<Field> &fields, const QString &buttonText, QWidget *parent);

    /// Sends the request for the values of fields(), and returns its job.
    virtual std::uint64_t request() = 0;
    const std::vector<std::pair<std::string, QLineEdit *>> &fields() const { return m_fields; }
    protocol::EngineClient *client() const { return m_client; }

private:
    /// Returns whether all fields have possible values, and shows a problem below each of the others.
    bool checkFields();
    void send();
    void answered(quint64 job, const QString &problem);

    protocol::EngineClient *m_client;
    std::vector<std::pair<std::string, QLineEdit *>> m_fields;
    std::vector<QStringList> m_choices;     ///< of each field
    std::vector<QLabel *> m_fieldProblems;  ///< of each field
    QLabel *m_problem;
    quint64 m_job = 0;
};

}  // namespace sweepscope::ui
