import { beforeEach, expect, test } from "vitest";
import { forgetWorkspace } from "../../src/store/leftovers";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("what the browser keeps of an erased workspace goes, and nothing else", () => {
  localStorage.setItem("draft:ws_1", "an unsent question");
  localStorage.setItem("draft:ws_1:thr_1", "another");
  localStorage.setItem("draft:ws_12", "of a workspace with a longer id");
  localStorage.setItem("rail.width", "400");
  sessionStorage.setItem("thread:ws_1", "thr_1");
  sessionStorage.setItem("thread:ws_2", "thr_2");
  forgetWorkspace("ws_1");
  expect({ ...localStorage }).toEqual({ "draft:ws_12": "of a workspace with a longer id", "rail.width": "400" });
  expect({ ...sessionStorage }).toEqual({ "thread:ws_2": "thr_2" });
});
