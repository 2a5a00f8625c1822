/** Reading and patching one place of a document, by the contract's paths. Pure. */

import type { FieldEntry, Item, Operation, Value, WorkspaceDocument } from "../api/types";

/** The value at `fields/NAME`, `texts/NAME`, `sections/NAME/ITEM[/FIELD]` or `sections/NAME`. */
export function valueAt(document: WorkspaceDocument, path: string): unknown {
  const [area, name = "", item, field] = path.split("/");
  if (area === "fields") return document.fields[name] ?? null;
  if (area === "texts") return document.texts[name] ?? "";
  if (area !== "sections") return undefined;
  const entries = document.sections[name] ?? [];
  if (!item) return entries;
  const entry = entries.find((candidate) => candidate.id === item);
  return field ? (entry?.[field] ?? null) : entry;
}

export function withField(document: WorkspaceDocument, field: string, value: Value): WorkspaceDocument {
  return { ...document, fields: { ...document.fields, [field]: value } };
}

export function withText(document: WorkspaceDocument, text: string, content: string): WorkspaceDocument {
  return { ...document, texts: { ...document.texts, [text]: content } };
}

export function withItems(document: WorkspaceDocument, section: string, change: (items: Item[]) => Item[]): WorkspaceDocument {
  return { ...document, sections: { ...document.sections, [section]: change(document.sections[section] ?? []) } };
}

export function fieldList(values: Record<string, Value>): FieldEntry[] {
  return Object.entries(values).map(([field, value]) => ({ field, value }));
}

/** What an operation will do to the document, for showing it before the server has answered. */
export function predicted(document: WorkspaceDocument, operation: Operation): WorkspaceDocument {
  switch (operation.kind) {
    case "field.set":
      return withField(document, operation.field, operation.value);
    case "application.move_stage":
      return withField(document, "stage", operation.stage);
    case "text.append":
      return withText(document, operation.text, (document.texts[operation.text] ?? "") + operation.content);
    case "text.replace":
      return withText(document, operation.text, replaced(document.texts[operation.text] ?? "", operation.old, operation.new));
    case "item.update":
      return withItems(document, operation.section, (items) =>
        items.map((item) => (item.id === operation.item ? { ...item, ...record(operation.changes) } : item)),
      );
    case "item.remove":
      return withItems(document, operation.section, (items) => items.filter((item) => item.id !== operation.item));
    case "document.archive":
      return { ...document, archived: true };
    case "document.unarchive":
      return { ...document, archived: false };
    default:
      // New entries and moves get their id and place from the server; the answer brings them.
      return document;
  }
}

function replaced(content: string, old: string, fresh: string): string {
  const at = content.indexOf(old);
  return at < 0 ? content : content.slice(0, at) + fresh + content.slice(at + old.length);
}

function record(values: FieldEntry[]): Record<string, Value> {
  return Object.fromEntries(values.map(({ field, value }) => [field, value]));
}
