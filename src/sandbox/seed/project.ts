import type { ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The default group types of a project. */
const usualGroupTypes = ['organization'] as const

/** The names of a project's types of groups, in the order of their indexes. */
export function groupTypesOf({ group_types = usualGroupTypes }: ProjectRow): readonly string[] {
  return group_types
}

/** As in `group_type_mapping`: `{ "0": "organization" }`. */
export function groupTypeMapping(project: ProjectRow): Readonly<Record<string, string>> {
  return Object.fromEntries(groupTypesOf(project).map((name, index) => [String(index), name]))
}

/** The default token of a project. It is valid only in a sandbox. */
export function projectToken(id: number): string {
  return `phc_sandbox_local_only_project_${id}`
}

export function tokenOf({ id, api_token = projectToken(id) }: ProjectRow): string {
  return api_token
}

/** The project for a token in product code. */
export function projectByToken(store: Store, token: string): ProjectRow | undefined {
  for (const project of store.projects.all()) if (tokenOf(project) === token) return project
  return undefined
}
