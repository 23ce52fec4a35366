// The moments at which something is taken away, by name. A turn has twelve rounds, so most of them
// are there twelve times.

import type { RunView, Settings } from "../../www/generated/protocol.ts";
import type { Misbehaviour } from "../model-server/misbehave.ts";
import type { Scene } from "./scene.ts";
import type { ModelSize } from "./stage.ts";
import { LAST, QUESTION, WRITES } from "./write_script.ts";

/** One moment. */
export interface Point {
  readonly name: string;
  readonly model?: ModelSize;
  readonly settings?: Partial<Settings>;
  /** The round in which the model asks the person something. */
  readonly asksIn?: number;
  /** Sends the message, and ends when the moment has come. */
  readonly reach: (scene: Scene) => Promise<void>;
  /** The moment of a second death in the same turn: arranged before the turn goes on, ends when it has come. */
  readonly again?: (scene: Scene) => Promise<void>;
  /** What the person does after the death, where the turn cannot go on without them. */
  readonly goOn?: (scene: Scene) => Promise<void>;
}

/** The moment when `arrange` says it has come. */
function when(name: string, arrange: (scene: Scene) => Promise<void>, more: Partial<Point> = {}): Point {
  return {
    name,
    ...more,
    reach: async (scene) => {
      const reached = arrange(scene);
      await scene.send();
      await reached;
    },
  };
}

const isRetrying = (run: RunView): boolean => run.state === "working" && run.activity.activity === "retrying";

/** In the pause after the model's server has refused a round's first request. */
function pause(name: string, k: number, how: Misbehaviour): Point {
  return when(name, (scene) => {
    scene.refuse(k, how);
    return scene.does(isRetrying);
  });
}

/** The moments of a round. */
const OF_A_ROUND: readonly ((k: number) => Point)[] = [
  (k) => when(`request ${k} not answered`, (scene) => scene.stop(k, "request")),
  (k) => when(`answer ${k} half streamed`, (scene) => scene.stop(k, "half")),
  (k) => when(`answer ${k} whole but not ended`, (scene) => scene.stop(k, "whole")),
  (k) => when(`write ${k} begun, its page not answered`, (scene) => scene.hold(k, "request")),
  (k) => when(`write ${k} done, its page half loaded`, (scene) => scene.hold(k, "page")),
  (k) =>
    when(`write ${k} just shown as done`, (scene) =>
      scene.shows((item) => scene.isWrite(item, k) && item.body.kind === "tool_call" && item.body.state.state === "done"),
    ),
  (k) => pause(`pause after an error to request ${k}`, k, { kind: "server-error" }),
  (k) => pause(`pause that the server asked for at request ${k}`, k, { kind: "rate-limit", form: "seconds", seconds: 1 }),
];

/** The moments that a turn has once. */
const OF_A_TURN: readonly Point[] = [
  {
    name: "message sent, not acknowledged",
    reach: (scene) => scene.post(),
    // As a view does that never heard of its message.
    goOn: (scene) => scene.send(),
  },
  {
    name: "message just acknowledged",
    reach: (scene) => scene.send(),
    // The browser may not know yet that a turn is open; then it goes on when somebody looks.
    goOn: async (scene) => {
      await scene.stage.client();
    },
  },
  when("requests 6 and 7 not answered, a death at each", (scene) => scene.stop(6, "request"), {
    again: (scene) => scene.stop(7, "request"),
  }),
  when("writes 6 and 7 begun, a death at each", (scene) => scene.hold(6, "request"), {
    again: (scene) => scene.hold(7, "request"),
  }),
  when("last request not answered", (scene) => scene.stop(LAST, "request")),
  when("last answer half streamed", (scene) => scene.stop(LAST, "half")),
  when("last answer whole but not ended", (scene) => scene.stop(LAST, "whole")),
  when(
    "question to the person open",
    (scene) => scene.shows(({ body }) => body.kind === "tool_call" && body.state.state === "asking"),
    {
      asksIn: 4,
      goOn: async (scene) => {
        const question = await scene.look("the question was open", ({ body }) => {
          return body.kind === "tool_call" && body.state.state === "asking" && body.state.question === QUESTION;
        });
        const client = await scene.stage.client();
        await client.submit({ type: "answer_question", conversation: scene.conversation, item: question.id, answers: ["Yes"] });
      },
    },
  ),
  when(
    "write 1 waits for the person's permission",
    (scene) => scene.shows(({ body }) => body.kind === "tool_call" && body.state.state === "awaiting_approval"),
    {
      settings: { ask_before_acting: true },
      goOn: async (scene) => {
        const call = await scene.look("the call waited for permission", ({ body }) => {
          return body.kind === "tool_call" && body.state.state === "awaiting_approval";
        });
        await scene.allow(call.id);
      },
    },
  ),
  when("request for a summary not answered", (scene) => scene.stop("summary", "request"), { model: "small" }),
  when("summary half streamed", (scene) => scene.stop("summary", "half"), { model: "small" }),
  when("summary whole but not ended", (scene) => scene.stop("summary", "whole"), { model: "small" }),
];

/** Rounds, from those that tell most. */
const ROUNDS = [6, 1, WRITES, 2, 11, 3, 9, 4, 8, 5, 10, 7];

/** All moments, from those that tell most. */
export const POINTS: readonly Point[] = [
  ...OF_A_ROUND.map((point) => point(ROUNDS[0] ?? 1)),
  ...OF_A_TURN,
  ...ROUNDS.slice(1).flatMap((k) => OF_A_ROUND.map((point) => point(k))),
];

/** The point with that name. */
export function pointNamed(name: string): Point {
  const found = POINTS.find((point) => point.name === name);
  if (found === undefined) throw new Error(`There is no point “${name}”.`);
  return found;
}
