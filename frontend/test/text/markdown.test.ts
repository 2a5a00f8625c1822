import { beforeEach, expect, test } from "vitest";
import { allowedHref, MarkdownStream } from "../../src/text/markdown";

const ID = "application:01JABCDEFGHJKMNPQRSTVWXYZ0";
const links = { pageOf: (id: string): string | null => (id === "letter:01JABCDEFGHJKMNPQRSTVWXYZ0" ? null : `/w/ws_1/page/${id}`) };
let root: HTMLElement;

beforeEach(() => {
  root = document.createElement("div");
});

function rendered(...chunks: string[]): string {
  const stream = new MarkdownStream(root, links);
  let text = "";
  for (const chunk of chunks) stream.update((text += chunk), false);
  stream.update(text, true);
  return root.innerHTML;
}

test("paragraphs, emphasis and lists are rendered", () => {
  expect(rendered("Two **things**:\n\n- one\n- two\n")).toBe("<p>Two <strong>things</strong>:</p><ul><li>one</li><li>two</li></ul>");
});

test("raw HTML stays text", () => {
  rendered('<img src=x onerror="alert(1)"> <script>alert(1)</script> <b>bold</b>');
  expect([...root.querySelectorAll("*")].map((element) => element.localName)).toEqual(["p"]);
  expect(root.textContent).toBe('<img src=x onerror="alert(1)"> <script>alert(1)</script> <b>bold</b>');
});

test("headings are demoted below the page's own", () => {
  expect(rendered("# One\n\n### Three\n\n###### Six\n")).toBe("<h4>One</h4><h6>Three</h6><h6>Six</h6>");
});

test("an image becomes a link that loads nothing", () => {
  rendered("![chart](https://tracker.example/p.png)");
  expect(root.querySelector("img")).toBeNull();
  expect(root.querySelector("a")?.getAttribute("href")).toBe("https://tracker.example/p.png");
});

test("a foreign link opens apart and sends no referrer", () => {
  expect(rendered("[ad](https://jobs.example/1)")).toBe(
    '<p><a href="https://jobs.example/1" rel="noopener noreferrer nofollow" target="_blank">ad</a></p>',
  );
});

test.each([
  ["javascript:alert(1)"],
  ["JaVaScRiPt:alert(1)"],
  [" javascript:alert(1)"],
  ["java\tscript:alert(1)"],
  ["data:text/html,<script>1</script>"],
  ["vbscript:x"],
  ["file:///etc/passwd"],
  ["http://plain.example/"],
  ["//other.example/path"],
  ["https://user:secret@jobs.example/"],
  ["https://"],
])("%s leads nowhere", (address) => {
  const href = allowedHref(address, "http://127.0.0.1:8000", links);
  expect(href).toBeNull();
});

test.each([
  ["https://jobs.example/a?b=c", "https://jobs.example/a?b=c"],
  ["mailto:hr@jobs.example", "mailto:hr@jobs.example"],
  ["/w/ws_1/board", "http://127.0.0.1:8000/w/ws_1/board"],
  [`#${ID}`, `/w/ws_1/page/${ID}`],
  [ID, `/w/ws_1/page/${ID}`],
  ["#profile", "/w/ws_1/page/profile"],
])("%s is allowed", (address, href) => {
  expect(allowedHref(address, "http://127.0.0.1:8000", links)).toBe(href);
});

test("an id without a page is no link", () => {
  expect(allowedHref("#letter:01JABCDEFGHJKMNPQRSTVWXYZ0", "http://127.0.0.1:8000", links)).toBeNull();
});

test("what stands is not rendered again while the text grows", () => {
  const stream = new MarkdownStream(root, links);
  stream.update("First paragraph.\n\nSecond", false);
  const first = root.firstElementChild;
  stream.update("First paragraph.\n\nSecond grows", false);
  stream.update("First paragraph.\n\nSecond grows", true);
  expect(root.firstElementChild).toBe(first);
  expect(root.textContent).toBe("First paragraph.Second grows");
});

test("a text that does not continue the shown one replaces it", () => {
  const stream = new MarkdownStream(root, links);
  stream.update("Wrong", false);
  stream.update("Right", true);
  expect(root.innerHTML).toBe("<p>Right</p>");
});

test("markup cut at any chunk border gives the same page", () => {
  const text = `Move **[Acme](#${ID})** to \`offer\`?\n\n1. yes\n2. no\n`;
  const whole = rendered(text);
  for (let cut = 1; cut < text.length; cut += 1) {
    root = document.createElement("div");
    expect(rendered(text.slice(0, cut), text.slice(cut))).toBe(whole);
  }
});

test("a text that rests in mid-sentence shows its last letter, once", () => {
  const stream = new MarkdownStream(root, links);
  stream.update("The first half", false);
  expect(root.textContent).toBe("The first half");
  stream.update("The first half and more", false);
  expect(root.textContent).toBe("The first half and more");
  stream.update("The first half and more", true);
  expect(root.innerHTML).toBe("<p>The first half and more</p>");
});
