import { dirname, resolve } from 'node:path'
import { type Client, isServiceError } from '../api/index.ts'
import type { Declarations, Desired } from '../core/desired.ts'
import { identityKey, type Live, toLive } from '../core/live.ts'
import { type Reader, readRecord } from '../core/read/read-record.ts'
import { invalid, Refusal } from '../hcl/index.ts'
import { roleKind } from '../kinds/index.ts'
import { type Services, servicesOf } from '../model/connection.ts'
import { pathParameters } from '../model/endpoint.ts'
import { type IdentifiedKind, pluralTitle } from '../model/kind.ts'
import { hasErrors, type Problem, type Source } from '../model/problem.ts'
import { meantHint } from '../model/text/names.ts'
import { decidedByPlan, type WrittenPolicies } from '../policies/written-policies.ts'
import {
  type Annotation,
  AppStacks,
  type AppStacksOptions,
  findManifest,
  type Manifest,
  problemsOf,
  readManifest,
  type WorkedOutStack,
} from './app-stacks.ts'
import { policiesIn, type SettingsPolicies } from './evaluate/check-declared.ts'
import { dependencyOrder, type EvaluatedStack } from './evaluate/evaluate-stack.ts'
import {
  type Answers,
  type Found,
  type LookUp,
  type LookUps,
  lookUpKey,
  placeText,
} from './evaluate/providers.ts'
import { type StackConnection, toDeclarations } from './evaluate/to-declarations.ts'
import { once, type StackFile } from './stack-file.ts'
import type { StackProblems } from './stack-problems.ts'

export interface StacksOptions extends Omit<StackOptions, 'folder'> {
  /** The folders of the stacks, absolute. */
  readonly folders: readonly string[]
  /** Set if nothing is planned: then they may be for several places, and each place is checked separately. */
  readonly mayBeApart?: boolean
  /** One text for all targets of one place, after the surroundings have supplied what a stack leaves out. */
  readonly placeOf?: (stated: StackConnection) => string
}

/**
 * Reads several stacks together, each after its dependencies. For one plan they must have the same target.
 * The result has no declarations if one of them has an error.
 */
export async function loadStacks({
  folders,
  mayBeApart = false,
  placeOf = placeText,
  ...options
}: StacksOptions): Promise<LoadedStack> {
  const [first, ...others] = await inOrder(folders)
  if (first === undefined) return nothing
  if (others.length === 0) return loadStack({ ...options, folder: first })
  const stacks: LoadedStack[] = []
  for (const folder of [first, ...others]) stacks.push(await loadAmongOthers({ ...options, folder }))
  const places = byPlace(stacks, placeOf)
  const apart = mayBeApart ? [] : disagreements(places)
  // A declaration may occur once for each target.
  const together = apart.length > 0 ? apart : places.flatMap(repeated)
  const problems = [...problemsOfAll(stacks), ...together]
  const isWhole = !hasErrors(problems)
  const declaredIn = (some: readonly LoadedStack[]) => (isWhole ? declarationsOf(some) : nothing.declarations)
  return {
    declarations: declaredIn(stacks),
    connection: connectionOf(stacks),
    problems,
    file: fileNames(stacks),
    texts: new Map(stacks.flatMap(({ texts }) => [...texts])),
    annotations: stacks.flatMap(({ annotations }) => annotations),
    lookUps: stacks.flatMap(({ lookUps }) => lookUps),
    places: places.map(some => ({
      declarations: declaredIn(some),
      connection: connectionOf(some),
      file: fileNames(some),
    })),
  }
}

function declarationsOf(stacks: readonly LoadedStack[]): LoadedStack['declarations'] {
  const all = stacks.map(({ declarations }) => declarations)
  const desired = all.flatMap(each => each.desired)
  const declared = new Set(desired.map(({ address }) => address))
  const skipped = all.flatMap(each => each.skipped ?? []).filter(({ address }) => !declared.has(address))
  const roleNames = new Map(all.flatMap(each => [...(each.roleNames ?? [])]))
  return { desired, ownedGrants: [], roleNames, ...(skipped.length > 0 ? { skipped } : {}) }
}

function connectionOf(stacks: readonly LoadedStack[]): StackConnection {
  return Object.assign({}, ...stacks.map(({ connection }) => connection))
}

function fileNames(stacks: readonly LoadedStack[]): string {
  return stacks.map(({ file }) => file).join(', ')
}

const nothing: LoadedStack = {
  declarations: { desired: [], ownedGrants: [] },
  connection: {},
  problems: [],
  file: '',
  texts: new Map(),
  annotations: [],
  lookUps: [],
}

