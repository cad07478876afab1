//! One circuit's assignment on the device, listed query by query.
//!
//! Where most of it is zero or one, it comes packed; a query has a list of the points whose scalar is one, and a tail of all
//! other scalars with the places of their points, the inputs last. Otherwise no list pays: then it comes whole, and a query's
//! scalars lie in the order of its points.

use std::sync::{Arc, Mutex};

use blstrs::{G2Projective, Scalar};

use super::device::check;
use super::gate::{Ticket, Turn};
use super::lane::Desk;
use super::memory::Memory;
use super::packed::{self, Packed};
use super::placement::Counts;
use super::points::DevicePoints;
use super::raw;
use super::staging::{Copied, Staging};
use super::sums::Terms;
use super::CudaBackend;
use crate::backend::worker::Pending;
use crate::backend::{log2, Pending as _, Phase, Query};
use crate::circuit::{check_run, Assignment, Density};
use crate::srs::Srs;
use crate::timing::{Scope, CALLER};
use crate::Error;

const SCALAR: usize = std::mem::size_of::<Scalar>();
const PLACE: usize = std::mem::size_of::<u32>();

/// See the module's head.
pub struct Witness {
    assignment: Memory,
    queries: [QueryLists; 3],
    /// 0 and the number of ones, for each query, and for b in G2.
    starts: Memory,
    pub points: Arc<DevicePoints>,
    pub srs: Srs,
    pub ticket: Arc<Ticket>,
    /// Ones and other terms of b that the device sums in G2.
    pub b_g2: [usize; 2],
    /// The CPU's part of B_G2, until somebody takes it.
    pub on_cpu: Mutex<Option<Pending<G2Projective>>>,
    /// Held until the evaluations are up as well.
    pub turn: Mutex<Option<Turn>>,
}

struct QueryLists {
    ones: Option<Memory>,
    ones_count: usize,
    /// The assignment itself serves where this is none.
    scalars: Option<Memory>,
    places: Option<Memory>,
    terms: usize,
    /// Of the terms, those at the end that belong to inputs.
    inputs: usize,
    /// Points that come before those of auxiliary variables.
    first_point: usize,
}

/// What a query is made of, on the host.
struct Spec<'a> {
    density: Option<Density<'a>>,
    inputs: Vec<Scalar>,
}

impl Witness {
    fn lists(&self, query: Query) -> (&QueryLists, usize) {
        match query {
            Query::L => (&self.queries[0], 0),
            Query::A => (&self.queries[1], 1),
            Query::BG1 => (&self.queries[2], 2),
        }
    }

    /// Places of the points whose scalar is one, where they start and end, and how many there are.
    pub fn ones(&self, query: Query) -> (*const u32, *const u32, usize) {
        let (lists, k) = self.lists(query);
        let places = lists.ones.as_ref().map_or(std::ptr::null(), |m| m.ptr().cast_const().cast());
        (places, self.starts.at(2 * PLACE * k).cast_const().cast(), lists.ones_count)
    }

    /// Of b in G2, as much as the device sums.
    pub fn b_g2_ones(&self) -> (*const u32, *const u32, usize) {
        let (places, _, _) = self.ones(Query::BG1);
        (places, self.starts.at(6 * PLACE).cast_const().cast(), self.b_g2[0])
    }

    /// As [`Witness::b_g2_ones`], all other terms.
    pub fn b_g2_terms(&self) -> Terms {
        Terms { n: self.b_g2[1], ..self.terms(Query::BG1) }
    }

    /// How many of the terms belong to inputs and come after the others.
    pub fn inputs(&self, query: Query) -> usize {
        self.lists(query).0.inputs
    }

    /// As [`Witness::inputs`], of what the device sums of b in G2.
    pub fn b_g2_inputs(&self) -> usize {
        let all = self.b_g2[1] == self.terms(Query::BG1).n;
        if all {
            self.inputs(Query::BG1)
        } else {
            0
        }
    }

    /// All other terms.
    pub fn terms(&self, query: Query) -> Terms {
        let (lists, _) = self.lists(query);
        Terms {
            scalars: lists.scalars.as_ref().unwrap_or(&self.assignment).ptr(),
            places: lists.places.as_ref().map_or(std::ptr::null(), |m| m.ptr().cast_const().cast()),
            n: lists.terms,
        }
    }
}

/// Bitmaps of the assignment: ones, others, and the densities of a and b.
struct Bitmaps {
    memory: Memory,
    bytes: usize,
    aux: usize,
}

impl Bitmaps {
    fn part(&self, k: usize) -> *mut u32 {
        self.memory.at(k * self.bytes).cast()
    }

    fn density(&self, query: usize) -> *const u32 {
        match query {
            0 => std::ptr::null(),
            k => self.part(k + 1),
        }
    }
}

