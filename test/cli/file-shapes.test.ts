import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/model/text/json.ts'
import { everySort, placeIn, placesIn, withOther } from '../support/json-places.ts'
import { useWorkspace } from '../support/workspace.ts'

/** Files that other programs write are read whole or refused: what they say is never left out without a word. */

const workspace = useWorkspace({})
const { vexil, write } = workspace

interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface File {
  readonly name: string
  readonly json: Json
  readonly others?: Readonly<Record<string, string>>
  readonly command: string
  readonly expected: readonly string[]
  /** What stands in what was read, in its order. */
  readonly read: (answer: Answer) => readonly string[]
  /** Places whose member may be missing, or say something else that is as good. */
  readonly isFree: (place: string, other: Json | undefined) => boolean
}

const addresses = ({ stdout }: Answer): readonly string[] =>
  JSON.parse(stdout).changes.map(({ address }: { address: string }) => address)

const flag = (key: string) => ({ vexil_feature_flag: { [key]: { key, active: false } } })
const stackOf = (key: string) =>
  JSON.stringify({ '//': { metadata: { stackName: key } }, provider: { vexil: [{}] }, resource: flag(key) })
const stackIn = (name: string, ...dependencies: readonly string[]) => ({
  ...{ name, workingDirectory: `stacks/${name}`, annotations: [], dependencies },
})

const nothing = [undefined, null]
const isEmpty = (other: Json | undefined) =>
  nothing.includes(other as null) || JSON.stringify(other).length === 2

const files: readonly File[] = [
  {
    name: 'terraform.tfstate',
    json: {
      version: 4,
      resources: [
        {
          ...{ mode: 'managed', type: 'posthog_feature_flag', name: 'a' },
          instances: [{ attributes: { id: 404, key: 'a' } }],
        },
      ],
    },
    command: 'export --from-state terraform.tfstate',
    expected: ['posthog_feature_flag.a'],
    read: ({ stderr }) =>
      [...(stderr.match(/not taken over: posthog_feature_flag\.a: /) ?? [])].map(
        () => 'posthog_feature_flag.a',
      ),
    // A resource of another type, and a list without an element, are states too.
    isFree: (place, other) =>
      /attributes\./.test(place) ||
      (/\.(type|name)$/.test(place) && typeof other === 'string') ||
      (JSON.stringify(other) === '[]' && /(resources|instances)$/.test(place)) ||
      (other === undefined && /\.0$/.test(place)),
  },
  {
    name: 'shown.json',
    json: {
      format_version: '1.0',
      values: {
        root_module: {
          child_modules: [
            {
              resources: [
                {
                  ...{ address: 'posthog_feature_flag.a', mode: 'managed' },
                  ...{ type: 'posthog_feature_flag', name: 'a', values: { id: 404, key: 'a' } },
                },
              ],
            },
          ],
        },
      },
    },
    command: 'export --from-state shown.json',
    expected: ['posthog_feature_flag.a'],
    read: ({ stderr }) =>
      [...(stderr.match(/not taken over: posthog_feature_flag\.a: /) ?? [])].map(
        () => 'posthog_feature_flag.a',
      ),
    isFree: (place, other) =>
      /\.values\.[^.]+$/.test(place) ||
      (/\.(type|name|address)$/.test(place) && typeof other === 'string') ||
      (['[]', undefined].includes(JSON.stringify(other)) &&
        /(resources|child_modules|values|\.0)$/.test(place)) ||
      (/^values\.root_module/.test(place) && ['{}', '{"a":1}'].includes(JSON.stringify(other))),
  },
  {
    name: 'cdktf.out/stacks/shop/cdk.tf.json',
    json: {
      terraform: { backend: { local: { path: 'terraform.shop.tfstate' } } },
      provider: { vexil: [{}] },
      variable: { share: { default: 5, validation: [{ condition: true, error_message: 'no' }] } },
      locals: { name: 'x' },
      resource: {
        vexil_feature_flag: {
          a: [
            {
              ...{ key: 'a', active: false, payload: '"hidden-value"' },
              '//': { vexil: { sensitive: true, live_edits: 'hold' } },
            },
          ],
        },
      },
      output: { a: [{ value: 1 }] },
    },
    command: 'plan --stack cdktf.out/stacks/shop --json',
    expected: ['feature_flag.a'],
    read: answer => [...addresses(answer), ...(answer.stdout.match(/hidden-value/) ?? [])],
    isFree: (place, other) =>
      isEmpty(other) ||
      // A comment of somebody's own.
      place.endsWith('//') ||
      (/payload$/.test(place) && ['string', 'number', 'boolean'].includes(typeof other)) ||
      // What has another name, or other values.
      (JSON.stringify(other) === '{"a":1}' && !/^(provider|variable|locals|output)/.test(place)) ||
      /(key|active|path|default|live_edits)$/.test(place),
  },
  {
    name: 'cdktf.out/manifest.json',
    json: { version: '0.21.0', stacks: { shop: stackIn('shop', 'base'), base: stackIn('base') } },
    others: {
      'cdktf.out/stacks/shop/cdk.tf.json': stackOf('shop'),
      'cdktf.out/stacks/base/cdk.tf.json': stackOf('base'),
    },
    command: 'plan --stack shop --stack base --json',
    expected: ['feature_flag.base', 'feature_flag.shop'],
    read: addresses,
    isFree: (place, other) =>
      /^version$/.test(place) ||
      (/dependencies/.test(place) && (isEmpty(other) || typeof other === 'string')) ||
      (/(name|workingDirectory)$/.test(place) && typeof other === 'string'),
  },
  {
    name: 'cdktf.json',
    json: { output: 'out', context: { a: 1 } },
    others: {
      'out/manifest.json': JSON.stringify({ stacks: { shop: stackIn('shop') } }),
      'out/stacks/shop/cdk.tf.json': stackOf('shop'),
    },
    command: 'plan --stack shop --json',
    expected: ['feature_flag.shop'],
    read: addresses,
    isFree: (place, other) =>
      place === 'output' && (typeof other === 'string' || nothing.includes(other as null)),
  },
]

