import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RE2JS } from 're2js'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { guardRules } from '../../../src/model/guard-rules.ts'
import { isJsonArray, isJsonObject, type Json } from '../../../src/model/text/json.ts'
import { problemLine } from '../../../src/report/line-text.ts'
import { declarationSchema } from '../../../src/schema/declaration-schema.ts'
import { fillPage } from '../../../src/schema/reference.ts'
import { settingsSchema } from '../../../src/schema/settings-schema.ts'
import { filterParts, propertyTypes } from '../../../src/targeting/filter-parts.ts'
import { knownOperators } from '../../../src/targeting/operators.ts'
import { load } from '../../yaml/a-repository.ts'

const text = readFileSync(join(import.meta.dirname, '../../../schemas/reference.md'), 'utf8')
const examples = Array.from(
  text.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g),
  ([, file = '', yaml = '']) => ({
    file,
    yaml,
  }),
)
const [settings] = examples
// What engines of today do not agree on is told elsewhere.
const env = { FLAGS_HOST: 'flags.example.com', STAFF_DOMAIN: 'example.com', VEXIL_PROFILE: 'documented' }
const source = { 'sources/mask-card-numbers/index.ts': 'export {}\n' }

/** The examples of a file, as one. */
function together(): Record<string, string> {
  const files: Record<string, string> = {}
  for (const { file, yaml } of examples) {
    const section = /^\w+:\n/.exec(yaml)?.[0] ?? ''
    const before = files[file]
    files[file] = before === undefined ? yaml : before + yaml.replace(section, '')
  }
  return files
}

/** Warnings about what the examples show on purpose: every operator there is. */
const odd = ['newer-operator', 'engines-differ']

describe('the examples of the reference', () => {
  it('are files of a repository, with every block of YAML among them', () => {
    expect(settings?.file).toBe('vexil.yaml')
    expect(examples).toHaveLength(text.split('```yaml').length - 1)
    expect(examples.length).toBeGreaterThan(14)
  })

  it.each(examples)('are right by themselves: $file $yaml', async ({ file, yaml }) => {
    const named = `files: [${JSON.stringify(file === 'vexil.yaml' ? 'flags/a.yaml' : file)}]`
    const files = {
      ...source,
      'flags/a.yaml': 'feature_flags: {}\n',
      'vexil.yaml': settings?.yaml.replace(/^files: .*$/m, named) ?? '',
    }
    for (const environment of ['staging', 'production']) {
      const own = file === 'vexil.yaml' ? {} : { [file]: yaml }
      const { problems } = await load({ ...files, ...own }, { env, environment })
      expect(problems.filter(({ code }) => !odd.includes(code)).map(problemLine)).toEqual([])
    }
  })

  it.each(['staging', 'production'])('are right all together, for %s', async environment => {
    const { problems, declarations } = await load({ ...source, ...together() }, { env, environment })
    expect(problems.filter(({ code }) => !odd.includes(code)).map(problemLine)).toEqual([])
    expect(declarations.desired.length).toBeGreaterThan(20)
  })

  it('show every operator, every type of a property, and every member that people write', () => {
    const shown = examples.map(({ yaml }) => yaml).join('\n')
    const operators = Array.from(shown.matchAll(/operator: (\w+)/g), match => match[1])
    expect(new Set(operators)).toEqual(new Set(Object.keys(knownOperators)))
    for (const type of Object.keys(propertyTypes)) expect(shown).toContain(`type: ${type}`)
    const members = [
      'ensure',
      'id',
      'environments',
      'only',
      'protect',
      'permanent',
      'ignore',
      'allow',
      'role_access',
      'source',
      'skip',
    ]
    const missing = members.filter(member => !shown.includes(`${member}:`))
    expect(missing).toEqual([])
  })
})

describe('the reference', () => {
  it.each([
    ['settings', membersIn(settingsSchema())],
    ['declarations', membersIn(declarationSchema())],
    ['filters', Object.values(filterParts).flatMap(({ members }) => Object.keys(members))],
    ['operators', Object.keys(knownOperators)],
    ['guards', guardRules],
  ])('explains all %s', (_, names) => {
    expect(names.filter(name => !text.includes(`\`${name}\``))).toEqual([])
  })

  it.each([
    [{ limits: [] }, 'a', 'the page lacks limits'],
    [{ limits: [] }, 'limits limits', 'the page contains "limits" twice, or there is no such part'],
    [{}, 'limits', 'the page contains "limits" twice, or there is no such part'],
  ])('has each computed part once: %j in %s', (parts, names, message) => {
    const page = names.split(' ').map(name => `<!-- computed: ${name} -->\n\n<!-- end -->\n`)
    expect(() => fillPage(page.join('\n'), { a: ['x'], ...parts })).toThrow(message)
  })

  it('says that a set of labels is declared whole', () => {
    expect(text).toMatch(/`tags`[^\n]*is declared whole/)
  })
})

/** The names of all members that a schema describes, however deep. */
function membersIn(schema: Json | undefined): string[] {
  if (!isJsonObject(schema) || isJsonArray(schema)) return []
  const members = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  return [
    ...members.flatMap(([name, member]) => [name, ...membersIn(member)]),
    ...membersIn(schema.additionalProperties),
    ...membersIn(schema.items),
  ]
}

describe('the schemas', () => {
  it('have patterns that validators in every language read', () => {
    const folder = join(import.meta.dirname, '../../../schemas')
    const patterns = new Set<string>()
    for (const file of globSync('**/*.json', { cwd: folder, absolute: true }))
      JSON.parse(readFileSync(file, 'utf8'), (key, value) => {
        if (key === 'pattern' && typeof value === 'string') patterns.add(value)
        if (key === 'patternProperties') for (const pattern of Object.keys(value)) patterns.add(pattern)
        return value
      })
    expect(patterns.size).toBeGreaterThan(5)
    // Go has RE2 and no \u; Python and Rust read what RE2 reads.
    for (const pattern of patterns) {
      expect(() => RE2JS.compile(pattern), pattern).not.toThrow()
      expect(pattern).not.toContain('\\u')
    }
  })
})
