import { chmod, rm } from 'node:fs/promises'
import { build } from 'esbuild'
import { buildConstructs } from './esbuild.cdktf.js'
import { withNotices, writeNotices } from './esbuild.notices.js'
import { buildProgram } from './esbuild.program.js'
import { buildTesting } from './esbuild.testing.js'

await rm('dist', { recursive: true, force: true })
await buildProgram('dist')
// A linked command keeps working after a rebuild.
await chmod('dist/vexil.cjs', 0o755)

// The Terraform provider is one file of its own: Terraform starts it at least three times for one plan.
const provider = await build({
  ...withNotices,
  entryPoints: { 'vexil-provider': 'src/terraform/main.ts' },
  outdir: 'dist/terraform',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  keepNames: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
})

await writeNotices('dist/terraform', [provider])

await Promise.all([buildConstructs(), buildTesting()])
