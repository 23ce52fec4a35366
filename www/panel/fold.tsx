// One quiet line that unfolds. What is inside is made only when it is looked at.

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { ChevronIcon } from "../ui/icons.tsx";

export function Fold(props: {
  icon: JSX.Element;
  title: string;
  /** Words after the title that give way first when the line is narrow. */
  hint?: string;
  /** What stands at the end of the line. */
  end?: ComponentChildren;
  isBusy?: boolean;
  state?: string;
  children: ComponentChildren;
}): JSX.Element {
  const { icon, title, hint = "", end, isBusy = false, state, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold" data-state={state} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {icon}
        <span class={isBusy ? "fold-title busy" : "fold-title"}>{title}</span>
        {hint !== "" && (
          <bdi class="fold-hint" title={hint}>
            {hint}
          </bdi>
        )}
        <span class="fold-end">
          {end}
          <ChevronIcon />
        </span>
      </summary>
      {isOpen && <div class="fold-content">{children}</div>}
    </details>
  );
}
