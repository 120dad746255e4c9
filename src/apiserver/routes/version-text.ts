/** Why a text is no resource version, in Go's words; undefined when it is one, or empty. */
export function versionProblem(text: string): string | undefined {
  const isNumber = /^\d*$/.test(text);
  if (isNumber && BigInt.asUintN(64, BigInt(text)) === BigInt(text)) return undefined;
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`;
}
