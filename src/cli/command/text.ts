import { styleText } from 'node:util';

/** The program's own sentences, and the colours, which only a terminal gets. */
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
    `holdfast failed by a defect of its own: ${message}\nRun it again with --verbose, and report the stack trace that it prints.`,
} as const;
