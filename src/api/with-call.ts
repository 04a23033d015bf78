import type { Client } from './client.ts'

/**
 * A client of which some members are others: where its named calls go, say. All else is the client's own, so its typed
 * calls still go the old way.
 */
export function withCall(client: Client, others: Partial<Pick<Client, 'target' | 'call' | 'list'>>): Client {
  // What is created from a client has everything that a client has.
  return Object.assign(Object.create(client), others) as Client
}
