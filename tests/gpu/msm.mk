# Builds the MSM's tests and benches into target/gpu/msm: static cudart and libstdc++, so that they run on a machine that
# has a driver and nothing else. From the repository's root: make -f tests/gpu/msm.mk [NVCC=nvcc] [ARCH=sm_90]
NVCC ?= nvcc
ARCH ?= sm_90
out := target/gpu/msm
flags := -std=c++17 -O3 -arch=$(ARCH) -Icuda -Itests/gpu
headers := $(wildcard cuda/field/*.cuh cuda/curve/*.cuh cuda/msm/*.cuh cuda/msm/*.h cuda/batch_add/*.* cuda/split/*.*)
library := $(wildcard cuda/msm/*.cu cuda/batch_add/*.cu cuda/split/*.cu) tests/gpu/cases.cu
programs := $(wildcard tests/gpu/msm_*.cu benches/gpu/msm_*.cu)
objects := $(patsubst %.cu,$(out)/%.o,$(notdir $(library)))
vpath %.cu cuda/msm cuda/batch_add cuda/split tests/gpu benches/gpu

all: $(patsubst %.cu,$(out)/%,$(notdir $(programs)))

$(out)/%.o: %.cu $(headers) $(wildcard tests/gpu/*.cuh tests/gpu/*.h) tests/gpu/msm.mk
	@mkdir -p $(out)
	$(NVCC) $(flags) -Xptxas -v -c $< -o $@ 2> $@.log || { cat $@.log; rm -f $@; false; }

$(out)/msm_%: $(out)/msm_%.o $(objects)
	$(NVCC) -arch=$(ARCH) -cudart static -Xcompiler -static-libstdc++,-static-libgcc $^ -o $@

.PRECIOUS: $(out)/%.o
.PHONY: all
