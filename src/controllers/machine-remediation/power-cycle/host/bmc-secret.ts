import type { Secret } from '../../../../api/builtin/index.ts';
import { keyText, type ObjectKey } from '../../../../api/meta.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Read } from '../../../../kube/client/read.ts';
import type { BmcAccess } from '../../../../redfish/index.ts';
import type { Trouble } from '../observed.ts';

const DEFAULT_NAME = '{machine}-bmc';

/** The Secret that says how the host is reached; it stands beside the request. */
export const secretKey = ({ metadata, spec }: PowerCycleRemediation): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: (spec.bmcSecretName ?? DEFAULT_NAME).replaceAll('{machine}', metadata.name),
});

/** How the host is reached, or what is wrong with the Secret. Never tells what is in it. */
export function accessIn(read: Read<Secret>, key: ObjectKey): BmcAccess | Trouble {
  const name = `Secret ${keyText(key)}`;
  if (read.kind === 'unreadable') return noAccess(`${name} cannot be read: ${read.reason}: allow Sickbay's account to get it`);
  if (read.kind === 'absent')
    return noAccess(`${name} is not there: it must hold address, username and password of the host's management controller`);
  const text = (entry: string): string => textOf(read.value, entry);
  const missing = ['address', 'username', 'password'].filter((entry) => text(entry) === '');
  if (missing.length > 0) return noAccess(`${name} has no ${missing.join(', no ')}`);
  const address = addressIn(text('address'));
  if (address === undefined) return noAccess(`the address in ${name} is not one like https://10.0.0.7`);
  return {
    address,
    username: text('username'),
    password: passwordIn(read.value),
    ...(text('system') !== '' && { system: text('system') }),
    ...(text('ca.crt') !== '' && { ca: text('ca.crt') }),
    insecureSkipVerify: text('insecureSkipVerify') === 'true',
  };
}

export const isTrouble = (found: BmcAccess | Trouble): found is Trouble => 'fault' in found;

const noAccess = (message: string): Trouble => ({ fault: 'NoAccess', message });

const textOf = ({ data }: Secret, entry: string): string => decode(data?.[entry]).trim();

/** Only the line break goes that files end with: blanks may belong to it. */
const passwordIn = ({ data }: Secret): string => decode(data?.['password']).replace(/\r?\n$/, '');

const decode = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();

/** Scheme, host and port. A service root at its end is what every service has; any other path, or a user, is a mistake. */
function addressIn(text: string): string | undefined {
  const whole = /^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, origin, pathname, username, password, search, hash } = new URL(whole);
  const isPlain = username === '' && password === '' && search === '' && hash === '' && /^\/(redfish(\/v1\/?)?)?$/.test(pathname);
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? origin : undefined;
}
