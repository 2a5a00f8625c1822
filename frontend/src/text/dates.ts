/** Dates and ages as people say them. The day is the server's, so that a wrong clock on a device misleads nobody. */

const DAY_MS = 86_400_000;

const served = document.querySelector<HTMLMetaElement>('meta[name="server-now"]')?.content;
const offset = served ? Date.parse(served) - Date.now() : 0;

export function now(): Date {
  return new Date(Date.now() + (Number.isFinite(offset) ? offset : 0));
}

/** The reader's calendar day as ISO 8601. */
export function today(at: Date = now()): string {
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

export function daysUntil(date: string, from: string = today()): number {
  return Math.round((Date.parse(`${date.slice(0, 10)}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

export function dayLabel(date: string, from: string = today()): string {
  const days = daysUntil(date, from);
  if (!Number.isFinite(days)) return date;
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  if (days === -1) return "yesterday";
  if (days < 0) return `${-days} days ago`;
  if (days <= 13) return `in ${days} days`;
  return shortDate(date);
}

export function shortDate(date: string): string {
  const moment = new Date(`${date.slice(0, 10)}T12:00:00`);
  if (Number.isNaN(moment.getTime())) return date;
  const sameYear = moment.getFullYear() === now().getFullYear();
  return moment.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...(sameYear ? {} : { year: "numeric" }) });
}

export function weekday(date: string): string {
  return new Date(`${date.slice(0, 10)}T12:00:00`).toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short" });
}

export function ago(at: string, from: Date = now()): string {
  const seconds = Math.max(0, (from.getTime() - Date.parse(at)) / 1000);
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  const days = Math.round(seconds / 86_400);
  return days === 1 ? "yesterday" : days < 31 ? `${days} days ago` : shortDate(at);
}

export function dateTime(at: string, timeZone?: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  try {
    return moment.toLocaleString("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      ...(timeZone ? { timeZone, timeZoneName: "short" as const } : {}),
    });
  } catch {
    return moment.toISOString();
  }
}
