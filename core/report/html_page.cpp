// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_page.h"

#include <fmt/format.h>

#include "core/report/html_text.h"
#include "core/report/report.h"
#include "core/report/svg_plots.h"

namespace tracedeck {

namespace embedded {
extern const std::string_view report_css;
extern const std::string_view report_js;
}  // namespace embedded

namespace {

/// What a rich-text engine understands of a style sheet.
constexpr std::string_view kPaperStyle =
    "body{font-family:sans-serif;font-size:9pt}h1{font-size:18pt}h2{font-size:14pt}h3{font-size:11.5pt}h4{font-size:10pt}"
    ".sub,.note,.caption{color:#5b6470}.note,.caption{font-size:8pt}table{border-collapse:collapse}th,td{padding:2px 5px;font-size:7.5pt}"
    "th{background-color:#f0f2f5;color:#5b6470}pre{font-family:monospace;font-size:7pt;white-space:pre-wrap}.mono{font-family:monospace}"
    ".pass{color:#157a4c}.wrong{color:#8f5e12}.error{color:#c53030}.late{color:#7c3aed}.caught{color:#b83280}";

std::string attribute(std::string_view name, std::string_view value)
{
    return value.empty() ? std::string() : fmt::format(" {}=\"{}\"", name, htmlText(value));
}

}  // namespace

void HtmlPage::heading(int level, std::string_view text, std::string_view id)
{
    m_html += fmt::format("<h{0}{1}>{2}</h{0}>\n", level, attribute("id", id), htmlText(text));
}

void HtmlPage::paragraph(std::string_view text, std::string_view cssClass) { paragraphHtml(htmlText(text), cssClass); }

void HtmlPage::paragraphHtml(std::string_view html, std::string_view cssClass)
{
    m_html += fmt::format("<p{}>{}</p>\n", attribute("class", cssClass), html);
}

void HtmlPage::lines(std::string_view text)
{
    // The parser drops a line end right after <pre>.
    m_html += fmt::format("<pre>{}{}</pre>\n", text.starts_with('\n') ? "\n" : "", htmlLines(text));
}

void HtmlPage::facts(const std::vector<std::pair<std::string, std::string>>& facts)
{
    if (facts.empty()) return;
    const bool isPaper = m_form == HtmlForm::Paper;
    m_html += isPaper ? "<table>" : "<dl>";
    for (const auto& [name, value] : facts) {
        m_html += fmt::format(fmt::runtime(isPaper ? "<tr><td class=\"sub\">{}</td><td>{}</td></tr>" : "<dt>{}</dt><dd>{}</dd>"), htmlText(name), htmlText(value));
    }
    m_html += isPaper ? "</table>\n" : "</dl>\n";
}

void HtmlPage::tiles(const std::vector<std::pair<std::string, std::string>>& tiles)
{
    if (m_form == HtmlForm::Paper) {
        facts([&tiles] {
            std::vector<std::pair<std::string, std::string>> swapped;
            for (const auto& [value, what] : tiles) swapped.emplace_back(what, value);
            return swapped;
        }());
        return;
    }
    m_html += "<div class=\"tiles\">";
    for (const auto& [value, what] : tiles) m_html += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", htmlText(value), htmlText(what));
    m_html += "</div>\n";
}

void HtmlPage::table(const TableToWrite& table, const Decoration& decoration)
{
    const bool isPaper = m_form == HtmlForm::Paper;
    m_html += isPaper ? "<table border=\"1\" cellspacing=\"0\" width=\"100%\"><thead><tr>" : "<div class=\"scroll\"><table class=\"sort\"><thead><tr>";
    const std::string_view alignment = isPaper ? " align=\"right\"" : " class=\"n\"";
    for (const TableToWrite::Column& column : table.columns) m_html += fmt::format("<th{}>{}</th>", column.isNumber ? alignment : std::string_view(), htmlText(column.readableTitle()));
    m_html += "</tr></thead><tbody>\n";
    for (std::size_t row = 0; row < table.rowCount; ++row) {
        m_html += "<tr>";
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const TableCell cell = table.cell(row, column);
            std::string text = "–";
            std::string exact;
            if (const auto* words = std::get_if<std::string>(&cell)) text = htmlText(*words);
            if (const auto* number = std::get_if<double>(&cell)) {
                text = table.columns[column].readable(*number);
                exact = shortestNumber(*number);
            }
            if (const auto* whole = std::get_if<std::int64_t>(&cell)) exact = text = std::to_string(*whole);
            if (decoration) text = decoration(row, column, std::move(text));
            m_html += "<td";
            if (table.columns[column].isNumber) m_html += alignment;
            if (!exact.empty() && !isPaper) m_html += " data-v=\"" + exact + "\"";
            m_html += '>' + text + "</td>";
        }
        m_html += "</tr>\n";
    }
    m_html += isPaper ? "</tbody></table>\n" : "</tbody></table></div>\n";
}

void HtmlPage::figure(const std::string& svg, std::string_view title, std::string_view caption, bool mayScroll)
{
    if (svg.empty()) return;
    if (m_form == HtmlForm::Paper) {
        m_pictures.push_back({fmt::format("picture-{}.svg", m_pictures.size() + 1), std::string(title), svg});
        m_html += fmt::format("<p><b>{}</b> <span class=\"caption\">{}</span><br><img src=\"{}\"></p>\n", htmlText(title), htmlText(caption), m_pictures.back().name);
        return;
    }
    m_html += fmt::format("<figure{}><figcaption><b>{}</b> {}</figcaption>{}</figure>\n", mayScroll ? " class=\"wide\"" : "", htmlText(title), htmlText(caption), svg);
}

void HtmlPage::beginPart(std::string_view summary, std::string_view cssClass, std::string_view id)
{
    if (m_form == HtmlForm::Paper) m_html += fmt::format("<h4>{}</h4>\n", htmlText(summary));
    else m_html += fmt::format("<details{}{}><summary>{}</summary>\n", attribute("class", cssClass), attribute("id", id), htmlText(summary));
}

void HtmlPage::endPart()
{
    if (m_form == HtmlForm::Browser) m_html += "</details>\n";
}

std::string HtmlPage::document(std::string_view title) const
{
    const std::string head = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n", htmlText(title));
    if (m_form == HtmlForm::Paper) return fmt::format("{}<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n", head, kPaperStyle, m_html);
    const std::string style = std::string(embedded::report_css) + plotStyle();
    const std::string_view script = embedded::report_js;
    // Nothing is loaded, nothing else runs: not even where a text of the dataset got past the escaping.
    const std::string policy = fmt::format("default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'", sha256Base64(style), sha256Base64(script));
    return fmt::format("{}<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"generator\" content=\"tracedeck\">\n<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n<script>{}</script>\n</body>\n</html>\n",
                       head, policy, style, m_html, script);
}

}  // namespace tracedeck
