// A line of JSON for each figure, the same from every bench: what was measured, our seconds, a peer's where there is one,
// and who measured it.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace figure {

// Machine, date and command, at the end of every line.
inline std::string origin;

inline void start(int argc, char** argv) {
    cudaDeviceProp properties;
    const bool known = cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
    char day[16];
    time_t now = time(nullptr);
    strftime(day, sizeof day, "%F", gmtime(&now));
    const char* name = strrchr(argv[0], '/');
    origin = std::string("\"machine\":\"") + (known ? properties.name : "") + "\",\"date\":\"" + day + "\",\"command\":\"" +
             (name ? name + 1 : argv[0]);
    for (int i = 1; i < argc; i++) origin += std::string(" ") + argv[i];
    origin += "\"";
}

// peer: NULL where there is none, its seconds are ignored then. more: fields of this figure's own, "" or ",\"name\":value..".
inline void print(const char* what, const std::string& variant, int lg, double ours, const char* peer = nullptr,
                  double peer_s = 0, const std::string& more = "") {
    char beside[160] = "\"peer_s\":null,\"ratio\":null,\"peer\":null";
    if (peer) snprintf(beside, sizeof beside, "\"peer_s\":%.6g,\"ratio\":%.3f,\"peer\":\"%s\"", peer_s, peer_s / ours, peer);
    printf("{\"what\":\"%s\",\"variant\":\"%s\",\"lg\":%d,\"circuits\":1,\"ours_s\":%.6g,%s%s,%s}\n", what, variant.c_str(), lg,
           ours, beside, more.c_str(), origin.c_str());
    fflush(stdout);
}

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline double median(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

}  // namespace figure
