import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { load, settings } from './a-repository.ts'
import { complete } from './one-problem.ts'

describe('problems', () => {
  it('of all files are reported in one run, by file and line', async () => {
    const directory = await folderOfTest({
      'vexil.yaml': `${settings}limits: { delete: -1 }\n`,
      'a.yaml': 'feature_flags:\n  x: { actve: true, filters: {}, tags: [1] }\n',
      'b.yaml': 'feature_flags: [\n',
      'c/d.yaml': 'plugins: { p: { is_global: maybe } }\n',
    })
    const { problems, files } = await readDeclared({ directory, env: {} })
    expect(files).toEqual(['vexil.yaml', 'a.yaml', 'b.yaml', 'c/d.yaml'])
    expect(problems.map(problemLine)).toEqual([
      'a.yaml:2:3 warning: feature_flag "x": "active" is not declared; if the service has to create this flag, it will be on, and for everybody without "filters"',
      'a.yaml:2:8 feature_flag "x": "actve" is not a field of a flag; did you mean "active"?',
      'a.yaml:2:41 feature_flag "x": element 1 of "tags" must be text, not 1; write the value in quotes: "1"',
      'b.yaml:2:1 invalid YAML: deficient indentation; indent this line further, or close the bracket above it',
      'c/d.yaml:1:28 plugin "p": "is_global" must be true or false, not "maybe"',
      'vexil.yaml:8:19 "delete" must be 0 or more, not -1',
    ])
  })

  it('leave nothing to be applied', async () => {
    const { declarations } = await load(
      { 'vexil.yaml': settings, 'a.yaml': `feature_flags: { a: { ${complete} }, b: { oops: 1 } }` },
      { environment: 'staging' },
    )
    expect(declarations).toEqual({ desired: [], ownedGrants: [] })
  })

  it('that repeat a declaration name both places', async () => {
    const { problems } = await load(
      {
        'vexil.yaml': settings,
        'a.yaml': `feature_flags:\n  x: { ${complete}, role_access: [support] }`,
        'b.yaml': `feature_flags:\n  x: { ${complete} }\nfeature_flag_role_access:\n  - { flag: x, role: 01900000-0000-0000-0000-0000000000AA }`,
      },
      { environment: 'staging' },
    )
    const hint = 'keep one of them, or limit each to other environments with "only"'
    expect(problems).toEqual([
      {
        code: 'duplicate-declaration',
        severity: 'error',
        message: 'this is also declared at a.yaml:2:3',
        hint,
        source: { file: 'b.yaml', line: 2, column: 3 },
        address: 'feature_flag.x',
      },
      {
        code: 'duplicate-declaration',
        severity: 'error',
        message: 'this is also declared at a.yaml:2:61',
        hint,
        source: { file: 'b.yaml', line: 4, column: 5 },
        address: 'feature_flag_role_access.x:support',
      },
    ])
  })

  it('do not count one object twice that two files declare for different environments', async () => {
    const { problems } = await load(
      {
        'vexil.yaml': settings,
        'a.yaml': `feature_flags: { x: { ${complete}, only: [staging] } }`,
        'b.yaml': `feature_flags: { x: { ${complete}, only: [production] } }`,
      },
      { environment: 'staging' },
    )
    expect(problems).toEqual([])
  })

  it('of a role name the environments that do not know it', async () => {
    const text = `version: 1
environments: { staging: { roles: { qa: 01900000-0000-0000-0000-0000000000cc } }, production: {} }
`
    const { problems } = await load(
      { 'vexil.yaml': text, 'a.yaml': `feature_flags: { x: { ${complete}, role_access: [qa] } }` },
      { environment: 'staging' },
    )
    expect(problems.map(problemLine)).toEqual([
      'a.yaml:1:76 feature_flag "x": in production, "qa" is not a role; vexil.yaml has no names of roles; a UUID works too',
    ])
  })
})