fn specs<'a>(x: &Assignment<'a>) -> [Spec<'a>; 3] {
    let b_inputs = x.inputs.iter().enumerate().filter(|(i, _)| x.b_input_density.get(*i)).map(|(_, v)| *v);
    [
        Spec { density: None, inputs: Vec::new() },
        Spec { density: Some(x.a_aux_density), inputs: x.inputs.to_vec() },
        Spec { density: Some(x.b_aux_density), inputs: b_inputs.collect() },
    ]
}

/// Uploads an assignment and makes its lists. The caller's memory has been read when this returns.
pub fn upload(backend: &CudaBackend, scope: &Scope, x: &Assignment, srs: &Srs) -> Result<Witness, Error> {
    check_run(scope.part(), "inp_assignment", 0, x.inputs)?;
    let (turn, ticket) = {
        let _span = scope.wait(CALLER, "queue.gpu");
        backend.gate.enter()
    };
    // Others may have had their turn for a second.
    scope.cancel().check()?;
    let points = backend.points(srs, false, scope)?.0;
    {
        let _span = scope.wait(CALLER, "queue.gpu");
        backend.gate.at_most(points.plan.under_way, &turn);
    }
    let specs = specs(x);
    let bitmaps = {
        let _span = scope.work(CALLER, "alloc");
        let bytes = Density::words_for(x.aux.len()) * std::mem::size_of::<u64>();
        let memory = backend.allocate("the classes of the assignment", (4 * bytes).max(1), srs, &turn)?;
        Bitmaps { memory, bytes, aux: x.aux.len() }
    };
    let sending = Sending(&backend.staging);
    let packed = {
        let _span = scope.work(CALLER, Phase::Split.on_cpu()).attr("aux", x.aux.len());
        let densities = specs.each_ref().map(|spec| spec.density);
        let pack = || Packed::pays(x).then(|| Packed::new(scope.part(), x, densities)).transpose();
        // The densities travel meanwhile.
        let (packed, sent) = backend.staging.install(|| rayon::join(pack, || bring_densities(backend, x, &bitmaps)));
        sent.and(packed)?
    };
    let counts = packed.as_ref().map_or([None; 3], |packed| packed.counts.map(Some));
    let (assignment, queries, starts) = {
        let _span = scope.work(CALLER, "alloc");
        let allocate = |what, bytes| backend.allocate(what, bytes, srs, &turn);
        let scalars = packed.as_ref().map_or(x.aux.len(), |packed| packed.len());
        let assignment = allocate("the assignment", (scalars * SCALAR).max(1))?;
        (assignment, lists(&specs, counts, x.aux.len(), allocate)?, allocate("the places of the ones", 8 * PLACE)?)
    };
    let (on_cpu, b_g2) = place_b_g2(backend, scope, x, srs, &queries, packed.is_some())?;
    // From here on nothing fails but copies, which end what was sent before.
    std::mem::forget(sending);
    let made = Arc::new(Made { assignment, queries, starts, bitmaps, packed: packed.is_some() });
    let uploading = scope.work(CALLER, Phase::Assignment.on_gpu()).attr("aux", x.aux.len());
    let bring = || bring(backend, scope.part(), x, &specs, packed.as_ref(), &made, b_g2[0]);
    let copied = backend.staging.install(bring)?;
    // Giving its memory back takes milliseconds that nobody should wait for.
    backend.staging.discard(packed);
    drop(uploading);
    let joined = scope.join(CALLER, "join.split");
    let (inner, bytes) = (scope.clone(), made.assignment.bytes());
    let gathered = backend.prep.enqueue(made.clone(), move |desk, made| {
        desk.stream.wait_for(&copied.ended)?;
        let stretch = desk.stretch(|desk| gather(desk, made))?;
        Ok(Box::new(move |desk| {
            desk.record_copy(&inner, Phase::Assignment.on_gpu(), &copied, bytes);
            desk.record(&inner, Phase::Split.on_gpu(), &stretch, vec![]);
            Ok(())
        }))
    });
    gathered.wait()?;
    drop(joined);
    let made = Arc::try_unwrap(made).map_err(|_| Error::Internal("the lists have other owners".to_owned()))?;
    let Made { assignment, queries, starts, .. } = made;
    let (ticket, turn, on_cpu) = (Arc::new(ticket), Mutex::new(Some(turn)), Mutex::new(on_cpu));
    Ok(Witness { assignment, queries, starts, points, srs: srs.clone(), ticket, b_g2, on_cpu, turn })
}

/// Copies are under way: whoever drops this, and memory that they go to after it, waits for them.
struct Sending<'a>(&'a Staging);

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        // A failure shows in the next copy.
        let _ = self.0.stream().synchronize("ending copies");
    }
}

