import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CommandError,
  type LoadOptions,
  load,
  ProblemsError,
  type Repository,
  type RunEvent,
} from '../../src/index.ts'
import { folderWith } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

const flags = `feature_flags:
  first: { name: First, active: true, filters: { groups: [{ rollout_percentage: 10 }] } }
  second: { name: Second, active: true, filters: { groups: [{ rollout_percentage: 10 }] } }
`

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>
let notes: string[]
beforeEach(async () => {
  notes = []
  service = await startService()
  folder = await folderWith({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': flags })
})
afterEach(async () => {
  await service.close()
  await folder.remove()
})

/** The repository of the folder; one change at a time, so that it is known which is the last. */
function open(options: LoadOptions = {}): Promise<Repository> {
  return load({
    directory: folder.path,
    env: service.env,
    connection: { parallelism: 1 },
    onNote: line => notes.push(line),
    ...options,
  })
}

/** What is live, by key. */
async function liveKeys(): Promise<string[]> {
  const page = await service.get('/api/projects/1/feature_flags')
  return (page as { results: { key: string }[] }).results.map(({ key }) => key).sort()
}

/** What a run has on record, the newest. */
async function newestRecord(): Promise<{
  entries: { address: string; outcome: string }[]
  complete: boolean
}> {
  const runs = join(folder.path, '.vexil/runs')
  const names = (await readdir(runs)).filter(name => name.endsWith('.json')).sort()
  return JSON.parse(await readFile(join(runs, names.at(-1) as string), 'utf8'))
}

async function hasLock(): Promise<boolean> {
  return (await readdir(folder.path, { recursive: true })).some(name => name.includes('lock-'))
}

describe('a run that a program stops', () => {
  it('is not begun where the signal was given before', async () => {
    const planned = await (await open()).plan()
    const { result, requests } = await service.watch(() =>
      planned.apply({ signal: AbortSignal.abort() }).catch((error: unknown) => error),
    )
    expect(result).toBeInstanceOf(CommandError)
    expect(result).toMatchObject({ code: 143, message: 'interrupted; nothing was written' })
    expect(requests).toEqual([])
    expect(await hasLock()).toBe(false)
    expect((await planned.apply()).exitCode).toBe(0)
  })

  it('finishes what is in flight, puts it on record and says what was left', async () => {
    const planned = await (await open()).plan()
    const stopping = new AbortController()
    const stopAtFirst = ({ type }: RunEvent) => {
      if (type === 'change_start') stopping.abort()
    }
    const run = await planned.apply({ signal: stopping.signal, onEvent: stopAtFirst })
    expect(run.exitCode).toBe(143)
    expect(await run.render()).toContain('1 change applied, 1 skipped')
    expect(await liveKeys()).toEqual(['first'])
    expect(await hasLock()).toBe(false)
  })
})

describe('a listener that fails', () => {
  const mine = new Error('the listener has a bug')
  it.each([
    {
      name: 'throws',
      fail: () => {
        throw mine
      },
    },
    { name: 'answers with a promise that is rejected', fail: () => Promise.reject(mine) },
  ])('and $name: what was begun is finished and on record before the error is thrown', async ({ fail }) => {
    const planned = await (await open()).plan()
    const told: string[] = []
    const failAtFirst = ({ type, address }: RunEvent) => {
      told.push(`${type} ${address}`)
      if (type === 'change_attempt') return fail()
    }
    await expect(planned.apply({ onEvent: failAtFirst })).rejects.toBe(mine)
    expect(told).toEqual(['change_start feature_flag.first', 'change_attempt feature_flag.first'])
    expect(await liveKeys()).toEqual(['first'])
    const { complete, entries } = await newestRecord()
    expect(complete).toBe(false)
    expect(entries.map(({ outcome }) => outcome)).toEqual(['done', 'skipped'])
    expect(await hasLock()).toBe(false)
    expect((await planned.apply()).exitCode).toBe(0)
  })
})

describe('what a program plans', () => {
  it('is nothing where its list of targets is empty', async () => {
    const repository = await open()
    const none = await repository.plan({ targets: [], prune: 'all' })
    expect(none.plan).toMatchObject({ changes: [], blocked: [], drift: [], unchanged: [] })
    expect((await none.apply()).exitCode).toBe(0)
    expect(await liveKeys()).toEqual([])
    const all = await repository.plan()
    expect(all.plan.changes.map(({ address }) => address)).toEqual([
      'feature_flag.first',
      'feature_flag.second',
    ])
  })

  it('is refused where it says in an unknown word what is to be pruned', async () => {
    await writeFile(join(folder.path, 'vexil.yaml'), 'version: 1\nownership: { prune: all }\n')
    const repository = await open()
    // As a program in JavaScript can.
    const planning = repository.plan({ prune: 'none' as 'never' })
    await expect(planning).rejects.toMatchObject({
      code: 64,
      message: '"none" is not a --prune mode; there are: never, owned, all',
    })
  })

  it('can be carried out twice, one after the other and not at once', async () => {
    const planned = await (await open()).plan()
    const both = await Promise.allSettled([planned.apply(), planned.apply()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = both.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 3, message: expect.stringContaining('holds the lock') } })
    const again = await planned.apply()
    expect(again.exitCode).toBe(0)
    expect(await again.render()).toContain('0 changes applied, 2 already done')
    expect(await liveKeys()).toEqual(['first', 'second'])
  })

  it('stays for the place that it was made for', async () => {
    const env: Record<string, string> = { ...service.env }
    const planned = await (await open({ env })).plan()
    env.VEXIL_PROJECT_ID = '2'
    await expect(planned.apply()).rejects.toMatchObject({ code: 5 })
    expect(await liveKeys()).toEqual([])
  })

  it('has a note where nothing is declared', async () => {
    await writeFile(join(folder.path, 'flags.yaml'), '')
    const planned = await (await open()).plan()
    expect(planned.plan.changes).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^no declarations found/)])
  })
})

