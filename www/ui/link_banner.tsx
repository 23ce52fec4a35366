// Says when the core does not answer, and what can be done.

import type { JSX } from "preact";

import type { Link } from "./core_client.ts";
import { t } from "./i18n.ts";
import { ErrorIcon, RetryIcon, Spinner } from "./icons.tsx";

export function LinkBanner({ link, onRetry }: { link: Link; onRetry: () => void }): JSX.Element {
  return (
    <div class="link-banner" role="status">
      {content(link, onRetry)}
    </div>
  );
}

function content(link: Link, onRetry: () => void): JSX.Element | null {
  switch (link.state) {
    case "ok":
      return null;
    case "waking":
      return (
        <p class="banner quiet">
          <Spinner />
          <span>{link.reason ?? t("core_waking")}</span>
        </p>
      );
    case "down":
      return (
        <div class="banner danger">
          <ErrorIcon />
          <span>{link.reason ?? t("core_no_answer")}</span>
          <button type="button" class="button small" onClick={onRetry}>
            <RetryIcon />
            {t("try_again")}
          </button>
        </div>
      );
    default:
      return link satisfies never;
  }
}
