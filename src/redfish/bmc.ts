import { PlatformError, type ErrorCode } from '../base/index.ts';

/** How the management controller of a host is reached. It holds a password: it is never told, logged or kept. */
export interface BmcAccess {
  /** Scheme, host and port: `https://10.0.0.7`. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** Which of its systems: an id, or a path that begins with a slash. The only one there is when absent. */
  readonly system?: string;
  /** PEM of the authorities that may have signed its certificate; the machine's own when absent. */
  readonly ca?: string;
  /** Whether any certificate will do: whoever is in between can then read the password. */
  readonly insecureSkipVerify: boolean;
}

/** What a host says of its power. Only `Off` is off. */
export type PowerState = 'On' | 'Off' | 'PoweringOn' | 'PoweringOff' | 'Paused';

/** What goes with a command. */
export interface TellOptions {
  readonly signal?: AbortSignal;
  /** Asked right before the command goes out, after all that has to be asked first: what is too late is not sent. */
  readonly isTooLate?: () => boolean;
}

/** Whether a command went out. */
export type Told = 'sent' | 'too late';

/** The way to management controllers. Both reject with a BmcError, and take no longer than a few seconds. */
export interface BmcDoor {
  /** What the host says of its power now. */
  powerOf(access: BmcAccess, signal?: AbortSignal): Promise<PowerState>;
  /** Tells it. That it answers means that it heard, not that it did. */
  tell(access: BmcAccess, power: 'on' | 'off', options?: TellOptions): Promise<Told>;
}

/** What is wrong between us and a management controller. */
export type BmcFault =
  /** Nobody answers, or not in time. */
  | 'Unreachable'
  /** Its certificate is not to be trusted. */
  | 'Untrusted'
  /** It does not know the user, or does not let it do this. */
  | 'Unauthorized'
  /** It knows no such host. */
  | 'NotFound'
  /** It said no. */
  | 'Refused'
  /** What it says makes no sense. */
  | 'Garbled';

const CODES: Readonly<Record<BmcFault, ErrorCode>> = {
  Unreachable: 'Unavailable',
  Untrusted: 'Unavailable',
  Unauthorized: 'Unauthorized',
  NotFound: 'NotFound',
  Refused: 'BadRequest',
  Garbled: 'Unsupported',
};

/** A management controller did not do, or say, what was asked of it. Its message is for people and holds no password. */
export class BmcError extends PlatformError {
  override readonly name = 'BmcError';
  readonly fault: BmcFault;

  constructor(fault: BmcFault, message: string, cause?: unknown) {
    super(CODES[fault], message, { cause });
    this.fault = fault;
  }
}
