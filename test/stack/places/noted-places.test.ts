import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { notedPlaces } from '../../../src/stack/places.ts'
import { folderOfTest } from '../../support/folder.ts'

const path = 'flags/Nav/Resource'
const stackWith = (stackTrace: unknown) => ({
  resource: { vexil_feature_flag: { nav: { '//': { metadata: { path, stackTrace } } } } },
})

/** What a trace in a stack of an app that lies in a folder says. */
async function placeOf(trace: unknown, files: Record<string, string> = {}) {
  const directory = await folderOfTest(files)
  const output = join(directory, 'cdktf.out')
  // Whatever a file says, it is JSON.
  const given = JSON.parse(JSON.stringify(stackWith(trace)).replaceAll('DIRECTORY', directory))
  return (await notedPlaces(given, { output, directory })).get(path)
}

const source =
  "import { Flag } from 'vexil/cdktf'\n\nexport const nav = (scope: object) =>\n  new Flag(scope as never, 'Nav', { key: 'nav' })\n"
const { code, map } = transformSync(source, {
  loader: 'ts',
  sourcemap: true,
  sourcefile: 'main.ts',
  minifyWhitespace: true,
  format: 'cjs',
})
const lines = code.slice(0, code.indexOf('new import_cdktf')).split('\n')
const compiled = `../dist/main.js:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
const original = { file: 'dist/main.ts', line: 4, column: 3 }

describe('the place of a construct', () => {
  it.each<[string, unknown, object | undefined]>([
    ['relative to the output', ['../main.ts:8:15'], { file: 'main.ts', line: 8, column: 15 }],
    [
      "in the engine's own form",
      ['new Flag (DIRECTORY/a (b)/main.ts:8:15)'],
      { file: 'a (b)/main.ts', line: 8, column: 15 },
    ],
    [
      'in a folder with an odd name',
      ['../a (b)/main.ts:8:15'],
      { file: 'a (b)/main.ts', line: 8, column: 15 },
    ],
    ['as a URL', ['file://DIRECTORY/main.mts:8:15'], { file: 'main.mts', line: 8, column: 15 }],
    [
      'behind those of packages and of Node',
      [
        'new Flag (DIRECTORY/node_modules/vexil/dist/cdktf/index.js:1:2)',
        'node:internal/x:1:2',
        'DIRECTORY/main.ts:3:4',
      ],
      { file: 'main.ts', line: 3, column: 4 },
    ],
    ['elsewhere', ['../../shared/main.ts:8:15'], { file: '../shared/main.ts', line: 8, column: 15 }],
    ['none', [], undefined],
    ['no line', ['main.ts'], undefined],
    ['no list', 'main.ts:1:2', undefined],
    ['of other things', [4, null], undefined],
    ['a URL of another machine', ['file://elsewhere/main.ts:1:2'], undefined],
  ])('%s', async (_, trace, place) => {
    expect(await placeOf(trace)).toEqual(place)
  })

  it.each([
    [
      'beside the file',
      { 'dist/main.js': `${code}\n//# sourceMappingURL=main.js.map\n`, 'dist/main.js.map': map },
    ],
    [
      'in the file',
      {
        'dist/main.js': `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`,
      },
    ],
  ])('is the line that was compiled, by a source map %s', async (_, files) => {
    expect(await placeOf([compiled], files)).toEqual(original)
  })

  it.each<[string, Record<string, string>]>([
    ['no file', {}],
    ['no map', { 'dist/main.js': code }],
    [
      'a map that is none',
      { 'dist/main.js': `${code}\n//# sourceMappingURL=main.js.map\n`, 'dist/main.js.map': '[' },
    ],
    ['a map that is elsewhere', { 'dist/main.js': `${code}\n//# sourceMappingURL=../../main.js.map\n` }],
  ])('is the compiled one where there is %s', async (_, files) => {
    expect(await placeOf([compiled], files)).toMatchObject({ file: 'dist/main.js' })
  })
})