/// A witness while its lists are made.
struct Made {
    /// All scalars of auxiliary variables, or those alone that are neither zero nor one.
    assignment: Memory,
    queries: [QueryLists; 3],
    starts: Memory,
    bitmaps: Bitmaps,
    packed: bool,
}

/// Sends which variables occur in a and in b.
fn bring_densities(backend: &CudaBackend, x: &Assignment, bitmaps: &Bitmaps) -> Result<(), Error> {
    let words = Density::words_for(x.aux.len());
    for (query, density) in [(1, x.a_aux_density), (2, x.b_aux_density)] {
        backend.staging.upload(&bitmaps.memory, (query + 1) * bitmaps.bytes, &density.words[..words])?;
    }
    Ok(())
}

/// Sends what else the lists are made from.
fn bring(
    backend: &CudaBackend,
    circuit: usize,
    x: &Assignment,
    specs: &[Spec; 3],
    packed: Option<&Packed>,
    made: &Made,
    b_g2_ones: usize,
) -> Result<Copied, Error> {
    let (staging, bitmaps) = (&backend.staging, &made.bitmaps);
    let [l, a, b] = made.queries.each_ref().map(|lists| lists.ones_count as u32);
    staging.upload(&made.starts, 0, &[0, l, 0, a, 0, b, 0, b_g2_ones as u32])?;
    for (lists, spec) in made.queries.iter().zip(specs) {
        upload_inputs(backend, lists, spec)?;
    }
    match packed {
        None => staging.upload_scalars(&made.assignment, 0, (circuit, "aux_assignment"), x.aux),
        Some(packed) => {
            let upload = |k: usize, bits: &[u64]| staging.upload(&bitmaps.memory, k * bitmaps.bytes, bits);
            let (ones, others) = rayon::join(|| upload(0, &packed.ones), || upload(1, &packed.others));
            ones.and(others)?;
            staging.fill(&made.assignment, 0..packed.len() * SCALAR, |buffer, at| {
                packed.copy_scalars(at / SCALAR, buffer);
                Ok(())
            })
        }
    }
}

/// Divides B_G2 between the processors: the CPU takes what comes last in the order of the terms.
fn place_b_g2(
    backend: &CudaBackend,
    scope: &Scope,
    x: &Assignment,
    srs: &Srs,
    queries: &[QueryLists; 3],
    split: bool,
) -> Result<(Option<Pending<G2Projective>>, [usize; 2]), Error> {
    let span = scope.work(CALLER, "prep.place");
    let b = &queries[2];
    let counts =
        Counts { log_n: log2(x.domain()), ones: [0, 1, 2].map(|k| queries[k].ones_count), terms: [0, 1, 2].map(|k| queries[k].terms) };
    let share = backend.placement.decide(&counts, srs.b_g2_to_read(), &backend.cores)?;
    drop(span);
    let cut = ((x.aux.len() as f64 * share.gpu) as usize / 64 * 64).min(x.aux.len());
    if share.gpu >= 1.0 || (cut == x.aux.len() && !split) {
        return Ok((None, [b.ones_count, b.terms]));
    }
    let from = |density: Density<'_>| -> (usize, usize) {
        let before = density.words[..cut / 64].iter().map(|w| w.count_ones() as usize).sum();
        (before, density.popcount - before)
    };
    let rest = |density: Density<'_>| from(density).1;
    let aux = x.aux.len() - cut;
    fn cut_off<'a>(density: Density<'a>, cut: usize, bit_len: usize, popcount: usize) -> Density<'a> {
        Density { words: &density.words[cut / 64..], bit_len, popcount }
    }
    let none = Density { words: &[], bit_len: 0, popcount: 0 };
    // In a list the inputs come last, in the order of the points they come first.
    let (inputs, b_input_density) = if split || cut == 0 { (x.inputs, x.b_input_density) } else { (&[][..], none) };
    let part = Assignment {
        a: &[],
        b: &[],
        c: &[],
        inputs,
        aux: &x.aux[cut..],
        a_aux_density: cut_off(x.a_aux_density, cut, aux, rest(x.a_aux_density)),
        b_input_density,
        b_aux_density: cut_off(x.b_aux_density, cut, aux, rest(x.b_aux_density)),
    };
    let b_first = x.b_input_density.popcount + from(x.b_aux_density).0;
    let threads = backend.cores.threads();
    let (placement, cores) = (backend.placement.clone(), backend.cores.clone());
    let on_cpu = Arc::new(std::sync::OnceLock::new());
    let told = on_cpu.clone();
    let measured = move |time| {
        if let Some((terms, ones)) = told.get() {
            placement.measured_cpu(cores.b_g2_additions(*terms, *ones), threads, time);
        }
    };
    let (pending, (in_tail, in_ones)) = backend.cores.part_of_b_g2(scope, &part, b_first, srs, measured)?;
    let _ = on_cpu.set((in_tail, in_ones));
    let left = if cut == 0 {
        [0, 0]
    } else if split {
        [b.ones_count - in_ones, b.terms - b_input_density.popcount - in_tail]
    } else {
        [0, b.terms - rest(x.b_aux_density)]
    };
    Ok((Some(pending), left))
}