/** Each folder once, after the stacks that it depends on by its manifest, even indirectly. */
async function inOrder(folders: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(folders.map(folder => resolve(folder)))
  const needs = new Map([...wanted].map(folder => [folder, new Set<string>()]))
  for (const output of new Set([...wanted].map(folder => dirname(dirname(folder))))) {
    const stacks = (await readManifest(output))?.stacks ?? []
    const byName = new Map(stacks.map(({ name, folder }) => [name, folder]))
    for (const { folder, dependencies } of stacks) {
      const needed = dependencies.flatMap(name => byName.get(name) ?? [])
      needs.set(folder, new Set([...(needs.get(folder) ?? []), ...needed]))
    }
  }
  return dependencyOrder(needs).order.filter(folder => wanted.has(folder))
}

/** The problems of all stacks, each once. An unknown variable is an error only if no stack has it. */
function problemsOfAll(stacks: readonly LoadedStack[]): readonly Problem[] {
  const isStranger = ({ code, message }: Problem) =>
    code === unknownVariable &&
    !stacks.every(({ problems }) => problems.some(each => each.code === code && each.message === message))
  // An unknown variable is a mistake in the command, not in each stack.
  const keyOf = (problem: Problem) =>
    problem.code === unknownVariable ? problem.message : JSON.stringify(problem)
  // If there are several stacks, the one with a similar variable is probably intended.
  const isNear = (problem?: Problem) => problem?.hint?.startsWith('did you mean') === true
  const found = new Map<string, Problem>()
  for (const { problems } of stacks)
    for (const problem of problems) {
      const key = keyOf(problem)
      const isNearer = isNear(problem) && !isNear(found.get(key))
      if (!isStranger(problem) && (!found.has(key) || isNearer)) found.set(key, problem)
    }
  return [...found.values()]
}

/** The stacks with declarations, grouped by target. */
function byPlace(
  stacks: readonly LoadedStack[],
  placeOf: (stated: StackConnection) => string,
): readonly (readonly LoadedStack[])[] {
  const found = new Map<string, LoadedStack[]>()
  for (const stack of stacks) {
    if (stack.declarations.desired.length === 0) continue
    const place = placeOf(stack.connection)
    found.set(place, [...(found.get(place) ?? []), stack])
  }
  return [...found.values()]
}

function disagreements(places: readonly (readonly LoadedStack[])[]): readonly Problem[] {
  const [first, other] = places.map(([stack]) => stack)
  if (!first || !other) return []
  return [
    {
      code: 'several-targets',
      severity: 'error',
      message: `"${first.file}" and "${other.file}" are for different projects or services`,
      hint: 'plan each of them separately: one --stack at a time',
      source: { file: other.file, line: 1, column: 1 },
    },
  ]
}

function repeated(stacks: readonly LoadedStack[]): readonly Problem[] {
  const seen = new Map<string, string>()
  return stacks.flatMap(({ declarations, file }) =>
    declarations.desired.flatMap((desired: Desired): Problem[] => {
      const before = seen.get(desired.address)
      seen.set(desired.address, file)
      if (before === undefined) return []
      return [
        {
          code: 'duplicate-declaration',
          severity: 'error',
          message: `${desired.address}: "${before}" also declares this object`,
          hint: 'remove one of them',
          ...(desired.source ? { source: desired.source } : {}),
        },
      ]
    }),
  )
}

export interface StackOptions extends AppStacksOptions {
  /** The folder with `cdk.tf.json`, absolute. */
  readonly folder: string
  /** The chosen configuration of the provider: `eu`, `vexil.eu`, or `vexil` for the one without an alias. */
  readonly provider?: string
  /** The UUIDs of roles, by name. */
  readonly roles?: Readonly<Record<string, string>>
  /** The services that the stack may be applied to, by the profile in its provider block, if any. */
  readonly servicesFor?: (profile: string | undefined) => Services
  readonly policies?: SettingsPolicies
}

export interface LoadedStack {
  /** Empty if there are errors: a partial stack must never be applied. */
  readonly declarations: Declarations
  readonly connection: StackConnection
  readonly problems: readonly Problem[]
  /** The file that was read, relative to the directory. */
  readonly file: string
  readonly texts: ReadonlyMap<string, string>
  /** The app's annotations of its constructs, without errors. */
  readonly annotations: readonly PlacedAnnotation[]
  /** The look-ups of its data sources, with placeholders until `completeStack` has the results. */
  readonly lookUps: readonly LookUps[]
  /** For several stacks, the declarations for each target. */
  readonly places?: readonly Pick<LoadedStack, 'declarations' | 'connection' | 'file'>[]
}

/** An annotation, with the position of its construct if the stack contains that. */
export interface PlacedAnnotation extends Annotation {
  readonly source?: Source | undefined
}

export async function loadStack(options: StackOptions): Promise<LoadedStack> {
  const stack = await loadAmongOthers(options)
  return hasErrors(stack.problems) ? { ...stack, declarations: { desired: [], ownedGrants: [] } } : stack
}

