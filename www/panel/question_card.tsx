// A question to the person: what may be chosen, a free answer where one is possible, and afterwards
// what was answered.

import type { JSX, TargetedKeyboardEvent } from "preact";
import { useId, useState } from "preact/hooks";

import type { ConversationId, ItemId, Millis } from "../generated/protocol.ts";
import { formatLeft, formatList } from "../ui/format.ts";
import { useNow } from "../ui/hooks.ts";
import { t } from "../ui/i18n.ts";
import { CheckIcon, QuestionIcon } from "../ui/icons.tsx";
import { answersOf, areButtons } from "./answers.ts";
import type { Controller } from "./controller.ts";
import { RequestCard, useReply } from "./request_card.tsx";

export type Question = {
  readonly question: string;
  readonly options: readonly string[];
  /** Whether several may be chosen. */
  readonly isMultiple: boolean;
  /** Whether the person may answer something else. */
  readonly isFree: boolean;
  readonly until: Millis;
};

export function QuestionCard(props: {
  conversation: ConversationId;
  item: ItemId;
  question: Question;
  controller: Controller;
}): JSX.Element {
  const { conversation, item, question, controller } = props;
  const { options, isMultiple, isFree } = question;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [free, setFree] = useState("");
  const reply = useReply(item, controller);
  const id = useId();

  const answers = answersOf(options, chosen, free, isMultiple);
  const send = (given: string[]) => {
    if (given.length > 0) reply.send(() => controller.answerQuestion(conversation, item, given));
  };
  const choose = (index: number, isChosen: boolean) => {
    setChosen(isMultiple ? withOrWithout(chosen, index, isChosen) : new Set([index]));
    if (!isMultiple) setFree("");
  };
  const write = (text: string) => {
    setFree(text);
    // One answer was asked for, and this is it.
    if (!isMultiple) setChosen(new Set());
  };

  const hasButtons = areButtons(options, isMultiple);
  return (
    <RequestCard
      item={item}
      id={id}
      icon={<QuestionIcon />}
      title={t("question_title")}
      text={question.question}
      end={<TimeLeft until={question.until} />}
      reply={reply}
      controller={controller}
    >
      {hasButtons ? (
        <div class="request-row">
          {options.map((option, index) => (
            <button key={index} type="button" class="button" dir="auto" onClick={() => send([option])}>
              {option}
            </button>
          ))}
        </div>
      ) : (
        options.length > 0 && (
          <div
            class="choices"
            role={isMultiple ? "group" : "radiogroup"}
            aria-labelledby={`${id}-text`}
          >
            {options.map((option, index) => (
              <label key={index} class="choice">
                <input
                  type={isMultiple ? "checkbox" : "radio"}
                  name={id}
                  checked={chosen.has(index)}
                  onChange={(event) => choose(index, event.currentTarget.checked)}
                />
                <span dir="auto">{option}</span>
              </label>
            ))}
          </div>
        )
      )}
      {(isFree || !hasButtons) && (
        <div class="request-send">
          {isFree && (
            <FreeAnswer hasOptions={options.length > 0} text={free} onInput={write} onEnter={() => send(answers)} />
          )}
          <button
            type="button"
            class="button primary"
            disabled={answers.length === 0}
            onClick={() => send(answers)}
          >
            {t("question_send")}
          </button>
        </div>
      )}
    </RequestCard>
  );
}

function FreeAnswer(props: {
  hasOptions: boolean;
  text: string;
  onInput: (text: string) => void;
  onEnter: () => void;
}): JSX.Element {
  const { hasOptions, text, onInput, onEnter } = props;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter chooses a candidate.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <label class="request-field">
      <span>{hasOptions ? t("question_other") : t("question_answer")}</span>
      <textarea
        rows={1}
        dir="auto"
        value={text}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}

/** Quiet: a clock that hurries nobody, and is not read out. */
function TimeLeft({ until }: { until: Millis }): JSX.Element {
  const left = until - useNow(true);
  return <span class="request-time">{t("question_left", formatLeft(left))}</span>;
}

function withOrWithout(chosen: ReadonlySet<number>, index: number, isChosen: boolean): ReadonlySet<number> {
  const next = new Set(chosen);
  if (isChosen) next.add(index);
  else next.delete(index);
  return next;
}

/** What became of a question: the answers, or why there are none. */
export function AnsweredLine(props: { question: string; answers: readonly string[]; none: string }): JSX.Element {
  const { question, answers, none } = props;
  return (
    <article class="line answered">
      <h2 class="hidden">{t("question_title")}</h2>
      <QuestionIcon />
      <p class="quiet" dir="auto">
        {question}
      </p>
      {answers.length > 0 ? (
        <>
          <CheckIcon />
          <p dir="auto">
            <span class="hidden">{`${t("question_you_answered")} `}</span>
            {formatList(answers)}
          </p>
        </>
      ) : (
        <p class="cut">{none}</p>
      )}
    </article>
  );
}
