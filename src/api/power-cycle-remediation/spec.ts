import { enumOf, int32, optional, object, text } from '../schema/index.ts';

/** How a host is power-cycled; the template holds the same. */
export const powerCycleSpec = (description: string) =>
  object(description, {
    strategy: optional(
      enumOf(
        'What to do when power cycles do not help: retry without end, or escalate and have the owner replace the Machine.',
        ['retry', 'escalate'],
        {
          default: 'retry',
        },
      ),
    ),
    deleteAfterRetries: optional(
      int32('Failed retries after which the strategy escalate gives up; 10 when absent. Only retries in which the host was off count.', {
        min: 0,
        max: 1000,
      }),
    ),
    powerOnTimeoutSeconds: optional(int32('How long the host may take to report that it is on; 600 when absent.', { min: 1, max: 86_400 })),
    powerOffTimeoutSeconds: optional(
      int32('How long the host may take to report that it is off; 120 when absent.', { min: 1, max: 86_400 }),
    ),
    nodeTimeoutSeconds: optional(
      int32('How long the Node may take to be healthy again after its host is on; 600 when absent.', { min: 1, max: 86_400 }),
    ),
    bmcSecretName: optional(
      text(
        'Secret with address and credentials of the host\'s management controller; "{machine}" stands for the name of the Machine. "{machine}-bmc" when absent.',
        { min: 1, max: 253 },
      ),
    ),
  });
