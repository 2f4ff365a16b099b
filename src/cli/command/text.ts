import { styleText } from 'node:util';

/** Every sentence the program says by itself, and the colours, which only a terminal sees. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export function paint(color: boolean): Paint {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    color ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: style('green'),
    bad: style('red'),
    doubtful: style('yellow'),
    strong: style('bold'),
    faint: style('dim'),
  };
}

export const text = {
  description: 'Proves that a web application stays up, and deploys it so that it does.',
  defect: (message: string) =>
    `holdfast has a defect: ${message}\nRun it again with --verbose for the stack, and report it.\n`,
  mistakes: (mistakes: readonly string[]) => mistakes.map((mistake) => `holdfast: ${mistake}\n`).join(''),
} as const;
