import { join } from 'node:path'
import { expect, it } from 'vitest'
import { problemLine } from '../../src/report/text/problem-text.ts'
import { loadStack } from '../../src/stack/index.ts'
import { inFolder, writeFiles } from '../support/folder.ts'

const flag = 'vexil_feature_flag'
const off = { active: false }
const two = { [flag]: { two: { count: 2, key: 'flag-${count.index}', ...off } } }

/** Flags beside the one that is read, and what that says more. */
function beside(others: typeof two, more: object = {}): (name: unknown) => object {
  return name => ({ resource: { [flag]: { ...others[flag], flag: { key: 'flag', ...off, name, ...more } } } })
}

/** Reads a stack that nobody synthesized, and one flag beside what it says. */
async function read(stack: object, name: unknown = 'name') {
  return inFolder({}, async directory => {
    const folder = join(directory, 'stacks', 'flags')
    const own = { resource: { [flag]: { flag: { key: 'flag', ...off, name } } } }
    await writeFiles(folder, { 'cdk.tf.json': JSON.stringify({ ...own, ...stack }), 'm/m.tf': '' })
    const { declarations, problems } = await loadStack({ folder, directory, variables: new Map(), env: {} })
    return {
      fields: declarations.desired.find(({ address }) => address.endsWith('.flag'))?.fields,
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
  [
    'a member of what Terraform has to work out first',
    beside(two),
    `\${try(${flag}.two[1 - 1].nope, "x")}`,
    'x',
  ],
  ['a resource that is called so', beside(two), `\${resource.${flag}.two[0].key}`, 'flag-0'],
  ['an instance that there is not, in try()', beside(two), `\${try(${flag}.two[2].key, "x")}`, 'x'],
  ['a member that a value lacks, in try()', {}, '${try(local.n.nope, "x")}', 'x', { n: {} }],
  [
    'to depend on an instance, and on itself',
    beside(two, { depends_on: [`${flag}.two[0]`, `${flag}.flag`, `resource.${flag}.two`] }),
    'x',
    'x',
  ],
  [
    'a directive about what stands further below',
    {},
    '%{ if local.a == "x" }yes%{ endif }',
    'yes',
    { a: '%{ if local.z == "x" }x%{ endif }', z: '%{ if local.y == 1 }x%{ endif }', y: 1 },
  ],
  ['a switch as text', { variable: { v: { nullable: 'true', default: null } } }, '${var.v == null}', 'true'],
])('%s is taken', async (_, stack, name, value, locals?: object) => {
  const whole = typeof stack === 'function' ? stack(name) : stack
  const { fields, lines } = await read({ ...whole, ...(locals ? { locals } : {}) }, name)
  expect(lines).toEqual([])
  expect(fields?.name).toBe(value)
})

const condition = '${local.n == 1}'
const ofSelf = { postcondition: { condition: '${try(self.plugin_type, "x") != ""}', error_message: 'x' } }
const resource = (more: object) => ({
  locals: { n: 1 },
  resource: { [flag]: { flag: { key: 'flag', ...off, ...more } } },
})

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
    'local.n: path is nothing by itself; write what of it is meant: path.cwd',
  ],
  [
    'something of path that there is not',
    { locals: { n: '${try(path.modul, 1)}' } },
    'local.n: path has no attribute "modul"; did you mean "module"?',
  ],
  [
    'something of each that there is not',
    resource({ for_each: { a: 1 }, name: '${try(each.nope, 1)}' }),
    `${flag}.flag["a"].name: each has no attribute "nope"; there are key, value`,
  ],
  [
    'something of count that there is not',
    resource({ count: 1, name: '${try(count.nope, 1)}' }),
    `${flag}.flag[0].name: count has no attribute "nope"; there is index`,
  ],
  [
    'something of itself that there is not',
    resource({ lifecycle: { postcondition: { condition: '${try(self.nope, true)}', error_message: 'x' } } }),
    `${flag}.flag.postcondition[0].condition: self has no attribute "nope"; there are active, adopt, allow, archived, bucketing_identifier, created_at, deleted, early_exit, ensure_experience_continuity, evaluation_contexts, evaluation_runtime, filters, group_type_index, has_encrypted_payloads, id, is_remote_configuration, key, name, payload, project_id, release, rollback_conditions, rollout_percentage, tags, tags_all, variants`,
  ],
  [
    'words of a condition that does not hold, with something that there is not, once',
    resource({ lifecycle: { precondition: { condition: false, error_message: '${path.nope}' } } }),
    `${flag}.flag.precondition[0]: path has no attribute "nope"; there are cwd, module, root`,
  ],
  [
    'an instance of one that has none',
    { locals: { n: `\${try(${flag}.flag[0].key, 1)}` } },
    `local.n: there is one ${flag}.flag, without count or for_each; take the brackets out`,
  ],
  [
    'a name in brackets of one that has no instances',
    { locals: { n: `\${try(${flag}.flag["key"], 1)}` } },
    `local.n: there is one ${flag}.flag, without count or for_each; take the brackets out`,
  ],
  [
    'an attribute of an instance that there is not',
    { resource: two, locals: { n: `\${try(${flag}.two[0].nam, 1)}` } },
    `local.n: ${flag}.two has no attribute "nam"; did you mean "name"?`,
  ],
  [
    'an attribute of several that there is not',
    { resource: two, locals: { n: `\${try(${flag}.two.nam, 1)}` } },
    `local.n: there may be several of ${flag}.two; say which one: ${flag}.two[count.index]`,
  ],
  [
    'an element of an instance of a module',
    { locals: { n: '${try(module.m["a"]["b"], 1)}' }, module: { m: { source: './m', count: 0 } } },
    'local.n: an instance of module.m has outputs, and no elements; write module.m[...].name',
  ],
  [
    'an element of an instance',
    { resource: two, locals: { n: `\${try(${flag}.two[0]["key"], 1)}` } },
    `local.n: an instance of ${flag}.two has attributes, and no elements; write [...].key`,
  ],
  [
    'a member of a list',
    { resource: two, locals: { n: `\${try(${flag}.two[0].release["first"], 1)}` } },
    `local.n: ${flag}.two.release: a text "first" stands where number is needed`,
  ],
  [
    'something in a text',
    { locals: { n: `\${try(${flag}.flag.key.nope, 1)}` } },
    `local.n: ${flag}.flag.key: a text has nothing in it`,
  ],
  [
    'a member of a condition that there is not',
    { locals: { n: `\${try(${flag}.flag.release[0].nope, 1)}` } },
    `local.n: ${flag}.flag.release: there is no member "nope" in an object`,
  ],
  [
    'to depend on something in another block',
    { resource: two, output: { o: { value: 1, depends_on: [`${flag}.two[0].key`] } } },
    `output.o.depends_on: it names something in ${flag}.two; write ${flag}.two`,
  ],
  [
    'to depend on an instance that is worked out',
    { locals: { n: 0 }, resource: two, output: { o: { value: 1, depends_on: [`${flag}.two[local.n]`] } } },
    `output.o.depends_on: which of ${flag}.two it names is worked out; write ${flag}.two, or a constant`,
  ],
  [
    'to depend on something in a local value',
    resource({ depends_on: ['local.n["z"]'] }),
    `${flag}.flag.depends_on: it names something in local.n; write local.n`,
  ],
  [
    'what another kind has of itself, where its condition stands before in the same words',
    {
      resource: {
        vexil_plugin: { a: { name: 'a', plugin_type: 'source', lifecycle: ofSelf } },
        [flag]: { flag: { key: 'flag', ...off, lifecycle: ofSelf } },
      },
    },
    expect.stringContaining(`${flag}.flag.postcondition[0].condition: self has no attribute "plugin_type"; `),
  ],
  [
    'to depend on null',
    resource({ depends_on: null }),
    `${flag}.flag.depends_on: it has to be a list of addresses`,
  ],
  [
    'to depend on what is worked out',
    resource({ depends_on: ['local.n + 1'] }),
    `${flag}.flag.depends_on: "local.n + 1" is no address`,
  ],
  [
    'a member of terraform that is misspelt',
    { terraform: { require_version: '>= 1.0' } },
    'terraform: there is no "require_version" here; did you mean "required_version"?',
  ],
  [
    'a type that has a member twice',
    { variable: { v: { default: null, type: 'object({ a = string, a = number })' } } },
    'var.v: its type has the member "a" twice',
  ],
  [
    'a type with a member that is no name',
    { variable: { v: { default: null, type: 'object({ "a b" = string })' } } },
    'var.v: its type has a member "a b", which is no name',
  ],
])('%s is refused', async (_, stack, line) => {
  expect((await read(stack)).lines).toEqual([line])
})

it('keeps to itself what a variable holds that is called sensitive in quotes', async () => {
  const { lines } = await read({ variable: { v: { default: 'hidden', sensitive: 'true' } } }, '${var.v}')
  expect(lines).toEqual([expect.stringContaining('it comes from var.v, which is sensitive')])
})
