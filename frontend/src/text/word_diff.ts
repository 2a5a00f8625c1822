/** The words that changed between two texts, for `<ins>` and `<del>`. Pure. */

export interface DiffPart {
  kind: "same" | "ins" | "del";
  text: string;
}

// Beyond this the table of the comparison would cost more than a reader gains; the middle is then shown as replaced.
const MAX_CELLS = 1_000_000;

export function wordDiff(before: string, after: string): DiffPart[] {
  const a = words(before);
  const b = words(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const parts: DiffPart[] = [];
  add(parts, "same", a.slice(0, head).join(""));
  middle(parts, a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  add(parts, "same", a.slice(a.length - tail).join(""));
  return joined(parts);
}

/** Changes that only a space keeps apart read better as one: all that went, then all that came. */
function joined(parts: DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let gone = "";
  let come = "";
  const flush = (): void => {
    add(result, "del", gone);
    add(result, "ins", come);
    gone = come = "";
  };
  parts.forEach((part, index) => {
    const between = part.kind === "same" && (gone || come) && index < parts.length - 1 && !part.text.trim();
    if (part.kind === "same" && !between) {
      flush();
      add(result, "same", part.text);
      return;
    }
    if (part.kind !== "ins") gone += part.text;
    if (part.kind !== "del") come += part.text;
  });
  flush();
  return result;
}

function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}_'’-]+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function middle(parts: DiffPart[], a: string[], b: string[]): void {
  if (a.length * b.length > MAX_CELLS) {
    add(parts, "del", a.join(""));
    add(parts, "ins", b.join(""));
    return;
  }
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(parts, "same", a[i]!);
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      add(parts, "del", a[i]!);
      i += 1;
    } else {
      add(parts, "ins", b[j]!);
      j += 1;
    }
  }
}

function add(parts: DiffPart[], kind: DiffPart["kind"], text: string): void {
  if (!text) return;
  const last = parts.at(-1);
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}

/** Long unchanged stretches shortened to their ends, so that a change in a long text fits a card. */
export function shorten(parts: DiffPart[], around = 60): DiffPart[] {
  return parts.map((part, index) => {
    if (part.kind !== "same" || part.text.length <= around * 2) return part;
    const head = index > 0 ? part.text.slice(0, around) : "";
    const tail = index < parts.length - 1 ? part.text.slice(-around) : "";
    return { kind: "same", text: `${head} … ${tail}` };
  });
}
