//! The bugs: each is a few exact replacements in the source.

/// A bug to plant.
pub struct Bug {
    /// What is wrong then.
    pub name: &'static str,
    /// The replacements that make it.
    pub edits: &'static [Edit],
}

/// A replacement; what it looks for stands in the file once.
pub struct Edit {
    /// The file.
    pub file: &'static str,
    /// What is replaced.
    pub find: &'static str,
    /// By what.
    pub replace: &'static str,
}

const fn edit(file: &'static str, find: &'static str, replace: &'static str) -> Edit {
    Edit {
        file,
        find,
        replace,
    }
}

/// All of them.
pub const BUGS: &[Bug] = &[
    Bug {
        name: "a commit is not flushed",
        edits: &[edit(
            "crates/store/src/store.rs",
            "PRAGMA synchronous = full;",
            "PRAGMA synchronous = off;",
        )],
    },
    Bug {
        name: "effects begin before their step is on disk",
        edits: &[
            edit(
                "crates/agent/src/driver/conversations.rs",
                "        self.store.commit(&batch)?;\n        self.booked(&batch);",
                "        self.booked(&batch);",
            ),
            edit(
                "crates/agent/src/driver/conversations.rs",
                "        self.tell_family_waits(id, waits);\n        Ok(())",
                "        self.tell_family_waits(id, waits);\n        self.store.commit(&batch)?;\n        Ok(())",
            ),
        ],
    },
    Bug {
        name: "an op is acknowledged before it is on disk",
        edits: &[edit(
            "crates/agent/src/driver/conversations.rs",
            "        self.store.commit(&batch)?;\n        self.booked(&batch);",
            "        if let Some(op) = &op {\n            self.outbox.send(Event::Applied { op: op.clone() });\n        }\n        self.store.commit(&batch)?;\n        self.booked(&batch);",
        )],
    },
    Bug {
        name: "a limit in money is not looked at before a request",
        edits: &[edit(
            "crates/agent/src/machine/model.rs",
            "        if let Some(limit) = self.spent_up(around) {",
            "        if let Some(limit) = self.spent_up(around).filter(|_| false) {",
        )],
    },
    Bug {
        name: "what a turn has used is not added to the day's",
        edits: &[edit(
            "crates/agent/src/machine.rs",
            "        step.spent = run.record.spent;",
            "        step.spent = Vec::new();",
        )],
    },
    Bug {
        name: "another model begins an answer anew that was shown in part",
        edits: &[edit(
            "crates/agent/src/machine/model.rs",
            "            .filter(|it| is_round && nothing_shown && it.id != around.model.id);",
            "            .filter(|it| is_round && it.id != around.model.id);",
        )],
    },
    Bug {
        name: "what became of an op is not kept",
        edits: &[edit(
            "crates/agent/src/driver/conversations.rs",
            "            batch.put_ops.push(self.op_row(op, &Outcome::Applied)?);",
            "            self.op_row(op, &Outcome::Applied)?;",
        )],
    },
    Bug {
        name: "the epoch is not checked",
        edits: &[edit(
            "crates/store/src/store.rs",
            "        if stored != ours {",
            "        if stored.0 == u32::MAX {",
        )],
    },
    Bug {
        name: "a bare write is run again after a death",
        edits: &[edit(
            "crates/agent/src/machine/resume.rs",
            "CallState::Running { .. } if call.replay == Replay::BareWrite => {",
            "CallState::Running { .. } if call.replay == Replay::Pure => {",
        )],
    },
    Bug {
        name: "an unknown outcome is not shown",
        edits: &[edit(
            "crates/agent/src/machine/resume.rs",
            "        if !unknown.is_empty()",
            "        if unknown.len() > 99",
        )],
    },
    Bug {
        name: "a result is not put on disk",
        edits: &[edit(
            "crates/agent/src/machine/calls.rs",
            "        call.close(outcome);\n        step.items.insert(position);",
            "        call.close(outcome);",
        )],
    },
    Bug {
        name: "the intent of a call is not put on disk",
        edits: &[edit(
            "crates/agent/src/machine/calls.rs",
            "            step.items.insert(position);\n            self.start(around, step, index, *ready);",
            "            self.start(around, step, index, *ready);",
        )],
    },
    Bug {
        name: "calls that must wait for others do not",
        edits: &[edit(
            "crates/agent/src/machine/calls.rs",
            "            if alone_is_running || (any_is_running && !call.concurrent) {",
            "            if alone_is_running && any_is_running && index > 99 {",
        )],
    },
    Bug {
        name: "stop leaves calls without a result",
        edits: &[edit(
            "crates/agent/src/machine/person.rs",
            "        self.close_calls(step, \"Stopped by the person\", \"stopped\");\n",
            "",
        )],
    },
    Bug {
        name: "an answer to a request that was given up is taken",
        edits: &[
            edit(
                "crates/agent/src/machine/stream.rs",
                "            Phase::Model(request) if request.number == number => Some(request),",
                "            Phase::Model(request) => Some(request),",
            ),
            edit(
                "crates/agent/src/machine/stream.rs",
                "            Phase::Model(_) | Phase::Pause { .. } | Phase::Calls | Phase::Question => None,",
                "            Phase::Pause { .. } | Phase::Calls | Phase::Question => None,",
            ),
        ],
    },
    Bug {
        name: "a request is repeated after something was shown",
        edits: &[edit(
            "crates/agent/src/machine/model.rs",
            "        let nothing_shown = !request.heard",
            "        let nothing_shown = attempt > 0 || !request.heard",
        )],
    },
    Bug {
        name: "a wrong key is tried again",
        edits: &[
            edit(
                "crates/llm/src/error.rs",
                "            | ProviderErrorKind::Cut => true,\n            ProviderErrorKind::Auth\n",
                "            | ProviderErrorKind::Cut\n            | ProviderErrorKind::Auth => true,\n            ProviderErrorKind::Refused\n",
            ),
            edit(
                "crates/llm/src/error.rs",
                "            | ProviderErrorKind::Malformed\n            | ProviderErrorKind::Refused => false,",
                "            | ProviderErrorKind::Malformed => false,",
            ),
        ],
    },
    Bug {
        name: "the server's wish to wait is ignored",
        edits: &[edit(
            "crates/agent/src/machine/model.rs",
            "    jittered.max(asked.unwrap_or(0))",
            "    jittered.max(asked.map_or(0, |_| 0))",
        )],
    },
    Bug {
        name: "results are left out of the history",
        edits: &[edit(
            "crates/agent/src/history.rs",
            "                messages.extend(calls.into_iter().map(result));\n",
            "                drop(calls.into_iter().map(result));\n",
        )],
    },
    Bug {
        name: "what a provider wants to see again is lost",
        edits: &[edit(
            "crates/agent/src/history.rs",
            "if is_own { value.clone() } else { Value::Null }",
            "if is_own && value.is_null() { value.clone() } else { Value::Null }",
        )],
    },
    Bug {
        name: "what belongs to one provider is shown to another",
        edits: &[edit(
            "crates/agent/src/history.rs",
            "let is_own = message.source == source;",
            "let is_own = message.source == source || !source.is_empty();",
        )],
    },
    Bug {
        name: "a call whose arguments were cut is run",
        edits: &[edit(
            "crates/agent/src/machine/model.rs",
            "            let checked = if call.complete {",
            "            let checked = if call.complete || !call.arguments.is_empty() {",
        )],
    },
    Bug {
        name: "the person is not asked",
        edits: &[edit(
            "crates/agent/src/machine/calls.rs",
            "            && !call.approved\n",
            "            && call.approved\n",
        )],
    },
    Bug {
        name: "a denied call runs",
        edits: &[edit(
            "crates/agent/src/machine/person.rs",
            "        if approve {\n            call.approved = true;",
            "        if approve || note.is_empty() {\n            call.approved = true;",
        )],
    },
    Bug {
        name: "the newest results are left out first",
        edits: &[edit(
            "crates/agent/src/machine/context.rs",
            "        let fresh = self.fresh_from(fresh_rounds);",
            "        let fresh = self.fresh_from(fresh_rounds * 0);",
        )],
    },
    Bug {
        name: "a summary swallows the person's last request",
        edits: &[edit(
            "crates/agent/src/history.rs",
            "        .filter(|item| item.turn == *turn)\n        .filter_map(|item| item.body.written())",
            "        .filter(|item| item.turn != *turn)\n        .filter_map(|item| item.body.written())",
        )],
    },
    Bug {
        name: "a summary that fails fails the turn",
        edits: &[edit(
            "crates/agent/src/machine/context.rs",
            "        let text = compaction::own_summary(&self.items, keep, &self.about.tasks);\n        self.put_summary(around, step, keep, text, false);",
            "        let text = compaction::own_summary(&self.items, keep, &self.about.tasks);\n        self.fail(around, step, \"not_compacted\", text);",
        )],
    },
    Bug {
        name: "a request that was too long is sent again unchanged",
        edits: &[edit(
            "crates/agent/src/machine/context.rs",
            "        if keep.is_none() && self.request_bytes(around) >= before {",
            "        if keep.is_none() && self.request_bytes(around) > before {",
        )],
    },
    Bug {
        name: "the loop guard never asks",
        edits: &[edit(
            "crates/agent/src/machine/guard.rs",
            "            None => memory.strikes += 1,",
            "            None => memory.strikes += 0,",
        )],
    },
    Bug {
        name: "the loop guard forgets what was before the last round",
        edits: &[edit(
            "crates/agent/src/machine/guard.rs",
            "            .take_while(|item| item.position >= run.record.guard.from)",
            "            .take_while(|item| item.position >= run.record.guard.from && item.body.message().is_none())",
        )],
    },
    Bug {
        name: "a sub-agent's usage is not counted",
        edits: &[edit(
            "crates/agent/src/machine/calls.rs",
            "        run.record.usage += usage;\n",
            "",
        )],
    },
    Bug {
        name: "a sub-agent has its parent's tools",
        edits: &[edit(
            "crates/agent/src/driver/agents.rs",
            "        self.doors.of(self.parent_of(id).map(|parent| parent.kind))",
            "        self.doors.of(self.parent_of(id).map(|parent| parent.kind).filter(|_| false))",
        )],
    },
    Bug {
        name: "a sub-agent is started anew after a death",
        edits: &[edit(
            "crates/agent/src/driver/agents.rs",
            "        if self.load(&child)? {\n            self.sub_agent_ended(&child);\n            return Ok(());\n        }",
            "        self.load(&child)?;",
        )],
    },
    Bug {
        name: "a sub-agent's end is not told",
        edits: &[edit(
            "crates/agent/src/driver/conversations.rs",
            "                self.sub_agent_ended(id);\n",
            "",
        )],
    },
    Bug {
        name: "a task is lost with the core",
        edits: &[edit(
            "crates/agent/src/machine/tasks.rs",
            "                step.row = true;\n                step.effects.push(Effect::Tasks);",
            "                step.effects.push(Effect::Tasks);",
        )],
    },
    Bug {
        name: "numbers of events are used twice",
        edits: &[edit(
            "crates/agent/src/outbox.rs",
            "        Seq(self.last.0 + n)",
            "        Seq(self.last.0 + n - 1)",
        )],
    },
    Bug {
        name: "waiting for the person counts as work",
        edits: &[edit(
            "crates/agent/src/machine/limits.rs",
            "                record.waited += now.0.saturating_sub(since.0);",
            "                record.waited += 0 * since.0;",
        )],
    },
    Bug {
        name: "deaths are not counted",
        edits: &[edit(
            "crates/agent/src/machine/resume.rs",
            "        run.record.deaths += u32::from(!delegates && !waits);",
            "        run.record.deaths += u32::from(delegates);",
        )],
    },
    Bug {
        name: "a death while the person is waited for counts",
        edits: &[edit(
            "crates/agent/src/machine/resume.rs",
            "        run.record.deaths += u32::from(!delegates && !waits);",
            "        run.record.deaths += u32::from(!delegates) + 0 * u32::from(waits);",
        )],
    },
    Bug {
        name: "half a summary is taken for one",
        edits: &[edit(
            "crates/agent/src/machine/model.rs",
            "                    (_, Some(_)) => None,\n                };\n                let is_empty",
            "                    (_, Some(_)) => Some(answer.text.as_str()),\n                };\n                let is_empty",
        )],
    },
    Bug {
        name: "arriving text is never put on disk",
        edits: &[edit(
            "crates/agent/src/machine/stream.rs",
            "const SAVE_EVERY: u64 = 1_000;",
            "const SAVE_EVERY: u64 = u64::MAX;",
        )],
    },
    Bug {
        name: "edited messages stay in the history",
        edits: &[edit(
            "crates/agent/src/machine/branch.rs",
            "            item.body = Body::Gone { was: Box::new(was) };",
            "            item.body = was;",
        )],
    },
    Bug {
        name: "an answer in the middle of a turn is lost on the model",
        edits: &[edit(
            "crates/agent/src/history.rs",
            "                messages.extend(unseen_by(message, &rest[..index]));\n",
            "",
        )],
    },
    Bug {
        name: "a turn has no end of rounds",
        edits: &[edit(
            "crates/agent/src/machine/limits.rs",
            "        if record.round + 1 - record.first_round >= record.limits.rounds {",
            "        if record.round + 1 - record.first_round > record.limits.rounds + 9 {",
        )],
    },
];
