import { declarableKinds, eventDefinition, featureFlag, pluginKind, roleAccess } from '../kinds/index.ts'
import { type DeclarableKind, identityField, type Kind } from '../model/kind.ts'
import { flagNames } from '../targeting/index.ts'
import type { Disk, StoredRow } from './disk.ts'
import type {
  AccessControlRow,
  ActivityRow,
  CohortRow,
  CounterRow,
  DashboardRow,
  DefinitionRow,
  EventRow,
  FlagRow,
  GrantRow,
  GroupRow,
  OrganizationRow,
  PersonRow,
  PluginRow,
  ProjectRow,
  ResourceRow,
  RoleRow,
  Row,
  RowId,
  UserRow,
} from './rows.ts'

/**
 * The whole content of the sandbox, in memory, and written to a disk if there is one. Work is done in
 * synchronous transactions: undone if they throw or cannot be written.
 */
export class Store {
  readonly #changes: { readonly stored: StoredRow; readonly undo: () => void }[] = []
  readonly #collections = new Map<string, Pick<Collection<Row>, 'all' | 'restore'>>()
  readonly #tables = new Map<string, Table>()
  #disk: Disk | undefined
  #revision = 0

  readonly surveyFlags = new RowIndex<FlagRow>(row => (row.survey_targeting ? [row.project_id] : []))
  /** Live flags by the flags that their conditions name. */
  readonly flagsNaming = new RowIndex<FlagRow>(row =>
    row.deleted ? [] : [...new Set(flagNames(row.filters))].map(name => inContainer(row.project_id, name)),
  )
  readonly grantsOfRole = new RowIndex<GrantRow>(row => [row.role_id])
  readonly accessOfFlag = new RowIndex<AccessControlRow>(row => [row.flag_id])
  readonly accessOfProject = new RowIndex<AccessControlRow>(row => [row.project_id])
  readonly globalPlugins = new RowIndex<PluginRow>(row => (row.is_global ? ['all'] : []))
  readonly pluginByUrl = new RowIndex<PluginRow>(row => (row.url === null ? [] : [row.url]))
  readonly personByDistinctId = new RowIndex<PersonRow>(row =>
    row.distinct_ids.map(id => inContainer(row.project_id, id)),
  )
  readonly groupsOfType = new RowIndex<GroupRow>(row => [inContainer(row.project_id, row.type)])
  readonly groupByKey = new RowIndex<GroupRow>(row => [inContainer(row.project_id, row.type, row.key)])
  readonly cohortsOfProject = new RowIndex<CohortRow>(row => [row.project_id])
  readonly personsOfProject = new RowIndex<PersonRow>(row => [row.project_id])
  readonly eventsByTime = new RowIndex<EventRow>(
    row => [row.project_id],
    row => [Date.parse(row.timestamp)],
  )
  readonly activityOf = new RowIndex<ActivityRow>(row => [
    inContainer(row.scope, row.owner),
    inContainer(row.scope, row.owner, row.item_id),
  ])
  readonly rolesOfOrganization = new RowIndex<RoleRow>(
    row => [row.organization_id],
    row => [row.name],
  )
  readonly projectsOfOrganization = new RowIndex<ProjectRow>(row => [row.organization_id])

