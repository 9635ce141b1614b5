// onesum check: a verdict on every checksum in captures. SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "capture/reader.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/filter.h"
#include "cli/listing.h"
#include "cli/live.h"
#include "cli/progress.h"
#include "cli/turns.h"

namespace onesum::cli {

namespace {

// How many bytes a thread takes at a time: many enough that it seldom waits for the others, and few enough for
// its second-level cache.
constexpr std::size_t part_bytes = 256 << 10;

// How much text is gathered before it is printed.
constexpr std::size_t much_text = 64 << 10;

// Packets that one thread judges, and what keeps their bytes where they are.
struct Batch {
    std::vector<capture::Packet> packets;
    std::vector<std::shared_ptr<capture::Input::Memory>> memory;

    void clear() {
        packets.clear();
        memory.clear();
    }
};

class Check {
  public:
    Check(const CheckOptions &options, const std::string &name)
        : options_(options), name_(name), listing_(options, name) {}

    int run() {
        File file(name_);
        if (file.error() == 0)
            read(file);
        else
            fail(std::strerror(file.error()));
        const std::string summary = listing_.summary(tally_, problem_);
        std::fwrite(summary.data(), 1, summary.size(), stdout);
        listing_.complain_of_links(tally_);
        if (!problem_.empty()) complain(name_ + ": " + problem_);
        if (!readable_) return trouble;
        return tally_.bad() ? bad : good;
    }

  private:
    // What all threads share of a file.
    struct Source {
        capture::Input input;
        capture::Reader reader;
        Progress progress;
        Filter filter;

        Source(const File &file, const std::string &name, const CheckOptions &options)
            : input(file.descriptor()), reader(input), progress(name, options.quiet), filter(options.filter) {}
    };

    void read(const File &file) {
        Source source(file, name_, options_);
        if (options_.threads == 1)
            judge_one_by_one(source);
        else
            judge_in_parts(source, file.descriptor());
        const std::optional<capture::Problem> &problem = source.reader.problem();
        if (!problem_.empty() || !problem) return;
        problem_ = problem->text();
        // A capture that ends within a record, as where its writer was killed, is told of, and judged by the
        // rest.
        readable_ = source.reader.is_capture() && problem->kind == capture::Problem::Kind::truncated;
    }

    void fail(const std::string &problem) {
        problem_ = problem;
        readable_ = false;
    }

    // The next packet that is wanted, or nullptr.
    const capture::Packet *next(Source &source) {
        if (!problem_.empty()) return nullptr;
        while (const capture::Packet *const packet = source.reader.next()) {
            source.progress.tick(source.reader.input());
            const std::optional<bool> fits = source.filter.fits(*packet);
            if (!fits) fail(source.filter.error());
            if (!fits) return nullptr;
            if (*fits) return packet;
        }
        return nullptr;
    }

    void judge_one_by_one(Source &source) {
        // Who looks on wants to see each line at once.
        const std::size_t enough_text = isatty(STDOUT_FILENO) ? 1 : much_text;
        Outcome outcome;
        while (const capture::Packet *const packet = next(source)) {
            listing_.judge(*packet, outcome, options_.first - listed_);
            if (outcome.text.size() >= enough_text) take(source, outcome);
        }
        take(source, outcome);
    }

    // Each thread takes a part of the file, which it reads by itself. Where in it packets begin is known once
    // those before it have been gone through: that, which is quick, goes from thread to thread in turn. Only a
    // stream has to be read in turn as well. What they come to is printed in the order of the file.
    void judge_in_parts(Source &source, int descriptor) {
        std::atomic<std::uint32_t> taken = 0, turn = 0;
        std::uint64_t position = 0;  // where the packets begin of the one whose turn it is
        std::mutex writing;
        std::map<std::uint32_t, Outcome> outcomes;  // that wait for one before them
        std::uint32_t written = 0;
        const auto work = [&] {
            std::optional<capture::Input> own;
            if (source.input.size()) own.emplace(descriptor);
            Batch batch;
            for (bool more = true; more;) {
                batch.clear();
                const std::uint32_t part = taken++;
                if (own) own->fetch(part * std::uint64_t{part_bytes}, part_bytes);
                for (std::uint32_t now = turn; now != part; now = turn) wait_for_change(turn, now);
                if (own) {
                    own->go_to(position);
                    source.reader.go_on_in(*own);
                }
                more =
                    fill(source, batch, own ? (part + std::uint64_t{1}) * part_bytes : position + part_bytes);
                position = source.reader.position();
                ++turn;
                turn.notify_all();

                Outcome outcome;
                for (const capture::Packet &packet : batch.packets)
                    listing_.judge(packet, outcome, options_.first);
                const std::lock_guard lock(writing);
                outcomes.emplace(part, std::move(outcome));
                for (auto next = outcomes.begin(); next != outcomes.end() && next->first == written;
                     next = outcomes.erase(next), ++written)
                    take(source, next->second);
            }
        };
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < options_.threads; ++i) threads.emplace_back(work);
        work();
        for (std::thread &thread : threads) thread.join();
    }

    // Reads the packets that begin before `end`. False if there are no more behind them.
    bool fill(Source &source, Batch &batch, std::uint64_t end) {
        while (source.reader.position() < end) {
            const capture::Packet *const packet = next(source);
            if (!packet) return false;
            batch.packets.push_back(*packet);
            const auto &memory = source.reader.input().memory();
            if (batch.memory.empty() || batch.memory.back() != memory) batch.memory.push_back(memory);
        }
        return true;
    }

    // Counts and prints.
    void take(Source &source, Outcome &outcome) {
        tally_.add(outcome.tally);
        const std::uint64_t lines = std::min<std::uint64_t>(outcome.ends.size(), options_.first - listed_);
        if (lines != 0) {
            source.progress.clear();
            std::fwrite(outcome.text.data(), 1, outcome.ends[lines - 1], stdout);
            listed_ += lines;
        }
        outcome = {};
    }

    const CheckOptions &options_;
    const std::string name_;
    const Listing listing_;
    Tally tally_;
    std::uint64_t listed_ = 0;  // lines
    std::string problem_;       // why not all of the file could be read,
    bool readable_ = true;      // which is less than an error if only its last record is not whole
};

}  // namespace

int check(const CheckOptions &options) {
    if (!options.live.empty()) return check_live(options);
    if (options.files == std::vector<std::string>{"-"} && isatty(STDIN_FILENO)) {
        complain("standard input is a terminal: name a capture, or pipe one in (see onesum check --help)");
        return trouble;
    }
    int status = good;
    for (const std::string &name : options.files) status = std::max(status, Check(options, name).run());
    return status;
}

}  // namespace onesum::cli
