import { describe, expect, it } from 'vitest'
import { longEnough } from '../../src/core/read/read-record.ts'
import { flagsPath } from '../support/deleted-flags.ts'
import { startService } from '../support/service.ts'
import { aWorkspace } from '../support/workspace.ts'

/** Long enough for lists to be asked for before all files are read. */
const comment = `\n# ${'x'.repeat(longEnough)}\n`

/** What a command says of files, and asks for; `isLong` says nothing more with more characters. */
async function told(files: Readonly<Record<string, string>>, isLong: boolean, command = 'plan --json') {
  const service = await startService()
  for (const key of ['changed', 'same', 'goes_away', 'undeclared'])
    await service.send('POST', `${flagsPath}/`, { key, name: 'Before' })
  const { vexil, remove } = await aWorkspace(service, {
    'vexil.yaml': 'version: 1\nenvironments: { one: {}, two: {} }\n',
    'a.yaml': `feature_flags: { same: { name: Before } }${isLong ? comment : '\n'}`,
    ...files,
  })
  try {
    const { result, requests } = await service.watch(() => vexil(`${command} --env one`))
    // Each service has an address of its own.
    const { created_at: _, target: _at, digest: _of, ...document } = JSON.parse(result.stdout || '{}')
    return { ...result, stdout: document, requests }
  } finally {
    await remove()
    await service.close()
  }
}

const right = {
  'b.yaml': 'feature_flags: { changed: { name: After }, goes_away: { ensure: absent }, fresh: {} }\n',
  'c.yaml': 'event_definitions: { paid: { only: [two] } }\n',
}

describe('a plan of files that take long to parse', () => {
  it('is the same, and asks for the same', async () => {
    const [long, short] = [await told(right, true), await told(right, false)]
    expect(long.requests.length).toBeGreaterThan(0)
    expect(long).toEqual(short)
    expect(long.stdout.changes).toHaveLength(3)
  })

  it.each([
    ['is not YAML', 'feature_flags: { changed: ['],
    ['breaks a rule', 'feature_flags: { changed: { actve: true } }'],
  ])('tells what is wrong where a file %s', async (_, text) => {
    const [long, short] = [await told({ 'b.yaml': text }, true), await told({ 'b.yaml': text }, false)]
    const { requests: _asked, ...said } = long
    expect(said).toEqual({ ...short, requests: undefined })
    expect(short.requests).toEqual([])
    expect(said.code).toBe(1)
  })

  it('asks for no more for a part of it', async () => {
    const command = 'plan --json --target event_definition.paid'
    const files = { 'c.yaml': 'event_definitions: { paid: {} }\n' }
    const [long, short] = [await told(files, true, command), await told(files, false, command)]
    expect(long).toEqual(short)
  })

  it('asks for nothing where the settings are wrong', async () => {
    const files = { 'vexil.yaml': 'version: 1\nenvironments: { one: { bas_url: http://localhost } }\n' }
    const { requests, code } = await told(files, true)
    expect({ requests, code }).toEqual({ requests: [], code: 1 })
  })
})
