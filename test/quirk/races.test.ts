import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../../src/model/text/json.ts'
import { readJson } from '../../src/model/text/json-text.ts'
import type { Quirks } from '../../src/sandbox/index.ts'
import { type CliResult, cli, folderWith } from '../support/cli.ts'
import { rounds } from '../support/rounds.ts'
import { seeded } from '../support/seeded.ts'
import { type Service, startService } from '../support/service.ts'

const flagsPath = '/api/projects/1/feature_flags'
const flagsPerRound = 50
const writers = ['one', 'two'] as const
type Writer = (typeof writers)[number]

/** A write that put its value over one that its writer had never seen. */
interface Lost {
  readonly writer: string
  readonly field: string
  readonly over: Json
}

interface Race {
  readonly service: Service
  readonly lost: readonly Lost[]
  /** Changes of a writer that the service refused, or left out. */
  readonly met: number
  readonly requests: number
  close(): Promise<void>
}

/**
 * A service at which two writers and a person meet: requests go in one at a time, in an order of their own, and just
 * before some writes, or just after, a person edits the same flag as the product does. Each writer comes in by a path of
 * its own, so that it is known what it has seen.
 */
async function startRace(seed: number, quirks: Partial<Quirks>): Promise<Race> {
  const draw = seeded(seed)
  const lost: Lost[] = []
  const seen = new Map<string, JsonObject>()
  const edited = new Set<string>()
  let met = 0
  let requests = 0
  let turn: Promise<unknown> = Promise.resolve()
  const service = await startService({ profile: 'posthog-2026', quirks }, handle => request => {
    const url = new URL(request.url)
    const [, writer = '', ...rest] = url.pathname.split('/')
    const path = `/${rest.join('/')}`
    const ask = async (method: string, to: string, body?: string) => {
      const headers = request.headers
      return handle(new Request(`${url.origin}${to}`, { method, headers, body }))
    }
    const read = async (id: string) => recordOf(await ask('GET', `${flagsPath}/${id}`))
    const answer = async () => {
      requests += 1
      const body = request.method === 'GET' ? undefined : await request.text()
      const [, id] = /feature_flags\/(\d+)\/?$/.exec(path) ?? []
      const isChange = request.method === 'PATCH' && id !== undefined
      if (isChange && draw(3) === 0) await edit(id)
      const before = isChange ? await read(id) : {}
      const answered = await ask(request.method, `${path}${url.search}`, body)
      const told = await recordOf(answered.clone())
      if (isChange) {
        const sent = readJson(body ?? '{}')
        const after = await read(id)
        for (const field of isJsonObject(sent) ? Object.keys(sent) : []) {
          if (!(field in before) || field === 'version') continue
          const known = seen.get(`${writer} ${id}`)?.[field] ?? null
          const over = before[field] ?? null
          if (!isSameJson(over, after[field] ?? null) && !isSameJson(over, known))
            lost.push({ writer, field, over })
        }
        if (!answered.ok) met += 1
        if (draw(3) === 0) await edit(id)
      }
      const records = Array.isArray(told.results) ? told.results : [told]
      for (const record of records)
        if (isJsonObject(record) && record.id !== undefined) seen.set(`${writer} ${record.id}`, record)
      return answered
    }
    // A person edits each flag once.
    const edit = async (id: string) => {
      if (edited.has(id)) return
      edited.add(id)
      const edits = [
        { name: `theirs ${id}` },
        { filters: { groups: [{ rollout_percentage: 77 }] } },
        { tags: [`theirs-${id}`] },
        { active: draw(2) === 0 },
        { ensure_experience_continuity: true },
      ]
      await ask('PATCH', `${flagsPath}/${id}`, JSON.stringify(edits[draw(edits.length)]))
    }
    const next = turn.then(answer, answer)
    turn = next
    return next
  })
  return {
    service,
    lost,
    get met() {
      return met
    },
    get requests() {
      return requests
    },
    close: service.close,
  }
}

async function recordOf(answer: Response): Promise<JsonObject> {
  const body = readJson((await answer.text()) || '{}')
  return isJsonObject(body) ? body : {}
}

/** What a writer wants of each flag: some of its fields, never as the other writer wants them. */
function wanted(writer: Writer, draw: (below: number) => number): JsonObject {
  const percentage = writer === 'one' ? 20 : 30
  const fields = {
    name: `${writer} wants this`,
    filters: { groups: [{ properties: [], rollout_percentage: percentage }] },
    tags: [writer],
    active: writer === 'one',
  }
  const some = Object.entries(fields).filter((_, index) => draw(index < 2 ? 3 : 6) < 2)
  return Object.fromEntries(some.length === 0 ? Object.entries(fields).slice(0, 1) : some)
}

