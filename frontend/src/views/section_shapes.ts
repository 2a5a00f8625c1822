/** Which inputs the entries of an application's lists have. */

import { INTERVIEW_KINDS, OUTCOMES } from "../text/labels";

export interface InputShape {
  field: string;
  type: "text" | "email" | "tel" | "url" | "date" | "datetime-local" | "select" | "multiline";
  required?: boolean;
  choices?: readonly string[];
}

export const SECTION_SHAPES: Record<string, { singular: string; inputs: InputShape[] }> = {
  checklist: {
    singular: "to-do",
    inputs: [
      { field: "title", type: "text", required: true },
      { field: "due", type: "date" },
    ],
  },
  interviews: {
    singular: "interview",
    inputs: [
      { field: "kind", type: "select", choices: INTERVIEW_KINDS, required: true },
      { field: "starts_at", type: "datetime-local", required: true },
      { field: "ends_at", type: "datetime-local" },
      { field: "place", type: "text" },
      { field: "note", type: "multiline" },
      { field: "outcome", type: "select", choices: OUTCOMES },
    ],
  },
  contacts: {
    singular: "contact",
    inputs: [
      { field: "name", type: "text", required: true },
      { field: "title", type: "text" },
      { field: "email", type: "email" },
      { field: "phone", type: "tel" },
      { field: "url", type: "url" },
      { field: "note", type: "multiline" },
    ],
  },
};
