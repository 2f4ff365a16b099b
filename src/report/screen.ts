/** How each kind of text is painted: in a terminal's colours, or not at all. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export interface Screen {
  readonly paint: Paint;
  readonly columns: number;
  /** On a terminal a word that is longer than a line is broken; elsewhere it stays whole. */
  readonly isBroken?: boolean;
}

const same = (text: string): string => text;

/** 80 columns without colours. */
export const plainScreen: Screen = {
  paint: { good: same, bad: same, doubtful: same, strong: same, faint: same },
  columns: 80,
};
