import { thaw } from '../../deployment/freeze.ts';
import type { Perform } from '../command.ts';
import { readCheckout } from '../read-deployment.ts';

/** `holdfast unlock`: deploys may run again. The lock of a deploy that runs is never broken. */
export const unlock: Perform = async (context, given) => {
  const { stateFolder } = await readCheckout(context, given);
  await thaw(context.host.files, stateFolder);
  return 0;
};
