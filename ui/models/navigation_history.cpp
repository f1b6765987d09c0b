// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/navigation_history.h"

namespace tracedeck::ui {

void NavigationHistory::visit(const Place& place)
{
    if (!m_places.empty() && m_places[m_current] == place)
        return;
    if (!m_places.empty())
        m_places.resize(m_current + 1);
    m_places.push_back(place);
    if (m_places.size() > kMost)
        m_places.erase(m_places.begin());
    m_current = m_places.size() - 1;
}

std::optional<Place> NavigationHistory::back()
{
    if (!canGoBack())
        return std::nullopt;
    return m_places[--m_current];
}

std::optional<Place> NavigationHistory::forward()
{
    if (!canGoForward())
        return std::nullopt;
    return m_places[++m_current];
}

void NavigationHistory::clear()
{
    m_places.clear();
    m_current = 0;
}

}  // namespace tracedeck::ui
