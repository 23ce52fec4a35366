// The options page.

import "../ui/tokens.css";
import "../ui/base.css";
import "./options.css";

import { render } from "preact";

import { chromeDoor } from "../ui/chrome_door.ts";
import { setDocumentLanguage, t } from "../ui/i18n.ts";
import { syncWhenBack } from "../ui/page_life.ts";
import { View } from "../ui/view.ts";
import { App } from "./app.tsx";

setDocumentLanguage();
document.title = t("options_title");
const view = new View(chromeDoor());
view.sync();
syncWhenBack(view);
render(<App view={view} />, document.body);
