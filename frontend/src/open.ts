/** Entry of `/w/#cvl_…`. */

import "./styles/main.css";
import { OpenPage } from "./views/open_page";

document.getElementById("app")?.replaceChildren(new OpenPage());
