/**
 * Power of hosts, through the management controllers that they have beside themselves (BMCs), by Redfish.
 *
 * - `bmc.ts` is the door that controllers know: read the power, tell it to change, and the faults that may be in between. Whatever else is a
 *   `BmcClient` will do; simulations hand in their own.
 * - `redfish.ts` is Redfish: service root, systems, `PowerState`, `ComputerSystem.Reset`. Start there.
 * - `redfish-http.ts` sends it over HTTP(S), with TLS and a password for the address that was named and no other.
 * - `quote.ts` is the way for every word of a management controller into messages: it leaves the password out.
 * A command that is too late right before it would go out is not sent; one is done when the power has been read, never because it was answered.
 */
export * from './bmc.ts';
export { namedSystem, createRedfishClient } from './redfish.ts';
