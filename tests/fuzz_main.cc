// Runs a fuzz target without a fuzzer. SPDX-License-Identifier: MIT
//
// usage: TARGET [--random N] [--folder FOLDER] [FILE]...: each file, each one of a folder, and N random inputs,
// the same ones every time.
#include <dirent.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *input, std::size_t size);

int main(int argc, char **argv) {
    std::vector<std::uint8_t> input;
    long runs = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--random") == 0 && i + 1 < argc) {
            std::mt19937 random(1071);
            for (long left = std::atol(argv[++i]); left > 0; --left, ++runs) {
                // Mostly short; bytes that are often all ones or zeros, where carries are.
                input.resize(random() % (random() % 4 == 0 ? 5000 : 300));
                const unsigned kind = random() % 4;
                for (std::uint8_t &byte : input) {
                    const auto r = random();
                    byte = kind == 0 ? 0xff : kind == 1 && r % 8 != 0 ? 0 : static_cast<std::uint8_t>(r >> 8);
                }
                LLVMFuzzerTestOneInput(input.data(), input.size());
            }
            continue;
        }
        std::vector<std::string> files{argv[i]};
        if (files[0] == "--folder" && i + 1 < argc) {
            // Not by std::filesystem, which Debian's library has compiled without a sanitizer of memory.
            const std::string folder = argv[++i];
            DIR *const entries = opendir(folder.c_str());
            if (!entries) {
                std::perror(folder.c_str());
                return 1;
            }
            files.clear();
            while (const dirent *entry = readdir(entries))
                if (entry->d_name[0] != '.') files.push_back(folder + '/' + entry->d_name);
            closedir(entries);
        }
        for (const std::string &name : files) {
            std::FILE *file = std::fopen(name.c_str(), "rb");
            if (!file) {
                std::perror(name.c_str());
                return 1;
            }
            input.resize(1 << 20);
            input.resize(std::fread(input.data(), 1, input.size(), file));
            std::fclose(file);
            LLVMFuzzerTestOneInput(input.data(), input.size());
            ++runs;
        }
    }
    std::printf("%ld inputs\n", runs);
    return runs == 0;
}
