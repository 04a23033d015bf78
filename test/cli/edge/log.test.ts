import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { logSchema } from '../../../src/schema/run-schemas.ts'
import type { CliResult } from '../../support/cli.ts'
import { useWorkspace } from '../../support/workspace.ts'
import {
  apart,
  commandLines,
  declaredBeside,
  filesOfOthers,
  hostileLines,
  worldOfOthers,
} from './commands.ts'
import { faults, some } from './faults.ts'
import { formsIn, key } from './key-forms.ts'
import { knownCommands } from './program.ts'

/** Moves a cursor, ends a line, turns the reading direction, and holds the key. */
const hostile = `\u001b[2J\r\n{"level":"none"}\n\u202e ${key}`

const workspace = useWorkspace(declaredBeside, { seed: worldOfOthers(hostile), apiKey: key })
const { vexil, service, write } = workspace

const ajv = new Ajv2020({ allowUnionTypes: true })
addFormats.default(ajv, ['date-time'])
const isLogLine = ajv.compile(logSchema())

interface LogLine {
  readonly level: string
  readonly message: string
  readonly method?: string
  readonly path?: string
}

/** The lines of standard error, each of which has to be one that the schema describes. */
function logLines({ stderr }: CliResult, line: readonly string[]): LogLine[] {
  const lines = stderr.split('\n')
  expect({ line, last: lines.pop() }).toEqual({ line, last: '' })
  return lines.map(text => {
    const parsed = JSON.parse(text)
    expect(isLogLine(parsed), `${line.join(' ')}: ${text}: ${JSON.stringify(isLogLine.errors)}`).toBe(true)
    return parsed
  })
}

function expectNoKey({ stdout, stderr }: CliResult, line: readonly string[]): void {
  expect({ line, found: formsIn(stdout + stderr) }).toEqual({ line, found: [] })
}

const json = { VEXIL_LOG_FORMAT: 'json', VEXIL_DEBUG: '1' }

describe('standard error as JSON', () => {
  it.each(faults.map((rules, nth) => ({ rules, nth })))(
    'is nothing but lines of the schema, with one for each request, and no key: $rules',
    async ({ rules, nth }) => {
      await write(filesOfOthers(hostile))
      const env = { ...service.env, ...json }
      let requestCount = 0
      for (const line of some(commandLines('text'), nth)) {
        service.faults(...rules)
        const { result, requests } = await service.watch(() => vexil(line, { env }))
        expectNoKey(result, line)
        const lines = logLines(result, line)
        const sent = lines.flatMap(({ method, path }) => (method === undefined ? [] : [`${method} ${path}`]))
        expect({ line, sent: sent.sort() }).toEqual({ line, sent: [...requests].sort() })
        requestCount += sent.length
      }
      expect(requestCount).toBeGreaterThan(8)
    },
    60_000,
  )

  it('is so for arguments of any sort', async () => {
    const commands = knownCommands().filter(
      ({ name }) => !apart.includes(name) && !name.startsWith('terraform'),
    )
    for (const line of some(hostileLines(hostile, commands), 0)) {
      const result = await vexil(line, {
        env: { ...service.env, ...json, VEXIL_BASE_URL: 'http://127.0.0.1:1' },
      })
      logLines(result, line)
      expectNoKey(result, line)
    }
  }, 60_000)

  it('is so in a pipeline of GitHub, and a person is asked nothing', async () => {
    const env = { ...service.env, ...json, GITHUB_ACTIONS: 'true' }
    const line = ['apply']
    const result = await vexil(line, { env, answer: 'yes' })
    expect(result.code).toBe(3)
    expect(logLines(result, line).at(-1)).toMatchObject({ level: 'error', code: 'refused' })
  })
})

describe('VEXIL_DEBUG', () => {
  it.each(faults.map(rules => ({ rules })))(
    'tells each request on a line for people, without the key: $rules',
    async ({ rules }) => {
      service.faults(...rules)
      const { result, requests } = await service.watch(() =>
        vexil('plan', { env: { ...service.env, VEXIL_DEBUG: '1' } }),
      )
      expectNoKey(result, ['plan'])
      const told = result.stderr.split('\n').filter(line => line.startsWith('debug: '))
      const sent = told.flatMap(line => /^debug: ([A-Z]+ \/[^ ?]*)(?:\?\S+)? .*\d+ ms/.exec(line)?.[1] ?? [])
      expect(sent.sort()).toEqual([...requests].sort())
      expect(told.filter(line => /^debug: [A-Z]+ \S*=/.test(line))).toEqual([])
    },
  )

  it.each(['', '0', undefined])('set to %o tells none', async value => {
    expect((await vexil('plan', { env: { ...service.env, VEXIL_DEBUG: value } })).stderr).not.toContain(
      'debug',
    )
  })
})
