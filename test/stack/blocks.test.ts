import { describe, expect, it } from 'vitest'
import { load, problemsOf } from './load.ts'

const F = 'vexil_feature_flag'
const off = { active: false }
const two = { count: 2, key: 'flag-${count.index}', ...off }

/** A stack with the flag `flag`, two flags `two` and the local `n`, and more beside them. */
function stackWith(flag: object, more: object = {}): object {
  const locals = { n: 1 }
  return { locals, resource: { [F]: { two, flag: { key: 'flag', name: 'name', ...off, ...flag } } }, ...more }
}
const beside = (more: object) => stackWith({}, more)

/** `F` in place of our longest type. */
const whole = (text: string) => text.replaceAll(/\bF\./g, `${F}.`)

it.each<[string, object, string, object?]>([
  ['a name that begins with _', {}, '${local._own}', { locals: { _own: 'x' } }],
  ['a name that nobody asks for', {}, '${join("", [for _, v in { a = "x" } : v])}'],
  ['a byte order mark', {}, '\ufeffx'],
  ['a byte order mark before an expression', {}, '${local.n}', { locals: { n: '\ufeff${"x"}' } }],
  ['a type as it was written once', {}, '${var.v[0]}', { variable: { v: { type: 'list', default: ['x'] } } }],
  ['a member of what Terraform has to work out first', {}, '${try(F.two[1 - 1].nope, "x")}'],
  ['a resource that is called so', {}, '${replace(resource.F.two[0].key, "flag-0", "x")}'],
  ['an instance that there is not, in try()', {}, '${try(F.two[2].key, "x")}'],
  ['a member that a value lacks, in try()', {}, '${try(local.n.nope, "x")}', { locals: { n: {} } }],
  ['to depend on an instance, and on itself', { depends_on: ['F.two[0]', 'F.flag', 'resource.F.two'] }, 'x'],
  [
    'a directive about what stands further below',
    {},
    '%{ if local.a == "x" }x%{ endif }',
    { locals: { a: '%{ if local.z == "x" }x%{ endif }', z: '%{ if local.y == 1 }x%{ endif }', y: 1 } },
  ],
  [
    'a switch as text',
    {},
    '${var.v == null ? "x" : "y"}',
    { variable: { v: { nullable: 'true', default: null } } },
  ],
])('%s is taken', async (_, flag, name, more) => {
  const stack = JSON.parse(JSON.stringify(stackWith({ ...flag, name }, more)).replaceAll(/\bF\./g, `${F}.`))
  const { declarations, problems } = await load(stack)
  expect(problems).toEqual([])
  expect(declarations.desired.find(({ address }) => address.endsWith('.flag'))?.fields.name).toBe('x')
})

const assert = (more: object) =>
  beside({ check: { c: { assert: { condition: '${local.n == 1}', ...more } } } })
const condition = (kind: string, it: unknown, message = 'x') => ({
  lifecycle: { [kind]: { condition: it, error_message: message } },
})
const loop = '[for k in [] : local.nope]'
const nope = 'it refers to local.nope, which is not declared; did you mean local.n?'
const misspelt = (name: string, others: string) => `"${name}" is not a known name here; ${others}`

