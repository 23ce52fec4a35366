// A fault of the core in words that hold no private data: what kind, and where, never what it was about.

/** Says what a thrown value was. */
export function describeFault(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `a thrown ${thrown === null ? "null" : typeof thrown}.`;
  // The engine's own words for a trap, such as "unreachable"; every other message may quote data.
  const words = thrown instanceof WebAssembly.RuntimeError ? ` (${thrown.message})` : "";
  return `${thrown.name}${words}${place(thrown.stack)}.`;
}

/** The innermost frame that has a line: file, line and column, or a function of the module and its offset. */
function place(stack: string | undefined): string {
  const frames = (stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  const match = /([\w.-]+:(?:\d+|wasm-function\[\d+\]):\w+)\)?$/.exec(frames[0]?.trim() ?? "");
  return match?.[1] === undefined ? "" : ` at ${match[1]}`;
}
