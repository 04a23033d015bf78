import type { QuirkName, Quirks, WorldFile } from '../../src/sandbox/index.ts'
import { aFlag, type Door, definitions, flags, worldWith } from './door.ts'

/** One quirk, and what can be seen of it through the front door. */
export interface QuirkCase<Name extends QuirkName = QuirkName> {
  readonly probe: (door: Door) => Promise<unknown>
  /** Each value of the quirk, with what is seen then. */
  readonly seen: readonly (readonly [Quirks[Name], unknown])[]
  readonly with?: Partial<Quirks>
  readonly seed?: WorldFile
  /** Those of the key; one without scopes may do everything. */
  readonly scopes?: readonly string[]
}
export type QuirkCases = { readonly [Name in QuirkName]: QuirkCase<Name> }

export const definition = `${definitions}/01900000-0000-0000-0000-00000000e001`
export const event = '01900000-0000-0000-0000-00000000f001'

/** What most quirks are tried on. */
export const seed = worldWith({
  persons: [{ distinct_ids: ['user-1'], properties: {} }],
  event_definitions: [{ name: 'paid', id: '01900000-0000-0000-0000-00000000e001' }],
  events: [
    { id: event, event: 'paid', distinct_id: 'user-1', timestamp: '2025-12-02T00:00:00Z' },
    { event: 'paid', distinct_id: 'user-1', timestamp: '2025-12-01T00:00:00Z' },
  ],
})

export async function threeFlags(door: Door): Promise<void> {
  for (const key of ['a', 'b', 'c']) await aFlag(door, { key })
}

export async function aDeletedFlag(door: Door): Promise<void> {
  await door.patch(await aFlagPath(door, { tags: ['beta'] }), { deleted: true })
}

export async function aFlagPath(door: Door, body = {}): Promise<string> {
  return `${flags}/${(await aFlag(door, body)).id}`
}

export async function statusOf(answer: ReturnType<Door['get']>): Promise<number> {
  return (await answer).status
}
