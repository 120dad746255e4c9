import { InvalidArgumentError } from 'commander';
import type { Address } from '../process/listen-address.ts';

/** Reads a TCP port; 0 stands for any free one. */
export function portNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('It takes a number from 0 to 65535.');
  return Number(text);
}

/** A day: no option in seconds is meant to be longer. */
const MOST_SECONDS = 86_400;

/** Reads a duration. */
export function wholeSeconds(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > MOST_SECONDS) throw new InvalidArgumentError(`It takes a whole number of seconds from 1 to ${MOST_SECONDS}.`);
  return value;
}

/** Parses a name or a path. An empty one comes from an unset variable, and would silently mean something else. */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Reads an address and a port: `127.0.0.1:6443`, `[::1]:6443`, `localhost:0`. */
export function addressAndPort(text: string): Address {
  const [, six, other, port = ''] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d+)$/i.exec(text) ?? [];
  const host = six ?? other;
  if (host === undefined) throw new InvalidArgumentError('It takes an address and a port, such as 127.0.0.1:6443 or [::1]:6443.');
  return { host, port: portNumber(port) };
}

/** Reads one NAME=value, added to those before it. */
export function nameAndValue(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It takes NAME=value.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...before, [name]: value };
}

/** Reads how many. */
export function wholeNumber(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new InvalidArgumentError('It takes a whole number from 1 on.');
  return value;
}
