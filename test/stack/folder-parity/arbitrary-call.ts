import fc from 'fast-check'
import { fileFunctionNames } from '../../../src/hcl/functions/files.ts'
import { folderFiles, localOf, templates } from './folder.ts'

const constant = (...all: readonly string[]) => fc.constantFrom(...all)
const call = (names: readonly string[], ...given: fc.Arbitrary<string>[]) =>
  fc.tuple(fc.constantFrom(...names), ...given).map(([name, ...all]) => `${name}(${all.join(', ')})`)
const quoted = (text: fc.Arbitrary<string>) => text.map(each => JSON.stringify(each))

const paths = [
  ...Object.keys(folderFiles),
  ...['tree', 'tree/', 'nothing.txt', '', '.', './tree//a.json', 'tree/../note.txt', 'tree/a.json/'],
]

/** Each function that looks at one file, with each path. */
export const fileCalls: readonly string[] = fileFunctionNames
  .filter(each => each !== 'fileset')
  .flatMap(each => paths.map(path => `${each}(${JSON.stringify(path)})`))

const name = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: constant(
          'a',
          'b',
          '.',
          'json',
          'txt',
          '*',
          '?',
          '[a-c]',
          '[^a]',
          '{a,b}',
          '{json,txt}',
          'é',
        ),
      },
      constant(
        ...[
          '**',
          '{a,}',
          '\\*',
          '[',
          ']',
          '..',
          '{json}',
          '{*}',
          '{a.json}',
          '(',
          ')',
          '(a|b)',
          '[[:alpha:]]',
        ],
        ...['{a..c}', '[a-]', '[-a]', '{a,[b,c]}'],
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map(parts => parts.join(''))
const pattern = fc
  .array(fc.oneof({ weight: 2, arbitrary: name }, constant('**', '*', 'er', '*.json', '*.txt', '.', '')), {
    minLength: 1,
    maxLength: 3,
  })
  .map(parts => parts.join('/'))
const folder = fc.oneof(
  { weight: 8, arbitrary: constant('tree', './tree', 'tree/', 'tree/er', 'tree/er/..') },
  constant('tree/a.json', 'nowhere', 'tr*'),
)

const value = constant('1', '33.3', '"x"', '"é"', 'true', 'null', '["a", "b"]', '[]', '{ a = 1, b = [2] }')
const variables = fc
  .array(fc.tuple(constant('one', 'two', 'names'), value), { maxLength: 3 })
  .map(members => `{ ${members.map(([each, of]) => `${each} = ${of}`).join(', ')} }`)

const percentage = constant('0', '10', '33.3', '100', '"50"', 'null', '0.1', '1e2')
const condition = fc.oneof(
  percentage.map(each => `{ rollout_percentage = ${each} }`),
  fc
    .tuple(percentage, constant('DE', 'é', ''))
    .map(
      ([percent, country]) =>
        `{ rollout_percentage = ${percent}, variant = "a", properties = [{ key = "country", type = "person", value = ["${country}"] }] }`,
    ),
)
const variants = fc
  .tuple(percentage, percentage)
  .map(
    ([one, two]) =>
      `multivariate = { variants = [{ key = "a", rollout_percentage = ${one} }, { key = "b", rollout_percentage = ${two} }] }`,
  )
/** What stands where a list of objects is needed. */
const malformed = constant(
  '{}',
  '"x"',
  '5',
  'true',
  '[5]',
  '["x"]',
  '[[]]',
  '[null]',
  '[{ rollout_percentag = 5 }]',
  '{ a = { key = "b" } }',
)
const filters = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.array(condition, { maxLength: 3 }), fc.option(variants))
      .map(
        ([conditions, more]) =>
          `jsonencode({ groups = [${conditions.join(', ')}]${more === null ? '' : `, ${more}`} })`,
      ),
  },
  malformed.map(each => `jsonencode({ groups = ${each} })`),
  malformed.map(each => `jsonencode({ groups = [{ properties = ${each} }] })`),
  constant('"{}"', '"{"', '"[]"', 'null', '1', '{ groups = [] }'),
)
const typed = fc.oneof(
  fc.array(condition, { maxLength: 2 }).map(all => `{ release = [${all.join(', ')}] }`),
  percentage.map(each => `{ rollout_percentage = ${each} }`),
  malformed.map(each => `{ release = ${each} }`),
  malformed.map(each => `{ release = [{ properties = ${each} }] }`),
  malformed.map(each => `{ variants = ${each}, release = [{ rollout_percentage = "10" }] }`),
  filters.map(each => `{ key = "x", filters = ${each} }`),
  constant('{}', '"x"', 'null', '[]', '{ key = "x" }'),
)
const person = constant('"ada"', '"é"', '1', 'null', '["ada"]')
const properties = constant('null', '"{}"', 'jsonencode({ country = "DE" })', '"["', '{ country = "DE" }')
const profile = constant('"auto"', '"posthog"', '"posthog-2026"', '"documented"', '"nobody"', 'null')

/** Calls of the functions that look at files or at templates, and of those of the provider. */
export const arbitraryCall: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: constant(...fileCalls) },
  { weight: 6, arbitrary: call(['fileset'], quoted(folder), quoted(pattern)) },
  {
    weight: 2,
    arbitrary: call(
      ['templatefile'],
      quoted(constant(...Object.keys(templates), 'nothing.tftpl')),
      variables,
    ),
  },
  {
    weight: 2,
    arbitrary: call(
      ['templatestring'],
      constant(...Object.keys(templates).map(each => `local.${localOf(each)}`), 'local.number', 'local.none'),
      variables,
    ),
  },
  call(['templatestring'], constant('"constant"', 'upper("a")'), variables),
  call(['provider::vexil::rollout', 'provider::vexil::variants'], filters),
  call(['provider::vexil::filters'], typed),
  call(['provider::vexil::filters'], typed).map(each => `provider::vexil::rollout(${each})`),
  call(['provider::vexil::evaluate'], constant('"checkout"'), filters, person, properties),
  call(['provider::vexil::evaluate'], constant('"checkout"'), filters, person, properties, profile),
)
