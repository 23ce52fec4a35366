// The agent's own to-do list, in one line that unfolds: how much is done, and what it is at.

import type { JSX } from "preact";

import type { TaskStatus, TaskView } from "../generated/protocol.ts";
import { formatWhole } from "../ui/format.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import { CheckIcon, CircleIcon, Spinner } from "../ui/icons.tsx";
import { memo } from "../ui/memo.tsx";
import { Fold } from "./fold.tsx";

export const TaskList = memo(function TaskList({ tasks }: { tasks: readonly TaskView[] }): JSX.Element {
  const done = tasks.filter(({ status }) => status === "completed").length;
  const current = tasks.find(({ status }) => status === "in_progress") ?? null;
  return (
    <div class="tasks">
      <Fold
        icon={<ProgressRing part={done / tasks.length} />}
        title={t("tasks_progress", formatWhole(done), formatWhole(tasks.length))}
        hint={current?.subject ?? ""}
      >
        <div class="task-scroller" tabIndex={0} role="group" aria-label={t("tasks")}>
          <ul>
            {tasks.map((task) => (
              <TaskRow key={task.id} task={task} />
            ))}
          </ul>
        </div>
      </Fold>
    </div>
  );
});

const TaskRow = memo(function TaskRow({ task }: { task: TaskView }): JSX.Element {
  const { subject, description, status } = task;
  return (
    <li data-status={status}>
      {statusIcon(status)}
      <span class="hidden">{t(statusKey[status])}</span>
      <span class="task-text" dir="auto">
        <span class="task-subject">{subject}</span>
        {description !== null && description !== "" && <span class="quiet">{description}</span>}
      </span>
      {status === "in_progress" && (
        <span class="task-status" aria-hidden="true">
          {t("task_in_progress")}
        </span>
      )}
    </li>
  );
});

const statusKey = {
  pending: "task_pending",
  in_progress: "task_in_progress",
  completed: "task_completed",
} as const satisfies Record<TaskStatus, MessageKey>;

function statusIcon(status: TaskStatus): JSX.Element {
  switch (status) {
    case "pending":
      return <CircleIcon />;
    case "in_progress":
      return <Spinner />;
    case "completed":
      return <CheckIcon />;
    default:
      return status satisfies never;
  }
}

/** A ring that closes; the number beside it says the same. */
function ProgressRing({ part }: { part: number }): JSX.Element {
  return (
    <svg class="icon ring" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="5.5" />
      <circle class="ring-done" cx="8" cy="8" r="5.5" pathLength={1} stroke-dasharray={`${part} 1`} transform="rotate(-90 8 8)" />
    </svg>
  );
}
