# Builds compare, our kernels beside sppark's, into $(BUILD)/peer. From the repository's root, after ntt.mk and msm.mk:
#   make -f benches/peer/kernels.mk SPPARK=<sppark crate>/sppark BLST=<blst crate>/blst [NVCC=nvcc] [ARCH=sm_90] [BUILD=target/gpu]
NVCC ?= nvcc
ARCH ?= sm_90
BUILD ?= target/gpu
out := $(BUILD)/peer
flags := -std=c++17 -O3 -arch=$(ARCH)
ours := $(foreach part,ntt quotient,$(patsubst cuda/$(part)/%.cu,$(BUILD)/ntt/%.o,$(wildcard cuda/$(part)/*.cu))) \
    $(patsubst cuda/msm/%.cu,$(BUILD)/msm/%.o,$(wildcard cuda/msm/*.cu)) $(BUILD)/msm/cases.o
peer_flags := -I$(SPPARK) -I$(BLST)/src -DFEATURE_BLS12_381 -D__BLST_PORTABLE__ -DTAKE_RESPONSIBILITY_FOR_ERROR_MESSAGE -Xcompiler -Wno-unused-function

$(out)/compare: $(out)/compare.o $(out)/sppark.o $(out)/all_gpus.o $(out)/blst.o $(out)/blst_asm.o $(ours)
	$(NVCC) -arch=$(ARCH) -cudart static -Xcompiler -static-libstdc++,-static-libgcc $^ -o $@
$(out)/compare.o: benches/peer/compare.cu benches/peer/sppark.h benches/gpu/figure.h tests/gpu/msm_cases.cuh tests/gpu/ntt_check.cuh
	@mkdir -p $(out)
	$(NVCC) $(flags) -Icuda -Itests/gpu -Ibenches/gpu -Ibenches/peer -c $< -o $@
$(out)/sppark.o: benches/peer/sppark.cu benches/peer/sppark.h
	@mkdir -p $(out)
	$(NVCC) $(flags) $(peer_flags) -Ibenches/peer -c $< -o $@
$(out)/all_gpus.o: $(SPPARK)/util/all_gpus.cpp
	@mkdir -p $(out)
	$(NVCC) $(flags) $(peer_flags) -c $< -o $@
$(out)/blst.o: $(BLST)/src/server.c
	$(CC) -O2 -D__BLST_PORTABLE__ -fno-builtin -c $< -o $@
$(out)/blst_asm.o: $(BLST)/build/assembly.S
	$(CC) -D__BLST_PORTABLE__ -c $< -o $@
