import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** The script of HTML reports as the text of one module: reports are written where there is no bundler. */
export async function pageScriptModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/report/html/page-script.ts'],
    tsconfigRaw: '{}',
    absWorkingDir: root,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    write: false,
  })
  const script = (outputFiles[0]?.text ?? '').trimEnd()
  // It stands in an element that its own text must not end.
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of reports would end its element')
  return `// Bundled from src/report/html/page-script.ts by \`npm run generate\`; never edited by hand.\nexport const pageScript = ${JSON.stringify(script)}\n`
}
