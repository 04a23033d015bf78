import { onTestFinished } from 'vitest'
import type { ClientOptions } from '../../../src/api/connection.ts'
import { type Client, createClient } from '../../../src/api/index.ts'
import { aWorld } from './virtual-runtime.ts'

export const key = 'phx_aSecretKeyThatNobodyMaySee0123456789'

/** A client of project 1 for one test. */
export function aClient(options: Partial<ClientOptions> & { readonly baseUrl: string }): Client {
  const client = createClient({
    apiKey: key,
    projectId: 1,
    organizationId: '01900000-0000-0000-0000-000000000001',
    runtime: aWorld(),
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

/** What a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => {
      throw new Error(`expected a failure, not ${JSON.stringify(value)}`)
    },
    error => error,
  )
}

/** Everything that a list holds. */
export async function all<R>(list: AsyncIterable<R>): Promise<R[]> {
  const rows: R[] = []
  for await (const row of list) rows.push(row)
  return rows
}
