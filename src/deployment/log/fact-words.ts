import type { DeploymentFact } from '../record/events.ts';
import { sentence, statusText } from './sentence.ts';
import { stepText } from './watch.ts';

/** What a fact of the journal says to people; undefined for one that only a repair needs. */
export function inWords(fact: DeploymentFact): string | undefined {
  switch (fact.type) {
    case 'state-changed':
      return sentence(fact.event);
    case 'step-finished':
      return stepText(fact);
    case 'baseline-checked':
      return `The health address answered ${statusText(fact.status)} before the deploy`;
    case 'local-edits-found':
      return `The reset discards ${fact.paths.length} files: ${fact.paths.join(', ')}`;
    case 'reset-intended':
      return `Goes from ${fact.from} to ${fact.to}`;
    case 'rollback-intended':
      return `Goes back from ${fact.from} to ${fact.to}`;
    case 'warned':
      return fact.warnings.map((warning) => `Warning: ${warning}`).join('; ');
    case 'notified':
      return fact.notifications
        .map(({ channel, ok, error }) => (ok ? `Notified by ${channel}` : `Not notified by ${channel}: ${error}`))
        .join('; ');
    case 'run-started':
    case 'child-started':
    case 'visitors-counted':
    case 'run-finished':
      return undefined;
  }
}
