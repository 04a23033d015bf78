import type { Json } from '../../model/json/json.ts'
import type { OrganizationRow, ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** What a world is made with. */
export interface Seeding {
  readonly store: Store
  /** The time of the creation, for what brings none of its own. */
  readonly now: string
  readonly uuid: () => string
}

/** What objects of kinds are made with, and where they belong. */
export interface ObjectSeeding extends Seeding {
  readonly organization: OrganizationRow
  readonly project?: ProjectRow
}

/** How problems of a world are told that its schema does not see. */
export interface WorldChecks {
  readonly report: (code: string, message: string, pointer: string) => void
  /** Reports the second of two things of one name in one place. */
  readonly once: (place: string, what: string, name: Json | undefined, pointer: string) => void
  /** The e-mail addresses of those who can have made something. */
  readonly users: ReadonlySet<Json>
  /** The names of the roles that can be granted. */
  readonly roles: ReadonlySet<Json>
}
