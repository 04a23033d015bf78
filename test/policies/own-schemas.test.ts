import { describe, expect, it } from 'vitest'
import { readDeclared } from '../../src/yaml/index.ts'
import { inFolder } from '../support/folder.ts'
import { today } from './policy-cases.ts'

const flags = `feature_flags:
  open:
    active: true
    filters:
      groups:
        - rollout_percentage: 50
  short:
    active: true
    release:
      dach: { properties: { country: DE }, rollout_percentage: 50 }
`

const inStaging = `${flags}    environments:
      staging: { tags: [trial] }
`

/** What is said of files beside the flags, as `file:line:column message; hint`. */
const problemsOf = (files: Readonly<Record<string, string>>) =>
  inFolder({ 'flags/all.yaml': flags, ...files }, async directory => {
    const { problems, texts } = await readDeclared({ directory, env: {}, today })
    return problems.map(({ severity, source, message, hint }) => {
      // Whoever shows the line needs its text.
      expect(texts.has(source?.file ?? '')).toBe(true)
      const { file, line, column } = source ?? { file: '', line: 0, column: 0 }
      return `${severity} ${file}:${line}:${column} ${message}; ${hint}`
    })
  })

const settings = 'version: 1\npolicies:\n  schemas: { feature_flags: flag.json }\n'
const share = (schema: object) => ({
  properties: {
    filters: { properties: { groups: { items: { properties: { rollout_percentage: schema } } } } },
  },
})

describe('the policy schemas', () => {
  it('finds what does not fit at its own line, however it is written', async () => {
    const schema = JSON.stringify(share({ maximum: 25 }), undefined, '\t')
    const said = '"/filters/groups/0/rollout_percentage" must be <= 25, by flag.json (policy schemas)'
    const hint = 'change the object to match the schema; or add it to "except" of the policy'
    expect(await problemsOf({ 'vexil.yaml': settings, 'flag.json': schema })).toEqual([
      `error flags/all.yaml:6:31 ${said}; ${hint}`,
      `error flags/all.yaml:10:64 ${said}; ${hint}`,
    ])
  })

  it('has another schema, another level or none in an environment', async () => {
    const environments = `version: 1
environments:
  staging: { base_url: http://127.0.0.1:1, project: "2", policies: { schemas: { level: warning, feature_flags: tags.json } } }
  production: { base_url: http://127.0.0.1:1, project: "1", policies: { schemas: off } }
policies:
  schemas: { feature_flags: flag.json }
`
    expect(
      await problemsOf({
        'flags/all.yaml': inStaging,
        'vexil.yaml': environments,
        'flag.json': '{"maxProperties": 0}',
        'tags.json': '{"properties":{"tags":{"items":{"pattern":"^team-"}}}}',
      }),
    ).toEqual([
      'warning flags/all.yaml:12:25 in staging, "/tags/0" must match pattern "^team-", by tags.json (policy schemas); change the object to match the schema; or add it to "except" of the policy',
    ])
  })

  it.each([
    ['{ "type": "objekt" }', 'flag.json:1:11 the value is not a JSON Schema: '],
    ['{\n  "properties": { "name": { "maxlength": 3 } }\n}', 'flag.json:2:42 the schema cannot be used: '],
    [
      '{ "$ref": "https://example.com/flag.json" }',
      'flag.json:1:11 "https://example.com/flag.json" is outside this schema, and Vexil never fetches schemas; ',
    ],
    ['[]', 'flag.json:1:1 a JSON Schema must be a map'],
    ['{ "type": ', 'flag.json:1:'],
    [
      undefined,
      'vexil.yaml:3:29 the file "flag.json" does not exist; write the path relative to the folder of vexil.yaml',
    ],
  ])('is an error where the schema is %s', async (text, said) => {
    const files = { 'vexil.yaml': settings, ...(text === undefined ? {} : { 'flag.json': text }) }
    expect(await problemsOf(files)).toEqual([expect.stringContaining(`error ${said}`)])
  })

  it('reads no file outside of the repository', async () => {
    const file = settings.replace('flag.json', '../flag.json')
    expect(await problemsOf({ 'vexil.yaml': file })).toEqual([
      'error vexil.yaml:3:29 "../flag.json" leads out of the repository; copy the file into the repository',
    ])
  })
})
