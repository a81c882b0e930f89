#pragma once

#include <QString>

#include <optional>

class QSettings;

namespace sweepscope::ui {

/// Keeps the draft of an editor in the settings until it is saved elsewhere, so that the next window can restore it
/// after a crash.
class UnsavedWork {
public:
    struct Work {
        QString toml;      ///< as shown next to the form, including mistakes
        QString filePath;  ///< empty if it has no file
        QString baseFolder;
        QString workspace;
        qint64 sweepId = 0;  ///< the sweep of the workspace that these changes belong to; 0 for a new one

        bool operator==(const Work &) const = default;
    };
    struct LeftBehind {
        QString key;
        Work work;
    };

    /// `settings` must outlive this.
    explicit UnsavedWork(QSettings *settings);
    ~UnsavedWork();
    UnsavedWork(const UnsavedWork &) = delete;
    UnsavedWork &operator=(const UnsavedWork &) = delete;

    void keep(const Work &work);
    void drop();
    /// Returns the work of a window on this machine that ended without dropping it. It stays until it is forgotten.
    std::optional<LeftBehind> leftBehind() const;
    void remove(const LeftBehind &left);

private:
    QSettings *m_settings;
    QString m_key;  ///< of this process
    std::optional<Work> m_kept;
};

}  // namespace sweepscope::ui
