/** A value that prints as `[secret]` everywhere; only `reveal` returns it. */
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
