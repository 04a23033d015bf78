import { flagNames } from '../targeting/index.ts'
import { Collection, type Restorable, type RowChange } from './collection.ts'
import type { Disk, StoredRow } from './disk.ts'
import { LookupIndex, OrderedIndex } from './row-index.ts'
import type {
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
  RoleRow,
  Row,
  RowId,
  UserRow,
} from './rows.ts'

/**
 * Everything the sandbox holds, in memory, and written through to a disk when there is one. Work is done in
 * transactions: synchronous, undone when it throws, and written as one batch when it does not.
 */
export class Store {
  readonly #changes: RowChange[] = []
  readonly #collections = new Map<string, Restorable>()
  readonly #disk: Disk | undefined

  readonly flagByKey = new LookupIndex<FlagRow>(row => [inProject(row.project_id, row.key)])
  readonly liveFlags = new OrderedIndex<FlagRow>(row => (row.deleted ? [] : [row.project_id]), byCreation)
  readonly allFlags = new OrderedIndex<FlagRow>(row => [row.project_id], byCreation)
  readonly surveyFlags = new OrderedIndex<FlagRow>(row => (row.survey_targeting ? [row.project_id] : []))
  /** Live flags by the flags that their conditions name. */
  readonly flagsNaming = new OrderedIndex<FlagRow>(row =>
    row.deleted ? [] : [...new Set(flagNames(row.filters))].map(name => inProject(row.project_id, name)),
  )
  readonly grantsOfFlag = new OrderedIndex<GrantRow>(row => [row.flag_id])
  readonly grantsOfRole = new OrderedIndex<GrantRow>(row => [row.role_id])
  readonly pluginsOfOrganization = new OrderedIndex<PluginRow>(row =>
    row.is_global ? [row.organization_id, 'global'] : [row.organization_id],
  )
  readonly pluginByUrl = new LookupIndex<PluginRow>(row => (row.url === null ? [] : [row.url]))
  readonly definitionByName = new LookupIndex<DefinitionRow>(row => [inProject(row.project_id, row.name)])
  readonly definitionsBySight = new OrderedIndex<DefinitionRow>(row => [row.project_id], bySight)
  readonly personByDistinctId = new LookupIndex<PersonRow>(row =>
    row.distinct_ids.map(id => inProject(row.project_id, id)),
  )
  readonly groupsOfType = new OrderedIndex<GroupRow>(row => [groupType(row.project_id, row.type)])
  readonly groupByKey = new LookupIndex<GroupRow>(row => [groupKey(row.project_id, row.type, row.key)])
  readonly cohortsOfProject = new OrderedIndex<CohortRow>(row => [row.project_id])
  readonly personsOfProject = new OrderedIndex<PersonRow>(row => [row.project_id])
  readonly eventsByTime = new OrderedIndex<EventRow>(
    row => [row.project_id],
    row => [Date.parse(row.timestamp)],
  )
  readonly activityOf = new OrderedIndex<ActivityRow>(row => [
    activityPartition(row.scope, row.owner),
    activityPartition(row.scope, row.owner, row.item_id),
  ])
  readonly rolesOfOrganization = new OrderedIndex<RoleRow>(
    row => [row.organization_id],
    row => [row.name],
  )
  readonly projectsOfOrganization = new OrderedIndex<ProjectRow>(row => [row.organization_id])

