import type { Outcome } from './run-kubectl.ts';

/** What differs between two servers, or two moments, without meaning anything; in this order. */
const BLURS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/https?:\/\/(?:\w+:[^@\s]+@)?127\.0\.0\.1:\d+/g, '<server>'],
  // What was wrong is told after the whole object, or the patch in the notation of Go.
  [/(patch: Invalid value: ").*(": strict decoding error)/g, '$1…$2'],
  // Server-side apply is not served.
  [/, application\/apply-patch\+yaml/g, ''],
  [/("?resourceVersion"?: )"\d+"/g, '$1<version>'],
  [/(Resource Version:\s+)\d+/g, '$1<version>'],
  [/\/tmp\/[\w./-]+/g, '<file>'],
  [/(?<![\w.-])(?:\d+[smhdy]){1,2}(?![\w.-])/g, '<age>'],
  [/ {2,}/g, '  '],
  [/[ \t]+$/gm, ''],
];

const blur = (text: string): string => BLURS.reduce((blurred, [what, by]) => blurred.replaceAll(what, by), text);

/** An outcome without what means nothing, and without the lines that are left out. */
export function normalised({ code, stdout, stderr }: Outcome, omit?: RegExp): Outcome {
  const kept = omit
    ? stdout
        .split('\n')
        .filter((line) => !omit.test(line))
        .join('\n')
    : stdout;
  return { code, stdout: blur(kept), stderr: blur(stderr) };
}

/** The fields of an explanation, without their descriptions. */
export const fieldsOf = (text: string): readonly string[] => text.split('\n').filter((line) => /^(?: {2}\S.*\t<|[A-Z]+: )/.test(line));
