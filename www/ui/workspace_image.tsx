// An image that is a file of the workspace: it is on this computer, so showing it tells nobody
// anything, and nobody has to ask for it.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { t } from "./i18n.ts";

/** The scheme of such an image's address; what follows is the file's path. */
export const WORKSPACE_SCHEME = "workspace:";
/** Where the core keeps the workspace in the extension's own file system. */
const WORKSPACE = "workspace";

/** What is known of the file: nothing yet, an address that can be shown, or that it is not there. */
type Shown = { readonly state: "loading" } | { readonly state: "here"; readonly src: string } | { readonly state: "gone" };

export function WorkspaceImage({ url, alt }: { url: string; alt: string }): JSX.Element {
  const path = pathOf(url);
  const [shown, setShown] = useState<Shown>({ state: "loading" });
  useEffect(() => {
    let src: string | null = null;
    let isOver = false;
    const show = (file: File): void => {
      if (isOver) return;
      src = URL.createObjectURL(file);
      setShown({ state: "here", src });
    };
    fileOf(path).then(show, () => {
      if (!isOver) setShown({ state: "gone" });
    });
    return () => {
      isOver = true;
      if (src !== null) URL.revokeObjectURL(src);
    };
  }, [path]);
  switch (shown.state) {
    case "loading":
      return <span class="workspace-image" />;
    case "here":
      return <img src={shown.src} alt={alt} onError={() => setShown({ state: "gone" })} />;
    case "gone":
      return <>{t("image_gone", path)}</>;
    default:
      return shown satisfies never;
  }
}

/** The path in an address. Anybody's text may be the address, so it may say what no path is. */
function pathOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

async function fileOf(path: string): Promise<File> {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const root = await navigator.storage.getDirectory();
  let directory = await root.getDirectoryHandle(WORKSPACE);
  for (const part of parts) directory = await directory.getDirectoryHandle(part);
  return (await directory.getFileHandle(name)).getFile();
}
