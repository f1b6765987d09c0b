// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/usage_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/name_rules.h"
#include "core/model/text.h"

namespace tracedeck::cli {

namespace {

/// Which numbers an option takes.
struct NumberRule {
    bool isWhole = false;
    std::optional<double> least;
    std::optional<double> greatest;
    bool isAboveLeast = false;   ///< the least one is not allowed itself

    [[nodiscard]] bool allows(double number) const
    {
        return !(least && (number < *least || (isAboveLeast && number == *least))) && !(greatest && number > *greatest);
    }
    [[nodiscard]] std::string describe() const
    {
        std::string text = isWhole ? "a whole number" : "a number";
        if (least && greatest) {
            return text + (isAboveLeast ? fmt::format(" above {:.15g} and at most {:.15g}", *least, *greatest)
                                        : fmt::format(" from {:.15g} to {:.15g}", *least, *greatest));
        }
        if (least && isAboveLeast) return text + fmt::format(" above {:.15g}", *least);
        if (least) return text + fmt::format(" of {:.15g} or more", *least);
        return greatest ? text + fmt::format(" of {:.15g} or less", *greatest) : text;
    }
};

/// CLI11 tells the kind and range of an option in the text that its help shows: `INT:POSITIVE`, `UINT:UINT in [1 - 100]`, or
/// both: `FLOAT:POSITIVE:FLOAT in [0 - 1]` is a number above 0 and at most 1.
std::optional<NumberRule> ruleOf(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const std::string kind = type.substr(0, type.find(':'));
    if (kind != "INT" && kind != "UINT" && kind != "FLOAT") return std::nullopt;
    NumberRule rule;
    rule.isWhole = kind != "FLOAT";
    if (kind == "UINT") rule.least = 0;
    if (type.find(":POSITIVE") != std::string::npos) {
        rule.least = rule.isWhole ? 1 : 0;
        rule.isAboveLeast = !rule.isWhole;
    } else if (type.find(":NONNEGATIVE") != std::string::npos) {
        rule.least = 0;
    }
    if (const auto bracket = type.find(" in ["); bracket != std::string::npos) {
        const char* const end = type.data() + type.size();
        double least = 0;
        double greatest = 0;
        const auto first = std::from_chars(type.data() + bracket + 5, end, least);
        constexpr std::string_view kBetween = " - ";
        if (first.ec == std::errc{} && std::string_view(first.ptr, static_cast<std::size_t>(end - first.ptr)).starts_with(kBetween) &&
            std::from_chars(first.ptr + kBetween.size(), end, greatest).ec == std::errc{}) {
            rule.least = std::max(least, rule.least.value_or(least));
            rule.greatest = greatest;
        }
    }
    return rule;
}

/// The number in its plainest form; nullopt when the text is none or is not allowed.
std::optional<std::string> plainNumber(const std::string& text, const NumberRule& rule)
{
    const char* const end = text.data() + text.size();
    const auto parse = [&](auto number) -> std::optional<std::string> {
        const auto [stop, code] = std::from_chars(text.data(), end, number);
        if (code != std::errc{} || stop != end || !rule.allows(static_cast<double>(number))) return std::nullopt;
        return fmt::format("{}", number);
    };
    if (!rule.isWhole) {
        double number = 0;
        const auto [stop, code] = std::from_chars(text.data(), end, number);
        return code == std::errc{} && stop == end && std::isfinite(number) && rule.allows(number) ? std::optional(text) : std::nullopt;
    }
    return text.starts_with('-') ? parse(std::int64_t{0}) : parse(std::uint64_t{0});
}

/// The words that an option takes, from `{a,b}` or `{a->0,b->1}` in its type name.
std::vector<std::string> choicesOf(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const auto open = type.find('{');
    const auto close = type.find('}', open == std::string::npos ? 0 : open);
    std::vector<std::string> choices;
    if (open == std::string::npos || close == std::string::npos) return choices;
    std::string_view rest = std::string_view(type).substr(open + 1, close - open - 1);
    while (!rest.empty()) {
        const std::string_view entry = rest.substr(0, rest.find(','));
        choices.emplace_back(entry.substr(0, entry.find("->")));
        rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    }
    return choices;
}

const CLI::App& innermost(const CLI::App& app)
{
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
    return *command;
}

/// Arguments that no command knew what to do with, in their order.
std::vector<std::string> leftOver(const CLI::App& app)
{
    std::vector<std::string> rest;
    for (const CLI::App* command = &app; command != nullptr;) {
        const auto own = command->remaining();
        rest.insert(rest.end(), own.begin(), own.end());
        const auto inner = command->get_subcommands();
        command = inner.empty() ? nullptr : inner.back();
    }
    return rest;
}

std::vector<std::string> commandNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
    return names;
}

/// The first argument that is not known, and what it may have been.
std::string unknownArgumentText(const CLI::App& app, const std::string& argument)
{
    const CLI::App& command = innermost(app);
    if (argument.starts_with('-')) {
        std::vector<std::string> known;
        for (const CLI::Option* option : command.get_options()) {
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
        }
        const std::string name = argument.substr(0, argument.find('='));
        const auto near = nearNames(name, known);
        return "there is no option '" + name + "'" + (near.empty() ? "" : nameHint(name, near));
    }
    if (const auto names = commandNames(command); !names.empty()) {
        return fmt::format("there is no {} '{}'{}", &command == &app ? "command" : command.get_name(), argument, nameHint(argument, names));
    }
    return "'" + argument + "' was not expected";
}

/// The option that an error speaks of.
const CLI::Option* optionOf(const CLI::App& app, std::string_view text)
{
    const CLI::Option* found = nullptr;
    for (const CLI::Option* option : innermost(app).get_options()) {
        const std::string name = option->get_name();
        if (name.empty()) continue;
        const auto at = text.find(name);
        if (at == std::string_view::npos) continue;
        const std::size_t after = at + name.size();
        const bool isWhole = after == text.size() || (text[after] != '-' && !std::isalnum(static_cast<unsigned char>(text[after])));
        if (isWhole && (found == nullptr || name.size() > found->get_name().size())) found = option;
    }
    return found;
}

/// What is wrong with the values of an option; empty when nothing is known of them.
std::string valueText(const CLI::Option& option)
{
    if (const auto rule = ruleOf(option)) {
        for (const std::string& value : option.results()) {
            if (!plainNumber(value, *rule)) return fmt::format("'{}' is not {}", value, rule->describe());
        }
        return fmt::format("'{}' is too large", fmt::join(option.results(), "', '"));
    }
    const auto choices = choicesOf(option);
    for (const std::string& value : option.results()) {
        const bool isKnown = std::any_of(choices.begin(), choices.end(), [&](const std::string& choice) { return asciiLower(choice) == asciiLower(value); });
        if (!choices.empty() && !isKnown) return fmt::format("'{}' is not one of {}", value, fmt::join(choices, ", "));
    }
    return {};
}

std::string argumentCountText(const CLI::Option& option)
{
    if (option.get_items_expected_max() == 0) return "takes no value";
    return option.results().size() > 1 ? "can be given only once" : "needs a value";
}

}  // namespace

