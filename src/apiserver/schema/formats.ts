import { isIPv4, isIPv6 } from 'node:net';
import { parseDuration, parseTime, entryOf } from '../../base/index.ts';

/** Whether a string has a format that the API knows; unknown formats accept any string. */
export const hasFormat = (format: string, value: string): boolean => entryOf(FORMATS, format)?.(value) ?? true;

/** `1 day`, `3w`: forms of a duration that the API accepts besides Go's own. */
const WORDS = /^(\d+)\s*(ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}:\d{2}(.\d+)?(z|[+-]\d{2}:\d{2})$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63}\.?)$/u;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const isDate = (value: string): boolean => DATE.test(value) && parseTime(`${value}T00:00:00Z`) !== undefined;

function isDateTime(value: string): boolean {
  const [date, time] = value.toLowerCase().split('t');
  return time !== undefined && isDate(date!) && TIME.test(time);
}

function isCidr(value: string): boolean {
  const [address = '', bits = ''] = value.split('/');
  const width = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  return /^\d+$/.test(bits) && Number(bits) <= width;
}

const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': isDateTime,
  datetime: isDateTime,
  date: isDate,
  duration: (value) => parseDuration(value) !== undefined || WORDS.test(value),
  byte: (value) => BASE64.test(value),
  uuid: (value) => UUID.test(value),
  uuid4: (value) => UUID.test(value),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  email: (value) => EMAIL.test(value),
  hostname: (value) => HOSTNAME.test(value) && value.length <= 255,
  uri: (value) => URL.canParse(value) || value.startsWith('/'),
  mac: (value) => /^([0-9a-f]{2}[:-]){5}([0-9a-f]{2})$/i.test(value),
};