/** What came of one time of all flags. */
interface Round extends Pick<Race, 'lost' | 'met' | 'requests'> {
  readonly results: readonly CliResult[]
}

/** Two writers apply at the same time what they want of the same flags. */
async function raceOnce(seed: number, quirks: Partial<Quirks>): Promise<Round> {
  const draw = seeded(seed + 1000)
  const race = await startRace(seed, { tag_order: 'sorted', ...quirks })
  const { service } = race
  const keys = Array.from({ length: flagsPerRound }, (_, index) => `flag_${index}`)
  for (const key of keys) {
    const filters = { groups: [{ properties: [], rollout_percentage: 10 }] }
    await service.send('POST', `${flagsPath}/`, { key, name: 'at first', filters, active: draw(4) > 0 })
  }
  const desks = await Promise.all(
    writers.map(async writer => {
      const feature_flags = Object.fromEntries(keys.map(key => [key, wanted(writer, draw)]))
      const folder = await folderWith({
        'vexil.yaml': 'version: 1\n',
        'flags.yaml': stringify({ feature_flags }),
      })
      const env = { ...service.env, PATH: '/nowhere', VEXIL_PROFILE: 'posthog-2026' }
      const at = { ...env, VEXIL_BASE_URL: `${service.url}/${writer}` }
      return {
        ...folder,
        apply: () => cli('apply --auto-approve --json', { directory: folder.path, env: at }),
      }
    }),
  )
  try {
    const results = await Promise.all(desks.map(desk => desk.apply()))
    const { lost, met, requests } = race
    return { results, lost, met, requests }
  } finally {
    await race.close()
    await Promise.all(desks.map(desk => desk.remove()))
  }
}

/** Rounds of races, and what came of each; a writer has done all, or has left something alone. */
async function raceAll(quirks: Partial<Quirks>, times: number) {
  const played: Round[] = []
  for (let seed = 1; seed <= times; seed++) {
    const round = await raceOnce(seed, quirks)
    for (const { code, stdout, stderr } of round.results) expect([0, 5], stdout + stderr).toContain(code)
    played.push(round)
  }
  return {
    lost: played.flatMap(({ lost }) => lost),
    met: played.reduce((total, round) => total + round.met, 0),
  }
}

describe('races of two writers and a person, each for one flag', () => {
  it('lose no update where flags show a version, whatever comes between', async () => {
    const times = rounds(50)
    const held = await raceAll({}, times)
    expect(held.lost).toEqual([])
    // They did meet, or all this shows nothing.
    expect(held.met).toBeGreaterThan(10 * times)
    // The same races where nothing but a read before each write stands between them.
    expect((await raceAll({ flag_version: false }, 1)).lost.length).toBeGreaterThan(0)
  })

  it('take no read before each write where nobody meets', async () => {
    const asked = async (flag_version: boolean) => {
      const service = await startService({ profile: 'posthog-2026', quirks: { flag_version } })
      const filters = { groups: [{ properties: [], rollout_percentage: 10 }] }
      for (let index = 0; index < flagsPerRound; index++)
        await service.send('POST', `${flagsPath}/`, { key: `flag_${index}`, filters })
      const wants = { filters: { groups: [{ properties: [], rollout_percentage: 20 }] } }
      const keys = Array.from({ length: flagsPerRound }, (_, index) => [`flag_${index}`, wants])
      const files = {
        'vexil.yaml': 'version: 1\n',
        'flags.yaml': stringify({ feature_flags: Object.fromEntries(keys) }),
      }
      const folder = await folderWith(files)
      const env = { ...service.env, VEXIL_PROFILE: 'posthog-2026' }
      const { requests } = await service.watch(() =>
        cli('apply --auto-approve', { directory: folder.path, env }),
      )
      await service.close()
      await folder.remove()
      return requests.length
    }
    // The list, and that of what is archived.
    const lists = 2
    expect([await asked(true), await asked(false)]).toEqual([
      lists + flagsPerRound,
      lists + 2 * flagsPerRound,
    ])
  })

  it('lose none either where the service leaves out what clashes, and answers as if all were well', async () => {
    expect((await raceAll({ stale_patch: 'dropped' }, rounds(150))).lost).toEqual([])
  })
})
