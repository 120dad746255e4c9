import { PlatformError } from '../../base/index.ts';
import { adoptTrail, isDatabaseUrl, keyPathOf } from '../../store/index.ts';
import type { AdoptFlags } from './audit-commands.ts';
import { counted } from './audit-verify.ts';

/** Seals a trail without a chain, and says what that is worth. */
export function auditAdopt(file: string, { key }: AdoptFlags, print: (line: string) => void): void {
  if (isDatabaseUrl(file)) throw new PlatformError('Invalid', 'a trail in PostgreSQL always had a chain: name a file', { retry: 'never' });
  const keys = key ?? keyPathOf(file);
  print(`${file}: ${counted(adoptTrail({ path: file, keys }), 'event')} adopted and sealed with the last key in ${keys}`);
}
