import { expect } from 'vitest'
import type { Profile, Quirks, WorldFile } from '../../src/sandbox/index.ts'
import { grantedRoles } from './granted-roles.ts'
import { type Service, startService } from './service.ts'
import { testRuntime } from './test-runtime.ts'

export const flagsPath = '/api/projects/1/feature_flags'

const roles = ['01900000-0000-0000-0000-0000000000aa', '01900000-0000-0000-0000-0000000000bb'] as const

/** One flag as the service holds it, with what a creation over it would destroy. */
export interface Held {
  readonly id: number
  readonly key: string
  readonly deleted: boolean
  readonly roles: readonly string[]
}

export interface DeletedFlags {
  readonly service: Service
  /** The deleted flags as they were before anybody did anything about them. */
  readonly before: readonly Held[]
  /** The same ids now; an id that the service does not know any more is missing. */
  held(): Promise<readonly Held[]>
  /** Expects that each is there with its id and its grants, and is deleted or not. */
  expectKept(isDeleted: boolean): Promise<void>
  /** Writes rows into the trail that are newer than the deletions. */
  editAnother(times: number): Promise<void>
}

export interface DeletedFlagsOptions {
  readonly count: number
  readonly profile?: Profile
  readonly quirks?: Partial<Quirks>
  /** Changes of another flag that came after the deletions. */
  readonly newerRows?: number
}

/** The ids of the flags that will be deleted; the flag with the id 1 is another. */
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => index + 2)
const keyOf = (id: number) => `deleted_${id - 1}`

/** A world with flags that have a grant each, and are not deleted yet. */
export function worldToDelete(count: number): WorldFile {
  return {
    organizations: [
      {
        id: '01900000-0000-0000-0000-000000000001',
        name: 'Trail',
        roles: roles.map((id, index) => ({ id, name: `role ${index}` })),
        projects: [
          {
            id: 1,
            name: 'Trail',
            feature_flags: [
              { id: 1, key: 'another' },
              ...idsOf(count).map(id => ({ id, key: keyOf(id), role_access: [`role ${id % 2}`] })),
            ],
          },
        ],
      },
    ],
  }
}

/** Starts a service in which flags, each with a grant, were deleted in the product. */
export async function startWithDeleted(options: DeletedFlagsOptions): Promise<DeletedFlags> {
  const { count, profile = 'documented', quirks, newerRows = 0 } = options
  const service = await startService({ runtime: testRuntime(), profile, quirks, seed: worldToDelete(count) })
  return deleteIn(service, count, newerRows)
}

/** Deletes the flags of that world in the product. */
export async function deleteIn(service: Service, count: number, newerRows = 0): Promise<DeletedFlags> {
  const ids = idsOf(count)
  for (const id of ids) await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
  let edits = 0
  const editAnother = async (times: number) => {
    for (let more = 0; more < times; more++)
      await service.send('PATCH', `${flagsPath}/1/`, { name: `Edit ${++edits}` })
  }
  await editAnother(newerRows)
  const held = () => heldOf(service, ids)
  const before = await held()
  expect(before.map(({ roles }) => roles.length)).toEqual(ids.map(() => 1))
  return {
    service,
    before,
    held,
    editAnother,
    async expectKept(isDeleted) {
      expect(await held()).toEqual(before.map(flag => ({ ...flag, deleted: isDeleted })))
    },
  }
}

/** Read past faults, by those who look at what they have done. */
async function heldOf(service: Service, ids: readonly number[]): Promise<readonly Held[]> {
  const rules = service.sandbox.faults.rules
  service.sandbox.faults.clear()
  try {
    return (await Promise.all(ids.map(id => heldFlag(service, id)))).flatMap(flag => flag ?? [])
  } finally {
    service.sandbox.faults.add(rules)
  }
}

async function heldFlag(service: Service, id: number): Promise<Held | undefined> {
  const path = `${flagsPath}/${id}/`
  const flag = (await service.get(path).catch(() => undefined)) as Omit<Held, 'roles'> | undefined
  if (!flag) return undefined
  const roles = (await grantedRoles(service, id)).toSorted()
  return { id: flag.id, key: flag.key, deleted: flag.deleted, roles }
}