describe('a run that cannot be on record', () => {
  const runs = () => join(folder.path, '.vexil/runs')

  it('is not begun, and holds no lock', async () => {
    const planned = await (await open()).plan()
    await mkdir(join(folder.path, '.vexil'))
    await writeFile(runs(), 'no folder')
    const { result, requests } = await service.watch(() => planned.apply().catch((error: unknown) => error))
    expect(result).toBeInstanceOf(Error)
    expect(requests).toEqual([])
    expect(await hasLock()).toBe(false)
    await rm(runs())
    expect((await planned.apply()).exitCode).toBe(0)
  })

  it('is done where it has no changes, with a note', async () => {
    const repository = await open()
    await (await repository.plan()).apply()
    await rm(runs(), { recursive: true })
    await writeFile(runs(), 'no folder')
    const { exitCode, document } = await (await repository.plan()).apply()
    expect({ exitCode, document }).toEqual({
      exitCode: 0,
      document: {
        is: 'run',
        command: 'apply',
        meta: { target: expect.objectContaining({ profile: 'documented' }) },
        changes: [],
        blocked: [],
        liveEdits: [],
        events: [],
      },
    })
    expect(notes).toEqual([
      '".vexil": its runs cannot be listed (ENOTDIR), so its content is unknown; restore that file, or move it away',
      expect.stringMatching(/^this run is not recorded: E/),
    ])
  })

  it('ends in 1 and a note where that comes to light at its end', async () => {
    const planned = await (await open()).plan()
    const run = await planned.apply({
      onEvent({ type, address }) {
        // The journal is open by then; the record is written beside it.
        if (type !== 'change_start' || address !== 'feature_flag.second') return
        rmSync(runs(), { recursive: true })
        writeFileSync(runs(), 'no folder')
      },
    })
    expect(run.exitCode).toBe(1)
    expect(run.document.kept).toBeUndefined()
    expect(run.document.events.filter(({ type }) => type === 'change_done')).toHaveLength(2)
    expect(notes).toEqual([expect.stringMatching(/^the record of this run cannot be written/)])
    expect(await liveKeys()).toEqual(['first', 'second'])
  })
})

describe('what a program is told', () => {
  const key = () => service.env.VEXIL_API_KEY as string

  it('has no key in an error, wherever the key was found', async () => {
    await writeFile(join(folder.path, 'flags.yaml'), `feature_flags:\n  first: { ${key()}: on }\n`)
    const error = await open().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProblemsError)
    expect(error).toMatchObject({
      message: '1 error',
      problems: [
        { message: '"[redacted]" is not a field of a flag', source: { file: 'flags.yaml', line: 2 } },
      ],
    })
    expect(inspect(error, { depth: 9 })).not.toContain(key())
    await writeFile(join(folder.path, 'flags.yaml'), flags)
    const planning = (await open()).plan({ targets: [key()] })
    await expect(planning).rejects.toMatchObject({ code: 64, message: '"[redacted]" is not declared' })
  })

  it('moves no cursor of a terminal, in any format', async () => {
    await writeFile(
      join(folder.path, 'flags.yaml'),
      'feature_flags: { first: { name: "\\e]0;a\\u202etitle" } }\n',
    )
    const planned = await (await open()).plan()
    const shown = await Promise.all([
      planned.render('text', { isColourful: true }),
      planned.render('text'),
      planned.render('json'),
    ])
    for (const each of shown) {
      expect(each).toContain('\\u202etitle')
      expect(each).not.toContain('\u001b]')
      expect(each).not.toContain('\u202e')
    }
    expect(shown[0]).toContain('\u001b[')
  })

  it('names the formats where one is asked for that there is not', async () => {
    const planned = await (await open()).plan()
    const rendering = planned.render('yaml' as 'json')
    await expect(rendering).rejects.toMatchObject({
      code: 64,
      message: '"yaml" is not a format; there are: text, json, markdown, html, junit, sarif, annotations',
    })
  })

  it('is on record with who ran it', async () => {
    const env = {
      ...service.env,
      HOME: folder.path,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CEILING_DIRECTORIES: folder.path,
    }
    await (await (await open({ env })).plan()).apply()
    expect(await newestRecord()).toMatchObject({ who: { name: userInfo().username, from: 'system' } })
  })
})
