/** Entry of `/`. */

import "./styles/main.css";
import { StartPage } from "./views/start_page";

document.getElementById("app")?.replaceChildren(new StartPage());
