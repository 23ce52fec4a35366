//! Lists and their items.

use super::{
    walk::{Frame, Walk},
    writer::{Flow, Gap},
};
use crate::dom::NodeId;

/// An open list.
pub(super) struct List {
    /// The number of the next item; none in an unordered list.
    number: Option<i64>,
    step: i64,
    sign: char,
    /// Where the last item ended, if anything is written in the list.
    end: Option<usize>,
    /// The width of the last item's marker.
    indent: usize,
}

/// Where a list ended: one that follows at once needs another sign, or it would be the same list.
pub(super) struct LastList {
    end: usize,
    is_ordered: bool,
    sign: char,
}

impl<'a> Walk<'a> {
    pub(super) fn open_list(&mut self, id: NodeId, name: &str) -> Frame<'a> {
        let document = self.document;
        let start = document
            .attr(id, "start")
            .and_then(|start| start.trim().parse().ok());
        let is_reversed = document.has_attr(id, "reversed");
        let items = || {
            document
                .children(id)
                .filter(|&child| document.is(child, "li"))
        };
        let number = match start {
            _ if name != "ol" => None,
            Some(start) => Some(start),
            None if is_reversed => Some(i64::try_from(items().count()).unwrap_or(1)),
            None => Some(1),
        };
        self.end_code_span();
        let follows = self.last_list.as_ref().filter(|last| {
            last.end == self.writer.out.len() && last.is_ordered == number.is_some()
        });
        let follows = follows.map(|last| last.sign);
        let sign = match (number.is_some(), follows) {
            (true, Some('.')) => ')',
            (true, _) => '.',
            (false, Some('-')) => '*',
            (false, _) => '-',
        };
        if self.lists.is_empty() || follows.is_some() {
            self.writer.block(Gap::Blank);
        } else if !self.writer.is_fresh() {
            self.writer.block_exactly(Gap::Line);
        }
        let parent = document.parent(id);
        let within = parent.is_some_and(|parent| document.is_any(parent, &["ul", "ol", "menu"]));
        let indent = self.lists.last().filter(|_| within).map(|list| list.indent);
        self.lists.push(List {
            number,
            step: if is_reversed { -1 } else { 1 },
            sign,
            end: None,
            indent: 2,
        });
        // A list right in a list belongs to the item before it.
        match indent {
            Some(indent) if self.writer.flow == Flow::Blocks => {
                self.writer.push_container(" ".repeat(indent), indent);
                Frame::List { within: true }
            }
            Some(_) | None => Frame::List { within: false },
        }
    }

    pub(super) fn open_item(&mut self, id: NodeId) -> Frame<'a> {
        let value = self
            .document
            .attr(id, "value")
            .and_then(|value| value.trim().parse().ok());
        self.end_code_span();
        let Some(list) = self.lists.last_mut() else {
            self.writer.block(Gap::Line);
            return self.container("- ".to_owned(), 2);
        };
        // An ordered list that does not begin with 1 would be read as text of the paragraph above.
        let mut first = Gap::Line;
        let marker = match &mut list.number {
            Some(number) => {
                *number = value.unwrap_or(*number).clamp(0, 999_999_999);
                let marker = format!("{number}{} ", list.sign);
                first = if *number == 1 { Gap::Line } else { Gap::Blank };
                *number += list.step;
                marker
            }
            None => format!("{} ", list.sign),
        };
        list.indent = marker.len();
        if list.end == Some(self.writer.out.len()) {
            self.writer.block_exactly(Gap::Line);
        } else {
            self.writer.block(first);
        }
        let indent = marker.len();
        self.writer.push_container(marker, indent);
        Frame::Item
    }

    pub(super) fn close_item(&mut self) {
        self.block(Gap::Blank);
        let is_written = !self.writer.is_fresh();
        self.writer.pop_container();
        if let Some(list) = self.lists.last_mut().filter(|_| is_written) {
            list.end = Some(self.writer.out.len());
        }
    }

    pub(super) fn close_list(&mut self, within: bool) {
        if within {
            self.writer.pop_container();
        }
        self.block(Gap::Blank);
        let end = self.writer.out.len();
        if let Some(list) = self.lists.pop() {
            self.last_list = Some(LastList {
                end,
                is_ordered: list.number.is_some(),
                sign: list.sign,
            });
        }
        if let Some(around) = self.lists.last_mut().filter(|_| within) {
            around.end = Some(end);
        }
    }
}
