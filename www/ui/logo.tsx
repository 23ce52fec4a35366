// The mark: a T made of a browser tab and a chisel.

import type { JSX } from "preact";

import { LOGO_PATH } from "./logo_path.ts";

export function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 128 128" width="40" height="40" aria-hidden="true" focusable="false">
      <rect class="logo-ground" x="4" y="4" width="120" height="120" rx="30" />
      <path class="logo-mark" d={LOGO_PATH} />
    </svg>
  );
}
