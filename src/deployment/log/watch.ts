import { readableDuration } from '../../figures/figures.js';
import type { Output } from '../../host/host.ts';
import type { StepDocument } from '../record/document.ts';
import type { Tag } from '../record/states.ts';
import type { Visit } from '../record/visitors.ts';
import { stepWords } from './step-words.ts';

/** Observes a run to show it to people. No text that it gets holds a secret. */
export interface RunWatch {
  /** A line of the deployment log, without its tag. */
  logged(tag: Tag, text: string): void;
  stepBegun(name: string, atMostSeconds: number): void;
  stepFinished(step: StepDocument): void;
  visited(visit: Visit): void;
}

/** A line for each thing that has happened, on standard error. */
export function linesOn(talk: Pick<Output, 'write'>): RunWatch {
  return {
    logged: (tag, text) => talk.write(`[${tag}] ${text}\n`),
    stepBegun: () => {},
    stepFinished: (step) => talk.write(`${stepText(step)}\n`),
    visited: () => {},
  };
}

/** `fetch: 47 ms`; `composer: 1.2 s, exit 1`. */
export const stepText = ({ name, seconds, exitCode }: StepDocument): string =>
  `${stepWords(name)}: ${readableDuration(seconds)}${exitCode === 0 ? '' : `, exit ${exitCode}`}`;
