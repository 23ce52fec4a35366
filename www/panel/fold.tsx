// One quiet line that unfolds. What is inside is made only when it is looked at.

import type { ComponentChildren, JSX, TargetedEvent } from "preact";
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
  /** Told when it unfolds and when it folds. */
  onToggle?: (isOpen: boolean) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { icon, title, hint = "", end, isBusy = false, state, onToggle, children } = props;
  const [isOpen, setOpen] = useState(false);
  const toggle = ({ currentTarget }: TargetedEvent<HTMLDetailsElement>) => {
    setOpen(currentTarget.open);
    onToggle?.(currentTarget.open);
  };
  return (
    <details class="fold" data-state={state} onToggle={toggle}>
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
