// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/report/table_file.h"

namespace tracedeck {

/// For whom a page is written.
enum class HtmlForm {
    Browser,   ///< one file with style, script and pictures within
    Paper      ///< what a rich-text engine lays out on pages: no script, nothing folded; pictures are files that the page names
};

/// A picture that a page of HtmlForm::Paper names: an SVG.
struct PagePicture {
    std::string name;   ///< `picture-3.svg`
    std::string title;
    std::string svg;
};

/// Writes a page from front to back. Texts are escaped here, except where a parameter is called html.
class HtmlPage {
public:
    explicit HtmlPage(HtmlForm form) : m_form(form) {}

    [[nodiscard]] HtmlForm form() const { return m_form; }
    void heading(int level, std::string_view text, std::string_view id = {});
    void paragraph(std::string_view text, std::string_view cssClass = {});
    void paragraphHtml(std::string_view html, std::string_view cssClass = {});
    /// Several lines as they are: a log, a source.
    void lines(std::string_view text);
    /// Names and values.
    void facts(const std::vector<std::pair<std::string, std::string>>& facts);
    /// Figures side by side: text and what it is.
    void tiles(const std::vector<std::pair<std::string, std::string>>& tiles);
    /// Html of a cell, given its row and column and its escaped text.
    using Decoration = std::function<std::string(std::size_t row, std::size_t column, std::string escaped)>;
    /// Numbers with four significant digits, and every digit for the script that sorts; a bar for an empty cell.
    void table(const TableToWrite& table, const Decoration& decoration = {});
    /// Nothing for an empty picture.
    void figure(const std::string& svg, std::string_view title, std::string_view caption, bool mayScroll = false);
    void beginPart(std::string_view summary, std::string_view cssClass = {}, std::string_view id = {});   ///< folded in a browser
    void endPart();
    void raw(std::string_view html) { m_html += html; }

    [[nodiscard]] std::size_t size() const { return m_html.size(); }
    [[nodiscard]] const std::vector<PagePicture>& pictures() const { return m_pictures; }
    /// The whole page: head, policy, style and script around what was written.
    [[nodiscard]] std::string document(std::string_view title) const;

private:
    HtmlForm m_form;
    std::string m_html;
    std::vector<PagePicture> m_pictures;
};

}  // namespace tracedeck
