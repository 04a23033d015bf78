import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build, transform } from 'esbuild'
import { writeNotices } from './esbuild.notices.js'

const source = join(import.meta.dirname, 'src/constructs')

/** The engines that the constructs are built for. They are written for cdktf; the other has the same interface. */
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
const engines = Object.keys(manifest.peerDependencies).filter(name => name.startsWith('cdkt'))

/**
 * Builds the constructs as CommonJS, once for each engine: `dist/cdktf/index.js` and a folder for each generated one, so
 * that `vexil/cdktf/feature-flag` loads no more than it names. What one entry has, the others ask for there: a class
 * that is there twice would not be the same class.
 */
export async function buildConstructs() {
  await Promise.all(engines.map(engine => buildFor(engine, `dist/${engine}`)))
}

async function buildFor(engine, outdir) {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries([...entries].map(([path, entry]) => [entry, path])),
    outdir,
    write: false,
    bundle: true,
    metafile: true,
    // What is called like a generated class would get a number behind its name.
    keepNames: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    plugins: [writtenFor(engine)],
    logLevel: 'warning',
  })
  await mkdir(outdir, { recursive: true })
  await writeFile(join(outdir, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`)
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      await mkdir(dirname(path), { recursive: true })
      const whole = path === resolve(outdir, 'index.js') ? onFirstUse(text) : text
      await writeFile(path, await withoutIndentation(whole))
    }),
  )
  await writeNotices(outdir, [{ metafile }])
}

/**
 * The same, shorter. Names stay, since people report traces with them; so do those by which Node finds what it exports.
 * Lines are short, since Node prints the one that has thrown an error which nobody catches.
 */
async function withoutIndentation(text) {
  const at = text.indexOf('// Annotate the CommonJS export names')
  const end = at < 0 ? text.length : at
  const { code } = await transform(text.slice(0, end), {
    minifyWhitespace: true,
    lineLimit: 160,
    target: 'node20.19',
  })
  return code + text.slice(end)
}

/**
 * The index with what it only hands on read when somebody asks for it: most programs use few of the constructs. The
 * names stay where Node looks for them when an ES module imports them.
 */
function onFirstUse(text) {
  let handedOn = 0
  let changed = text
  for (const file of ['index', 'names']) {
    const section = new RegExp(`^// src/constructs/generated/${file}\\.ts\\n((?:var .*\\n)+)`, 'm').exec(
      changed,
    )
    changed = changed.replace(section?.[0] ?? '', '')
    for (const [, name, load] of section?.[1].matchAll(/^var (\w+) = .*?(require\("[^"]+"\))/gm) ?? []) {
      changed = changed.replace(new RegExp(`\\(\\) => ${name}\\b`), `() => ${load}`)
      handedOn += 1
    }
  }
  if (handedOn !== 2 * (entries.size - 2)) throw new Error(`${handedOn} generated modules are handed on`)
  return changed
}

/** Source files that are files of their own in the package, with their paths there. */
const entries = new Map([
  [join(source, 'index.ts'), 'index'],
  [join(source, 'engine/engine.ts'), 'engine'],
  ...readdirSync(join(source, 'generated'), { withFileTypes: true })
    .filter(each => each.isDirectory())
    .map(({ name }) => [join(source, 'generated', name, 'index.ts'), `${name}/index`]),
])

const writtenFor = engine => ({
  name: `constructs for ${engine}`,
  setup(build) {
    // A namespace import costs a copy of all that the engine exports, in each of the files.
    build.onLoad({ filter: /\/constructs\/generated\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /^import \* as (\w+) from ('cdktf')/m,
        'import $1 = require($2)',
      ),
      loader: 'ts',
    }))
    build.onResolve({ filter: /^cdktf$/ }, () => ({ path: engine, external: true }))
    build.onResolve({ filter: /^constructs$/ }, ({ path }) => ({ path, external: true }))
    build.onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const wanted = entries.get(join(dirname(importer), path))
      if (wanted === undefined || importer === '') return undefined
      // What is no entry of its own is part of the index.
      const from = dirname(entries.get(importer) ?? 'index')
      const place = relative(from, wanted)
      return { path: place.startsWith('.') ? `${place}.js` : `./${place}.js`, external: true }
    })
  },
})
