// A gate is a place in an answer where the server waits until the test lets it go on. Once opened, it stays open.

export class Gate {
  /** Resolves when an answer has arrived at the gate; everything before it has been written by then. */
  readonly reached: Promise<void>;
  readonly #opened: Promise<void>;
  #arrive: () => void = () => undefined;
  #letGo: () => void = () => undefined;
  #isOpen = false;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#letGo();
  }

  /** For the server: says that an answer is here, and waits. */
  pass(): Promise<void> {
    this.#arrive();
    return this.#opened;
  }
}
