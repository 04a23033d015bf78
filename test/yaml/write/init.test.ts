import { expect, it } from 'vitest'
import { defaultPolicy } from '../../../src/core/policy.ts'
import { starterFiles } from '../../../src/yaml/write/init.ts'
import { load } from '../a-repository.ts'

const toFiles = (files: ReturnType<typeof starterFiles>) =>
  Object.fromEntries(files.map(({ path, text }) => [path, text]))

it('starts a repository that has no problems and turns nothing on', async () => {
  const { problems, files, declarations } = await load(toFiles(starterFiles()))
  expect(problems).toEqual([])
  expect(files).toEqual(['vexil.yaml', 'flags/example.yaml'])
  expect(declarations.desired.map(({ address, fields }) => [address, fields.active])).toEqual([
    ['feature_flag.example_flag', false],
  ])
})

it('writes down what it was told, whatever it looks like', async () => {
  const told = { baseUrl: 'https://flags.example.org/a', project: '007', organization: 'no: # "x"' }
  const { environment } = await load(toFiles(starterFiles(told)))
  expect(environment).toEqual({
    name: 'production',
    connection: told,
    policy: {
      ...defaultPolicy,
      ownership: { tag: 'managed-by-vexil', prune: 'never' },
      limits: { delete: 5, rolloutStep: 25 },
    },
    policies: [],
    roles: {},
    liveTags: true,
    cohorts: {},
    groupTypes: {},
  })
})

it('keeps what commands leave behind out of git', () => {
  expect(toFiles(starterFiles())['.gitignore']).toBe('.vexil/\n')
})
