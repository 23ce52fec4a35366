// The model server: a real HTTP server on the loopback address that plays a script, remembers every request, and
// misbehaves as told. See README.md.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text as wholeText } from "node:stream/consumers";

import { sendAnswer, sendRefusal } from "./answer.ts";
import { Field, RefusalError, depthOf, hasLoneSurrogate } from "./check.ts";
import type { Refusal } from "./check.ts";
import { Gate } from "./gate.ts";
import { parseJson } from "./json.ts";
import { Faults, listOf } from "./misbehave.ts";
import type { Misbehaviour } from "./misbehave.ts";
import { planAnswer, textOf } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { callKey, conditionalRefusal, echoRefusal, fromExtension, modelNotFound, scriptedRefusal, unauthorized } from "./refusals.ts";
import type { Echo } from "./refusals.ts";
import { routeOf } from "./route.ts";
import type { Route } from "./route.ts";
import { emptyConversation } from "./script.ts";
import type { ModelRequest, Moments, Script, Step, StepFunction } from "./script.ts";
import { show, tags } from "./shapes/ollama_models.ts";
import { modelList } from "./shapes/openai.ts";
import { GoneError, Wire } from "./wire.ts";

export { Gate } from "./gate.ts";
export type { Misbehaviour } from "./misbehave.ts";
export type { ModelRequest, Script, ScriptedCall, Step, StepFunction } from "./script.ts";

export interface ModelServerOptions {
  /** 0, the default: any free port. */
  port?: number;
  /** When given, requests need it. */
  key?: string;
  /** When given, other models are refused. */
  models?: readonly string[];
  /** Answers what no step of a script answers. */
  rules?: StepFunction;
  /** Told of every model request as it arrives. */
  onRequest?: (request: ModelRequest) => void;
}

/** A request that asked for no answer of a model. */
export interface OtherRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The services' own readers of JSON stop somewhere between 100 and a few thousand levels. */
const deepestBody = 100;

export const demoModel = "tabwright-demo";

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*, authorization",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-expose-headers": "retry-after, retry-after-ms",
};

type Entry = Step | StepFunction;

export class ModelServer {
  /** Model requests, in the order of arrival. */
  readonly requests: ModelRequest[] = [];
  /** All other requests: model lists, preflights, unknown paths. */
  readonly others: OtherRequest[] = [];
  readonly #http: Server;
  readonly #options: ModelServerOptions;
  readonly #gates = new Set<Gate>();
  readonly #echoes: Echo[] = [];
  readonly #arrivals = new Set<() => void>();
  #steps: Entry[] = [];
  #everyStep: StepFunction | null = null;
  #always: Misbehaviour[] = [];
  #hold: Gate | null = null;
  #closing = false;

