import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from '../../src/model/text/json-text.ts'
import { flagsPath, useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': 'feature_flags: {}\n' })

const large = '12345678901234567890'
const long = '0.12345678901234567890123'

function declared(value: string, payload = '"1.10"'): string {
  return `
  digits:
    active: true
    filters:
      groups: [ { properties: [ { key: account, type: person, operator: exact, value: ${value} } ], rollout_percentage: 5 } ]
      payloads: { "true": ${payload} }
`
}

/** The filters of the only flag, as text from the wire. */
async function wire(): Promise<string> {
  const { id } = await bench().flag('digits')
  const { filters } = (await bench().service.get(`${flagsPath}/${id}/`)) as { filters: unknown }
  return writeJson(filters)
}

describe('a number that no double says', () => {
  it('is told from its neighbour', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(declared('9007199254740993'))
    await vexil('apply --auto-approve')
    await declareFlags(declared('9007199254740992'))
    const { code, stdout } = await vexil('plan --detailed-exitcode')
    expect(code).toBe(2)
    expect(stdout).toContain('account is 9007199254740993 -> account is 9007199254740992')
  })

  it('comes back with an undo', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(declared(large))
    await vexil('apply --auto-approve')
    await declareFlags(declared('7'))
    await vexil('apply --auto-approve')
    expect(await wire()).toContain('"value":7')
    const undone = await vexil('undo last --auto-approve')
    expect(undone.code, undone.stderr).toBe(0)
    expect(await wire()).toContain(`"value":${large}`)
  })

  it('is exported with its digits, and the export plans nothing', async () => {
    const { vexil, service, write, read } = bench()
    const filters = `{"groups":[{"properties":[{"key":"a","type":"person","value":[${large},${long}]}],"rollout_percentage":5}]}`
    await service.send('POST', `${flagsPath}/`, {
      key: 'digits',
      active: false,
      filters: readJson(filters),
    })
    await write({ 'flags.yaml': '' })
    expect((await vexil('export --directory exported')).code).toBe(0)
    expect(await read('exported/feature_flags.yaml')).toContain(`[${large}, ${long}]`)
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  })
})

describe('a payload that is text', () => {
  it.each(['1.10', `{"id": ${large}, "b": 1, "a": 1e2}`, '[ 1.0 ]'])(
    'is sent as it was written, and compared by what it means: %s',
    async payload => {
      const { vexil, declareFlags } = bench()
      await declareFlags(declared('1', `'${payload}'`))
      expect((await vexil('apply --auto-approve')).code).toBe(0)
      expect(JSON.parse(await wire()).payloads).toEqual({ true: payload })
      expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
      const spelled = payload.replaceAll(' ', '').replace('1.10', '1.1')
      await declareFlags(declared('1', `'${spelled}'`))
      expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
      expect(JSON.parse(await wire()).payloads).toEqual({ true: payload })
    },
  )
})
