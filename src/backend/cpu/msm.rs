//! Multi-scalar multiplication: blst's Pippenger, its tiles handed out to the crew.

use super::crew::{Crew, Share};
use super::curve::{Bytes, Curve, BITS};
use crate::{Cancel, Error};

/// How an MSM is cut: rows of `window` bits, and columns of points where rows alone do not feed all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Plan {
    pub window: usize,
    pub rows: usize,
    pub columns: usize,
}

/// Cost of turning one bucket into its share of the row's sum, in additions into a bucket: fitted to windows 10 to 18
/// at 2^16, 2^18 and 2^20 points, where the plan chosen is within 3 % of the fastest.
const BUCKET_COST: f64 = 2.2;
/// Largest window: 2^16 buckets are 12 MiB in G1 for each thread.
const MAX_WINDOW: usize = 17;

impl Plan {
    /// The cheapest plan for `n` points on `threads` threads, by count of additions on the busiest thread.
    pub fn choose(n: usize, threads: usize) -> Plan {
        let threads = threads.max(1);
        let mut best = (f64::INFINITY, Plan { window: 2, rows: BITS / 2 + 1, columns: 1 });
        for window in 2..=MAX_WINDOW {
            let rows = BITS / window + 1;
            for columns in 1..=threads.max(1) {
                let cost = tile_cost(n, columns, window) * (rows * columns).div_ceil(threads) as f64;
                if cost < best.0 {
                    best = (cost, Plan { window, rows, columns });
                }
            }
        }
        best.1
    }

    /// Additions on one thread that an MSM of `n` points costs.
    pub fn additions(n: usize) -> f64 {
        let plan = Plan::choose(n, 1);
        tile_cost(n, 1, plan.window) * plan.rows as f64
    }
}

fn tile_cost(n: usize, columns: usize, window: usize) -> f64 {
    n as f64 / columns as f64 + BUCKET_COST * (1u64 << (window - 1)) as f64
}

/// Ends a list of references as blst wants it.
pub fn closed<'a, T>(items: impl ExactSizeIterator<Item = &'a T>) -> Vec<Option<&'a T>> {
    let mut list = Vec::with_capacity(items.len() + 1);
    list.extend(items.map(Some));
    list.push(None);
    list
}

/// Sum of k_i P_i with a share of the crew. Not in constant time.
///
/// # Errors
/// Those of [`Cancel::check`].
pub fn msm<'a, C: Curve>(crew: &Crew, share: Share, cancel: &Cancel, points: &[&'a C::Affine], scalars: &[&'a Bytes]) -> Result<C, Error> {
    assert_eq!(points.len(), scalars.len());
    if points.is_empty() {
        return Ok(C::identity());
    }
    msm_with(crew, share, cancel, points, scalars, Plan::choose(points.len(), share.threads))
}

