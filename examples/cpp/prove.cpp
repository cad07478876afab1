// Proves a sector from the output of Commit Phase 1, verifies the proof and prints it. Installed, build and run it with
//
//     c++ -std=c++17 prove.cpp $(pkg-config --cflags --libs c2prover) -o prove
//     ./prove c1.json SECTOR MINER [FOLDER OF THE PARAMETERS]
//
// tests/data/c1-raw.json is of sector 1 of miner 1000; `make params` makes parameters for it in target/params.
#include <c2prover.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

static std::vector<std::uint8_t> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error(path + ": cannot be read");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

static int prove(const std::string &path, std::uint64_t sector, std::uint64_t miner, const char *params) {
    const std::vector<std::uint8_t> c1 = read(path);
    auto request = c2p::defaults<c2p_request>();
    request.kind = C2P_KIND_POREP;
    request.c1_json = {c1.data(), c1.size()};
    request.sector_number = sector;
    // The miner's id address: seven bits a byte, the lowest first.
    for (std::size_t i = 0; i == 0 || miner != 0; miner >>= 7, i++) {
        request.prover_id[i] = static_cast<std::uint8_t>((miner & 0x7f) | (miner > 0x7f ? 0x80 : 0));
    }

    auto options = c2p::defaults<c2p_engine_options>();
    options.param_cache = params;
    const c2p::Engine engine(options);
    const c2p::Job job = engine.submit(request);
    for (c2p_event event = job.next_event(); event.kind != C2P_EVENT_DONE; event = job.next_event()) {
        if (event.kind == C2P_EVENT_SYNTHESISED || event.kind == C2P_EVENT_PROVEN) {
            std::cout << "partition " << event.partition + 1 << " of " << event.partitions << ": "
                      << (event.kind == C2P_EVENT_PROVEN ? "proven" : "synthesised") << std::endl;
        }
    }
    const c2p::Result result = job.wait();
    const c2p_timings timings = result.timings();
    std::printf("%.3f s, of which synthesis %.3f s\nproof: ", timings.total_us / 1e6, timings.synthesis_us / 1e6);
    const std::vector<std::uint8_t> proof = result.proof();
    for (std::uint8_t byte : proof) {
        std::printf("%02x", byte);
    }
    const bool holds = engine.verify(request, proof);
    std::printf("\nverified: %s\n", holds ? "yes" : "no");
    return holds ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        std::cerr << "usage: " << argv[0] << " C1_JSON SECTOR MINER [PARAMETERS]\n";
        return 2;
    }
    try {
        return prove(argv[1], std::stoull(argv[2]), std::stoull(argv[3]), argc > 4 ? argv[4] : nullptr);
    } catch (const c2p::Error &e) {
        std::cerr << c2p_status_name(e.status()) << ": " << e.what() << "\n" << c2p_status_advice(e.status()) << "\n";
    } catch (const std::exception &e) {
        std::cerr << e.what() << "\n";
    }
    return 1;
}
