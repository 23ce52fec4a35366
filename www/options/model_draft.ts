// From the fields of the form to the record that the core is sent.

import type {
  Capabilities,
  Capability,
  ExtraHeader,
  ModelDraft,
  ModelId,
  ModelOptions,
  ModelView,
  Prices,
  ProviderKind,
  ReasoningEffort,
} from "../generated/protocol.ts";
import type { MessageKey } from "../ui/i18n.ts";
import { amount } from "./dollars.ts";
import { hundredths } from "./hundredths.ts";
import { wholeNumber } from "./whole_number.ts";

/** Efforts, least first, with their names. */
export const EFFORTS: Readonly<Record<ReasoningEffort, MessageKey>> = {
  off: "effort_off",
  minimal: "effort_minimal",
  low: "effort_low",
  medium: "effort_medium",
  high: "effort_high",
};

/** What is said of something that a model may be able to do. */
export const CAPABILITY: Readonly<Record<Capability, MessageKey>> = {
  unknown: "not_known",
  yes: "yes",
  no: "no",
};

/** What a model may be able to do, in the order of the form. */
export const CAN: Readonly<Record<keyof Capabilities, MessageKey>> = {
  tools: "can_tools",
  parallel_tools: "can_parallel_tools",
  vision: "can_vision",
  thinking: "can_thinking",
  image_output: "can_image_output",
};

/** As a record is about which nobody has said anything. */
export const NO_OPTIONS: ModelOptions = {
  temperature: null,
  reasoning: null,
  output_limit: null,
  headers: [],
  can: {
    tools: "unknown",
    parallel_tools: "unknown",
    vision: "unknown",
    thinking: "unknown",
    image_output: "unknown",
  },
  text_calls: false,
  prices: null,
};

const MOST_TEMPERATURE = 2;

/** What has a price, in the order of the form, with its name. */
export const PRICES: Readonly<Record<keyof Prices, MessageKey>> = {
  input: "price_input",
  output: "price_output",
  cached: "price_cached",
  written: "price_written",
};

/** Prices are kept in millionths of a dollar. */
export const PRICE_DECIMALS = 6;

/** What is known of the record beside its fields. */
export interface Subject {
  readonly id: ModelId;
  readonly provider: ProviderKind;
  /** The record as it is stored; null for a new one. */
  readonly model: ModelView | null;
  readonly forgetsKey: boolean;
}

/** A message and what stands in it. */
export type Fault = readonly [key: MessageKey, ...substitutions: string[]];

/** What a field or the whole form says, or why it says nothing. */
type Read<T> = { value: T; fault?: never } | { fault: Fault };

/** Reads the form. What it does not ask for stays as it is stored. */
export function readDraft(fields: FormData, subject: Subject): Read<ModelDraft> {
  const { id, provider, model, forgetsKey } = subject;
  const isBuiltIn = provider === "chrome_built_in";
  const key = text(fields, "key");
  const window = readCount(fields, "context_window", model?.context_window ?? null, "context_window_fault");
  if (window.fault) return window;
  const options: Read<ModelOptions> = isBuiltIn
    ? { value: model?.options ?? NO_OPTIONS }
    : readOptions(fields, model);
  if (options.fault) return options;
  return {
    value: {
      id,
      name: text(fields, "name"),
      provider,
      address: text(fields, "address"),
      // The browser does not say which model it carries, but each answer is to say whose it is.
      model: isBuiltIn ? "chrome" : text(fields, "model"),
      key: forgetsKey ? "" : key === "" ? null : key,
      scripted: model?.scripted ?? false,
      context_window: window.value,
      options: options.value,
    },
  };
}

/** Whether something is set that stands in the fold. */
export function hasMore({ context_window, options = NO_OPTIONS }: ModelDraft | ModelView): boolean {
  const { temperature, reasoning, output_limit, headers, can, text_calls, prices } = options;
  return (
    [context_window, temperature, reasoning, output_limit, prices].some((value) => value !== null) ||
    headers.length > 0 ||
    text_calls ||
    Object.values(can).some((capability) => capability !== "unknown")
  );
}

