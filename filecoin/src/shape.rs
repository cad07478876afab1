//! Tree shapes: the type parameter of all circuits, chosen by sector size.

use filecoin_hashers::poseidon::PoseidonHasher;
use generic_array::typenum::{U0, U2, U8};
use storage_proofs_core::merkle::{LCTree, MerkleTreeTrait};

use crate::SectorSize;

/// 2 KiB, 8 MiB, 512 MiB: one tree of arity 8.
pub(crate) type Base = LCTree<PoseidonHasher, U8, U0, U0>;
/// 32 GiB: eight such trees under one node.
pub(crate) type Sub8 = LCTree<PoseidonHasher, U8, U8, U0>;
/// 64 GiB: two of those under one node.
pub(crate) type Top2 = LCTree<PoseidonHasher, U8, U8, U2>;

/// What every tree here is.
pub(crate) trait Tree: 'static + MerkleTreeTrait<Hasher = PoseidonHasher> {}
impl<T: 'static + MerkleTreeTrait<Hasher = PoseidonHasher>> Tree for T {}

/// One value per shape: how a type parameter chosen at run time is carried about.
pub(crate) enum ByShape<A, B, C> {
    /// For [`Base`].
    Base(A),
    /// For [`Sub8`].
    Sub8(B),
    /// For [`Top2`].
    Top2(C),
}

/// Calls a function that is generic over the tree with the tree of this sector size.
macro_rules! with_tree {
    ($size:expr, $function:ident($($argument:expr),*)) => {
        match $crate::shape::of($size) {
            $crate::shape::ByShape::Base(()) => $function::<$crate::shape::Base>($($argument),*),
            $crate::shape::ByShape::Sub8(()) => $function::<$crate::shape::Sub8>($($argument),*),
            $crate::shape::ByShape::Top2(()) => $function::<$crate::shape::Top2>($($argument),*),
        }
    };
}
pub(crate) use with_tree;

/// The shape of a sector's trees.
pub(crate) fn of(size: SectorSize) -> ByShape<(), (), ()> {
    match size {
        SectorSize::KiB2 | SectorSize::MiB8 | SectorSize::MiB512 => ByShape::Base(()),
        SectorSize::GiB32 => ByShape::Sub8(()),
        SectorSize::GiB64 => ByShape::Top2(()),
    }
}
