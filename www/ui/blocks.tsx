// Model text as elements.
//
// Invariant: the only way from a model's words to the page is an element made here, with the words
// as its text. No HTML string exists, and nothing is fetched from the web before the person asks for it.

import { Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";

import type { Block, Inline, ListItem, TableAlign } from "../generated/protocol.ts";
import { CopyButton } from "./copy_button.tsx";
import { headingDepths } from "./heading_depths.ts";
import { t } from "./i18n.ts";
import { ImageIcon } from "./icons.tsx";
import { memo } from "./memo.tsx";
import { WORKSPACE_SCHEME, WorkspaceImage } from "./workspace_image.tsx";

/** `depth` says how many headings of the text are around these blocks. */
export const Blocks = memo(function Blocks(props: {
  blocks: readonly Block[];
  depth?: number;
}): JSX.Element {
  const { blocks, depth = 0 } = props;
  const depths = headingDepths(blocks, depth);
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} depth={depths[index] ?? depth} />
      ))}
    </>
  );
});

const BlockView = memo(function BlockView(props: { block: Block; depth: number }): JSX.Element {
  const { block, depth } = props;
  switch (block.block) {
    case "paragraph":
      return (
        <p dir="auto">
          <Inlines content={block.content} />
        </p>
      );
    case "heading":
      return <HeadingView depth={depth} content={block.content} />;
    case "code":
      return <CodeView language={block.language} text={block.text} />;
    case "quote":
      return (
        <blockquote dir="auto">
          <Blocks blocks={block.blocks} depth={depth} />
        </blockquote>
      );
    case "list":
      return <ListView start={block.start} items={block.items} depth={depth} />;
    case "table":
      return <TableView align={block.align} head={block.head} rows={block.rows} />;
    case "math":
      return <CodeView language="TeX" text={block.tex} />;
    case "rule":
      return <hr />;
    default:
      return block satisfies never;
  }
});

/** The page's own headings are the first two levels; a model's begin below them. */
function HeadingView({ depth, content }: { depth: number; content: Inline[] }): JSX.Element {
  const text = <Inlines content={content} />;
  switch (depth) {
    case 1:
      return <h3 dir="auto">{text}</h3>;
    case 2:
      return <h4 dir="auto">{text}</h4>;
    case 3:
      return <h5 dir="auto">{text}</h5>;
    default:
      return <h6 dir="auto">{text}</h6>;
  }
}

function CodeView({ language, text }: { language: string; text: string }): JSX.Element {
  return (
    <figure class="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={() => text} label={t("copy_code")} />
      </figcaption>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={t("code")}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

function ListView(props: { start: number | null; items: ListItem[]; depth: number }): JSX.Element {
  const { start, items, depth } = props;
  const lines = items.map((item, index) => <ListItemView key={index} item={item} depth={depth} />);
  if (start === null) return <ul dir="auto">{lines}</ul>;
  return (
    <ol dir="auto" start={start}>
      {lines}
    </ol>
  );
}

const ListItemView = memo(function ListItemView(props: { item: ListItem; depth: number }): JSX.Element {
  const { item, depth } = props;
  const content = <Blocks blocks={item.blocks} depth={depth} />;
  if (item.checked === null) return <li dir="auto">{content}</li>;
  const state = item.checked ? t("task_done") : t("task_open");
  return (
    <li dir="auto" class="task">
      <span class="task-box" data-done={item.checked} role="img" aria-label={state} />
      {content}
    </li>
  );
});

function TableView(props: { align: TableAlign[]; head: Inline[][]; rows: Inline[][][] }): JSX.Element {
  const { align, head, rows } = props;
  return (
    <div class="table" tabIndex={0} role="group" aria-label={t("table")}>
      <table dir="auto">
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col" dir="auto" data-align={align[column]}>
                <Inlines content={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} dir="auto" data-align={align[column]} data-short={isShort(cell)}>
                  <Inlines content={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A number or a word, which needs no more room than it has letters. */
function isShort(cell: readonly Inline[]): boolean {
  const [first, ...others] = cell;
  return first === undefined || (others.length === 0 && first.inline === "text" && first.text.length <= 8);
}

/** `isInLink` keeps one link from containing another control. */
function Inlines(props: { content: readonly Inline[]; isInLink?: boolean }): JSX.Element {
  const { content, isInLink = false } = props;
  return (
    <>
      {content.map((inline, index) => (
        <Fragment key={index}>{inlineElement(inline, isInLink)}</Fragment>
      ))}
    </>
  );
}

function inlineElement(inline: Inline, isInLink: boolean): JSX.Element | string {
  switch (inline.inline) {
    case "text":
      return breakable(inline.text);
    case "code":
      return <code dir="auto">{inline.text}</code>;
    case "math":
      return <code dir="ltr">{inline.tex}</code>;
    case "emphasis":
      return <em>{<Inlines content={inline.content} isInLink={isInLink} />}</em>;
    case "strong":
      return <strong>{<Inlines content={inline.content} isInLink={isInLink} />}</strong>;
    case "strike":
      return <s>{<Inlines content={inline.content} isInLink={isInLink} />}</s>;
    case "link":
      return <LinkView url={inline.url} content={inline.content} isInLink={isInLink} />;
    case "image":
      return isInLink ? inline.alt : <ImageView url={inline.url} alt={inline.alt} />;
    case "break":
      return <br />;
    default:
      return inline satisfies never;
  }
}

const LONG_WORD = /\S{24}/;
const AFTER_JOINT = /(?<=[/?&=])(?=[^\s/?&=])/;

/** An address is broken where a reader would break it. Nothing is added that would be copied with it. */
function breakable(text: string): JSX.Element | string {
  if (!LONG_WORD.test(text)) return text;
  const [first, ...others] = text.split(AFTER_JOINT);
  return (
    <>
      {first}
      {others.map((piece, index) => (
        <Fragment key={index}>
          <wbr />
          {piece}
        </Fragment>
      ))}
    </>
  );
}

function LinkView(props: { url: string; content: Inline[]; isInLink: boolean }): JSX.Element {
  const { url, content, isInLink } = props;
  const text = <Inlines content={content} isInLink />;
  if (isInLink || !isOfScheme(url, ["http:", "https:", "mailto:"])) return text;
  return (
    <a href={url} target="_blank" rel="noreferrer" title={url}>
      {text}
    </a>
  );
}

/** Showing an image tells its server that, and when, this was read: so only a click does it. */
function ImageView({ url, alt }: { url: string; alt: string }): JSX.Element {
  const [isShown, setShown] = useState(false);
  if (isOfScheme(url, [WORKSPACE_SCHEME])) return <WorkspaceImage url={url} alt={alt} />;
  if (!isOfScheme(url, ["http:", "https:"])) return <>{alt}</>;
  if (isShown) return <img src={url} alt={alt} referrerpolicy="no-referrer" />;
  return (
    <button type="button" class="image-link" title={url} onClick={() => setShown(true)}>
      <ImageIcon />
      {t("show_image", alt === "" ? new URL(url).hostname : alt)}
    </button>
  );
}

/** The core has checked this already; a second look costs nothing and guards the last step. */
function isOfScheme(url: string, schemes: readonly string[]): boolean {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol);
}
