// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

namespace tracedeck {

/// Tells when something below the four folders of a dataset may have changed: files, folders, links and what they lead to.
/// Listens to the kernel (inotify); looks for itself at intervals where that is not possible: on network file systems, in
/// folders of another layout, and when the user has no watches left. It may call although nothing that counts changed; Dataset::reload finds that out.
class DatasetWatcher {
public:
    struct Options {
        /// A call comes when nothing has happened for so long, but at most `longestDelay` after the first change.
        std::chrono::milliseconds quiet{200};
        std::chrono::milliseconds longestDelay{1000};
        /// How often to look where the kernel does not tell; less often when one look takes more than a twentieth of it.
        std::chrono::milliseconds pollInterval{2000};
        bool mayListen = true;   ///< false: always look at intervals
    };
    enum class Mode { Listening, Polling };

    /// `onChange` is called on the watcher's own thread, one call at a time.
    DatasetWatcher(std::filesystem::path root, std::function<void()> onChange, Options options);
    DatasetWatcher(std::filesystem::path root, std::function<void()> onChange)
        : DatasetWatcher(std::move(root), std::move(onChange), Options()) {}
    /// Ends the thread: no call comes afterwards.
    ~DatasetWatcher();
    DatasetWatcher(const DatasetWatcher&) = delete;
    DatasetWatcher& operator=(const DatasetWatcher&) = delete;

    /// How it watches now; every change after the constructor's return is noticed.
    [[nodiscard]] Mode mode() const;

private:
    class Watches;
    class Worker;
    std::unique_ptr<Worker> m_worker;
};

}  // namespace tracedeck
