//! Tables on the way through the page.

use super::{
    code,
    grid::Grid,
    table::{self, Use},
    walk::{Frame, Walk},
    writer::{Flow, Gap},
};
use crate::dom::NodeId;

impl<'a> Walk<'a> {
    pub(super) fn open_table(&mut self, id: NodeId) -> Frame<'a> {
        if self.grid.is_some() {
            return self.plain_block();
        }
        self.block(Gap::Blank);
        match self.table_use(id) {
            Use::Data if self.writer.flow == Flow::Blocks => {
                self.grid = Some(Grid::default());
                Frame::Grid
            }
            Use::Code => self.code_block(id),
            Use::Data | Use::Layout => Frame::Block,
        }
    }

    fn table_use(&mut self, id: NodeId) -> Use {
        if let Some(found) = self.uses.get(&id) {
            return *found;
        }
        let options = self.options;
        let skip = |id| options.skip.is_some_and(|skip| skip(id));
        // Those of the tables in it come with it, so that each is read once.
        self.uses = table::uses(self.document, id, skip).into_iter().collect();
        self.uses.get(&id).copied().unwrap_or(Use::Layout)
    }

    pub(super) fn open_cell(&mut self, id: NodeId) -> Frame<'a> {
        if code::is_gutter(self.document, id) {
            return Frame::Skipped;
        }
        match self.grid {
            Some(_) if self.cell.is_none() => {
                self.writer.begin_cell();
                self.cell = Some(id);
                Frame::Cell
            }
            Some(_) => {
                self.writer.space();
                Frame::Spaced
            }
            None => self.plain_block(),
        }
    }

    pub(super) fn end_cell(&mut self) {
        self.end_code_span();
        if let Some(id) = self.cell.take() {
            let text = self.writer.end_cell();
            if let Some(grid) = &mut self.grid {
                grid.add_cell(self.document, id, text);
            }
        }
    }

    pub(super) fn end_grid(&mut self) {
        if let Some(grid) = self.grid.take() {
            let lines = grid.lines();
            self.writer.lines(lines.iter().map(String::as_str));
        }
    }
}
