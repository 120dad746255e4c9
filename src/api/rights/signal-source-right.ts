/**
 * The right to send signals: to create the service `gateway-service`, which no path of the API asks for. Its name is that of the systems that
 * senders already know.
 */
export const SIGNAL_SOURCE = { verb: 'create', group: '', resource: 'services', name: 'gateway-service' } as const;
