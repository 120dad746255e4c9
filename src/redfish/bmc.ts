import { PlatformError, type ErrorCode } from '../base/index.ts';

/** How the management controller of a host is reached. It contains a password: it is never reported, logged or stored. */
export interface BmcAccess {
  /** Scheme, host and port: `https://10.0.0.7`. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** Which of its systems: an id, or a path that starts with a slash. When absent, its only system. */
  readonly system?: string;
  /** PEM of the certificate authorities to trust; the operating system's when absent. */
  readonly ca?: string;
  /** Accepts any certificate. An attacker on the network path can then read the password. */
  readonly insecureSkipVerify: boolean;
}

/** The power state that a host reports. Only `Off` counts as off. */
export type PowerState = 'On' | 'Off' | 'PoweringOn' | 'PoweringOff' | 'Paused';

/** Options of a power command. */
export interface SetPowerOptions {
  readonly signal?: AbortSignal;
  /** Checked right before the command is sent, after all requests that precede it: an expired command is not sent. */
  readonly isExpired?: () => boolean;
}

/** Whether a command was sent. */
export type SetPowerResult = 'sent' | 'expired';

/** Talks to management controllers. Both methods reject with a BmcError, and take no longer than a few seconds. */
export interface BmcClient {
  /** Reads the power state that the host reports. */
  powerOf(access: BmcAccess, signal?: AbortSignal): Promise<PowerState>;
  /** Sends a power command. A successful response means that it was accepted, not that it took effect. */
  setPower(access: BmcAccess, power: 'on' | 'off', options?: SetPowerOptions): Promise<SetPowerResult>;
}

/** Why a management controller cannot be used. */
export type BmcFault =
  /** There is no response, or not in time. */
  | 'Unreachable'
  /** Its certificate is not to be trusted. */
  | 'Untrusted'
  /** It rejects the user or the user's permissions. */
  | 'Unauthorized'
  /** The host does not exist there. */
  | 'NotFound'
  /** It refused the request. */
  | 'Refused'
  /** Its response cannot be understood. */
  | 'Garbled';

const CODES: Readonly<Record<BmcFault, ErrorCode>> = {
  Unreachable: 'Unavailable',
  Untrusted: 'Unavailable',
  Unauthorized: 'Unauthorized',
  NotFound: 'NotFound',
  Refused: 'BadRequest',
  Garbled: 'Unsupported',
};

/** A request to a management controller failed. The message contains no password. */
export class BmcError extends PlatformError {
  override readonly name = 'BmcError';
  readonly fault: BmcFault;

  constructor(fault: BmcFault, message: string, cause?: unknown) {
    super(CODES[fault], message, { cause });
    this.fault = fault;
  }
}
