import { chmod, rm } from 'node:fs/promises'
import { build } from 'esbuild'
import { buildConstructs } from './esbuild.cdktf.js'
import { withFewChunks } from './esbuild.chunks.js'
import { withNotices, writeNotices } from './esbuild.notices.js'
import { buildTesting } from './esbuild.testing.js'

await rm('dist', { recursive: true, force: true })
const program = await build(
  await withFewChunks({
    ...withNotices,
    entryPoints: { vexil: 'src/cli/start.ts', index: 'src/index.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    // Half of the package was indentation; names stay, since people report traces with them.
    minifyWhitespace: true,
    minifySyntax: true,
    // Whoever keeps a sandbox's data, or wants traces, installs what that takes beside us.
    external: ['classic-level', '@opentelemetry/*'],
    banner: {
      // CommonJS dependencies inside an ES module still ask for `require`.
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  }),
)
// A linked command keeps working after a rebuild.
await chmod('dist/vexil.js', 0o755)

// The Terraform provider is one file of its own: Terraform starts it three times for one plan.
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
await writeNotices('dist', [program])

await Promise.all([buildConstructs(), buildTesting()])
