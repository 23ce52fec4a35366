// When a page is drawn, and when it comes back.

/** A page that nobody sees gets no frames; it is kept up to date this often, in milliseconds. */
const WITHOUT_FRAMES_MILLIS = 100;

/** Calls back once: in the next frame, or soon where there is none. */
export function nextFrame(work: () => void): void {
  const run = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    work();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, WITHOUT_FRAMES_MILLIS);
}

/** A page that was frozen or kept in the back/forward cache has heard nothing meanwhile. */
export function syncWhenBack(view: { sync(): void }): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) view.sync();
  });
  document.addEventListener("resume", () => view.sync());
}
