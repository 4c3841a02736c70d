//! The game on a board with doors.

use crate::{Game, Start};
use dragnet_formats::{doors::DoorBoard, value::Value};

impl Game for DoorBoard {
    fn positions(&self) -> u64 {
        DoorBoard::positions(self)
    }

    fn start(&self, number: u64) -> Start {
        let Some(position) = self.position(number) else { return Start::Illegal };
        match self.winner(position) {
            Some(winner) => Start::Known(Value::terminal(winner, position.turn)),
            None => Start::Open,
        }
    }

    fn for_each_successor(&self, number: u64, each: impl FnMut(u64)) {
        if let Some(position) = self.position(number) {
            self.successors(position).filter_map(|after| self.number(after)).for_each(each);
        }
    }

    fn stuck(&self, _: u64) -> Value {
        self.rules().stuck.value()
    }
}
