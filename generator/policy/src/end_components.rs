//! Maximal end components: sets of positions in which the free side can stay for ever, and go from each to
//! each with certainty.

use super::decision_process::{ByTurn, DecisionProcess, Need, PositionSet};
use dragnet_generator::SolveError;

/// Stands for no component, and for a position that is not looked at.
pub(super) const NONE: u32 = u32::MAX;

/// The maximal end components among some positions.
pub(super) struct EndComponents {
    /// The number of each position's component, or [`NONE`]. Both lists are empty if there is no component.
    pub(super) of: ByTurn<u32>,
    /// The pairs of each component, with the fixed side to move and with the free side to move.
    pub(super) members: Vec<[Vec<usize>; 2]>,
}

impl EndComponents {
    /// Returns no components.
    pub(super) fn none() -> EndComponents {
        EndComponents { of: ByTurn { fixed: Vec::new(), free: Vec::new() }, members: Vec::new() }
    }

    /// Returns a pair with the free side to move that is in the component of `pair` with the fixed side to
    /// move, or `None` if that is in no component.
    #[inline(always)]
    pub(super) fn representative(&self, pair: usize) -> Option<usize> {
        let &component = self.of.fixed.get(pair).filter(|&&component| component != NONE)?;
        Some(self.members[component as usize][1][0])
    }

    /// Finds the components inside `within`.
    ///
    /// Positions that chance can take out of what is left, and those of the free side without a move inside,
    /// are removed; what is left is cut into strongly connected parts, whose borders positions must not cross
    /// either. The last cut that removes nothing has the components.
    ///
    /// # Errors
    /// When the work is to stop.
    pub(super) fn new(process: &DecisionProcess, within: &PositionSet) -> Result<EndComponents, SolveError> {
        let mut left = within.clone();
        loop {
            let mut out = left.complement();
            process.spread(&mut out, Need::All, Some(&left));
            left = out.complement();
            process.stop.check()?;
            if left.count() == 0 {
                return Ok(EndComponents::none());
            }
            let (parts, count) = StrongParts::new(process, &left).find();
            process.stop.check()?;
            let before = left.count();
            let pairs = process.game.pairs();
            let mut looks = 0;
            for pair in (0..pairs).take_while(|_| !process.stop.ask_at_times(&mut looks)) {
                left.fixed[pair] &=
                    process.fixed_moves(pair).all(|(to, _)| parts.free[to] == parts.fixed[pair]);
            }
            for pair in (0..pairs).take_while(|_| !process.stop.ask_at_times(&mut looks)) {
                let stays = |to| left.fixed[to] && parts.fixed[to] == parts.free[pair];
                left.free[pair] = left.free[pair] && process.free_moves(pair).any(stays);
            }
            process.stop.check()?;
            if left.count() == before {
                return Ok(EndComponents::of_parts(parts, count, &left));
            }
        }
    }

    /// Returns the parts as components.
    fn of_parts(parts: ByTurn<u32>, count: u32, left: &PositionSet) -> EndComponents {
        let mut members = vec![[Vec::new(), Vec::new()]; count as usize];
        let lists = [(&parts.fixed, &left.fixed), (&parts.free, &left.free)];
        for (turn, (parts, left)) in lists.into_iter().enumerate() {
            for pair in (0..left.len()).filter(|&pair| left[pair]) {
                members[parts[pair] as usize][turn].push(pair);
            }
        }
        EndComponents { of: parts, members }
    }
}

/// Tarjan's search for strongly connected parts (1972), with the path on the heap. A node is a pair with the
/// fixed side to move, or the number of pairs more for one with the free side to move.
struct StrongParts<'a> {
    process: &'a DecisionProcess<'a>,
    left: &'a PositionSet,
    pairs: usize,
    /// The order in which each node was reached, or [`NONE`].
    order: Vec<u32>,
    /// The lowest order of a node on the stack that each node reaches.
    low: Vec<u32>,
    part: Vec<u32>,
    stack: Vec<usize>,
    reached: u32,
    parts: u32,
}

impl<'a> StrongParts<'a> {
    fn new(process: &'a DecisionProcess<'a>, left: &'a PositionSet) -> StrongParts<'a> {
        let pairs = process.game.pairs();
        StrongParts {
            process,
            left,
            pairs,
            order: vec![NONE; 2 * pairs],
            low: vec![NONE; 2 * pairs],
            part: vec![NONE; 2 * pairs],
            stack: Vec::new(),
            reached: 0,
            parts: 0,
        }
    }

    /// Returns the number of each position's part, and the number of parts.
    fn find(mut self) -> (ByTurn<u32>, u32) {
        for node in 0..2 * self.pairs {
            if self.process.stop.is_received() {
                break;
            }
            if self.is_left(node) && self.order[node] == NONE {
                self.search(node);
            }
        }
        let free = self.part.split_off(self.pairs);
        (ByTurn { fixed: self.part, free }, self.parts)
    }

    fn is_left(&self, node: usize) -> bool {
        match node.checked_sub(self.pairs) {
            None => self.left.fixed[node],
            Some(pair) => self.left.free[pair],
        }
    }

    /// Returns the nodes to which moves lead from `node`.
    fn successors(&self, node: usize) -> Vec<usize> {
        let mut nodes: Vec<usize> = match node.checked_sub(self.pairs) {
            None => self.process.fixed_moves(node).map(|(to, _)| self.pairs + to).collect(),
            Some(pair) => self.process.free_moves(pair).collect(),
        };
        nodes.retain(|&node| self.is_left(node));
        nodes
    }

    fn reach(&mut self, node: usize) -> (usize, Vec<usize>) {
        self.order[node] = self.reached;
        self.low[node] = self.reached;
        self.reached += 1;
        self.stack.push(node);
        (node, self.successors(node))
    }

    fn search(&mut self, root: usize) {
        let (mut path, mut looks) = (vec![self.reach(root)], 0);
        while let Some((node, successors)) = path.last_mut() {
            if self.process.stop.ask_at_times(&mut looks) {
                return;
            }
            let node = *node;
            if let Some(next) = successors.pop() {
                if self.order[next] == NONE {
                    let step = self.reach(next);
                    path.push(step);
                } else if self.part[next] == NONE {
                    self.low[node] = self.low[node].min(self.order[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                self.low[before] = self.low[before].min(self.low[node]);
            }
            if self.low[node] == self.order[node] {
                while let Some(member) = self.stack.pop() {
                    self.part[member] = self.parts;
                    if member == node {
                        break;
                    }
                }
                self.parts += 1;
            }
        }
    }
}
