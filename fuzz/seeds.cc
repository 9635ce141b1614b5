// Writes each packet of captures as an input of the packet target. SPDX-License-Identifier: MIT
//
// usage: fuzz-seeds FOLDER CAPTURE...
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "capture/reader.h"
#include "fuzz/links.h"

int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: fuzz-seeds FOLDER CAPTURE...\n");
        return 2;
    }
    unsigned written = 0;
    for (int i = 2; i < argc; ++i) {
        const int descriptor = open(argv[i], O_RDONLY);
        if (descriptor < 0) {
            std::perror(argv[i]);
            return 2;
        }
        onesum::capture::Input input(descriptor);
        onesum::capture::Reader reader(input);
        while (const onesum::capture::Packet *packet = reader.next()) {
            const auto *link = std::find(std::begin(fuzz::links), std::end(fuzz::links), packet->link);
            if (link == std::end(fuzz::links)) continue;
            const std::string path = std::string(argv[1]) + "/" + std::to_string(written++);
            std::FILE *file = std::fopen(path.c_str(), "wb");
            const unsigned char head[fuzz::head_size] = {static_cast<unsigned char>(link - fuzz::links), 0,
                                                         0x35};
            if (!file || std::fwrite(head, 1, sizeof head, file) != sizeof head ||
                std::fwrite(packet->bytes.data(), 1, packet->bytes.size(), file) != packet->bytes.size() ||
                std::fclose(file) != 0) {
                std::perror(path.c_str());
                return 2;
            }
        }
        close(descriptor);
    }
    std::printf("%u inputs\n", written);
    return 0;
}
