/** A value that is shown as `[secret]` wherever it is printed; only `reveal` gives it out. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return shown;
  }
  toJSON(): string {
    return shown;
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return shown;
  }
}

export const shown = '[secret]';
