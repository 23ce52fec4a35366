//! What models were used for, day by day. A day begins and ends where the person is.

use tabwright_protocol::{Event, Millis, OpId, Usage, UsageOfDay};
use tabwright_store::{Batch, Store};

use super::{AgentError, Driver};
use crate::machine::Spent;
use crate::prompt;

/// A day in milliseconds.
const DAY: u64 = 86_400_000;
/// The most days that are told at once.
const MOST_DAYS: u32 = 366;

/// What turns that are over have used on one day, as it is on disk.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    day: String,
    usage: Usage,
}

impl Ledger {
    fn load(store: &Store, day: String) -> Result<Self, AgentError> {
        let mut usage = Usage::default();
        for row in store.usage_since(&day)? {
            if row.day == day {
                usage += row.usage;
            }
        }
        Ok(Self { day, usage })
    }
}

impl Driver {
    /// The day where the person is, that many days ago.
    fn day(&self, ago: u32) -> String {
        let now = self.host.clock.now().0;
        let at = Millis(now.saturating_sub(u64::from(ago) * DAY));
        prompt::date_of(at, self.here().utc_offset)
    }

    /// What all turns of today have used, those that are still open included.
    pub(super) fn today(&mut self) -> Result<Usage, AgentError> {
        let day = self.day(0);
        if self.ledger.day != day {
            self.ledger = Ledger::load(&self.store, day)?;
        }
        let mut usage = self.ledger.usage;
        for spent in self.open_spending() {
            usage += spent.usage;
        }
        Ok(usage)
    }

    /// What open turns have used so far of their own.
    fn open_spending(&self) -> impl Iterator<Item = &Spent> {
        let runs = self.loaded.values().filter_map(|it| it.run.as_ref());
        runs.flat_map(|run| &run.record.spent)
    }

    /// Adds what was used to the day's, with the transaction.
    pub(super) fn book(&self, batch: &mut Batch, spent: Vec<Spent>) {
        if spent.is_empty() {
            return;
        }
        let day = self.day(0);
        batch.add_usage = spent
            .into_iter()
            // A server that counts nothing leaves nothing to tell.
            .filter(|spent| spent.usage != Usage::default())
            .map(|Spent { model, usage }| UsageOfDay {
                day: day.clone(),
                model,
                usage,
            })
            .collect();
    }

    /// The same in memory, after the commit.
    pub(super) fn booked(&mut self, batch: &Batch) {
        for row in &batch.add_usage {
            if row.day == self.ledger.day {
                self.ledger.usage += row.usage;
            }
        }
    }

    /// What was used on the last days.
    pub(super) fn list_usage(&mut self, op: OpId, days: u32) -> Result<(), AgentError> {
        let today = self.day(0);
        let first = self.day(days.clamp(1, MOST_DAYS) - 1);
        let mut days = self.store.usage_since(&first)?;
        for Spent { model, usage } in self.open_spending() {
            let mut rows = days.iter_mut();
            match rows.find(|row| row.day == today && row.model == *model) {
                Some(row) => row.usage += *usage,
                None => days.insert(
                    0,
                    UsageOfDay {
                        day: today.clone(),
                        model: model.clone(),
                        usage: *usage,
                    },
                ),
            }
        }
        self.outbox.send(Event::UsageByDay { op, today, days });
        Ok(())
    }
}