void acceptPlainNumbersOnly(CLI::App& app)
{
    for (CLI::Option* option : app.get_options()) {
        const auto rule = ruleOf(*option);
        if (!rule) continue;
        CLI::Validator validator("");
        validator.operation([rule = *rule](std::string& text) {
            const auto number = plainNumber(text, rule);
            if (!number) return fmt::format("'{}' is not {}", text, rule.describe());
            text = *number;   // without the zeros in front that CLI11 takes for octal
            return std::string();
        });
        option->transform(validator);
    }
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) acceptPlainNumbersOnly(*command);
}

std::string usageErrorText(const CLI::App& app, const CLI::ParseError& error)
{
    const std::string what = error.what();
    // Not by the error's name: CLI11 gives some of them that of the command.
    const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
    const auto rest = leftOver(app);
    if (kind == CLI::ExitCodes::ExtrasError && !rest.empty()) return unknownArgumentText(app, rest.front());
    if (kind == CLI::ExitCodes::RequiredError && what.starts_with("A subcommand")) {
        if (!rest.empty()) return unknownArgumentText(app, rest.front());
        const CLI::App& command = innermost(app);
        return fmt::format("name a {}: {}", &command == &app ? "command" : command.get_name(), fmt::join(commandNames(command), ", "));
    }
    if (kind == CLI::ExitCodes::ExcludesError) {
        constexpr std::string_view kExcludes = " excludes ";
        if (const auto at = what.find(kExcludes); at != std::string::npos) {
            return what.substr(0, at) + " and " + what.substr(at + kExcludes.size()) + " cannot be given together";
        }
    }
    const CLI::Option* option = optionOf(app, what);
    if (option == nullptr) return what;
    if (kind == CLI::ExitCodes::ArgumentMismatch) return option->get_name() + " " + argumentCountText(*option);
    if (kind == CLI::ExitCodes::ValidationError || kind == CLI::ExitCodes::ConversionError) {
        if (option->get_items_expected_max() == 0) return option->get_name() + " takes no value";
        if (const std::string text = valueText(*option); !text.empty()) return option->get_name() + ": " + text;
    }
    return what;
}

std::string namedCommand(const CLI::App& app)
{
    std::string text = app.get_name();
    for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
        command = command->get_subcommands().back();
        text += " " + command->get_name();
    }
    return text;
}

}  // namespace tracedeck::cli
