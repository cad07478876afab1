# Builds the transforms' tests and benches into target/gpu/ntt: static cudart and libstdc++, so that they run on a machine
# that has a driver and nothing else. From the repository's root: make -f tests/gpu/ntt.mk [NVCC=nvcc] [ARCH=sm_90]
NVCC ?= nvcc
ARCH ?= sm_90
out := target/gpu/ntt
flags := -std=c++17 -O3 -arch=$(ARCH) -Icuda -Itests/gpu
library := $(wildcard cuda/ntt/*.cu cuda/quotient/*.cu)
programs := $(wildcard tests/gpu/ntt_*.cu benches/gpu/ntt_*.cu)
objects := $(patsubst %.cu,$(out)/%.o,$(notdir $(library)))
vpath %.cu cuda/ntt cuda/quotient tests/gpu benches/gpu

all: $(patsubst %.cu,$(out)/%,$(notdir $(programs)))

$(out)/%.o: %.cu tests/gpu/ntt.mk
	@mkdir -p $(out)
	$(NVCC) $(flags) -Xptxas -v -MMD -MP -MF $@.d -c $< -o $@ 2> $@.log || { cat $@.log; rm -f $@; false; }

$(out)/ntt_%: $(out)/ntt_%.o $(objects)
	$(NVCC) -arch=$(ARCH) -cudart static -Xcompiler -static-libstdc++,-static-libgcc $^ -o $@

-include $(wildcard $(out)/*.d)
.PRECIOUS: $(out)/%.o
.PHONY: all
