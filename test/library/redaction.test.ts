import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LoadOptions, load, ProblemsError, validate } from '../../src/index.ts'
import { redactedPartNames } from '../../src/model/field.ts'
import { type FormatName, formats } from '../../src/report/formats.ts'
import { canary, canaryFiles, countCanaries, filesWithCanary } from '../support/canaries.ts'
import { folderWith, writeFiles } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>
let notes: string[]
beforeEach(async () => {
  notes = []
  service = await startService()
  folder = await folderWith({})
})
afterEach(async () => {
  await service.close()
  await folder.remove()
})

function formatNames(): FormatName[] {
  // The names are those of the table.
  return Object.keys(formats) as FormatName[]
}

const settings = 'redact: [payloads, descriptions, values]\n'

describe.each<{ by: string; settings: string; redact?: LoadOptions['redact'] }>([
  { by: 'the settings', settings },
  { by: 'the program', settings: '', redact: redactedPartNames() },
])('a program that hides values by $by', ({ settings, redact = [] }) => {
  const options = (): LoadOptions => ({
    ...{ directory: folder.path, env: service.env, redact },
    onNote: line => notes.push(line),
  })

  it('renders, holds in documents, tells and records none, and applies them', async () => {
    for (const side of ['live', 'now']) {
      await writeFiles(folder.path, canaryFiles(side, settings))
      const planned = await (await load(options())).plan()
      expect(countCanaries(JSON.stringify(planned.plan))).toBeGreaterThan(5)
      const events: unknown[] = []
      const run = await planned.apply({ onEvent: event => events.push(event) })
      for (const each of [planned, run]) {
        expect(JSON.stringify({ ...each.document, events, notes })).not.toContain(canary)
        for (const format of formatNames()) expect(await each.render(format), format).not.toContain(canary)
      }
      expect(await planned.render()).toMatch(/\(sensitive [0-9a-f]{8}\)/)
      expect(run.exitCode).toBe(0)
    }
    const flags = JSON.stringify(await service.get('/api/projects/1/feature_flags'))
    expect(flags).toContain(`${canary}-now-payload-1`)
    const kept = await filesWithCanary(folder.path)
    expect(kept.filter(file => !file.startsWith('.vexil/runs/values/'))).toEqual(['flags.yaml'])
  })

  it('tells problems without them', async () => {
    const broken = {
      ...canaryFiles('now', settings),
      'more.yaml': `feature_flags: { a: { active: ${canary} } }\n`,
    }
    await writeFiles(folder.path, broken)
    const { document } = await validate(options())
    expect(document.problems.length).toBeGreaterThan(0)
    expect(JSON.stringify(document.problems)).not.toContain(canary)
    const error = await load(options()).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ProblemsError)
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(canary)
  })
})

it('refuses to hide a part that there is not', async () => {
  // What JavaScript may give.
  const redact = ['payload'] as unknown as LoadOptions['redact']
  await expect(load({ directory: folder.path, env: {}, ...(redact && { redact }) })).rejects.toMatchObject({
    code: 64,
    message: 'redact: "payload" is not a part of an object; did you mean "payloads"?',
  })
})