fn count_bytes(n: u64) -> Result<usize, Error> {
    let mut bytes = 0;
    // SAFETY: the pointer is to a local.
    check("sizing the counts", unsafe { raw::c2_split_count_bytes(n, &mut bytes) })?;
    Ok(bytes.next_multiple_of(256))
}

/// Memory for the lists of each query.
fn lists(
    specs: &[Spec; 3],
    counts: [Option<packed::Counts>; 3],
    aux: usize,
    allocate: impl Fn(&'static str, usize) -> Result<Memory, Error>,
) -> Result<[QueryLists; 3], Error> {
    let mut all = Vec::with_capacity(3);
    for (k, (spec, counts)) in specs.iter().zip(counts).enumerate() {
        let inputs = spec.inputs.len();
        all.push(match counts {
            Some(packed::Counts { ones, others }) => {
                let terms = others + inputs;
                QueryLists {
                    ones: (ones > 0).then(|| allocate("the places of the ones", ones * PLACE)).transpose()?,
                    ones_count: ones,
                    // What is packed is l's tail.
                    scalars: (k > 0).then(|| allocate("the scalars of a tail", (terms * SCALAR).max(1))).transpose()?,
                    places: Some(allocate("the places of a tail", (terms * PLACE).max(1))?),
                    terms,
                    inputs,
                    first_point: inputs,
                }
            }
            None => {
                let terms = spec.density.map_or(aux, |density| density.popcount) + inputs;
                let scalars = (k > 0).then(|| allocate("the scalars of a query", (terms * SCALAR).max(1))).transpose()?;
                QueryLists { ones: None, ones_count: 0, scalars, places: None, terms, inputs: 0, first_point: inputs }
            }
        });
    }
    all.try_into().map_err(|_| Error::Internal("three queries".to_owned()))
}

/// The inputs: behind the tail with places of their own, or before the dense scalars.
fn upload_inputs(backend: &CudaBackend, lists: &QueryLists, spec: &Spec) -> Result<(), Error> {
    let (Some(scalars), false) = (&lists.scalars, spec.inputs.is_empty()) else { return Ok(()) };
    let before = if lists.places.is_some() { lists.terms - spec.inputs.len() } else { 0 };
    backend.staging.upload(scalars, before * SCALAR, &spec.inputs)?;
    if let Some(places) = &lists.places {
        let of_inputs: Vec<u32> = (0..spec.inputs.len() as u32).collect();
        backend.staging.upload(places, before * PLACE, &of_inputs)?;
    }
    Ok(())
}

fn gather(desk: &mut Desk, made: &Made) -> Result<(), Error> {
    let Made { assignment, queries, bitmaps, packed, .. } = made;
    let n = bitmaps.aux as u64;
    if n == 0 {
        return Ok(());
    }
    let (bytes, stream) = (count_bytes(n)?, desk.stream.raw());
    let workspace = desk.workspace(3 * bytes)?;
    let null = std::ptr::null_mut;
    let ptr = |memory: &Option<Memory>| memory.as_ref().map_or(null(), Memory::ptr);
    let bits = |k| if *packed { bitmaps.part(k) } else { std::ptr::null_mut() };
    let (ones, others) = (bits(0), bits(1));
    for (k, lists) in queries.iter().enumerate() {
        if !packed && lists.scalars.is_none() {
            continue;
        }
        let (tail, dense) = match (packed, &lists.scalars) {
            (true, scalars) => (ptr(scalars), null()),
            (false, Some(scalars)) => (null(), scalars.at(lists.first_point * SCALAR)),
            (false, None) => (null(), null()),
        };
        let first = lists.first_point as u32;
        // SAFETY: the bitmaps have n bits, each query its part of the workspace; the lists have room for what was counted on the
        // host.
        unsafe {
            let (density, own) = (bitmaps.density(k), workspace.at(k * bytes));
            check("counting the classes", raw::c2_split_count(n, ones, others, density, own, bytes, std::ptr::null_mut(), stream))?;
            let of_all = if *packed { workspace.at(0) } else { null() };
            let (ones_to, tail_to) = (ptr(&lists.ones).cast(), ptr(&lists.places).cast());
            let code = raw::c2_split_gather(
                assignment.ptr(),
                n,
                ones,
                others,
                density,
                first,
                own,
                of_all,
                bytes,
                ones_to,
                tail_to,
                tail,
                dense,
                stream,
            );
            check("listing a query's terms", code)?;
        }
    }
    Ok(())
}