describe.each(files)('$name', ({ name, json, others = {}, command, expected, read, isFree }) => {
  const answer = async (text: string) => {
    await write({ ...others, [name]: text })
    return vexil(command)
  }

  it('is read whole or refused, whatever stands in any place of it', async () => {
    expect(read(await answer(JSON.stringify(json)))).toEqual(expected)
    const less: string[] = []
    for (const path of placesIn(json))
      for (const other of everySort) {
        const place = path.join('.')
        if (isFree(place, other) || JSON.stringify(placeIn(json, path)) === JSON.stringify(other)) continue
        const found = await answer(JSON.stringify(withOther(json, path, other)))
        if (
          (found.code === 1 || found.stderr.includes('has no stack')) &&
          found.stderr + found.stdout !== '' &&
          !/unexpected|bug/.test(found.stderr)
        )
          continue
        const seen = found.code === 0 ? read(found) : [`ended in ${found.code}`, found.stderr]
        if (JSON.stringify(seen) !== JSON.stringify(expected))
          less.push(`${place} = ${JSON.stringify(other)}: ${seen}`)
      }
    expect(less).toEqual([])
  })

  // An engine reads a list of objects as one after the other.
  const lists = name.endsWith('cdk.tf.json') ? [] : ['[]']
  it.each(['', '{', 'null', ...lists, '"x"', '1'])('is refused as %j', async text => {
    const { code, stderr, stdout } = await answer(text)
    expect(code).toBe(1)
    expect(stderr + stdout).toMatch(/JSON|is a list|not a manifest/)
  })
})

describe('a file of a module', () => {
  const resource = { vexil_feature_flag: { b: { key: 'b' } } }
  const planWith = async (name: string, bytes: Buffer | string) => {
    const { path } = workspace()
    await write({
      'shop/cdk.tf.json': JSON.stringify({ module: { more: { source: './more' } } }),
      'shop/more/main.tf': 'resource "vexil_feature_flag" "a" {\n  key = "a"\n}\n',
    })
    await writeFile(join(path, 'shop/more', name), bytes)
    return vexil('plan --stack shop')
  }

  it('is read as a list of objects, as engines read it', async () => {
    const { code, stdout } = await planWith('more.tf.json', JSON.stringify([{ resource }]))
    expect(code).toBe(0)
    expect(stdout).toContain('+ flag b')
  })

  it.each([
    ['more.tf', 'resource "vexil_feature_flag" "b" {}\n'],
    ['more.tf.json', JSON.stringify({ resource })],
  ])('is refused in UTF-16 with what to do: %s', async (name, text) => {
    const { code, stderr } = await planWith(name, Buffer.from(`\ufeff${text}`, 'utf16le'))
    expect(code).toBe(1)
    expect(stderr).toContain('this file is UTF-16, which PowerShell 5 writes; save it as UTF-8')
  })
})

it('init finds its line in a .gitignore behind a byte order mark', async () => {
  const { path } = workspace()
  await mkdir(join(path, 'new'))
  await writeFile(join(path, 'new/.gitignore'), '\ufeff.vexil/\nout\n')
  expect((await vexil('init new')).code).toBe(0)
  expect(await readFile(join(path, 'new/.gitignore'), 'utf8')).toBe('\ufeff.vexil/\nout\n')
})

describe('init', () => {
  const added = async (bytes: Buffer) => {
    const { path } = workspace()
    await mkdir(join(path, 'new'))
    const file = join(path, 'new/.gitignore')
    await writeFile(file, bytes)
    return {
      ...(await vexil('init new')),
      after: await readFile(file),
      there: await readdir(join(path, 'new')),
    }
  }

  it.each([
    ['UTF-16', Buffer.from('\ufeffout\n', 'utf16le'), 'is UTF-16, which PowerShell 5 writes'],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1'), 'is not UTF-8 text'],
  ])('leaves a folder with a .gitignore in %s as it is', async (_, before, why) => {
    expect(await added(before)).toMatchObject({
      code: 1,
      stderr: `vexil: ".gitignore" ${why}; save it as UTF-8\n`,
      after: before,
      there: ['.gitignore'],
    })
  })
})
