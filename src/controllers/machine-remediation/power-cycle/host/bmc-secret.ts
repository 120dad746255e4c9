import type { Secret } from '../../../../api/builtin/index.ts';
import { keyText, type ObjectKey } from '../../../../api/meta.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Read } from '../../../../kube/client/read.ts';
import type { BmcAccess } from '../../../../redfish/index.ts';
import type { Settings } from '../../../settings.ts';
import type { HostFault } from '../observed.ts';
import { isAllowedAddress } from './allowed-address.ts';

const DEFAULT_NAME = '{machine}-bmc';

/** The Secret with the credentials of the host's management controller, in the namespace of the request. */
export const secretKey = ({ metadata, spec }: PowerCycleRemediation): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: (spec.bmcSecretName ?? DEFAULT_NAME).replaceAll('{machine}', metadata.name),
});

/**
 * How the host is reached, or what is wrong with the Secret. Messages never contain its values. Outside Sickbay's own namespace the address
 * must be allowed: the writer of a Secret must not have Sickbay call any address (ruling 122).
 */
export function bmcAccessIn(
  read: Read<Secret>,
  key: ObjectKey,
  { namespace, powerCycle }: Pick<Settings, 'namespace' | 'powerCycle'>,
): BmcAccess | HostFault {
  const name = `Secret ${keyText(key)}`;
  if (read.kind === 'unreadable') return noAccess(`${name} cannot be read: ${read.reason}: allow Sickbay's account to get it`);
  if (read.kind === 'absent')
    return noAccess(`${name} does not exist: it must contain address, username and password of the host's management controller`);
  const text = (entry: string): string => textOf(read.value, entry);
  const missing = ['address', 'username', 'password'].filter((entry) => text(entry) === '');
  if (missing.length > 0) return noAccess(`${name} has no ${missing.join(', no ')}`);
  const address = addressIn(text('address'));
  if (address === undefined) return noAccess(`the address in ${name} is not a URL such as https://10.0.0.7`);
  if (key.namespace !== namespace && !isAllowedAddress(address, powerCycle.bmcAddresses))
    return noAccess(
      `the address in ${name} is not among those that Sickbay may call: add it, or its network, to powerCycle.bmcAddresses in the configuration`,
    );
  return {
    address,
    username: text('username'),
    password: passwordIn(read.value),
    ...(text('system') !== '' && { system: text('system') }),
    ...(text('ca.crt') !== '' && { ca: text('ca.crt') }),
    insecureSkipVerify: text('insecureSkipVerify') === 'true',
  };
}

export const isHostFault = (found: BmcAccess | HostFault): found is HostFault => 'fault' in found;

const noAccess = (message: string): HostFault => ({ fault: 'NoAccess', message });

const textOf = ({ data }: Secret, entry: string): string => decode(data?.[entry]).trim();

/** Removes only the line break at the end of files: blanks may belong to the password. */
const passwordIn = ({ data }: Secret): string => decode(data?.['password']).replace(/\r?\n$/, '');

const decode = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();

/** Scheme, host and port. The path of the service root is accepted; any other path, or a user, is a mistake. */
function addressIn(text: string): string | undefined {
  const whole = /^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, origin, pathname, username, password, search, hash } = new URL(whole);
  const isPlain = username === '' && password === '' && search === '' && hash === '' && /^\/(redfish(\/v1\/?)?)?$/.test(pathname);
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? origin : undefined;
}
