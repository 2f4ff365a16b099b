import process from 'node:process';

/** The user as whom this process opens files; -1 on a system without users. */
export const callerId = (): number => process.geteuid?.() ?? -1;

/** The users whose files are the caller's own: the caller, root, and who became root by sudo(8). */
export function ownIds({ SUDO_UID }: Readonly<Record<string, string | undefined>>): readonly number[] {
  const before = callerId() === 0 && /^\d+$/.test(SUDO_UID ?? '') ? [Number(SUDO_UID)] : [];
  return [callerId(), 0, ...before];
}
