import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/report/formats.ts'
import { useWorkspace, type Workspace } from '../../support/workspace.ts'

const workspace = useWorkspace()

/** What is said of tests, each by a text that nothing else in the files has. */
const said = { name: 'name_of_bea', id: 'id-of-ada', idOfName: 'id-of-bea', payload: '471123' } as const

/** Two tests that fail: of somebody with an id, and of a person with a name, which a file declares or another. */
function tested(settings: string, sensitive: string, place: TestPlace) {
  const tests = `
      - { person: { distinct_id: ${said.id} }, expect: { value: true, payload: { price: ${said.payload} } } }
      - { person: ${said.name}, expect: { value: true, payload: { price: ${said.payload} } } }
`
  const isBeside = place === 'beside the flag'
  return {
    'vexil.yaml': `version: 1\n${settings}`,
    'flags.yaml': `feature_flags:
  prices:
${sensitive}    active: true
    release: [{ properties: { plan: plus } }]
    payloads: { true: { price: ${said.payload} } }
${isBeside ? `    tests:${tests}` : ''}`,
    'tests.yaml': `persons: { ${said.name}: { distinct_id: ${said.idOfName} } }
${isBeside ? '' : `tests:\n  prices:${tests}`}`,
  }
}

const testPlaces = ['beside the flag', 'in a file of its own'] as const
type TestPlace = (typeof testPlaces)[number]

/** Every form in which something is told of tests, by what it is called. */
async function formsOf({ vexil, read }: Workspace, option: string) {
  const ends = reportFormats()
    .map(({ extension }) => extension)
    // At a terminal problems go to standard error, which no file has.
    .filter(end => end !== '.txt')
  const reports = ends.map(end => `--report r${end}`).join(' ')
  const printed = async (line: string, env = {}) => {
    const { code, stdout, stderr } = await vexil(`${line} ${option}`, { env })
    expect(code, line).toBe(1)
    return [line, stdout + stderr] as const
  }
  const text = await printed(`test ${reports}`)
  const files = await Promise.all(ends.map(async end => [end, await read(`r${end}`)] as const))
  return [
    ...[text, ...files, await printed('test --json')],
    ...[await printed('test', { GITHUB_ACTIONS: 'true' })],
    ...[await printed('validate'), await printed('validate --json')],
  ]
}

describe.each(testPlaces)('a test %s that does not pass', testPlace => {
  it.each([
    { hides: 'nothing', settings: '', sensitive: '', option: '', shown: ['name', 'id', 'payload'] },
    { hides: 'a payload', settings: '', sensitive: '["true"]', option: '', shown: ['name', 'id'] },
    { hides: 'payloads', settings: 'redact: [payloads]', sensitive: '', option: '', shown: ['name', 'id'] },
    { hides: 'values', settings: 'redact: [values]', sensitive: '', option: '', shown: ['name', 'payload'] },
    { hides: 'all of the flag', settings: '', sensitive: 'true', option: '', shown: ['name'] },
    { hides: 'by option', settings: '', sensitive: '', option: '--redact payloads,values', shown: ['name'] },
  ])('is told with the same in every form, where it hides $hides', async row => {
    const { settings, sensitive, option, shown } = row
    const place = workspace()
    const mark = sensitive === '' ? '' : `    sensitive: ${sensitive}\n`
    await place.write(tested(`${settings}\n`, mark, testPlace))
    const forms = await formsOf(place, option)
    expect(forms.length).toBeGreaterThan(8)
    const found = forms.map(([form, words]) => ({
      form,
      shown: Object.entries(said).flatMap(([what, text]) => (words.includes(text) ? [what] : [])),
    }))
    expect(found).toEqual(forms.map(([form]) => ({ form, shown })))
  })
})
