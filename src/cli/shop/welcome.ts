/** What a person who has started the local cluster may do next. */
export function welcomeLines({ shop, command }: { readonly shop: boolean; readonly command: string }): readonly string[] {
  const real = [
    `kubectl and "${command} approve", explain, diagnose, simulate need the "export KUBECONFIG" below in their terminal.`,
    `A real cluster: ${command} run --install …, see README.md.`,
  ];
  if (!shop) return ['', 'The cluster is empty: create what you like, and send alerts to the address below.', ...real, ''];
  const row = (words: string, what: string): string => `  ${`${command} ${words}`.padEnd(command.length + 38)}${what}`;
  return [
    '',
    'Open the link. A small shop runs here; break it from another terminal, and watch what happens:',
    row('break crash-loop', 'a bad release of shop/checkout is rolled back'),
    row('break out-of-memory', 'the memory limit of shop/worker is raised'),
    row('break crash-loop payments/payments', 'in production: nothing runs before you approve it'),
    `  "${command} break" lists all faults, "${command} heal" undoes it.`,
    ...real,
    '',
  ];
}
