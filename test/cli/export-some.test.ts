import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { anOrganization, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const world = anOrganization({
  plugins: [
    { name: 'geo', plugin_type: 'source', source: { 'index.ts': '' } },
    { name: 'geo', plugin_type: 'source', source: { 'index.ts': '' } },
  ],
  projects: [
    {
      id: 1,
      name: 'Production',
      event_definitions: [{ name: 'checkout_paid', tags: ['money'] }],
      feature_flags: [{ key: 'checkout_v2', tags: ['owner:pay'] }, { key: 'checkout_v3' }, { key: 'search' }],
    },
    { id: 2, name: 'Staging', feature_flags: [{ key: 'checkout_v4' }] },
  ],
})
const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' }, { seed: world })
const { vexil, service } = workspace

/** The names of what was written, by section. */
function namesIn(yaml: string): Record<string, string[]> {
  const sections = Object.entries(parse(yaml) ?? {})
  return Object.fromEntries(sections.map(([section, all]) => [section, Object.keys(all as object)]))
}

describe('vexil export of some objects', () => {
  it.each([
    ['checkout_v2', { feature_flags: ['checkout_v2'] }],
    [
      'feature_flag.search event_definition.*',
      { feature_flags: ['search'], event_definitions: ['checkout_paid'] },
    ],
    ['checkout_*', { feature_flags: ['checkout_v2', 'checkout_v3'], event_definitions: ['checkout_paid'] }],
    ['plugin.geo', { plugins: ['geo', 'geo (2)'] }],
    ['checkout_* --owner pay', { feature_flags: ['checkout_v2'] }],
    ['checkout_* --kind event_definition', { event_definitions: ['checkout_paid'] }],
  ])('writes those that are named: %s', async (named, expected) => {
    const { code, stdout } = await vexil(`export ${named}`)
    expect({ code, names: namesIn(stdout) }).toEqual({ code: 0, names: expected })
  })

  it('asks for the grants of those, and of no others', async () => {
    const { requests } = await service.watch(() => vexil('export checkout_v3'))
    expect(requests.filter(line => line.includes('role_access'))).toHaveLength(1)
  })

  it.each([
    ['chekout_v2', '"chekout_v2" is not live; did you mean "feature_flag.checkout_v2"?'],
    ['nothing_*', '"nothing_*" matches nothing that is live'],
    ['search --owner pay', 'none of the named objects belongs to "pay"'],
    ['search --owner play', '"play" owns nothing that is live; did you mean "pay"?'],
  ])('refuses what is not there: %s', async (named, message) => {
    expect(await vexil(`export ${named}`)).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })

  it('finds them in any of several environments', async () => {
    const env = await writeTwoEnvironments(workspace())
    const { stdout } = await vexil('export -e staging -e production checkout_v2 checkout_v4', { env })
    expect(parse(stdout)).toEqual({
      feature_flags: {
        checkout_v2: expect.objectContaining({ only: ['production'] }),
        checkout_v4: expect.objectContaining({ only: ['staging'] }),
      },
    })
  })
})
