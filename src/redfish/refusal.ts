import { assertNever, isObject } from '../base/index.ts';
import { BmcError, type BmcAccess } from './bmc.ts';
import { quote } from './quote.ts';
import type { RedfishAnswer, RedfishRequest } from './redfish-http.ts';

/** The fault for a response that is not successful. */
export function refusal(access: BmcAccess, { method, path }: RedfishRequest, { code, text }: RedfishAnswer): BmcError {
  const said = quote(saidIn(text), access);
  return new BmcError(
    faultOf(code),
    `${method} ${quote(path, access)}: ${access.address} answered ${code}${said === '' ? '' : `: ${said}`}${adviceOn(code)}`,
  );
}

function faultOf(code: number): BmcError['fault'] {
  if (code === 401 || code === 403) return 'Unauthorized';
  if (code === 404) return 'NotFound';
  if (code >= 300 && code < 400) return 'Garbled';
  return code >= 500 || code === 429 ? 'Unreachable' : 'Refused';
}

function adviceOn(code: number): string {
  const fault = faultOf(code);
  switch (fault) {
    case 'Unauthorized':
      return ' (check that username and password in the Secret are right, and that the user may switch the host)';
    case 'NotFound':
      return ' (check that address and system in the Secret are those of the host)';
    case 'Garbled':
      return ' (redirects are not followed: correct the address in the Secret)';
    case 'Unreachable':
      return ' (this may be temporary; the request is retried)';
    case 'Refused':
    case 'Untrusted':
      return '';
    default:
      return assertNever(fault);
  }
}

/** The messages of a Redfish error. Any other content, such as an HTML page, is not quoted. */
function saidIn(text: string): string {
  const error = errorIn(text);
  const details = error?.['@Message.ExtendedInfo'];
  const messages = (Array.isArray(details) ? details : []).flatMap((one: unknown) => (isObject(one) ? one['Message'] : undefined) ?? []);
  const said = [...messages, error?.['message']].filter((one): one is string => typeof one === 'string' && one !== '');
  return [...new Set(said)].slice(0, 3).join('; ');
}

function errorIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body['error'] : undefined;
    return isObject(error) ? error : undefined;
  } catch {
    return undefined;
  }
}
