/* Proves a sector from the output of Commit Phase 1, verifies the proof and prints it. Installed, build and run it with
 *
 *     cc prove.c $(pkg-config --cflags --libs c2prover) -o prove
 *     ./prove c1.json SECTOR MINER [FOLDER OF THE PARAMETERS]
 *
 * tests/data/c1-raw.json is of sector 1 of miner 1000; `make params` makes parameters for it in target/params. */
#include <c2prover.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(c2p_error *error) {
    fprintf(stderr, "%s: %s\n%s\n", c2p_status_name(c2p_error_status(error)), c2p_error_message(error),
            c2p_status_advice(c2p_error_status(error)));
    c2p_error_free(error);
    return 1;
}

static unsigned char *read_file(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *len = (size_t)ftell(file);
        rewind(file);
        bytes = malloc(*len + 1);
        if (bytes && fread(bytes, 1, *len, file) != *len) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) fclose(file);
    if (!bytes) perror(path);
    return bytes;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: %s C1_JSON SECTOR MINER [PARAMETERS]\n", argv[0]);
        return 2;
    }
    c2p_request request = {.struct_size = sizeof request, .kind = C2P_KIND_POREP, .sector_number = strtoull(argv[2], NULL, 10)};
    unsigned char *c1 = read_file(argv[1], &request.c1_json.len);
    if (!c1) return 1;
    request.c1_json.ptr = c1;
    uint64_t miner = strtoull(argv[3], NULL, 10); /* its id address: seven bits a byte, the lowest first */
    for (int i = 0; i == 0 || miner; miner >>= 7, i++) request.prover_id[i] = (uint8_t)((miner & 0x7f) | (miner > 0x7f ? 0x80 : 0));

    c2p_engine_options options = {.struct_size = sizeof options, .param_cache = argc > 4 ? argv[4] : NULL};
    c2p_engine *engine = NULL;
    c2p_job *job = NULL;
    c2p_result *result = NULL;
    c2p_error *error = NULL;
    bool holds = false;
    int status = 1;
    if (c2p_engine_new(&options, &engine, &error) || c2p_submit(engine, &request, &job, &error)) goto end;
    for (c2p_event event = {.struct_size = sizeof event}; event.kind != C2P_EVENT_DONE;) {
        if (c2p_job_next_event(job, C2P_FOREVER, &event, &error)) goto end;
        if (event.kind == C2P_EVENT_SYNTHESISED) printf("partition %u of %u: synthesised\n", event.partition + 1, event.partitions);
        if (event.kind == C2P_EVENT_PROVEN) printf("partition %u of %u: proven\n", event.partition + 1, event.partitions);
    }
    if (c2p_job_wait(job, C2P_FOREVER, &result, &error)) goto end;
    c2p_timings timings = {.struct_size = sizeof timings};
    if (c2p_result_timings(result, &timings, &error)) goto end;
    printf("%.3f s, of which synthesis %.3f s\nproof: ", (double)timings.total_us / 1e6, (double)timings.synthesis_us / 1e6);
    c2p_bytes proof = c2p_result_proof(result);
    for (size_t i = 0; i < proof.len; i++) printf("%02x", proof.ptr[i]);
    if (c2p_verify(engine, &request, proof.ptr, proof.len, &holds, &error)) goto end;
    printf("\nverified: %s\n", holds ? "yes" : "no");
    status = !holds;
end:
    if (error) status = failed(error);
    c2p_result_free(result);
    c2p_job_free(job);
    c2p_engine_free(engine);
    free(c1);
    return status;
}
