import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { load, settings } from './a-repository.ts'

const plugin = (source: string, more = '') =>
  `plugins:\n  My plugin:\n    plugin_type: source${more}\n    source:\n      plugin.json: ${source}\n`

const problemsIn = async (files: Readonly<Record<string, string>>) =>
  (await load({ 'vexil.yaml': settings, ...files }, { environment: 'staging' })).problems.map(problemLine)

describe('a plugin that its own file describes', () => {
  it.each([
    ['as it is declared', plugin(`'{"name": "My plugin", "config": []}'`)],
    ['without a name', plugin(`'{"main": "index.js"}'`)],
    [
      'with the settings that are declared',
      plugin(`'{"config": [{"key": "a"}]}'`, '\n    config_schema: [{ key: a }]'),
    ],
  ])('%s is in order', async (_, text) => {
    expect(await problemsIn({ 'plugins.yaml': text })).toEqual([])
  })

  it.each([
    [
      'under another name',
      plugin(`'{"name": "x"}'`),
      'its name differs from the "name" of plugin.json, "x"; the service uses the value in the file: write the same value in both',
    ],
    [
      'with other settings',
      plugin(`'{"config": []}'`, '\n    config_schema: [{ key: a }]'),
      'its config_schema differs from the "config" of plugin.json, []; the service uses the value in the file: write the same value in both',
    ],
    ['in no JSON', plugin(`'{'`), 'plugin.json cannot be read: '],
    ['in no object', plugin(`'[]'`), 'plugin.json cannot be read: it is not an object'],
  ])('%s is refused: each apply would make another one', async (_, text, words) => {
    const problems = await problemsIn({ 'plugins.yaml': text })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`plugin "My plugin": ${words}`)
    expect(problems[0]).toMatch(/^plugins\.yaml:2:3 /)
  })

  it('is read from the file that is named, too', async () => {
    const files = {
      'plugins.yaml': plugin('{ file: mine/plugin.json }'),
      'mine/plugin.json': '{"name": "x"}',
    }
    expect(await problemsIn(files)).toHaveLength(1)
  })
})
