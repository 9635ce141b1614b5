// The page of `onesum report`. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/findings.h"
#include "cli/text.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --text: #1c2430; --soft: #5b6675; --line: #dfe3e9;
  --good: #2f8f5b; --other: #c98a10; --bad: #cf2f3c; --bad-soft: #fbe3e5; --good-soft: #e0f2e8; --field: #cf2f3c;
  --covered: #fdf0cf; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --card: #1b212a; --text: #e3e8ef; --soft: #97a3b3;
  --line: #2e3743; --good: #4cb980; --other: #e0ad45; --bad: #f0646f; --bad-soft: #43222a; --good-soft: #1d3a2b;
  --field: #d9404c; --covered: #3d351f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 28px 20px 48px; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 36px 0 10px; }
h3 { font-size: 15px; margin: 0; }
p { margin: 6px 0; max-width: 75ch; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; }
.answer { margin: 18px 0; border-left: 6px solid var(--good); font-size: 17px; }
.answer.bad { border-left-color: var(--bad); }
.answer.warn { border-left-color: var(--other); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(148px, 1fr)); gap: 12px; }
.tile b { display: block; font-size: 24px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile span { font-weight: 600; }
.tile p { font-size: 13px; color: var(--soft); margin: 2px 0 0; line-height: 1.35; }
.good b, td.good, .good > span { color: var(--good); }
.other b, td.other, .other > span { color: var(--other); }
.bad b, td.bad, .bad > span { color: var(--bad); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; color: var(--soft); font-size: 13px; }
tbody th { color: var(--text); font-size: 15px; }
th:first-child, td:first-child, td.left, th.left { text-align: left; }
td.ends { white-space: normal; }
td.ends span { display: inline-block; overflow-wrap: anywhere; }
tbody tr:last-child > * { border-bottom: 0; }
a { color: inherit; }
td.none { color: var(--soft); }
.chart { display: block; width: 100%; height: 150px; }
.chart.low { height: 70px; }
.chart .good { fill: var(--good); } .chart .other { fill: var(--other); } .chart .bad { fill: var(--bad); }
.chart .base { stroke: var(--line); vector-effect: non-scaling-stroke; }
.chart + .axis { margin-top: 6px; }
.axis { display: flex; justify-content: space-between; gap: 12px; font-size: 13px; color: var(--soft); }
.keys { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; margin-bottom: 8px; }
.key::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px;
  background: currentColor; }
