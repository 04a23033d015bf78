import { declarableKinds, eventDefinition, featureFlag, pluginKind, roleAccess } from '../../kinds/index.ts'
import type { DeclarableKind, Kind } from '../../model/kind.ts'
import { flagNames } from '../../targeting/index.ts'
import { Collection, inContainer, makeTable, RowIndex, type Table, type TableSpecials } from './collection.ts'
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
    if (!table) throw new RangeError(`the sandbox keeps no "${name}"`)
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

  /** Does all of `work` or, if it throws, nothing. */
  transact<T>(work: () => T): T {
    try {
      const result = work()
      if (this.#changes.length > 0) this.#disk?.append(this.#changes.map(({ stored }) => stored))
      return result
    } catch (error) {
      for (const { undo } of this.#changes.toReversed()) undo()
      throw error
    } finally {
      this.#changes.length = 0
    }
  }

  /** Stores each further transaction on a disk, before its work is answered. */
  keepOn(disk: Disk): void {
    this.#disk = disk
  }

  /** Loads stored rows. */
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
      (stored, undo) => this.#changes.push({ stored, undo }),
      indexes,
    )
    this.#collections.set(name, collection)
    return collection
  }
}

function byCreation(row: FlagRow): readonly number[] {
  return [Date.parse(row.created_at)]
}

/** Last seen first, never seen last, then by name. */
function bySight(row: DefinitionRow): readonly (number | string)[] {
  const seen = row.last_seen_at ? Date.parse(row.last_seen_at) : Number.NEGATIVE_INFINITY
  return [-seen, row.name]
}
