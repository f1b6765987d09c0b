// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace tracedeck::ui {

/// A place in the window that Back returns to.
struct Place {
    int page = 0;          ///< MainWindow::Page
    QString definition;
    QString solution;      ///< only for the page with its source
    QString comparedWith;  ///< only for a comparison of its source with this solution's
    bool operator==(const Place&) const = default;
};

/// Where the user has been, as in a browser: visiting from the middle drops what lay ahead.
class NavigationHistory {
public:
    void visit(const Place& place);
    [[nodiscard]] bool canGoBack() const { return m_current > 0; }
    [[nodiscard]] bool canGoForward() const { return m_current + 1 < m_places.size(); }
    std::optional<Place> back();
    std::optional<Place> forward();
    void clear();

private:
    static constexpr std::size_t kMost = 100;
    std::vector<Place> m_places;
    std::size_t m_current = 0;
};

}  // namespace tracedeck::ui
