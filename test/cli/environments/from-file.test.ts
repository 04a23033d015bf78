import { beforeEach, describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace({
  'flags.yaml': 'feature_flags: { checkout: { active: false, filters: {} } }\n',
})
const { vexil, write } = workspace

const settings = (file: string) => `version: 1
environments_from: ${file}
environments:
  staging: { project: 9 }
`
const role = '01900000-0000-0000-0000-0000000000aa'
const csv = `name,base_url,project,api_key_env,live_tags,roles\r
prod-eu,https://eu.example.com,1,EU_KEY,false,"{""support"": ""${role}""}"\r
"prod,us",https://us.example.com,007,,,\r
`
const places = `prod-eu: { base_url: https://eu.example.com, project: 1 }
"prod,us": { base_url: https://us.example.com, project: "007" }
`

async function listed() {
  const { code, stdout, stderr } = await vexil('envs --json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout).environments
}

describe('environments_from', () => {
  beforeEach(() => write({ 'vexil.yaml': settings('places.csv') }))

  it.each([
    ['places.csv', csv],
    ['places/all.yaml', places],
    [
      'places.json',
      JSON.stringify({
        'prod-eu': { base_url: 'https://eu.example.com', project: 1 },
        'prod,us': { base_url: 'https://us.example.com', project: '007' },
      }),
    ],
  ])('adds the environments of %s to those of vexil.yaml', async (file, text) => {
    await write({ 'vexil.yaml': settings(file), [file]: text })
    expect(await listed()).toEqual([
      { name: 'prod-eu', base_url: 'https://eu.example.com', project: '1' },
      { name: 'prod,us', base_url: 'https://us.example.com', project: '007' },
      { name: 'staging', project: '9' },
    ])
    const { code, stdout } = await vexil('validate')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 files checked: no problems\n' })
  })

  it('takes every setting, from the file and over those of all', async () => {
    await write({
      'places.csv': csv,
      'flags.yaml': 'feature_flags: { a: { active: true, role_access: [support] } }\n',
    })
    const { stderr } = await vexil('validate --env all')
    expect(stderr).toContain('"support" is not a role')
    expect(stderr).not.toContain('in prod-eu')
    await write({ 'flags.yaml': 'feature_flags: {}\n' })
    const { stderr: noKey } = await vexil('plan --env prod-eu', { env: {} })
    expect(noKey).toContain('EU_KEY')
  })

  it.each([
    ['a name of both', 'name\nstaging\n', 'places.csv:2:1 the environment "staging" is also in vexil.yaml:4'],
    ['a name twice', 'name\na\na\n', 'places.csv:3:1 the environment "a" is also in places.csv:2'],
    ['no column of names', 'project\n1\n', 'places.csv:1:1 the first row has no column "name"'],
    ['a column that is no setting', 'name,projct\na,1\nb,2\n', 'places.csv:1:1 "projct" is not a setting'],
    ['a column twice', 'name,project,project\na,1,2\n', 'places.csv:1:1 the column "project" is there twice'],
    ['a wrong value', 'name,base_url,parallelism\na,,1\nb,,many\n', 'places.csv:3:1 "parallelism"'],
    ['a wrong address', 'name,base_url\na,ftp://example.com\n', 'places.csv:2:1 "base_url" must start with'],
    [
      'a row that is too short',
      'name,project\na\n',
      'places.csv:2:1 the number of cells is 1, but 2 in the first row',
    ],
    ['a row without a name', 'name,project\n,1\n', 'places.csv:2:1 this row has no name'],
    ['a quote that is not closed', 'name\n"a\n', 'places.csv:2:1 this row has a quote that is not closed'],
    ['no environment', 'name\n', 'places.csv:1:1 this file has no environments'],
  ])('shows the place of %s', async (_, text, words) => {
    await write({ 'places.csv': text })
    const { code, stderr } = await vexil('validate')
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr.match(/^\S+ error/gm)?.length ?? 1).toBe(1)
  })

  it.each([
    ['places.csv', 'vexil.yaml:2:20 the file "places.csv" does not exist'],
    ['../places.csv', 'vexil.yaml:2:20 "../places.csv" leads out of the repository'],
  ])('shows that %s cannot be read', async (file, words) => {
    await write({ 'vexil.yaml': settings(file) })
    expect((await vexil('validate')).stderr).toContain(words)
  })

  it('reads rows with line ends and quotes in cells', async () => {
    await write({ 'places.csv': 'name,organization\n"two\nlines","a ""b"""\n\nlast,c\n' })
    expect(await listed()).toEqual([
      { name: 'two\nlines', organization: 'a "b"' },
      { name: 'last', organization: 'c' },
      { name: 'staging', project: '9' },
    ])
  })
})