.key.good { color: var(--good); } .key.other { color: var(--other); } .key.bad { color: var(--bad); }
.packet { margin-bottom: 16px; }
.packet header { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; margin-bottom: 6px; }
.packet header span { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.packet table { width: auto; margin: 4px 0 10px; font-size: 14px; }
.packet td, .packet th, .packet tbody th { padding: 3px 12px 3px 0; font-size: 14px; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: 0; overflow-x: auto; font-size: 13px; line-height: 1.55; }
pre .at, pre .gap { color: var(--soft); }
pre mark { color: inherit; background: var(--covered); }
pre mark.field { color: #fff; background: var(--field); font-weight: 700; border-radius: 2px; }
footer { margin-top: 36px; font-size: 13px; color: var(--soft); }
@media (max-width: 620px) { main { padding: 18px 12px 36px; } .card { padding: 12px; } h1 { font-size: 20px; }
  .tiles { grid-template-columns: repeat(2, 1fr); gap: 8px; } pre { font-size: 11px; } pre .text { display: none; }
  th, td { padding: 6px 4px; } th { font-size: 12px; }
  .packet td, .packet th, .packet tbody th { padding-right: 9px; font-size: 13px; }
  .packet td:last-child { white-space: normal; }
  .talks thead { display: none; } .talks tr { display: flex; flex-wrap: wrap; gap: 0 14px; padding: 7px 0;
    border-bottom: 1px solid var(--line); } .talks tr:last-child { border-bottom: 0; }
  .talks td { border: 0; padding: 0; } .talks td.ends { flex-basis: 100%; }
  .talks td.none { display: none; } .talks td[data-is]::before { content: attr(data-is) " "; color: var(--soft); } }
@media (max-width: 420px) { pre { font-size: 10px; } }
@media print { body { background: #fff; } .card { break-inside: avoid; } }
)";

// 12,345
std::string number(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

std::string number(std::uint64_t value, const char *noun) {
    return number(value) + ' ' + noun + (value == 1 ? "" : "s");
}

std::string bytes_text(std::uint64_t size) {
    if (size < 10'000) return number(size, "byte");
    char text[32];
    const double value = static_cast<double>(size);
    std::snprintf(text, sizeof text,
                  size < 10'000'000       ? "%.0f kB"
                  : size < 10'000'000'000 ? "%.0f MB"
                                          : "%.1f GB",
                  value / (size < 10'000'000       ? 1e3
                           : size < 10'000'000'000 ? 1e6
                                                   : 1e9));
    return text;
}

// In UTC, with as many digits of a second as asked for.
std::string time_text(std::uint64_t nanoseconds, int digits) {
    const auto seconds = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    std::string all(text, size);
    if (digits == 0) return all;
    char fraction[16];
    std::snprintf(fraction, sizeof fraction, ".%09u", static_cast<unsigned>(nanoseconds % 1'000'000'000));
    return all + std::string(fraction).substr(0, 1 + static_cast<std::size_t>(digits));
}

// "1.5 s", "20 ms", "3 h 20 min".
std::string duration_text(std::uint64_t nanoseconds) {
    char text[48];
    const double seconds = static_cast<double>(nanoseconds) / 1e9;
    const auto whole = static_cast<unsigned long long>(nanoseconds / 1'000'000'000);
    if (seconds < 1e-3)
        std::snprintf(text, sizeof text, "%.3g \u00b5s", seconds * 1e6);
    else if (seconds < 1)
        std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
    else if (seconds < 120)
        std::snprintf(text, sizeof text, "%.3g s", seconds);
    else if (whole < 7200)
        std::snprintf(text, sizeof text, "%llu min %llu s", whole / 60, whole % 60);
    else if (whole < 172'800)
        std::snprintf(text, sizeof text, "%llu h %llu min", whole / 3600, whole / 60 % 60);
    else
        std::snprintf(text, sizeof text, "%llu days %llu h", whole / 86'400, whole / 3600 % 24);
    return text;
}

const char *kind(int verdict) {
    if (verdict == ONESUM_VERDICT_GOOD) return "good";
    return is_bad(verdict) ? "bad" : "other";
}

std::string verdict_words(int verdict) {
    std::string words = onesum_verdict_name(verdict);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

const char *explanation(int verdict) {
    switch (verdict) {
        case ONESUM_VERDICT_GOOD:
            return "right";
        case ONESUM_VERDICT_BAD:
            return "not what the packet\u2019s bytes give";
        case ONESUM_VERDICT_PARTIAL:
            return "left to the network card to complete; no fault on the wire";
        case ONESUM_VERDICT_ABSENT:
            return "none was sent, which is allowed";
        case ONESUM_VERDICT_ILLEGAL_ZERO:
            return "0 where a checksum must be";
        case ONESUM_VERDICT_UNVERIFIABLE:
            return "not all that is covered is there: fragments, cut packets, encryption";
        default:
            return "a header contradicts itself";
    }
}

std::string hex(std::uint16_t check) {
    std::string text;
    add_checksum(text, check);
    return text;
}

class Page {
  public:
    explicit Page(const Findings &findings) : findings_(findings), tally_(findings.tally) {}

    std::string make() {
        head();
        answer();
        verdicts();
        protocols();
        timeline();
        conversations();
        packets();
        text_ += "<footer>Made by onesum " + html(onesum_version()) +
                 ". Checksums are written in network order; frames count from 1, offsets from the frame\u2019s "
                 "first "
                 "byte. Headers that an ICMP error quotes are not counted.</footer>\n</main></body></html>\n";
        return std::move(text_);
    }

  private:
    void head() {
        const std::string name = html(findings_.name == "-" ? "standard input" : findings_.name);
        text_ +=
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Checksums of " +
            name + "</title>\n<style>" + std::string(style) +
            "</style></head>\n<body><main>\n<h1>Checksums of " + name + "</h1>\n<p class=\"soft\">" +
            number(tally_.frames, "frame");
        if (findings_.earliest)
            text_ += " \u00b7 " + time_text(*findings_.earliest, 3) + " UTC \u00b7 " +
                     duration_text(*findings_.latest - *findings_.earliest);
        if (findings_.size) text_ += " \u00b7 " + bytes_text(*findings_.size);
        text_ += "</p>\n";
        if (!findings_.filter.empty())
            text_ += "<p class=\"soft\">Only what fits <code>" + html(findings_.filter) + "</code></p>\n";
    }

    void answer() {
        const std::uint64_t bad = tally_.of(ONESUM_VERDICT_BAD), zero = tally_.of(ONESUM_VERDICT_ILLEGAL_ZERO);
        const std::uint64_t partial = tally_.of(ONESUM_VERDICT_PARTIAL);
        const bool is_clean = bad + zero == 0;
        text_ += std::string("<div class=\"card answer ") + (is_clean ? "good" : "bad") + "\"><p><strong>";
        if (is_clean)
            text_ += "No checksum is bad.</strong>";
        else
            text_ += number(bad + zero, "checksum") + (bad + zero == 1 ? " is" : " are") +
                     " bad</strong>, in " + number(findings_.bad_packets, "frame") + " of " +
                     number(tally_.frames) + '.';
        if (partial != 0)
            text_ += ' ' + number(partial, "other") + (partial == 1 ? " was" : " were") +
                     " left to the network card: the capture was taken on the sending machine, before the card "
                     "filled " +
                     (partial == 1 ? std::string("it") : std::string("them")) + " in.";
        text_ += "</p></div>\n";
        if (!findings_.problem.empty())
            text_ +=
                "<div class=\"card answer warn\"><p><strong>The file could not be read to its end:</strong> " +
                html(findings_.problem) + ". This page is about what comes before.</p></div>\n";
        for (const auto &[link, frames] : tally_.unknown_links)
            text_ += "<div class=\"card answer warn\"><p>" + number(frames, "frame") + " of link type " +
                     std::to_string(link) + ", which is not known, " + (frames == 1 ? "was" : "were") +
                     " not looked into.</p></div>\n";
    }

    void verdicts() {
        text_ += "<div class=\"tiles\">\n";
        for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict) {
            const std::uint64_t count = tally_.of(verdict);
            if (count == 0 && verdict > ONESUM_VERDICT_BAD) continue;
            const char *const colour = count == 0 ? "none" : kind(verdict);
            text_ += std::string("<div class=\"card tile ") + colour + "\"><b>" + number(count) + "</b><span>" +
                     verdict_words(verdict) + "</span><p>" + explanation(verdict) + "</p></div>\n";
        }
        text_ += "</div>\n";
    }

    void protocols() {
        text_ += "<h2>By protocol</h2>\n<div class=\"card scroll\"><table><thead><tr><th>protocol</th>";
        std::vector<int> columns;
        for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict)
            if (verdict <= ONESUM_VERDICT_BAD || tally_.of(verdict) != 0) columns.push_back(verdict);
        for (const int verdict : columns) text_ += "<th>" + verdict_words(verdict) + "</th>";
        text_ += "</tr></thead><tbody>\n";
        bool any = false;
        for (int protocol = 0; protocol < ONESUM_PROTOCOLS; ++protocol) {
            const auto &row = tally_.counts[protocol];
            if (std::all_of(std::begin(row), std::end(row), [](std::uint64_t count) { return count == 0; }))
                continue;
            any = true;
            text_ += "<tr><th>" + std::string(onesum_protocol_name(protocol)) + "</th>";
            for (const int verdict : columns) cell(row[verdict], kind(verdict));
            text_ += "</tr>\n";
        }
        text_ += "</tbody></table>";
        if (!any) text_ += "<p class=\"soft\">No packet carries a checksum that is known.</p>";
        text_ += "</div>\n";
    }

    void cell(std::uint64_t count, const char *colour, const char *more = "") {
        text_ += std::string("<td class=\"") + (count == 0 ? "none" : colour) + '"' + more + '>' +
                 (count == 0 ? "\u2013" : number(count)) + "</td>";
    }

    // ---- Time ----

    void timeline() {
        text_ += "<h2>Over time</h2>\n<div class=\"card\">\n";
        const auto &bins = findings_.timeline.bins();
        if (bins.empty()) {
            text_ += "<p class=\"soft\">No packet says when it was captured.</p></div>\n";
            return;
        }
        std::uint64_t most = 0, most_bad = 0;
        for (const auto &[bin, counts] : bins) {
            most = std::max(most, counts.good + counts.other + counts.bad);
            most_bad = std::max(most_bad, counts.bad);
        }
        text_ +=
            "<div class=\"keys\"><span class=\"key good\">good</span><span class=\"key other\">partial and "
            "others"
            "</span><span class=\"key bad\">bad</span></div>\n<div class=\"axis\"><span>up to " +
            number(most, "checksum") + " in " + duration_text(findings_.timeline.width()) + "</span></div>\n";
        chart("Checksums over time", "", most, true);
        if (most_bad != 0) {
            text_ +=
                "<div class=\"axis\"><span>the bad ones alone: up to " + number(most_bad) + "</span></div>\n";
            chart("Bad checksums over time", " low", most_bad, false);
        }
        // The day only once where it is the same.
        const std::string first = time_text(*findings_.earliest, 3), last = time_text(*findings_.latest, 3);
        const bool same_day = first.substr(0, 10) == last.substr(0, 10);
        text_ += "<div class=\"axis\"><span>" + first + "</span><span>" + (same_day ? last.substr(11) : last) +
                 " UTC</span></div>\n";
        if (findings_.untimed != 0)
            text_ +=
                "<p class=\"soft\">" + number(findings_.untimed, "frame") + " without a time left out.</p>\n";
        text_ += "</div>\n";
    }

    // Bars of 10 by 1000 units, stretched to what room there is.
    void chart(const char *label, const char *more, std::uint64_t most, bool all) {
        constexpr double wide = 10, high = 1000;
        const auto &bins = findings_.timeline.bins();
        const std::uint64_t first = bins.begin()->first, count = bins.rbegin()->first - first + 1;
        text_ += std::string("<svg class=\"chart") + more + "\" role=\"img\" aria-label=\"" + label +
                 "\" preserveAspectRatio=\"none\" viewBox=\"0 0 " + std::to_string(count * 10) + " 1000\">";
        for (const auto &[bin, counts] : bins) {
            const double x = static_cast<double>(bin - first) * wide;
            double top = high;
            const auto part = [&](const char *colour, std::uint64_t value) {
                if (value == 0) return;
                // A few among many are still to be seen.
                const double height =
                    std::max(high * static_cast<double>(value) / static_cast<double>(most), 12.0);
                top = std::max(top - height, 0.0);
                char rect[160];
                std::snprintf(rect, sizeof rect,
                              "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                              colour, x + 0.5, top, wide - 1, height);
                text_ += rect;
            };
            text_ += "<g><title>" + time_text(bin * findings_.timeline.width(), 3) + ": " +
                     number(counts.good) + " good, " + number(counts.other) + " others, " + number(counts.bad) +
                     " bad</title>";
            part("bad", counts.bad);
            if (all) part("other", counts.other);
            if (all) part("good", counts.good);
            text_ += "</g>";
        }
        text_ += "<line class=\"base\" x1=\"0\" x2=\"" + std::to_string(count * 10) +
                 "\" y1=\"1000\" y2=\"1000\"/></svg>\n";
    }

    // ---- Conversations ----

    void conversations() {
        constexpr std::size_t shown = 20;
        using Row = std::pair<Conversation, ConversationCounts>;
        std::vector<Row> rows(findings_.conversations.begin(), findings_.conversations.end());
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(shown, rows.size()));
        std::partial_sort(rows.begin(), end, rows.end(), [](const Row &a, const Row &b) {
            if (a.second.bad != b.second.bad) return a.second.bad > b.second.bad;
            return a.second.partial > b.second.partial;
        });
        text_ += "<h2>Worst conversations</h2>\n<div class=\"card scroll\">";
        if (rows.empty()) {
            text_ += "<p class=\"soft\">None has a bad or a partial checksum.</p></div>\n";
            return;
        }
        const bool partials = tally_.of(ONESUM_VERDICT_PARTIAL) != 0;
        text_ +=
            std::string(
                "<table class=\"talks\"><thead><tr><th>from \u2192 to</th><th class=\"left\">protocol</th>") +
            "<th>bad</th>" + (partials ? "<th>partial</th>" : "") + "<th>in frames</th></tr></thead><tbody>\n";
        for (auto row = rows.begin(); row != end; ++row) {
            const auto &[conversation, counts] = *row;
            text_ += "<tr><td class=\"ends\"><span>" + html(conversation.from()) + "</span> <span>\u2192 " +
                     html(conversation.to()) + "</span></td><td class=\"left\">" +
                     onesum_protocol_name(conversation.protocol) + "</td>";
            cell(counts.bad, "bad", " data-is=\"bad\"");
            if (partials) cell(counts.partial, "other", " data-is=\"partial\"");
            text_ += "<td data-is=\"in frames\">" + frame_link(counts.first);
            if (counts.last != counts.first) text_ += "\u2013" + frame_link(counts.last);
            text_ += "</td></tr>\n";
        }
        text_ += "</tbody></table>";
        if (rows.size() > shown)
            text_ += "<p class=\"soft\">and " + number(rows.size() - shown, "other") + "</p>";
        if (findings_.more_conversations != 0)
            text_ += "<p class=\"soft\">" + number(findings_.more_conversations, "checksum") +
                     " of conversations that were too many to count</p>";
        text_ += "</div>\n";
    }

    // To its bytes, where they are shown.
    std::string frame_link(std::uint64_t frame) const {
        if (frame == 0) return "\u2013";
        const bool shown = std::any_of(findings_.packets.begin(), findings_.packets.end(),
                                       [frame](const BadPacket &packet) { return packet.frame == frame; });
        return shown ? "<a href=\"#frame-" + std::to_string(frame) + "\">" + number(frame) + "</a>"
                     : number(frame);
    }

    // ---- Packets ----

    void packets() {
        if (findings_.bad_packets == 0) return;
        text_ += "<h2>The first bad packets</h2>\n";
        if (findings_.bad_packets > findings_.packets.size())
            text_ += "<p class=\"soft\">" + number(findings_.packets.size()) + " of " +
                     number(findings_.bad_packets) + " (--first N shows more).</p>\n";
        if (!findings_.packets.empty())
            text_ +=
                "<p class=\"soft\"><code>ab</code> on red is the field that is bad; what it covers is "
                "tinted.</p>\n";
        for (const BadPacket &packet : findings_.packets) show(packet);
    }

    void show(const BadPacket &packet) {
        const onesum_packet_result &worst = packet.results[packet.worst];
        text_ += "<section class=\"card packet\" id=\"frame-" + std::to_string(packet.frame) +
                 "\"><header><h3>Frame " + number(packet.frame) + "</h3><span>" +
                 html(packet.conversation.from()) + " \u2192 " + html(packet.conversation.to()) +
                 "</span><span>" + number(packet.captured, "byte") + "</span>";
        if (packet.time) text_ += "<span>" + time_text(*packet.time, 6) + "</span>";
        text_ +=
            "</header>\n<div class=\"scroll\"><table><thead><tr><th>checksum</th><th>offset</th><th>stored</th>"
            "<th>expected</th><th class=\"left\">verdict</th></tr></thead><tbody>\n";
        for (const onesum_packet_result &result : packet.results) {
            const bool expected = result.flags & ONESUM_RESULT_EXPECTED;
            text_ += "<tr><th>" + std::string(onesum_protocol_name(result.protocol)) + "</th><td>" +
                     number(result.offset) + "</td><td class=\"" + kind(result.verdict) + "\"><code>" +
                     hex(result.stored) + "</code></td><td><code>" +
                     (expected ? hex(result.expected) : "\u2013") + "</code></td><td class=\"left\">" +
                     verdict_words(result.verdict);
            if (result.reason != ONESUM_REASON_NONE) {
                std::string reason = onesum_reason_name(result.reason);
                std::replace(reason.begin(), reason.end(), '_', ' ');
                text_ += ": " + reason;
            }
            text_ += hint(result);
            if (result.flags & ONESUM_RESULT_QUOTED) text_ += ", quoted in an ICMP error";
            text_ += "</td></tr>\n";
        }
        text_ += "</tbody></table></div>\n";
        dump(packet, worst);
        text_ += "</section>\n";
    }

    // What a wrong value looks like that is known from practice.
    static const char *hint(const onesum_packet_result &result) {
        if (result.verdict != ONESUM_VERDICT_BAD || !(result.flags & ONESUM_RESULT_EXPECTED)) return "";
        if (result.stored == 0) return ": never filled in";
        if (result.stored == __builtin_bswap16(result.expected)) return ": the right bytes, swapped";
        if (result.stored == static_cast<std::uint16_t>(~result.expected))
            return ": the right sum, not complemented";
        return "";
    }

    static constexpr std::size_t row_size = 16;

    // The first rows, and those around the bad fields.
    static std::set<std::size_t> rows_of(const BadPacket &packet) {
        const std::size_t count = (packet.bytes.size() + row_size - 1) / row_size;
        std::set<std::size_t> rows;
        for (std::size_t row = 0; row < std::min<std::size_t>(count, 6); ++row) rows.insert(row);
        for (const onesum_packet_result &result : packet.results) {
            if (!is_bad(result.verdict)) continue;
            const std::size_t row = result.offset / row_size;
            for (std::size_t near = row < 2 ? 0 : row - 2; near < std::min(count, row + 4); ++near)
                rows.insert(near);
        }
        return rows;
    }

    void dump(const BadPacket &packet, const onesum_packet_result &worst) {
        text_ += "<pre>";
        std::size_t next = 0;
        for (const std::size_t row : rows_of(packet)) {
            gap(row * row_size - next);
            const std::size_t end = std::min((row + 1) * row_size, packet.bytes.size());
            char at[16];
            std::snprintf(at, sizeof at, "%04zx", row * row_size);
            text_ += std::string("<span class=\"at\">") + at + "</span> ";
            bytes(packet, worst, row * row_size, end);
            next = end;
        }
        gap(packet.captured - next);
        text_ += "</pre>\n";
    }

    void gap(std::size_t size) {
        if (size != 0) text_ += "<span class=\"gap\">  \u22ee " + number(size, "byte") + "</span>\n";
    }

    // Marked as what they are: 'f' for the field, 'c' for what it covers, 0 for the rest.
    static char mark_of(const BadPacket &packet, const onesum_packet_result &worst, std::size_t at) {
        for (const onesum_packet_result &result : packet.results)
            if (is_bad(result.verdict) && !(result.flags & ONESUM_RESULT_QUOTED) && at - result.offset < 2)
                return 'f';
        for (const onesum_packet_range &range : worst.covered)
            if (at - range.offset < range.size) return 'c';
        return 0;
    }

    void bytes(const BadPacket &packet, const onesum_packet_result &worst, std::size_t from, std::size_t end) {
        constexpr const char *open[] = {"<mark>", "<mark class=\"field\">"};
        // Once in hexadecimal, once as text. A mark goes on through the space between two bytes of a kind.
        std::string hexadecimal, printable;
        char before = 0;
        for (std::size_t at = from; at < from + row_size; ++at) {
            const char mark = at < end ? mark_of(packet, worst, at) : 0;
            if (mark != before && before != 0) hexadecimal += "</mark>", printable += "</mark>";
            hexadecimal += at % row_size == 8 ? "  " : " ";
            if (mark != before && mark != 0) hexadecimal += open[mark == 'f'], printable += open[mark == 'f'];
            before = mark;
            if (at >= end) {
                hexadecimal += "  ";
                continue;
            }
            const unsigned value = std::to_integer<unsigned>(packet.bytes[at]);
            char digits[4];
            std::snprintf(digits, sizeof digits, "%02x", value);
            hexadecimal += digits;
            printable +=
                value >= 0x20 && value < 0x7f ? html(std::string(1, static_cast<char>(value))) : "\u00b7";
        }
        if (before != 0) hexadecimal += "</mark>", printable += "</mark>";
        text_ += hexadecimal + "<span class=\"text\">   " + printable + "</span>\n";
    }

    const Findings &findings_;
    const Tally &tally_;
    std::string text_;
};

}  // namespace

std::string page(const Findings &findings) { return Page(findings).make(); }

}  // namespace onesum::cli