  readonly #usersInOrder = new RowIndex<UserRow>(
    () => ['all'],
    row => [row.position],
  )
  readonly #organizationsInOrder = new RowIndex<OrganizationRow>(
    () => ['all'],
    row => [row.position],
  )

  readonly counters = this.#collection<CounterRow>('counter')
  readonly users = this.#collection('user', this.#usersInOrder)
  readonly organizations = this.#collection('organization', this.#organizationsInOrder)
  readonly projects = this.#collection('project', this.projectsOfOrganization)
  readonly roles = this.#collection('role', this.rolesOfOrganization)
  readonly #flagTable = this.#table<FlagRow>(featureFlag, {
    name: 'flag',
    rank: byCreation,
    indexes: [this.surveyFlags, this.flagsNaming],
  })
  readonly flags = this.#flagTable.rows
  readonly flagByKey = this.#flagTable.byIdentity
  readonly liveFlags = this.#flagTable.live
  readonly #grantTable = this.#table<GrantRow>(roleAccess, {
    name: 'grant',
    container: 'flag_id',
    indexes: [this.grantsOfRole],
  })
  readonly grants = this.#grantTable.rows
  readonly grantsOfFlag = this.#grantTable.all
  readonly accessControls = this.#collection('access_control', this.accessOfFlag, this.accessOfProject)
  readonly #pluginTable = this.#table<PluginRow>(pluginKind, {
    indexes: [this.globalPlugins, this.pluginByUrl],
  })
  readonly plugins = this.#pluginTable.rows
  readonly #definitionTable = this.#table<DefinitionRow>(eventDefinition, {
    name: 'definition',
    rank: bySight,
  })
  readonly definitions = this.#definitionTable.rows
  readonly definitionByName = this.#definitionTable.byIdentity
  readonly persons = this.#collection('person', this.personByDistinctId, this.personsOfProject)
  readonly events = this.#collection('event', this.eventsByTime)
  readonly groups = this.#collection('group', this.groupsOfType, this.groupByKey)
  readonly cohorts = this.#collection('cohort', this.cohortsOfProject)
  readonly dashboards = this.#collection<DashboardRow>('dashboard')
  readonly activity = this.#collection('activity', this.activityOf)

  constructor() {
    for (const kind of declarableKinds) if (!this.#tables.has(kind.name)) this.#table(kind)
  }

  /** The rows of a kind. The caller knows their type: the code that serves the kind creates them. */
  tableOf<R extends ResourceRow = ResourceRow>({ name }: Pick<Kind, 'name'>): Table<R> {
    const table = this.#tables.get(name)
    if (!table) throw new RangeError(`the sandbox does not store "${name}"`)
    // The table was made for the rows of that kind.
    return table as unknown as Table<R>
  }

  /** The tables of the child kinds of this one. */
  tablesBelow({ name }: Pick<Kind, 'name'>): readonly Table[] {
    return [...this.#tables.values()].filter(({ kind }) => kind.lifecycle.parent?.kind === name)
  }

  /** The owner of the key. */
  get owner(): UserRow | undefined {
    return this.#usersInOrder.get('all')
  }

  /** The default organization. */
  get firstOrganization(): OrganizationRow | undefined {
    return this.#organizationsInOrder.get('all')
  }

  /** The default project. */
  get firstProject(): ProjectRow | undefined {
    return this.projectsOfOrganization.get(this.firstOrganization?.id ?? '')
  }

  /** The flag with a key, if it is not deleted. */
  liveFlag(project: number, key: string): FlagRow | undefined {
    const flag = this.flagByKey.get(inContainer(project, key))
    return flag?.deleted ? undefined : flag
  }

  /** Another number after each change, even within a transaction; but events change nothing else. */
  get revision(): number {
    return this.#revision
  }

  /** Does all of `work` or, if it throws, nothing. */
  transact<T>(work: () => T): T {
    try {
      const result = work()
      if (this.#changes.length > 0) this.#disk?.append(this.#changes.map(({ stored }) => stored))
      return result
    } catch (error) {
      for (const { undo } of this.#changes.toReversed()) undo()
      this.#revision += 1
      throw error
    } finally {
      this.#changes.length = 0
    }
  }

  /** Stores each further transaction on a disk, before its work is answered. */
  keepOn(disk: Disk): void {
    this.#disk = disk
  }

  load(rows: Iterable<StoredRow>): void {
    for (const { collection, id, row } of rows) this.#collections.get(collection)?.restore(id, row)
  }

  /** The whole content, in its stored form. */
  *rows(): Generator<StoredRow> {
    for (const [name, collection] of this.#collections)
      for (const row of collection.all()) yield { collection: name, id: row.id, row }
  }

  /** The next id of a collection. Ids are never used twice, not even those of deleted rows. */
  nextId(collection: { readonly name: string }): number {
    const last = this.counters.get(collection.name)?.last ?? 0
    return this.reserveId(collection, last + 1)
  }

  /** Reserves an id that somebody chose, so that it is not used again. */
  reserveId(collection: { readonly name: string }, id: number): number {
    const last = this.counters.get(collection.name)?.last ?? 0
    if (id > last) this.counters.put({ id: collection.name, last: id })
    return id
  }

  #table<R extends ResourceRow>(kind: DeclarableKind, specials?: TableSpecials<R>): Table<R> {
    const table = makeTable<R>(kind, (name, indexes) => this.#collection(name, ...indexes), specials)
    // Only code that knows the type of its rows asks for them.
    this.#tables.set(kind.name, table as unknown as Table)
    return table
  }

  #collection<R extends Row>(name: string, ...indexes: readonly RowIndex<R>[]): Collection<R> {
    const collection = new Collection<R>(
      name,
      (stored, undo) => {
        this.#changes.push({ stored, undo })
        if (!ofEvents.has(name)) this.#revision += 1
      },
      indexes,
    )
    this.#collections.set(name, collection)
    return collection
  }
}

/** The collections that arriving events change. No flag depends on them. */
const ofEvents: ReadonlySet<string> = new Set(['event', 'definition'])

function byCreation(row: FlagRow): readonly number[] {
  return [Date.parse(row.created_at)]
}

/** Last seen first, never seen last, then by name. */
function bySight(row: DefinitionRow): readonly (number | string)[] {
  const seen = row.last_seen_at ? Date.parse(row.last_seen_at) : Number.NEGATIVE_INFINITY
  return [-seen, row.name]
}

/** Called with each change, in its stored form, and with what undoes it. */
export type RecordChange = (stored: StoredRow, undo: () => void) => void

/** Rows of one type, by id, with their indexes. */
class Collection<R extends Row> {
  readonly name: string
  readonly #rows = new Map<RowId, R>()
  readonly #indexes: readonly RowIndex<R>[]
  readonly #record: RecordChange

  constructor(name: string, record: RecordChange, indexes: readonly RowIndex<R>[]) {
    this.name = name
    this.#record = record
    this.#indexes = indexes
  }

  get(id: RowId): R | undefined {
    return this.#rows.get(id)
  }

  all(): IterableIterator<R> {
    return this.#rows.values()
  }

  put(row: R): R {
    this.#change(row.id, row)
    return row
  }

  remove(id: RowId): void {
    if (this.#rows.has(id)) this.#change(id, undefined)
  }

  #change(id: RowId, row: R | undefined): void {
    const before = this.#rows.get(id)
    this.#record({ collection: this.name, id, row }, () => this.restore(id, before))
    this.restore(id, row)
  }

  /** Replaces a row without a record of it: the row was recorded by, or written for, this same collection. */
  restore(id: RowId, row: R | undefined): void {
    const before = this.#rows.get(id)
    if (before) for (const index of this.#indexes) index.remove(before)
    if (row) {
      this.#rows.set(id, row)
      for (const index of this.#indexes) index.add(row)
    } else this.#rows.delete(id)
  }
}

/** The values that sort rows; among equals, the id decides. */
export type Rank = readonly (number | string)[]

/**
 * Rows in order, in any number of partitions. A page is a slice of an array, however many rows there are; rows
 * that arrive in order are appended, so seeding is linear.
 */
export class RowIndex<R extends Row> {
  readonly #partitions = new Map<RowId, R[]>()
  /** Copies for callers, each kept until its partition changes. */
  readonly #copies = new Map<RowId, readonly R[]>()
  readonly #partitionsOf: (row: R) => readonly RowId[]
  readonly #rankOf: (row: R) => Rank

  constructor(partitionsOf: (row: R) => readonly RowId[], rankOf: (row: R) => Rank = () => []) {
    this.#partitionsOf = partitionsOf
    this.#rankOf = rankOf
  }

  add(row: R): void {
    for (const name of this.#partitionsOf(row)) {
      this.#copies.delete(name)
      const rows = this.#partitions.get(name)
      if (rows) rows.splice(this.#position(rows, row), 0, row)
      else this.#partitions.set(name, [row])
    }
  }

  remove(row: R): void {
    for (const name of this.#partitionsOf(row)) {
      this.#copies.delete(name)
      const rows = this.#partitions.get(name)
      rows?.splice(this.#position(rows, row), 1)
    }
  }

  /** The first row of a partition: the only one, if the partition is a unique value. */
  get(partition: RowId): R | undefined {
    return this.#partitions.get(partition)?.[0]
  }

  count(partition: RowId): number {
    return this.#partitions.get(partition)?.length ?? 0
  }

  /**
   * Every row of a partition, lowest rank first. The same list as long as none of its rows changes, so that work
   * on it can be done once for each list.
   */
  all(partition: RowId): readonly R[] {
    const kept = this.#copies.get(partition) ?? [...(this.#partitions.get(partition) ?? [])]
    this.#copies.set(partition, kept)
    return kept
  }

  /** Some rows, lowest rank first, or highest rank first. */
  page(partition: RowId, offset: number, limit: number, isReversed = false): R[] {
    const rows = this.#partitions.get(partition) ?? []
    if (!isReversed) return rows.slice(offset, offset + limit)
    const end = Math.max(rows.length - offset, 0)
    return rows.slice(Math.max(end - limit, 0), end).reverse()
  }

  /** The first place whose rank is not below that of a row. */
  #position(rows: readonly R[], row: R): number {
    const rank = this.#rankOf(row)
    const isBefore = (other: R | undefined) => other && this.#compare(other, row, rank) < 0
    if (isBefore(rows.at(-1))) return rows.length
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(rows[middle])) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(left: R, right: R, rightRank: Rank): number {
    for (const [at, value] of [...this.#rankOf(left), left.id].entries()) {
      const other = rightRank[at] ?? right.id
      if (value !== other) return value < other ? -1 : 1
    }
    return 0
  }
}

/** The rows of one kind, with the queries for every kind: a container in order, one row by its identity. */
interface Table<R extends ResourceRow = ResourceRow> {
  readonly kind: DeclarableKind
  readonly rows: Collection<R>
  /** By the container: the project, the organization or the parent that a row belongs to. */
  readonly all: RowIndex<R>
  /** The same without soft-deleted rows. */
  readonly live: RowIndex<R>
  /** By `inContainer` of the container and the identity, if that is unique. */
  readonly byIdentity: RowIndex<R>
  readonly containerColumn: string
  containerOf(row: R): RowId
}

/** The special storage rules for rows of one kind. */
interface TableSpecials<R extends ResourceRow> {
  /** The name of its rows on disk, if not the kind's own name. */
  readonly name?: string
  /** The column with the container of a row, if not the default for the kind. */
  readonly container?: string
  readonly rank?: (row: R) => Rank
  readonly indexes?: readonly RowIndex<R>[]
}

function makeTable<R extends ResourceRow>(
  kind: DeclarableKind,
  makeCollection: (name: string, indexes: readonly RowIndex<R>[]) => Collection<R>,
  { name = kind.name, container, rank, indexes = [] }: TableSpecials<R> = {},
): Table<R> {
  const { parent, softDelete } = kind.lifecycle
  const containerColumn = container ?? `${parent?.kind ?? kind.scope}_id`
  // That column has only ids.
  const containerOf = (row: R) => row[containerColumn] as RowId
  const all = new RowIndex<R>(row => [containerOf(row)], rank)
  const liveRows = new RowIndex<R>(row => (isDeleted(kind, row) ? [] : [containerOf(row)]), rank)
  const live = softDelete ? liveRows : all
  const field = isUnique(kind) ? identityField(kind) : undefined
  const byIdentity = new RowIndex<R>(row =>
    field === undefined ? [] : [inContainer(containerOf(row), String(row[field]))],
  )
  const rows = makeCollection(name, [...new Set([all, live, byIdentity, ...indexes])])
  return { kind, rows, all, live, byIdentity, containerColumn, containerOf }
}

/** The lookup name of something in a container. */
export function inContainer(container: RowId, ...names: readonly RowId[]): string {
  return [container, ...names].join('/')
}

/** Whether a row is kept only for a later restore. */
export function isDeleted({ lifecycle: { softDelete } }: DeclarableKind, row: ResourceRow): boolean {
  return softDelete !== undefined && row[softDelete.field] === softDelete.is
}

/** Whether the service refuses a second object of the same identity. */
export function isUnique({ identity }: DeclarableKind): boolean {
  return identity.by === 'parent' || identity.unique
}

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

export function projectByToken(store: Store, token: string): ProjectRow | undefined {
  for (const project of store.projects.all()) if (tokenOf(project) === token) return project
  return undefined
}