fn msm_with<'a, C: Curve>(
    crew: &Crew,
    share: Share,
    cancel: &Cancel,
    points: &[&'a C::Affine],
    scalars: &[&'a Bytes],
    plan: Plan,
) -> Result<C, Error> {
    let width = points.len().div_ceil(plan.columns);
    let columns: Vec<_> =
        points.chunks(width).zip(scalars.chunks(width)).map(|(p, s)| (closed(p.iter().copied()), closed(s.iter().copied()))).collect();
    let scratch = || vec![0u64; C::scratch_words(plan.window)];
    let tiles = crew.tiles(share, cancel, plan.rows * columns.len(), scratch, |scratch, i| {
        let (points, scalars) = &columns[i % columns.len()];
        // The top row is the narrowest: it goes first so that no thread ends late.
        let row = plan.rows - 1 - i / columns.len();
        C::tile(points, scalars, scratch, row * plan.window, plan.window)
    })?;
    let row = |sum: C, row: &[C]| row.iter().fold(sum.double_times(plan.window), |sum, tile| sum + tile);
    Ok(tiles.chunks(columns.len()).fold(C::identity(), row))
}

#[cfg(test)]
mod tests {
    use super::super::crew::Lane;
    use super::*;
    use blstrs::{G1Affine, G1Projective, G2Projective, Scalar};
    use ff::Field;
    use group::{Curve as _, Group};

    /// Points i G, so that the sum of k_i P_i is (sum of i k_i) G.
    fn points<C: Curve>(n: usize, to_affine: impl Fn(C) -> C::Affine) -> Vec<C::Affine> {
        (1..=n)
            .scan(C::identity(), |p, _| {
                *p += C::generator();
                Some(to_affine(*p))
            })
            .collect()
    }

    fn scalar(i: usize) -> Scalar {
        match i % 7 {
            0 => Scalar::ZERO,
            1 => Scalar::ONE,
            2 => -Scalar::ONE,
            3 => Scalar::from(2u64),
            _ => Scalar::from(i as u64 + 11).pow_vartime([23u64]),
        }
    }

    fn check<C: Curve<Scalar = Scalar>>(n: usize, plans: &[Plan], to_affine: impl Fn(C) -> C::Affine) {
        let crew = Crew::new(3).unwrap();
        let (points, scalars): (Vec<_>, Vec<_>) = (points(n, to_affine), (0..n).map(scalar).collect());
        let log = scalars.iter().enumerate().fold(Scalar::ZERO, |sum, (i, k)| sum + Scalar::from(i as u64 + 1) * k);
        let bytes: Vec<Bytes> = scalars.iter().map(Scalar::to_bytes_le).collect();
        let (points, bytes): (Vec<_>, Vec<_>) = (points.iter().collect(), bytes.iter().collect());
        for plan in plans {
            assert_eq!(
                msm_with::<C>(&crew, Share { lane: Lane::BG2, threads: 2 }, &Cancel::default(), &points, &bytes, *plan).unwrap(),
                C::generator() * log,
                "{n} {plan:?}"
            );
        }
    }

    #[test]
    fn every_window_and_split_gives_the_known_logarithm() {
        let mut plans = Vec::new();
        for window in 2..=MAX_WINDOW {
            plans.extend([1, 2, 5].map(|columns| Plan { window, rows: BITS / window + 1, columns }));
        }
        for n in 1..12 {
            check::<G1Projective>(n, &plans[..9], |p| p.to_affine());
        }
        check::<G1Projective>(97, &plans, |p| p.to_affine());
        check::<G2Projective>(33, &plans[..30], |p| p.to_affine());
    }

    #[test]
    fn sums_of_any_number_of_points_are_right() {
        let ones = points::<G1Projective>(200, |p| p.to_affine());
        let twos = points::<G2Projective>(70, |p| p.to_affine());
        for n in 0..=200usize {
            let sum = G1Projective::add_points(&closed(ones[..n].iter()));
            assert_eq!(sum, G1Projective::generator() * Scalar::from((n * (n + 1) / 2) as u64), "{n}");
        }
        for n in 0..=70usize {
            let sum = G2Projective::add_points(&closed(twos[..n].iter()));
            assert_eq!(sum, G2Projective::generator() * Scalar::from((n * (n + 1) / 2) as u64), "{n}");
        }
    }

    #[test]
    fn infinity_equal_and_opposite_points_add_up() {
        let g = G1Projective::generator().to_affine();
        let o = G1Projective::identity().to_affine();
        let two: G1Affine = (G1Projective::generator() + g).to_affine();
        for list in [vec![&o, &g, &g, &o], vec![&g, &g, &g, &g, &two], vec![&o], vec![&g]] {
            let expected = list.iter().fold(G1Projective::identity(), |sum, p| sum + **p);
            assert_eq!(G1Projective::add_points(&closed(list.into_iter())), expected);
        }
        let minus = -g;
        assert_eq!(G1Projective::add_points(&closed([&g, &minus].into_iter())), G1Projective::identity());
        let crew = Crew::new(2).unwrap();
        let (one, main) = (Scalar::ONE.to_bytes_le(), Share { lane: Lane::Main, threads: 2 });
        assert_eq!(msm::<G1Projective>(&crew, main, &Cancel::default(), &[&g], &[&one]).unwrap(), G1Projective::generator());
        let k = Scalar::from(12345u64).to_bytes_le();
        let sum = msm::<G1Projective>(&crew, main, &Cancel::default(), &[&g, &minus, &o, &g], &[&k, &k, &k, &k]).unwrap();
        assert_eq!(sum, G1Projective::generator() * Scalar::from(12345u64));
    }
}
