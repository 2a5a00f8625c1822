import { expect, test } from "vitest";
import { parseRoute } from "../../src/ui/router";

const ULID = "01JABCDEFGHJKMNPQRSTVWXYZ0";

test.each([
  ["", "", { surface: "overview", document: null, place: null }],
  ["board", "#offer", { surface: "board", document: null, place: "offer" }],
  ["board/", "", { surface: "board", document: null, place: null }],
  [`applications/${ULID}`, "#fields/next_step", { surface: "application", document: `application:${ULID}`, place: "fields/next_step" }],
  [`documents/note%3A${ULID}`, "", { surface: "document", document: `note:${ULID}`, place: null }],
  ["documents/profile", "", { surface: "document", document: "profile", place: null }],
  ["applications/none", "", { surface: "missing", document: null, place: null }],
  ["documents/..", "", { surface: "missing", document: null, place: null }],
  ["settings", "", { surface: "missing", document: null, place: null }],
  ["board/x", "", { surface: "missing", document: null, place: null }],
])("%s%s", (rest, hash, route) => {
  expect(parseRoute(rest, hash)).toEqual(route);
});
