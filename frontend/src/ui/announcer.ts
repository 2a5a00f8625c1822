/** What a screen reader is told: status politely, errors at once. The regions stand in the page from the start. */

let status: HTMLElement | null = null;
let alert: HTMLElement | null = null;
let toastTimer: ReturnType<typeof setTimeout> | undefined;

const TOAST_MS = 6_000;

export function announce(text: string): void {
  status ??= document.getElementById("status");
  if (status) status.textContent = text;
}

/** An error that has no place of its own in the page: spoken, and shown for a while. */
export function alarm(text: string): void {
  alert ??= document.getElementById("alert");
  if (!alert) return;
  alert.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    if (alert) alert.textContent = "";
  }, TOAST_MS);
}