  readonly #usersInOrder = new OrderedIndex<UserRow>(
    () => ['all'],
    row => [row.position],
  )
  readonly #organizationsInOrder = new OrderedIndex<OrganizationRow>(
    () => ['all'],
    row => [row.position],
  )

  readonly counters = this.#collection<CounterRow>('counter')
  readonly users = this.#collection('user', this.#usersInOrder)
  readonly organizations = this.#collection('organization', this.#organizationsInOrder)
  readonly projects = this.#collection('project', this.projectsOfOrganization)
  readonly roles = this.#collection('role', this.rolesOfOrganization)
  readonly flags = this.#collection(
    'flag',
    this.flagByKey,
    this.liveFlags,
    this.allFlags,
    this.surveyFlags,
    this.flagsNaming,
  )
  readonly grants = this.#collection('grant', this.grantsOfFlag, this.grantsOfRole)
  readonly plugins = this.#collection('plugin', this.pluginsOfOrganization, this.pluginByUrl)
  readonly definitions = this.#collection('definition', this.definitionByName, this.definitionsBySight)
  readonly persons = this.#collection('person', this.personByDistinctId, this.personsOfProject)
  readonly events = this.#collection('event', this.eventsByTime)
  readonly groups = this.#collection('group', this.groupsOfType, this.groupByKey)
  readonly cohorts = this.#collection('cohort', this.cohortsOfProject)
  readonly dashboards = this.#collection<DashboardRow>('dashboard')
  readonly activity = this.#collection('activity', this.activityOf)

  constructor(disk?: Disk) {
    this.#disk = disk
  }

  /** The person whose key it is. */
  get owner(): UserRow | undefined {
    return this.#usersInOrder.first('all', 0, 1)[0]
  }

  /** The organization that people mean when they name none. */
  get firstOrganization(): OrganizationRow | undefined {
    return this.#organizationsInOrder.first('all', 0, 1)[0]
  }

  /** Does all of `work` or, when it throws, nothing of it. */
  transact<T>(work: () => T): T {
    try {
      const result = work()
      if (this.#changes.length > 0) this.#disk?.write(this.#changes.map(toStoredRow))
      return result
    } catch (error) {
      for (const { collection, id, before } of this.#changes.toReversed()) collection.restore(id, before)
      throw error
    } finally {
      this.#changes.length = 0
    }
  }

  /** Resolves when everything that was done so far would survive the end of the process. */
  settled(): Promise<void> {
    return this.#disk?.settled() ?? Promise.resolve()
  }

  /** Takes up rows that were written down before. */
  load(rows: Iterable<StoredRow>): void {
    for (const { collection, id, row } of rows) this.#collections.get(collection)?.restore(id, row)
  }

  /** Everything, as it is written down. */
  *rows(): Generator<StoredRow> {
    for (const collection of this.#collections.values())
      for (const row of collection.all()) yield { collection: collection.name, id: row.id, row }
  }

  /** The next id of a collection. Ids are never used twice, not even those of rows that are gone. */
  nextId(collection: { readonly name: string }): number {
    const last = this.counters.get(collection.name)?.last ?? 0
    this.counters.put({ id: collection.name, last: last + 1 })
    return last + 1
  }

  /** Takes an id that somebody chose, so that it is not handed out again. */
  reserveId(collection: { readonly name: string }, id: number): number {
    const last = this.counters.get(collection.name)?.last ?? 0
    if (id > last) this.counters.put({ id: collection.name, last: id })
    return id
  }

  #collection<R extends Row>(
    name: string,
    ...indexes: readonly (OrderedIndex<R> | LookupIndex<R>)[]
  ): Collection<R> {
    const collection = new Collection<R>(name, change => this.#changes.push(change), indexes)
    this.#collections.set(name, collection)
    return collection
  }
}

/** The name under which something of a project is looked up. */
export function inProject(project: number, name: string): string {
  return `${project}/${name}`
}

export function groupType(project: number, type: number): string {
  return `${project}/${type}`
}

export function groupKey(project: number, type: number, key: string): string {
  return `${project}/${type}/${key}`
}

export function activityPartition(scope: ActivityRow['scope'], owner: RowId, id?: number): string {
  return id === undefined ? `${scope}/${owner}` : `${scope}/${owner}/${id}`
}

function byCreation(row: FlagRow): readonly number[] {
  return [Date.parse(row.created_at)]
}

/** Last seen first, never seen last, then by name. */
function bySight(row: DefinitionRow): readonly (number | string)[] {
  const seen = row.last_seen_at ? Date.parse(row.last_seen_at) : Number.NEGATIVE_INFINITY
  return [-seen, row.name]
}

function toStoredRow({ collection, id, after }: RowChange): StoredRow {
  return { collection: collection.name, id, row: after }
}
