// What brings the core back while turns are open: a mark in chrome.storage.local and an alarm.
//
// The mark survives everything; Chrome loses alarms when the browser restarts. So the mark is the
// truth, and every start of the service worker makes the alarm agree with it again.

/** The alarm that starts the service worker. */
export const WAKE_ALARM = "tabwright.wake";

/** The key of the mark: there while turns are open. */
export const TURNS_OPEN_KEY = "tabwright.turns_open";

const PERIOD_MINUTES = 1;

/** The parts of Chrome that are used. */
export interface WakeApi {
  readonly alarms: {
    create(name: string, info: { periodInMinutes: number }): Promise<void>;
    clear(name: string): Promise<boolean>;
  };
  readonly storage: {
    readonly local: {
      get(key: string): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
      remove(key: string): Promise<void>;
    };
  };
}

// A start that reads the mark while a call is changing it would set the alarm to the old state, so they take turns.
let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work);
  last = result;
  return result;
}

/** Records whether turns are open. */
export function keepWaking(on: boolean, api: WakeApi): Promise<void> {
  return inTurn(async () => {
    if (on) await api.storage.local.set({ [TURNS_OPEN_KEY]: true });
    else await api.storage.local.remove(TURNS_OPEN_KEY);
    await setAlarm(on, api);
  });
}

/** Makes the alarm agree with the mark, and says whether turns are open. */
export function turnsAreOpen(api: WakeApi): Promise<boolean> {
  return inTurn(async () => {
    const stored = await api.storage.local.get(TURNS_OPEN_KEY);
    const open = stored[TURNS_OPEN_KEY] === true;
    await setAlarm(open, api);
    return open;
  });
}

async function setAlarm(on: boolean, api: WakeApi): Promise<void> {
  if (on) await api.alarms.create(WAKE_ALARM, { periodInMinutes: PERIOD_MINUTES });
  else await api.alarms.clear(WAKE_ALARM);
}