/** The code for a variable of the command line that a stack does not have. */
const unknownVariable = 'unknown-variable'

/**
 * The same for a stack that is read with others. An unknown given variable does not stop it from declaring
 * anything: one of the others may have the variable. All of them together decide whether that is an error.
 */
async function loadAmongOthers(options: StackOptions): Promise<LoadedStack> {
  const { provider, roles = {}, folder, servicesFor = profile => servicesOf([profile]) } = options
  const manifest = await findManifest(folder)
  const app = new AppStacks(manifest, options)
  const read = await app.workOut(folder)
  const { problems: collector, module, stack, shown, moduleTexts } = read
  const roleNames = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  const policies = policiesIn(read.found.json, collector)
  const how = { provider, roleNames, servicesFor, policies, ofSettings: options.policies }
  const made = stack && toDeclarations(module, stack, how, collector)
  const annotations = annotationsIn(folder, manifest, collector).filter(
    annotation => !isDecided(annotation, policies),
  )
  if (stack) refuseStrangers(options.variables, configurationFiles(read), collector)
  const problems = [...problemsOf(read), ...annotations.flatMap(each => annotationProblems(each, shown))]
  const isWhole = made !== undefined && !hasErrors(problems.filter(({ code }) => code !== unknownVariable))
  if (isWhole) requireWhole(stack)
  return {
    declarations: isWhole ? made.declarations : { desired: [], ownedGrants: [] },
    connection: made?.connection ?? {},
    problems,
    file: shown,
    texts: new Map([[shown, read.found.text], ...moduleTexts]),
    annotations: annotations.filter(({ level }) => level !== 'error'),
    lookUps: [app.lookUps],
  }
}

/** Requires all parts: a plan of some parts would look like a plan of everything. */
function requireWhole(stack: EvaluatedStack | undefined): void {
  const lost = [...(stack?.workedOut ?? [])].find(([, value]) => value === undefined)
  if (lost) throw new Error(`${lost[0]} was not evaluated, for no known reason`)
}

/** The files of a stack and of all stacks whose outputs it uses: they share their given variables. */
function configurationFiles(stack: WorkedOutStack, seen = new Set<WorkedOutStack>()): readonly StackFile[] {
  if (seen.has(stack)) return []
  seen.add(stack)
  return [stack.module.file, ...stack.uses.flatMap(used => configurationFiles(used, seen))]
}

function refuseStrangers(
  given: ReadonlyMap<string, string>,
  files: readonly StackFile[],
  problems: StackProblems,
): void {
  const variables = files.flatMap(({ blocks }) => blocks.filter(({ is }) => is === 'variable'))
  const known = [...new Set(variables.map(({ name }) => name))]
  for (const name of given.keys()) {
    if (known.includes(name)) continue
    const listed = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
    problems.add(
      { address: `var.${name}` },
      {
        code: unknownVariable,
        message: `the stack has no variable "${name}"`,
        hint: meantHint(name, known, listed),
      },
    )
  }
}

function annotationsIn(
  folder: string,
  manifest: Manifest | undefined,
  problems: StackProblems,
): readonly PlacedAnnotation[] {
  const all = manifest?.stacks.find(stack => stack.folder === resolve(folder))?.annotations ?? []
  return all.map(each => ({ ...each, source: problems.sourceOf({ path: each.constructPath }) }))
}

/** Whether the app deferred a policy to the plan that is checked here anyway. */
function isDecided({ level, message }: Annotation, policies: WrittenPolicies | undefined): boolean {
  return policies !== undefined && level === 'warning' && message.endsWith(decidedByPlan)
}

function annotationProblems(
  { level, message, constructPath, source }: PlacedAnnotation,
  shown: string,
): Problem[] {
  if (level === 'info') return []
  return [
    {
      code: 'annotation',
      severity: level,
      message: `[${constructPath}] ${message}`,
      source: source ?? { file: shown, line: 1, column: 1 },
    },
  ]
}

export interface CompleteOptions {
  /** The UUIDs of roles, by name. Roles in the settings are not looked up in the service. */
  readonly roles?: Readonly<Record<string, string>>
  /** Opens a connection to the target of a stack. Called once, and only if look-ups need the service. */
  readonly open: (stack: LoadedStack) => Promise<Pick<Reader, 'client' | 'signal'>>
}

/**
 * Reads stacks, looks up the objects of their data sources in the service, and reads the stacks again with
 * the results, until no look-up is open. If the service is unreachable, a stack reports its own errors.
 */
