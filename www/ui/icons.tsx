// The icons: 16 by 16, drawn with the current colour. They never speak; their button does.

import type { JSX } from "preact";

function icon(...paths: string[]): () => JSX.Element {
  return () => (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

export const ListIcon = icon("M2.5 4h11M2.5 8h11M2.5 12h7");
export const NewIcon = icon("M8 3v10M3 8h10");
export const GearIcon = icon("M2 5h7M13 5h1M2 11h1M7 11h7", "M11 3.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 1 1 0-3.6", "M5 9.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 1 1 0-3.6");
export const SendIcon = icon("M8 13V3M3.5 7.5L8 3l4.5 4.5");
export const StopIcon = icon("M4.5 4.5h7v7h-7z");
export const DownIcon = icon("M8 3v10M3.5 8.5L8 13l4.5-4.5");
export const CloseIcon = icon("M3.5 3.5l9 9M12.5 3.5l-9 9");
export const PencilIcon = icon("M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3z");
export const TrashIcon = icon("M2.5 4.5h11M6 4.5V3h4v1.5M4 4.5l.6 8.5h6.8l.6-8.5");
export const CopyIcon = icon("M6 6h7v7H6z", "M10 6V3H3v7h3");
export const CheckIcon = icon("M3 8.5L6.5 12L13 4.5");
export const RegenerateIcon = icon("M3 7a5 5 0 0 1 9-2.2M12.5 2v3h-3", "M13 9a5 5 0 0 1-9 2.2M3.5 14v-3h3");
export const ShieldIcon = icon("M8 2l5 1.8v3.7c0 3-2 5.3-5 6.5c-3-1.2-5-3.5-5-6.5V3.8z", "M8 5.5v2.8M8 10.4v.2");
export const SummaryIcon = icon("M3 3.5h10M5.5 6.5h5M8 8.5v5M6 11.5l2 2l2-2");
export const CircleIcon = icon("M8 3a5 5 0 1 1 0 10A5 5 0 1 1 8 3");
export const BroomIcon = icon("M13 3L8.5 7.5M6.5 6l3.5 3.5L7 13.5H2.5L3 10z");
export const MoreIcon = icon("M3.5 7.6a.4.4 0 1 1 0 .8a.4.4 0 1 1 0-.8", "M8 7.6a.4.4 0 1 1 0 .8a.4.4 0 1 1 0-.8", "M12.5 7.6a.4.4 0 1 1 0 .8a.4.4 0 1 1 0-.8");
export const RetryIcon = icon("M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3");
export const ToolIcon = icon("M9.5 6.5L3 13M9 3.5a3.2 3.2 0 0 0 3.6 3.6a3 3 0 0 1-4.4-1.2a3 3 0 0 1 3-3.9l-1.6 1.7");
export const ThoughtIcon = icon("M8 2.5a4 4 0 0 0-2.2 7.3V11h4.4V9.8A4 4 0 0 0 8 2.5M6.3 13.5h3.4");
export const ErrorIcon = icon("M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2", "M8 5v3.5M8 10.8v.2");
export const WarningIcon = icon("M8 2.5L14 13H2z", "M8 6.5v3M8 11v.2");
export const InfoIcon = icon("M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2", "M8 7.5V11M8 5v.2");
export const QuestionIcon = icon("M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2", "M6.3 6.4a1.8 1.8 0 1 1 2.5 1.7c-.6.3-.8.6-.8 1.2M8 11.2v.2");
export const ChevronIcon = icon("M6 3.5L10.5 8L6 12.5");
export const ImageIcon = icon("M2.5 3h11v10h-11z", "M2.5 11l3.5-3.5l3 3l2-2l2.5 2.5", "M10.5 5.8v.2");

/** Turns while something is under way. */
export function Spinner(): JSX.Element {
  return <span class="spinner" aria-hidden="true" />;
}
