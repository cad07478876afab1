# Compiles every file of kernels, with the flags of build.rs, for each of ARCHS into target/kernels/ARCH, where cargo takes them
# from if C2PROVER_CUDA_OBJECTS says so. From the repository's root: make -f tools/kernels.mk [ARCHS="80 90"] [NVCC=nvcc]
NVCC ?= nvcc
ARCHS ?= 80 90
flags := -std=c++17 -O3 -Icuda -Xcompiler -fPIC,-fvisibility=hidden,-Wno-unknown-pragmas -Xfatbin=-compress-all
out := target/kernels
files := $(patsubst cuda/%.cu,%,$(wildcard cuda/*/*.cu))

all: $(foreach arch,$(ARCHS),$(files:%=$(out)/$(arch)/%.o))

# what ptxas says of registers and spills stays beside each object
define for_arch
$(out)/$(1)/%.o: cuda/%.cu tools/kernels.mk $(out)/compiler
	@mkdir -p $$(@D)
	@echo "sm_$(1) $$<"
	@$(NVCC) $(flags) -gencode arch=compute_$(1),code=sm_$(1) -Xptxas -v \
	    -MMD -MP -MF $$(@:.o=.d) -c $$< -o $$@ 2> $$(@:.o=.log) || { cat $$(@:.o=.log); rm -f $$@; false; }
-include $(files:%=$(out)/$(1)/%.d)
endef
$(foreach arch,$(ARCHS),$(eval $(call for_arch,$(arch))))

# Another compiler spills elsewhere.
$(out)/compiler: always
	@mkdir -p $(out)
	@$(NVCC) --version | cmp -s - $@ || $(NVCC) --version > $@

.PHONY: all always
