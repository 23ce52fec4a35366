// The options page's frame: which page of it is shown follows the address's fragment.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { useChanges } from "../ui/hooks.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import { LinkBanner } from "../ui/link_banner.tsx";
import { Logo } from "../ui/logo.tsx";
import type { View } from "../ui/view.ts";
import { AgentPage } from "./agent_page.tsx";
import { ModelsPage } from "./models_page.tsx";
import { UsagePage } from "./usage_page.tsx";

type Page = "models" | "agent" | "usage";

const PAGES: readonly { page: Page; label: MessageKey }[] = [
  { page: "models", label: "models" },
  { page: "agent", label: "agent" },
  { page: "usage", label: "usage" },
];

export function App({ view }: { view: View }): JSX.Element {
  useChanges(view);
  const current = usePage();
  const { state } = view;
  return (
    <div class="options">
      <header>
        <Logo />
        <h1>{t("options_title")}</h1>
      </header>
      <nav aria-label={t("options")}>
        {PAGES.map(({ page, label }) => (
          <a key={page} href={`#${page}`} aria-current={page === current ? "page" : undefined}>
            {t(label)}
          </a>
        ))}
      </nav>
      <main>
        <LinkBanner link={view.link} onRetry={view.retry} />
        {state.isWelcome && current === "models" && <ModelsPage view={view} />}
        {state.isWelcome && current === "usage" && <UsagePage view={view} />}
        {state.settings !== null && current === "agent" && (
          <AgentPage view={view} settings={state.settings} />
        )}
      </main>
    </div>
  );
}

function usePage(): Page {
  const [page, setPage] = useState(pageOfAddress);
  useEffect(() => {
    const follow = () => setPage(pageOfAddress());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return page;
}

function pageOfAddress(): Page {
  const named = location.hash.slice(1);
  return PAGES.find(({ page }) => page === named)?.page ?? "models";
}
