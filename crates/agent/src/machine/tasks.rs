//! The agent's own to-do list.

use serde_json::{Value, json};
use tabwright_protocol::{TaskStatus, TaskView};
use tabwright_tools::TaskRequest;

use super::{Conversation, Effect, Step};
use crate::item::error_text;

/// No list is longer.
const MOST_TASKS: usize = 100;

impl Conversation {
    /// Does what is wanted of the list. The answer is the call's result, and whether it is an error.
    pub(super) fn task_list(&mut self, step: &mut Step, wanted: TaskRequest) -> (String, bool) {
        let changed = match wanted {
            TaskRequest::Create {
                subject,
                description,
            } => self.create_task(subject, description),
            TaskRequest::Update {
                id,
                status,
                subject,
                description,
            } => self.update_task(&id, status, subject, description),
            TaskRequest::List => {
                let all: Vec<Value> = self.about.tasks.iter().map(in_brief).collect();
                return (Value::from(all).to_string(), false);
            }
        };
        match changed {
            Ok(task) => {
                step.row = true;
                step.effects.push(Effect::Tasks);
                (whole(task).to_string(), false)
            }
            Err(error) => (error, true),
        }
    }

    fn create_task(
        &mut self,
        subject: String,
        description: Option<String>,
    ) -> Result<&TaskView, String> {
        let about = &mut self.about;
        if about.tasks.len() >= MOST_TASKS {
            return Err(error_text(
                &format!(
                    "The list has {MOST_TASKS} tasks, which is the most it holds. Use the ones that are there."
                ),
                "too_many_tasks",
            ));
        }
        about.next_task += 1;
        about.tasks.push(TaskView {
            id: about.next_task.to_string(),
            subject,
            description,
            status: TaskStatus::Pending,
        });
        about.tasks.last().ok_or_else(String::new)
    }

    fn update_task(
        &mut self,
        id: &str,
        status: Option<TaskStatus>,
        subject: Option<String>,
        description: Option<String>,
    ) -> Result<&TaskView, String> {
        let known: Vec<&str> = self
            .about
            .tasks
            .iter()
            .map(|task| task.id.as_str())
            .collect();
        let Some(index) = known.iter().position(|known| *known == id.trim()) else {
            let advice = if known.is_empty() {
                "The list is empty; create a task first.".to_owned()
            } else {
                format!("There are: {}.", known.join(", "))
            };
            let short: String = id.chars().take(40).collect();
            return Err(error_text(
                &format!("There is no task \"{short}\". {advice}"),
                "no_such_task",
            ));
        };
        let task = &mut self.about.tasks[index];
        if let Some(status) = status {
            task.status = status;
        }
        if let Some(subject) = subject {
            task.subject = subject;
        }
        if let Some(description) = description {
            task.description = Some(description);
        }
        Ok(task)
    }
}

fn whole(task: &TaskView) -> Value {
    let mut value = in_brief(task);
    if let (Some(text), Value::Object(map)) = (&task.description, &mut value) {
        map.insert("description".into(), json!(text));
    }
    value
}

fn in_brief(task: &TaskView) -> Value {
    json!({"id": task.id, "subject": task.subject, "status": task.status})
}
