/** Entry of `/w/WORKSPACE/…`: builds the app for the workspace in the address and puts the shell into the page. */

import "./styles/main.css";
import { App } from "./app";
import { Shell } from "./views/shell";

const root = document.getElementById("app");
const workspace = root?.dataset["workspace"];
if (root && workspace) {
  const app = new App(workspace);
  const shell = new Shell();
  shell.app = app;
  root.replaceChildren(shell);
  void app.start();
}
