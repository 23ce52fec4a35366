// A page that was frozen or kept in the back/forward cache has heard nothing meanwhile.

export function syncWhenBack(view: { sync(): void }): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) view.sync();
  });
  document.addEventListener("resume", () => view.sync());
}
