package c2prover

// Scalar is an element of the scalar field of BLS12-381 in blst's memory form: Montgomery (the number times 2^256, modulo
// r), four words, the least significant first, below r.
type Scalar [4]uint64

// One is the number one.
var One = Scalar{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}
