import { mkdir, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { withNotices, writeNotices } from './esbuild.notices.js'

/**
 * Builds `vexil/testing`: one CommonJS file, since jest and CDKTF projects load it so. What joins it to vitest is an ES
 * module, since vitest is one; it and what joins it to jest ask for the one file.
 */
export async function buildTesting() {
  const outdir = 'dist/testing'
  await mkdir(outdir, { recursive: true })
  const [one] = await Promise.all([
    build({
      ...common,
      ...withNotices,
      entryPoints: { index: 'src/testing/index.ts' },
      outdir,
      format: 'cjs',
      minify: true,
      keepNames: true,
      // An ES module that is bundled asks where it is, to load others from there.
      define: { 'import.meta.url': '__importMetaUrl' },
      banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    }),
    writeFile(`${outdir}/package.json`, `${JSON.stringify({ type: 'commonjs' })}\n`),
    build({
      ...common,
      entryPoints: { jest: 'src/testing/jest.ts' },
      outdir,
      format: 'cjs',
      plugins: [besides],
    }),
    build({
      ...common,
      entryPoints: { vitest: 'src/testing/vitest.ts' },
      outdir,
      outExtension: { '.js': '.mjs' },
      format: 'esm',
      external: ['vitest'],
      plugins: [besides],
    }),
  ])
  await writeNotices(outdir, [one])
}

const common = { bundle: true, platform: 'node', target: 'node20.19', logLevel: 'warning' }

const besides = {
  name: 'the one file beside',
  setup(build) {
    build.onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: './index.js', external: true }))
  },
}
