import type { ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The types of groups of a project whose world names none. */
const usualGroupTypes = ['organization'] as const

/** The names of a project's types of groups, in the order of their indexes. */
export function groupTypesOf({ group_types = usualGroupTypes }: ProjectRow): readonly string[] {
  return group_types
}

/** As `group_type_mapping` carries them: `{ "0": "organization" }`. */
export function groupTypeMapping(project: ProjectRow): Readonly<Record<string, string>> {
  return Object.fromEntries(groupTypesOf(project).map((name, index) => [String(index), name]))
}

/** The token of a project whose world names none. It opens nothing but a sandbox. */
export function projectToken(id: number): string {
  return `phc_sandbox_local_only_project_${id}`
}

export function tokenOf({ id, api_token = projectToken(id) }: ProjectRow): string {
  return api_token
}

/** The project that code in a product names by its token. */
export function projectByToken(store: Store, token: string): ProjectRow | undefined {
  for (const project of store.projects.all()) if (tokenOf(project) === token) return project
  return undefined
}
