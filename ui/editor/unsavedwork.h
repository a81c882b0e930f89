#pragma once

#include <QString>

#include <optional>

class QSettings;

namespace sweepscope::ui {

/// What is being written in an editor, beside the window's settings until it is safe elsewhere: a window that is killed
/// leaves it to the next one.
class UnsavedWork {
public:
    struct Work {
        QString toml;      ///< as it stands beside the form, with its mistakes
        QString filePath;  ///< empty: it has no file
        QString baseFolder;
        QString workspace;
        qint64 sweepId = 0;  ///< these are changes to this sweep of the workspace; 0: a new one

        bool operator==(const Work &) const = default;
    };
    struct LeftBehind {
        QString key;
        Work work;
    };

    /// `settings` outlives this.
    explicit UnsavedWork(QSettings *settings);
    ~UnsavedWork();
    UnsavedWork(const UnsavedWork &) = delete;
    UnsavedWork &operator=(const UnsavedWork &) = delete;

    void keep(const Work &work);
    void drop();
    /// Of a window of this machine that has ended without dropping it. It stays until it is forgotten.
    std::optional<LeftBehind> leftBehind() const;
    void forget(const LeftBehind &left);

private:
    QSettings *m_settings;
    QString m_key;  ///< of this process
    std::optional<Work> m_kept;
};

}  // namespace sweepscope::ui