describe('a block is refused', () => {
  it.each<[string, object, string]>([
    [
      'a variable with a member that is misspelt',
      beside({ variable: { v: { default: 1, sensitve: true } } }),
      `var.v: ${misspelt('sensitve', 'did you mean "sensitive"?')}`,
    ],
    [
      'a variable that is neither sensitive nor not',
      beside({ variable: { v: { default: 1, sensitive: null } } }),
      'var.v: "sensitive" must be true or false',
    ],
    [
      'a variable whose type is no text',
      beside({ variable: { v: { default: 1, type: ['string'] } } }),
      'var.v: its type cannot be read; write one such as "list(string)" or "object({ a = string })"',
    ],
    [
      'a type that has a member twice',
      beside({ variable: { v: { default: null, type: 'object({ a = string, a = number })' } } }),
      'var.v: its type has the member "a" twice',
    ],
    [
      'a type with a member that is not a valid name',
      beside({ variable: { v: { default: null, type: 'object({ "a b" = string })' } } }),
      'var.v: its type has a member "a b", which is no name',
    ],
    [
      'a variable with a name that calls of modules use',
      beside({ variable: { count: { default: 1 } } }),
      'var.count: a variable cannot have the name "count"; use another name: the call of a module uses this name for something else',
    ],
    [
      'a name that is none',
      beside({ output: { 'a b': { value: 1 } } }),
      'output.a b: "a b" is not a valid name; use letters, digits, _ and -, and start with a letter or _',
    ],
    ['an output without a value', beside({ output: { o: {} } }), 'output.o.value: a value is required'],
    ['a count with an unknown name', stackWith({ count: `\${length(${loop})}` }), `F.flag.count: ${nope}`],
    ['a for_each with one', stackWith({ for_each: `\${toset(${loop})}` }), `F.flag.for_each: ${nope}`],
    ['an attribute with one', stackWith({ name: `\${length(${loop})}` }), `F.flag.name: ${nope}`],
    [
      'an import with one',
      beside({ import: [{ to: `${F}.flag`, id: `\${join("", ${loop})}` }] }),
      `import of F.flag: ${nope}`,
    ],
    [
      'a data source with a condition that does not hold',
      beside({ data: { [F]: { d: { key: 'd', ...condition('precondition', '${1 == 2}', 'no') } } } }),
      'data.F.d.precondition[0]: no',
    ],
    [
      'a check with a data source of its own',
      beside({
        check: {
          c: { data: { [F]: { d: { key: 'd' } } }, assert: { condition: '${1 == 1}', error_message: 'm' } },
        },
      }),
      'check.c: Vexil does not support a data source within a check; declare it outside the check',
    ],
    [
      'a check with a member that is misspelt',
      beside({ check: { c: { asert: {} } } }),
      `check.c: ${misspelt('asert', 'did you mean "assert"?')}`,
    ],
    [
      'a condition without words',
      beside({ output: { o: { value: 1, precondition: { condition: '${local.n == 1}' } } } }),
      'output.o.precondition[0]: error_message is missing',
    ],
    [
      'a condition with a member that is misspelt',
      assert({ error_message: 'x', error: 1 }),
      `check.c.assert[0]: ${misspelt('error', 'there are condition, error_message')}`,
    ],
    [
      'words of a condition with a name that is declared nowhere',
      stackWith(condition('precondition', '${local.n == 1}', '${local.m}')),
      'F.flag.precondition[0]: it refers to local.m, which is not declared; did you mean local.n?',
    ],
    [
      'a precondition on the resource itself',
      stackWith(condition('precondition', '${self.key == "flag"}')),
      'F.flag.precondition[0].condition: self.key is not available here; use it only in a postcondition',
    ],
    [
      'words of a condition that does not hold, with something that there is not, once',
      stackWith(condition('precondition', false, '${path.nope}')),
      'F.flag.precondition[0]: path has no attribute "nope"; there are cwd, module, root',
    ],
    [
      'a for_each that is null',
      stackWith({ for_each: null }),
      'F.flag.for_each: null is neither a map nor a set of texts; write toset([...]) around a list',
    ],
    [
      'a count that is null',
      stackWith({ count: null }),
      'F.flag.count: the count is not a whole number, or is negative',
    ],
    [
      'something of each that there is not',
      stackWith({ for_each: { a: 1 }, name: '${try(each.nope, 1)}' }),
      'F.flag["a"].name: each has no attribute "nope"; there are key, value',
    ],
    [
      'something of count that there is not',
      stackWith({ count: 1, name: '${try(count.nope, 1)}' }),
      'F.flag[0].name: count has no attribute "nope"; there is index',
    ],
    [
      'something of itself that there is not',
      stackWith(condition('postcondition', '${try(self.nam, true)}')),
      'F.flag.postcondition[0].condition: self has no attribute "nam"; did you mean "name"?',
    ],
    [
      'an element of an instance of a module',
      beside({ locals: { n: '${try(module.m["a"]["b"], 1)}' }, module: { m: { source: './m', count: 0 } } }),
      'local.n: an instance of module.m has outputs, not elements; write module.m[...].name',
    ],
    [
      'a member of terraform that is misspelt',
      beside({ terraform: { require_version: '>= 1.0' } }),
      `terraform: ${misspelt('require_version', 'did you mean "required_version"?')}`,
    ],
  ])('%s', async (_, stack, line) => {
    expect(await problemsOf(stack, { files: { 'm/m.tf': '' } })).toEqual([whole(line)])
  })

  it.each([
    ['path', 'path alone is not a value; write one of its attributes: path.cwd'],
    ['path.modul', 'path has no attribute "modul"; did you mean "module"?'],
    ['F.flag.nam', 'F.flag has no attribute "nam"; did you mean "name"?'],
    ['F.flag[0].key', 'there is only one F.flag, without count or for_each; remove the brackets'],
    ['F.flag["key"]', 'there is only one F.flag, without count or for_each; remove the brackets'],
    ['F.flag.key.nope', 'F.flag.key: a text has nothing in it'],
    ['F.flag.release[0].nope', 'F.flag.release: there is no member "nope" in an object'],
    [
      'F.two.name',
      'there may be several instances of F.two; write which instance is used: F.two[count.index].name',
    ],
    [
      'F.two.nam',
      'there may be several instances of F.two; write which instance is used: F.two[count.index]',
    ],
    ['F.two[0].nam', 'F.two has no attribute "nam"; did you mean "name"?'],
    ['F.two[0]["key"]', 'an instance of F.two has attributes, not elements; write [...].key'],
    ['F.two[0].release["first"]', 'F.two.release: a text "first" stands where number is needed'],
  ])('a value that refers to %s, in try() too', async (reference, line) => {
    const stack = beside({ locals: { n: `\${try(${whole(reference)}, 1)}` } })
    expect(await problemsOf(stack)).toEqual([`local.n: ${whole(line)}`])
  })

  it.each<[string, unknown, string]>([
    ['what is not there', ['local.m'], 'it refers to local.m, which is not declared; did you mean local.n?'],
    ['no list', 'local.n', 'the value must be a list of addresses'],
    ['null', null, 'the value must be a list of addresses'],
    ['something in a local value', ['local.n["z"]'], 'it refers to something inside local.n; write local.n'],
    ['what is worked out', ['local.n + 1'], '"local.n + 1" is not an address'],
    ['something in another block', [`${F}.two[0].key`], 'it refers to something inside F.two; write F.two'],
    [
      'an instance that is worked out',
      [`${F}.two[local.n]`],
      'an expression selects the instance of F.two; write F.two, or a constant index',
    ],
  ])('a flag that depends on %s', async (_, addresses, line) => {
    expect(await problemsOf(stackWith({ depends_on: addresses }))).toEqual([
      `${F}.flag.depends_on: ${whole(line)}`,
    ])
  })

  it('what another kind has of itself, though its condition is written in the same words', async () => {
    const ofSelf = condition('postcondition', '${try(self.plugin_type, "x") != ""}')
    const resource = {
      vexil_plugin: { a: { name: 'a', plugin_type: 'source', ...ofSelf } },
      [F]: { flag: { key: 'flag', ...off, ...ofSelf } },
    }
    expect(await problemsOf({ resource })).toEqual([
      expect.stringContaining(`${F}.flag.postcondition[0].condition: self has no attribute "plugin_type"; `),
    ])
  })

  it('a variable that is sensitive in quotes, without its value', async () => {
    const variable = { v: { default: 'hidden', sensitive: 'true' } }
    expect(await problemsOf(stackWith({ name: '${var.v}' }, { variable }))).toEqual([
      expect.stringContaining('it comes from var.v, which is sensitive'),
    ])
  })
})
