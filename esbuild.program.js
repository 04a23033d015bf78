import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { build, transform } from 'esbuild'
import { withFewChunks } from './esbuild.chunks.js'
import { withNotices, writeNotices } from './esbuild.notices.js'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Half of the package was indentation; names stay, since people report traces with them.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
  // A bundle is CommonJS, and modules ask where they are.
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    'import.meta.url': '__moduleUrl',
  },
}

/** What imports ES modules: Node takes no `import` in a text that was compiled by itself. */
const importer = 'import.cjs'

/**
 * Builds the command and the library, which share chunks. These are CommonJS, since a program cannot give Node the
 * compiled code of an ES module. esbuild splits ES modules alone, so each chunk is turned into CommonJS afterwards.
 */
export async function buildProgram(outdir) {
  const chunks = await build(
    await withFewChunks({
      ...common,
      ...withNotices,
      entryPoints: { main: 'src/cli/main.ts', library: 'src/index.ts' },
      outdir: join(outdir, 'chunks'),
      write: false,
      splitting: true,
      format: 'esm',
      outExtension: { '.js': '.cjs' },
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      // Who wants traces or a shared store installs these beside us.
      external: ['@opentelemetry/api', 'pg', 'pg-boss', 'prom-client'],
    }),
  )
  await mkdir(join(outdir, 'chunks'), { recursive: true })
  const digest = createHash('sha256')
  for (const { path, text } of chunks.outputFiles) {
    const output = chunks.metafile.outputs[relative('.', path).replaceAll('\\', '/')]
    const content = path.endsWith('.cjs') ? await toCommonJs(text, onDemandIn(output)) : text
    digest.update(content)
    await writeFile(path, content)
  }
  const entries = Object.entries(chunks.metafile.outputs)
  const chunkOf = entryPoint => {
    const [path, { exports }] = entries.find(([, output]) => output.entryPoint === entryPoint)
    return { name: basename(path), exports }
  }
  const start = await build({
    ...common,
    ...withNotices,
    entryPoints: { vexil: 'src/cli/start.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: {
      ...common.define,
      builtProgram: JSON.stringify({
        main: chunkOf('src/cli/main.ts').name,
        digest: digest.digest('hex').slice(0, 16),
      }),
    },
    banner: { js: '#!/usr/bin/env node' },
  })
  await writeFile(join(outdir, importer), 'module.exports = name => import(name)\n')
  await writeFile(join(outdir, 'index.js'), facadeOf(chunkOf('src/index.ts')))
  await writeNotices(outdir, [chunks, start])
}

/** An ES module with the names of a chunk, so that programs import the library as one. */
function facadeOf({ name, exports }) {
  return `import library from './chunks/${name}'\nexport const { ${exports.join(', ')} } = library\n`
}

/** A chunk as CommonJS. Chunks may import each other in a circle: what one exports is there, as getters, before it loads others. */
async function toCommonJs(text, onDemand) {
  const loaded = onDemand.reduce((said, name) => said.replaceAll(`import("${name}")`, loadLater(name)), text)
  const { code } = await transform(loaded, {
    ...{ target: common.target, define: common.define, logLevel: 'warning' },
    // Node prints the line that an uncaught error is from, however long it is.
    ...{ minifyWhitespace: true, minifySyntax: true, format: 'cjs', lineLimit: 400 },
  })
  // esbuild copies the exports for programs that expect an ES module: a second getter for each name.
  const own = code.replace(/module\.exports=__toCommonJS\((\w+)\)/, 'module.exports=$1')
  const url = "const __moduleUrl=require('node:url').pathToFileURL(__filename).href;"
  return inAscii(`'use strict';${own.includes('__moduleUrl') ? url : ''}${withLateModules(own)}`)
}

/** Modules of Node that take up to 9 ms to load, and that many commands never use. A command loads them at their first use. */
const lateModules =
  /\b(import_\w+|childProcess)=((?:require|\(0,\w+\.__require\))\("node:(?:child_process|crypto|http|https|net|readline\/promises|zlib)"\))/g

function withLateModules(code) {
  const names = [...code.matchAll(lateModules)].map(([, name]) => name)
  if (names.length === 0) return code
  const used = new RegExp(`(?<![.\\w$])(${names.join('|')})(?=\\.)`, 'g')
  const late = code.replace(lateModules, '$1=__late(()=>$2)').replace(used, '$1()')
  const [otherwise] = new RegExp(`(?<![.\\w$])(${names.join('|')})(?!\\w|=__late|\\(\\)\\.)`).exec(late) ?? []
  if (otherwise) throw new Error(`"${otherwise}" is used in a way that late loading does not know`)
  return `const __late=load=>{let loaded;return()=>loaded??=load()};${late}`
}

/** What a chunk imports on demand, as it names it. */
function onDemandIn({ imports }) {
  return imports
    .filter(({ kind }) => kind === 'dynamic-import')
    .map(({ path, external }) => (external ? path : `./${basename(path)}`))
}

/** A chunk is loaded by whoever loaded this one. An `import` of anything else stands in a file that Node loads by itself. */
function loadLater(name) {
  return name.startsWith('./')
    ? `Promise.resolve().then(()=>require("${name}"))`
    : `require("../${importer}")("${name}")`
}

/** esbuild leaves other characters in patterns and templates. A text that is ASCII alone is read and compiled faster. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
