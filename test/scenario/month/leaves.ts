import type { Service } from '../../support/service.ts'
import { deploys } from './people.ts'
import { type Environment, flagsOf } from './shop.ts'

/** What is live, leaf by leaf: from `express_pay active` to true. */
export type Leaves = Readonly<Record<string, unknown>>

/** What of the leaves of an environment is another one; undefined for one that is gone, with all below it. */
export type Changed = Leaves

interface Row {
  readonly id: number
  readonly key: string
  readonly [field: string]: unknown
}

/** Everything that people get or read of the flags of an environment. What is null or empty counts as not there. */
export async function liveLeaves(service: Service, environment: Environment): Promise<Leaves> {
  const path = flagsOf(environment)
  const read = async (at: string) =>
    ((await service.send('GET', at, undefined, deploys.id)) as { results: Row[] }).results
  const flags: Record<string, object> = {}
  for (const { id, key, name, active, tags, filters } of await read(`${path}/?limit=100`)) {
    const grants = (await read(`${path}/${id}/role_access/`)).map(({ role }) => (role as Row).name)
    flags[key] = { active, name, tags: (tags as string[]).toSorted(), filters, grants }
  }
  return leavesOf(flags)
}

export function leavesOf(value: object): Leaves {
  const leaves: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) addLeaves(leaves, name, member)
  return leaves
}

/** What is expected after something has happened. */
export function changedBy(before: Leaves, changed: Changed): Leaves {
  const isGone = (path: string) =>
    Object.keys(changed).some(name => path === name || path.startsWith(`${name} `))
  const stay = Object.entries(before).filter(([path]) => !isGone(path))
  const come = Object.entries(changed).filter(([, value]) => value !== undefined)
  return Object.fromEntries([...stay, ...come])
}

function addLeaves(leaves: Record<string, unknown>, path: string, value: unknown): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') {
    leaves[path] = value
    return
  }
  for (const [name, member] of Object.entries(value)) addLeaves(leaves, `${path} ${name}`, member)
}