  private constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#http = createServer((incoming, response) => void this.#handle(incoming, response));
  }

  static async start(options: ModelServerOptions = {}): Promise<ModelServer> {
    const server = new ModelServer(options);
    server.#http.listen(options.port ?? 0, "127.0.0.1");
    await once(server.#http, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Sets what the following requests are answered with, in place of what was left to play. */
  play(script: Script): void {
    this.#everyStep = typeof script === "function" ? script : null;
    this.#steps = typeof script === "function" ? [] : [...script];
  }

  get stepsLeft(): number {
    return this.#steps.length;
  }

  /** Sets how every following request is treated, besides what its step says. */
  always(...misbehaviours: Misbehaviour[]): void {
    new Faults(misbehaviours);
    this.#always = misbehaviours;
  }

  gate(): Gate {
    const gate = new Gate();
    this.#gates.add(gate);
    return gate;
  }

  /** Holds every following answer back, even its head, until the gate is opened. */
  hold(): Gate {
    this.#hold = this.gate();
    return this.#hold;
  }

  /** The n-th request, from 1, as soon as it has arrived. */
  async waitForRequest(n: number, timeoutMs = 10_000): Promise<ModelRequest> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const request = this.requests[n - 1];
      if (request !== undefined) return request;
      const arrived = await this.#nextArrival(until - Date.now());
      if (!arrived) throw new Error(`Request ${n} did not arrive within ${timeoutMs} ms; ${this.requests.length} did.`);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const gate of this.#gates) gate.open();
    const closed = once(this.#http, "close");
    this.#http.close();
    this.#http.closeAllConnections();
    await closed;
  }

  #nextArrival(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const arrived = () => settle(true);
      const timer = setTimeout(() => settle(false), Math.max(0, withinMs));
      const settle = (value: boolean) => {
        clearTimeout(timer);
        this.#arrivals.delete(arrived);
        resolve(value);
      };
      this.#arrivals.add(arrived);
    });
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [at, head] = [Date.now(), performance.now()];
    const path = incoming.url ?? "/";
    const headers = flatHeaders(incoming);
    for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
    response.socket?.setNoDelay(true);
    const route = routeOf(incoming.method ?? "GET", path);
    if (route.kind !== "answer") {
      this.others.push({ at, method: incoming.method ?? "GET", path, headers });
      await this.#answerOther(route, headers, incoming, response);
      return;
    }
    const bytes = await buffer(incoming).catch(() => null);
    if (bytes === null) return;
    const moments: Moments = { head, body: performance.now(), answered: null };
    const { request, end } = this.#remember({ at, moments, path, headers }, bytes, route);
    const wire = new Wire(response, {
      head: (status) => {
        request.status = status;
      },
      end: () => {
        moments.answered = performance.now();
      },
    });
    void wire.left.then(() => {
      if (response.writableFinished) request.outcome = "complete";
      else if (wire.dropped || this.#closing) request.outcome = "dropped";
      else {
        request.outcome = "aborted";
        request.aborted = Date.now();
      }
      end();
    });
    try {
      await this.#answer(wire, route, request, bytes);
    } catch (error) {
      if (!(error instanceof GoneError)) await this.#answerFailure(wire, route, request, error);
    }
  }

  async #answerOther(route: Exclude<Route, { kind: "answer" }>, headers: Readonly<Record<string, string>>, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (new Faults(this.#always).has("refuse-extension-origin") && fromExtension(headers)) {
      refuseOrigin(response);
      response.writeHead(403).end();
      return;
    }
    const models = this.#options.models ?? [demoModel];
    const hasKey = this.#options.key === undefined || headers["authorization"] === `Bearer ${this.#options.key}`;
    switch (route.kind) {
      case "preflight":
        response.writeHead(204).end();
        break;
      case "models":
        if (!hasKey) {
          json(401, { error: { message: "Incorrect API key provided.", type: "invalid_request_error", param: null, code: "invalid_api_key" } });
        } else {
          json(200, modelList(models));
        }
        break;
      case "version":
        json(200, { version: "0.13.0" });
        break;
      case "tags":
        if (hasKey) json(200, tags(models));
        else json(401, { error: "unauthorized" });
        break;
      case "show": {
        const { status, body } = show(models, parseJson(await wholeText(incoming).catch(() => "")));
        if (hasKey) json(status, body);
        else json(401, { error: "unauthorized" });
        break;
      }
      case "unknown":
        if (route.path.startsWith("/api/")) response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
        else json(404, { error: { message: `Invalid URL (${route.method} ${route.path})`, type: "invalid_request_error", param: null, code: null } });
        break;
    }
  }

  #remember(
    arrival: Pick<ModelRequest, "at" | "moments" | "path" | "headers">,
    bytes: Buffer,
    route: Route & { kind: "answer" },
  ): { request: ModelRequest; end: () => void } {
    let end: () => void = () => undefined;
    const text = bytes.toString("utf8");
    const request: ModelRequest = {
      number: this.requests.length + 1,
      ...arrival, shape: route.shape.name, text,
      body: parseJson(text),
      conversation: emptyConversation(),
      status: 0, refused: null, unscripted: false, aborted: null, outcome: "pending",
      ended: new Promise((resolve) => {
        end = resolve;
      }),
    };
    this.requests.push(request);
    for (const arrived of [...this.#arrivals]) arrived();
    this.#options.onRequest?.(request);
    return { request, end };
  }

  async #answer(wire: Wire, route: Route & { kind: "answer" }, request: ModelRequest, bytes: Buffer): Promise<void> {
    if (this.#hold !== null) await wire.gate(this.#hold);
    const always = new Faults(this.#always);
    const invalid = this.#read(route, request, bytes) ?? conditionalRefusal(always, request) ?? echoRefusal(this.#echoes, request);
    if (invalid !== null) return refuse(wire, route, request, invalid);

    const entry = this.#steps.shift() ?? this.#everyStep ?? this.#options.rules;
    if (entry === undefined) {
      request.unscripted = true;
      return sendRefusal(wire, route.shape, { status: 500, message: "The script has no step for this request." });
    }
    const step = typeof entry === "function" ? await entry(request) : entry;
    const faults = new Faults([...this.#always, ...listOf(step.misbehave)]);
    const refused = conditionalRefusal(faults, request);
    if (refused !== null) {
      if (entry !== this.#everyStep && entry !== this.#options.rules) this.#steps.unshift(entry);
      return refuse(wire, route, request, refused);
    }
    const impossible = route.shape.cannot(faults);
    if (impossible !== null) throw new Error(`"${impossible}" has no form in the ${route.shape.name} shape.`);
    const scripted = scriptedRefusal(faults, route.shape, request);
    if (scripted !== null) return sendRefusal(wire, route.shape, scripted);

    const plan = planAnswer(step, request, faults);
    // What was not sent so that it can come back is not demanded back.
    const isEchoed = route.shape.name === "openai-responses" ? plan.sealsThinking : plan.showsThinking;
    if (faults.has("demand-thinking-echo") && plan.calls.length > 0 && isEchoed) this.#echoes.push(echoOf(plan, request));
    await sendAnswer(wire, route.shape, plan, step, request.conversation.stream ? route.form : null);
  }

  /** Reads the body into the conversation. The refusal, when the service would refuse it. */
  #read(route: Route & { kind: "answer" }, request: ModelRequest, bytes: Buffer): Refusal | null {
    if (this.#options.key !== undefined && keyOf(request) !== this.#options.key) return unauthorized(request.shape);
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
      return { status: 400, message: "The request needs the header Content-Type: application/json." };
    }
    if (depthOf(request.text) > deepestBody) {
      return { status: 400, message: `We could not parse the JSON body of your request. It is nested deeper than ${deepestBody} levels.` };
    }
    if (request.body === undefined || !Buffer.from(request.text, "utf8").equals(bytes) || hasLoneSurrogate(request.body)) {
      return { status: 400, message: "We could not parse the JSON body of your request. The body must be well-formed JSON in UTF-8." };
    }
    try {
      const body = new Field(request.body, [], route.dialect);
      request.conversation = route.shape.read({ model: route.model, stream: route.stream, headers: request.headers, body });
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal;
      throw error;
    }
    const { models } = this.#options;
    return models === undefined || models.includes(request.conversation.model) ? null : modelNotFound(request.shape, request.conversation.model);
  }

  async #answerFailure(wire: Wire, route: Route & { kind: "answer" }, request: ModelRequest, error: unknown): Promise<void> {
    const message = `The model server failed: ${error instanceof Error ? error.message : String(error)}`;
    request.unscripted = true;
    if (wire.response.headersSent) wire.response.destroy();
    else await sendRefusal(wire, route.shape, { status: 500, message }).catch(() => undefined);
  }
}

async function refuse(wire: Wire, route: Route & { kind: "answer" }, request: ModelRequest, refusal: Refusal): Promise<void> {
  request.refused = refusal.message;
  if (refusal.status === 403) refuseOrigin(wire.response);
  await sendRefusal(wire, route.shape, refusal);
}

/** A server that refuses an origin does not let it read the refusal either. */
function refuseOrigin(response: ServerResponse): void {
  for (const name of Object.keys(corsHeaders)) response.removeHeader(name);
}

const echoOf = (plan: Plan, request: ModelRequest): Echo => ({
  shape: request.shape,
  calls: plan.calls.map((call) => callKey(request.shape, { ...call, arguments: textOf(call.pieces) })),
  thinking: textOf(plan.thinking),
  signature: plan.signature,
});

function keyOf(request: ModelRequest): string | undefined {
  switch (request.shape) {
    case "openai":
    case "openai-responses":
    case "ollama":
      return request.headers["authorization"]?.replace(/^Bearer /, "");
    case "anthropic":
      return request.headers["x-api-key"];
    case "gemini":
      return request.headers["x-goog-api-key"] ?? new URL(request.path, "http://localhost").searchParams.get("key") ?? undefined;
  }
}

const flatHeaders = (incoming: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]));
