# Builds the MSM's tests and benches into target/gpu/msm: static cudart and libstdc++, so that they run on a machine that
# has a driver and nothing else. From the repository's root: make -f tests/gpu/msm.mk [NVCC=nvcc] [ARCH=sm_90]
NVCC ?= nvcc
ARCH ?= sm_90
out := target/gpu/msm
library := $(wildcard cuda/msm/*.cu cuda/batch_add/*.cu cuda/split/*.cu cuda/srs/*.cu) tests/gpu/cases.cu
programs := $(wildcard tests/gpu/msm_*.cu tests/gpu/srs_*.cu benches/gpu/msm_*.cu)
objects := $(patsubst %.cu,$(out)/%.o,$(notdir $(library)))
vpath %.cu cuda/msm cuda/batch_add cuda/split cuda/srs tests/gpu benches/gpu

all: $(patsubst %.cu,$(out)/%,$(notdir $(programs)))

# what ptxas says of registers and spills stays beside each object
$(out)/%.o: %.cu tests/gpu/msm.mk
	@mkdir -p $(out)
	$(NVCC) -std=c++17 -O3 -arch=$(ARCH) -Icuda -Itests/gpu -Xptxas -v -MMD -MP -MF $@.d -c $< -o $@ 2> $@.log \
	    || { cat $@.log; rm -f $@; false; }

# an archive, of which a program takes what it uses
$(out)/library.a: $(objects)
	rm -f $@ && ar rcs $@ $^

$(patsubst %.cu,$(out)/%,$(notdir $(programs))): $(out)/%: $(out)/%.o $(out)/library.a
	$(NVCC) -arch=$(ARCH) -cudart static -Xcompiler -static-libstdc++,-static-libgcc $^ -o $@

-include $(wildcard $(out)/*.d)
.SECONDARY:
.PHONY: all