/** The keys of a table, as what they are. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[];
}

function readOptions(fields: FormData, model: ModelView | null): Read<ModelOptions> {
  const stored = model?.options ?? NO_OPTIONS;
  const limit = readCount(fields, "output_limit", stored.output_limit, "output_limit_fault");
  if (limit.fault) return limit;
  const temperature = readTemperature(text(fields, "temperature"));
  if (temperature.fault) return temperature;
  const headers = readHeaders(fields, model);
  if (headers.fault) return headers;
  const prices = readPrices(fields);
  if (prices.fault) return prices;
  const can = { ...stored.can };
  for (const name of keysOf(CAN)) can[name] = oneOf(CAPABILITY, fields.get(`can_${name}`)) ?? can[name];
  return {
    value: {
      // First, so that an option which this form has no field for is kept.
      ...stored,
      temperature: temperature.value,
      reasoning: oneOf(EFFORTS, fields.get("reasoning")),
      output_limit: limit.value,
      headers: headers.value,
      can,
      text_calls: fields.has("text_calls"),
      prices: prices.value,
    },
  };
}

/** None when all are left empty: then what is known of the model holds. */
function readPrices(fields: FormData): Read<Prices | null> {
  const written = keysOf(PRICES).map((name) => [name, text(fields, `price_${name}`)] as const);
  if (written.every(([, value]) => value === "")) return { value: null };
  const prices: Partial<Record<keyof Prices, number>> = {};
  for (const [name, value] of written) {
    if (value === "") continue;
    const price = amount(value, PRICE_DECIMALS);
    if (price === null) return { fault: ["price_fault"] };
    prices[name] = price;
  }
  const { input, output, cached = null, written: toCache = null } = prices;
  if (input === undefined || output === undefined) return { fault: ["price_missing"] };
  return { value: { input, output, cached, written: toCache } };
}

function readTemperature(written: string): Read<number | null> {
  if (written === "") return { value: null };
  const value = hundredths(written, MOST_TEMPERATURE);
  return value === null ? { fault: ["temperature_fault"] } : { value };
}

/** The rows of headers: name and value of one row have the same place among their kind. */
function readHeaders(fields: FormData, model: ModelView | null): Read<ExtraHeader[]> {
  const values = fields.getAll("header_value").map(trimmed);
  const kept = keptHeaders(model, text(fields, "address"));
  const headers: ExtraHeader[] = [];
  const seen = new Set<string>();
  for (const [row, name] of fields.getAll("header_name").map(trimmed).entries()) {
    const value = values[row] ?? "";
    if (name === "" && value === "") continue;
    const fault = headerFault(name, value, seen, kept);
    if (fault !== null) return { fault };
    seen.add(name.toLowerCase());
    headers.push({ name, value: value === "" ? null : value });
  }
  return { value: headers };
}

/** The core would find most of this only when it asks the model. */
function headerFault(
  name: string,
  value: string,
  seen: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): Fault | null {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return ["header_name_fault"];
  if (!/^[ -~]*$/.test(value)) return ["header_value_fault", name];
  if (seen.has(name.toLowerCase())) return ["header_twice", name];
  if (value === "" && !kept.has(name.toLowerCase())) return ["header_value_missing", name];
  return null;
}

/** The names whose values the core keeps: a secret of one server is not shown to another. */
function keptHeaders(model: ModelView | null, address: string): ReadonlySet<string> {
  const origin = originOf(address);
  // Of what is no address at all, the core says so.
  const isOtherServer = origin !== null && model !== null && originOf(model.address) !== origin;
  const stored = isOtherServer ? [] : (model?.options.headers ?? []);
  return new Set(stored.map(({ name }) => name.toLowerCase()));
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

/** A count that may be left empty. Where the form does not ask for it, it stays as it is. */
function readCount(
  fields: FormData,
  name: string,
  stored: number | null,
  complaint: MessageKey,
): Read<number | null> {
  if (!fields.has(name)) return { value: stored };
  if (text(fields, name) === "") return { value: null };
  const value = wholeNumber(fields.get(name));
  return value === null ? { fault: [complaint] } : { value };
}

function oneOf<Key extends string>(
  table: Readonly<Record<Key, unknown>>,
  value: FormDataEntryValue | null,
): Key | null {
  return keysOf(table).find((key) => key === value) ?? null;
}

function text(fields: FormData, name: string): string {
  return trimmed(fields.get(name));
}

function trimmed(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value.trim() : "";
}