export async function completeStack(
  load: (answers: Answers) => Promise<LoadedStack>,
  { roles = {}, open }: CompleteOptions,
): Promise<LoadedStack> {
  const answers = new Map<string, Found>()
  let service: Service | undefined
  for (;;) {
    const stack = await load(answers)
    const { connection } = stack
    const wanted = stack.lookUps
      .flatMap(({ askable }) => askable)
      .filter(one => isSameService(one, connection))
    if (wanted.length === 0) return withoutStandIns(stack)
    for (const one of wanted) {
      const declared = one.kind === roleKind && one.by === 'identity' ? roles[one.value] : undefined
      if (declared === undefined) {
        service ??= await openFor(stack, open)
        if (service === undefined) return stack
      }
      const found =
        declared === undefined ? await service?.find(one, connection) : { id: declared, identity: one.value }
      if (found) answers.set(lookUpKey(one), found)
    }
  }
}

/** Undefined if the service is unreachable and the stack has errors of its own. */
async function openFor(stack: LoadedStack, open: CompleteOptions['open']): Promise<Service | undefined> {
  try {
    return new Service(await open(stack))
  } catch (error) {
    if (hasErrors(stack.problems)) return undefined
    throw error
  }
}

/** Look-ups in other services need another address and key, which this run does not use. */
function isSameService({ place }: LookUp, connection: StackConnection): boolean {
  return (['baseUrl', 'apiKey', 'profile'] as const).every(name => place[name] === connection[name])
}

/** A placeholder is never planned. */
function withoutStandIns(stack: LoadedStack): LoadedStack {
  const { lookUps, declarations, problems } = stack
  if (lookUps.every(({ open }) => open.size === 0)) return stack
  const found = declarations.desired.flatMap(desired => {
    const text = JSON.stringify(desired)
    const standIn = lookUps.map(each => each.standInIn(text)).find(one => one !== undefined)
    return standIn ? [[standIn.subject.address, desired.source] as const] : []
  })
  const lost = [...new Map(found)].map(
    ([address, source]): Problem => ({
      code: 'stack-unsupported',
      severity: 'error',
      message: `${address}: it looks up an object in another service than the planned one, and the plan depends on it`,
      hint: 'write the value itself, or let Terraform plan the stack',
      ...(source ? { source } : {}),
    }),
  )
  if (lost.length === 0) return stack
  return { ...stack, declarations: { desired: [], ownedGrants: [] }, problems: [...problems, ...lost] }
}

/** Looks up objects, and reads each list only once. */
class Service {
  readonly #client: Client
  readonly #reader: Pick<Reader, 'client' | 'signal'>
  readonly #lists = new Map<string, Promise<readonly Live[] | Refusal>>()

  constructor(reader: Pick<Reader, 'client' | 'signal'>) {
    this.#client = reader.client
    this.#reader = reader
  }

  async find(one: LookUp, connection: StackConnection): Promise<Found> {
    const { kind, by, value, place } = one
    const owner = place[kind.scope]
    const [parameter = ''] = pathParameters(kind.endpoints[kind.lifecycle.list]?.path ?? '')
    const params: Record<string, string> =
      owner === undefined || owner === connection[kind.scope] ? {} : { [parameter]: owner }
    if (by === 'id') {
      const live = await readRecord(kind, { ...params, id: value }, this.#reader)
      return live && !live.isSoftDeleted ? live : missing(kind, `with the id "${value}"`)
    }
    const all = await once(this.#lists, JSON.stringify([kind.name, params]), () => this.#list(kind, params))
    if (all instanceof Refusal) return all
    const named = all.filter(({ identity }) => identityKey(kind, identity) === identityKey(kind, value))
    const [live] = named
    if (live === undefined) return missing(kind, `"${value}"`)
    if (named.length === 1) return live
    return invalid(
      `${named.length} ${pluralTitle(kind)} have the name "${value}"`,
      `write the id of one: ${named.map(({ id }) => id).join(', ')}`,
    )
  }

  async #list(
    kind: IdentifiedKind,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly Live[] | Refusal> {
    const list = this.#client.list(kind.name, { params, signal: this.#reader.signal })
    const living: Live[] = []
    try {
      for await (const record of list) {
        const live = toLive(kind, record)
        if (live && !live.isSoftDeleted) living.push(live)
      }
    } catch (error) {
      if (!isServiceError(error) || error.status !== 404 || !kind.lifecycle.mayBeGone) throw error
      return invalid(`the service does not list its ${pluralTitle(kind)}`, byId)
    }
    if (list.inventory.complete) return living
    return invalid(`the list of ${pluralTitle(kind)} could not be read completely`, byId)
  }
}

const byId = 'use the id: Role.fromId(id, name) in constructs, or add it under `roles` in vexil.yaml'

function missing({ title, scope }: IdentifiedKind, which: string): Refusal {
  return invalid(`there is no ${title} ${which}`, `check the spelling, and whether the ${scope} is right`)
}
