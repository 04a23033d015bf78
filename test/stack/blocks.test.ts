import { join } from 'node:path'
import { expect, it } from 'vitest'
import { problemLine } from '../../src/report/text/problem-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder, writeFiles } from '../support/folder.ts'

const flag = 'vexil_feature_flag'
const off = { active: false }

/** Reads a stack that nobody synthesized, and one flag beside what it says. */
async function read(stack: object, name: unknown = 'name') {
  return inFolder({}, async directory => {
    const folder = join(directory, 'stacks', 'flags')
    const own = { resource: { [flag]: { flag: { key: 'flag', ...off, name } } } }
    await writeFiles(folder, { 'cdk.tf.json': JSON.stringify({ ...own, ...stack }) })
    const { declarations, problems } = await loadStack({ folder, directory, variables: new Map(), env: {} })
    return {
      fields: declarations.desired[0]?.fields,
      lines: problems.map(({ source: _source, ...problem }) => problemLine(problem)),
    }
  })
}

it.each([
  ['a name that begins with _', { locals: { _own: 'x' } }, '${local._own}', 'x'],
  ['a name that nobody asks for', {}, '${join("", [for _, v in { a = "x" } : v])}', 'x'],
  ['a byte order mark', {}, '\ufeffx', 'x'],
  ['a byte order mark before an expression', {}, '${jsonencode(local.n)}', '1', { n: '\ufeff${1}' }],
  ['a type as it was written once', { variable: { v: { type: 'list', default: [1] } } }, '${var.v[0]}', '1'],
  ['a switch as text', { variable: { v: { nullable: 'true', default: null } } }, '${var.v == null}', 'true'],
])('%s is taken', async (_, stack, name, value, locals?: object) => {
  const { fields, lines } = await read({ ...stack, ...(locals ? { locals } : {}) }, name)
  expect(lines).toEqual([])
  expect(fields?.name).toBe(value)
})

const condition = '${local.n == 1}'
const resource = (more: object) => ({
  locals: { n: 1 },
  resource: { [flag]: { flag: { key: 'flag', ...off, ...more } } },
})
const two = { [flag]: { two: { count: 2, key: 'flag-${count.index}', ...off } } }

it.each([
  [
    'a variable with a member that is misspelt',
    { variable: { v: { default: 1, sensitve: true } } },
    'var.v: there is no "sensitve" here; did you mean "sensitive"?',
  ],
  [
    'a variable that is neither sensitive nor not',
    { variable: { v: { default: 1, sensitive: null } } },
    'var.v: "sensitive" has to be true or false',
  ],
  [
    'a variable whose type is no text',
    { variable: { v: { default: 1, type: ['string'] } } },
    'var.v: its type cannot be read; write one such as "list(string)" or "object({ a = string })"',
  ],
  [
    'a variable with a name that calls of modules use',
    { variable: { count: { default: 1 } } },
    'var.count: no variable may be called "count"; a call of a module means something else by it',
  ],
  [
    'a name that is none',
    { output: { 'a b': { value: 1 } } },
    'output.a b: "a b" is no name; take letters, digits, _ and -, and begin with a letter or _',
  ],
  ['an output without a value', { output: { o: {} } }, 'output.o.value: it has to be given'],
  [
    'a count with a name that nobody declares, in a loop without rounds',
    { resource: { [flag]: { f: { key: 'k', count: '${length([for k in [] : local.nope])}' } } } },
    expect.stringContaining('local.nope'),
  ],
  [
    'a for_each with one',
    { resource: { [flag]: { f: { key: 'k', for_each: '${toset([for k in [] : local.nope])}' } } } },
    expect.stringContaining('local.nope'),
  ],
  [
    'an import with one',
    {
      resource: { [flag]: { f: { key: 'k', active: false } } },
      import: [{ to: `${flag}.f`, id: '${join("", [for k in [] : local.nope])}' }],
    },
    expect.stringContaining('local.nope'),
  ],
  [
    'a data source with a condition that does not hold',
    {
      data: {
        [flag]: {
          d: { key: 'd', lifecycle: { precondition: { condition: '${1 == 2}', error_message: 'no' } } },
        },
      },
    },
    expect.stringMatching(/^data\.vexil_feature_flag\.d\..*no/),
  ],
  [
    'a check with a data source of its own',
    {
      check: {
        c: { data: { [flag]: { d: { key: 'd' } } }, assert: { condition: '${1 == 1}', error_message: 'm' } },
      },
    },
    expect.stringMatching(/^check\.c: .*data source within a check/),
  ],
  [
    'a check with a member that is misspelt',
    { check: { c: { asert: {} } } },
    'check.c: there is no "asert" here; did you mean "assert"?',
  ],
  [
    'a condition without words',
    { locals: { n: 1 }, output: { o: { value: 1, precondition: { condition } } } },
    'output.o.precondition[0]: it has no error_message',
  ],
  [
    'a condition with a member that is misspelt',
    { locals: { n: 1 }, check: { c: { assert: { condition, error_message: 'x', error: 1 } } } },
    'check.c.assert[0]: there is no "error" here; there are condition, error_message',
  ],
  [
    'words of a condition with a name that is declared nowhere',
    resource({ lifecycle: { precondition: { condition, error_message: '${local.m}' } } }),
    `${flag}.flag.precondition[0]: it refers to local.m, which is not declared; did you mean local.n?`,
  ],
  [
    'a precondition on the resource itself',
    resource({ lifecycle: { precondition: { condition: '${self.key == "flag"}', error_message: 'x' } } }),
    `${flag}.flag.precondition[0].condition: self.key means nothing here; use it where a postcondition is`,
  ],
  [
    'a for_each that is null',
    resource({ for_each: null }),
    `${flag}.flag.for_each: null is neither a map nor a set of texts; write toset([...]) around a list`,
  ],
  [
    'a count that is null',
    resource({ count: null }),
    `${flag}.flag.count: the count is not a whole number from 0 on`,
  ],
  [
    'to depend on what is not there',
    resource({ depends_on: ['local.m'] }),
    `${flag}.flag.depends_on: it refers to local.m, which is not declared; did you mean local.n?`,
  ],
  [
    'to depend on no list',
    resource({ depends_on: 'local.n' }),
    `${flag}.flag.depends_on: it has to be a list of addresses`,
  ],
  [
    'a name that is declared nowhere, where nobody comes to it',
    resource({ name: '${length([for x in [] : local.m])}' }),
    `${flag}.flag.name: it refers to local.m, which is not declared; did you mean local.n?`,
  ],
  [
    'an attribute that there is not, in try() too',
    { locals: { n: `\${try(${flag}.flag.nam, 1)}` } },
    `local.n: ${flag}.flag has no attribute "nam"; did you mean "name"?`,
  ],
  [
    'an attribute of several',
    { resource: two, locals: { n: `\${try(${flag}.two.name, 1)}` } },
    `local.n: there may be several of ${flag}.two; say which one: ${flag}.two[count.index].name`,
  ],
  [
    'what only has parts',
    { locals: { n: '${path}' } },
    'local.n: path is nothing by itself; write what of it is meant: path.name',
  ],
])('%s is refused', async (_, stack, line) => {
  expect((await read(stack)).lines).toEqual([line])
})

it('keeps to itself what a variable holds that is called sensitive in quotes', async () => {
  const { lines } = await read({ variable: { v: { default: 'hidden', sensitive: 'true' } } }, '${var.v}')
  expect(lines).toEqual([expect.stringContaining('it comes from var.v, which is sensitive')])
})
