import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import type { Profile } from '../../src/sandbox/index.ts'
import type { QuirkService } from './repository.ts'
import { comesBack, definitions, flags, paid, plugins, retired, roles } from './repository.ts'

/** What the service holds after an apply, read past the client. */
export interface Holding {
  /** Declared addresses that are not as declared. */
  readonly undone: readonly string[]
  /** Losses and repeats, which nobody asked for. */
  readonly wrong: readonly string[]
}

/** Looks at everything that the repository declares, and at what it leaves alone. */
export async function holdingOf(
  service: QuirkService,
  { profile, postToChat = false }: { readonly profile: Profile; readonly postToChat?: boolean },
): Promise<Holding> {
  const held = await readAll(service, profile)
  const isDone: Readonly<Record<string, boolean>> = {
    'event_definition.paid': isSet(held.paid?.tags, ['money']) && (!postToChat || postsToChat(held.paid)),
    'event_definition.retired': held.retired === undefined,
    'feature_flag.brand_new': isFlag(held.flag('brand_new'), 'Brand new', ['one', 'two']),
    'feature_flag.changed': isFlag(held.flag('changed'), 'After', ['three']),
    'feature_flag.comes_back': held.flag('comes_back')?.name === 'Back again',
    'feature_flag.goes_away': held.flag('goes_away') === undefined,
    'feature_flag_role_access.brand_new:support': held.grants('brand_new').includes('support'),
    'feature_flag_role_access.changed:growth': held.grants('changed').includes('growth'),
    'feature_flag_role_access.changed:support': !held.grants('changed').includes('support'),
    'feature_flag_role_access.comes_back:support': held.grants('comes_back').includes('support'),
    'plugin.fresh': held.source('fresh') === 'export {}',
    'plugin.geoip':
      held.plugin('geoip')?.description === 'After' && held.source('geoip') === 'export const after = 1',
  }
  return { undone: Object.keys(isDone).filter(address => !isDone[address]), wrong: wrongIn(held) }
}

type Held = Awaited<ReturnType<typeof readAll>>

function wrongIn({ living, installed, flag, grants, showsGrants }: Held): string[] {
  const [back, other] = [flag('comes_back'), flag('not_ours')]
  // A plan without tagging shows nobody's.
  const showsTags = living.some(({ tags }) => isJsonArray(tags) && tags.length > 0)
  const keys = living.map(({ key }) => String(key))
  return [
    ...repeated(keys).map(key => `two flags ${key}`),
    ...repeated(installed.map(({ name }) => String(name))).map(name => `two plugins ${name}`),
    ...keys.flatMap(key => repeated(grants(key)).map(role => `two grants ${key}:${role}`)),
    ...(back && back.id !== comesBack ? ['comes_back has another id'] : []),
    ...(back && !isSet(back.tags, showsTags ? ['kept'] : []) ? ['comes_back lost its tags'] : []),
    ...(back && showsGrants && !grants('comes_back').includes('growth') ? ['comes_back lost a grant'] : []),
    ...(isFlag(other, 'Nobody declared this', showsTags ? ['theirs'] : []) ? [] : ['not_ours was touched']),
  ]
}

async function readAll(service: QuirkService, profile: Profile) {
  const read = (path: string) => readPast(service, path)
  const living = shown(await Promise.all(idsUpTo(24).map(id => read(`${flags}/${id}/`)))).filter(
    ({ deleted }) => deleted === false,
  )
  const installed = shown(await Promise.all(idsUpTo(4).map(id => read(`${plugins}/${id}/`))))
  const sources = await Promise.all(installed.map(({ id }) => read(`${plugins}/${id}/source/`)))
  const grants = await Promise.all(living.map(({ id }) => rolesOf(service, Number(id), profile)))
  const flag = (key: string) => living.find(each => each.key === key)
  const plugin = (name: string) => installed.find(each => each.name === name)
  return {
    showsGrants: grants.every(held => held !== undefined),
    living,
    installed,
    flag,
    plugin,
    grants: (key: string) => grants[living.findIndex(each => each.key === key)] ?? [],
    source: (name: string) => sources[installed.findIndex(each => each.name === name)]?.['index.ts'],
    paid: await read(`${definitions}/${paid}/`),
    retired: await read(`${definitions}/${retired}/`),
  }
}

/** The roles that may edit a flag by the route that the profile is known for, or by the other one where that is gone. */
async function rolesOf(
  service: QuirkService,
  flag: number,
  profile: Profile,
): Promise<readonly string[] | undefined> {
  const [first, other] = profile === 'posthog-2026' ? [controlled, granted] : [granted, controlled]
  return (await first(service, flag)) ?? (await other(service, flag))
}

/** Asked role by role, since a page of the whole list may be of any size. */
async function granted(service: QuirkService, flag: number): Promise<readonly string[] | undefined> {
  const pages = await Promise.all(
    Object.entries(roles).map(async ([name, role]) => {
      const page = await readPast(service, `${flags}/${flag}/role_access/?role_id=${role}`)
      return isJsonArray(page?.results) ? page.results.map(() => name) : undefined
    }),
  )
  return pages.some(page => page === undefined) ? undefined : pages.flatMap(page => page ?? [])
}

async function controlled(service: QuirkService, flag: number): Promise<readonly string[] | undefined> {
  const answer = await readPast(service, `${flags}/${flag}/access_controls/`)
  if (!isJsonArray(answer?.access_controls)) return undefined
  const editing = answer.access_controls.filter(row => isJsonObject(row) && row.access_level === 'editor')
  return editing.flatMap(row =>
    Object.entries(roles).flatMap(([name, id]) => (isJsonObject(row) && row.role === id ? [name] : [])),
  )
}

/** An object, or undefined where the service shows none. */
async function readPast(
  { sandbox, env, world }: QuirkService,
  path: string,
): Promise<JsonObject | undefined> {
  const headers = { authorization: `Bearer ${env.VEXIL_API_KEY}` }
  const ask = () => sandbox.fetch(new Request(`http://service${path}`, { headers }))
  let response = await ask()
  while (response.status === 429) {
    await world.sleep(10_000)
    response = await ask()
  }
  const body = response.ok ? await response.json() : undefined
  return isJsonObject(body) ? body : undefined
}

function shown(objects: readonly (JsonObject | undefined)[]): JsonObject[] {
  return objects.filter(one => one !== undefined)
}

function isFlag(flag: JsonObject | undefined, name: string, tags: readonly string[]): boolean {
  return flag?.name === name && isSet(flag.tags, tags)
}

function postsToChat(definition: JsonObject | undefined): boolean {
  return (definition?.post_to_chat ?? definition?.post_to_slack) === true
}

function isSet(value: Json | undefined, expected: readonly string[]): boolean {
  return isJsonArray(value) && JSON.stringify([...value].sort()) === JSON.stringify(expected)
}

function idsUpTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
